/** An audit of a Source that is signed: by whom, and whether by a key that was demanded. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe as group, test } from 'vitest';
import { type AuditReport, audit } from '../../src/audit/index.js';
import { describe } from '../../src/index.js';
import { SITE_URL } from '../support/command.js';
import { listen } from '../support/server.js';
import {
  PART,
  readState,
  resign,
  SIGNATURE,
  type State,
  signApart,
  signState,
  startStateHost,
} from '../support/signed.js';
import { makeSigner } from '../support/signing.js';
import { callCli, makeFolder, makeSite } from '../support/site.js';

const [signer, other, stranger] = [makeSigner(), makeSigner(), makeSigner()];

const FILES = { 'index.html': 'home', 'a.txt': 'a' };

async function makeState(url = SITE_URL, more: object = {}) {
  const site = makeSite(FILES);
  await describe({ site, url, history: 'none', ...more });
  return readState(site);
}

const placeState = (state: ReadonlyMap<string, Buffer>) => makeSite(Object.fromEntries(state));

/** The findings about signatures. */
const problemsIn = ({ findings }: AuditReport) =>
  findings
    .filter(({ code }) => /sign|sums|key|document-unlisted/.test(code))
    .flatMap((one) =>
      one.findings.map(({ document, found, expected }) => ({ code: one.code, document, found, expected })),
    );

const find = async (state: ReadonlyMap<string, Buffer>, trust: readonly string[] = []) =>
  problemsIn(await audit({ source: placeState(state), trust }));

group('--trust', () => {
  test('finds nothing where one of the keys signed, however it is named', async () => {
    const state = signState(await makeState(), SITE_URL, signer);
    const file = join(makeFolder(), 'keys');
    writeFileSync(file, `# ours\n${other.line} old\n${signer.line} new\n`);
    const host = await startStateHost();
    host.state = new Map([['me.keys', Buffer.from(`${signer.line}\n`)]]);
    for (const trust of [[], [signer.line], [file], [`${host.url}me.keys`], [other.line, signer.line]])
      expect(await find(state, trust)).toEqual([]);
  });

  test('reads the keys of a server to their end', async () => {
    const { url } = await listen((_, response) => {
      response.writeHead(200).flushHeaders();
      setTimeout(() => response.end(`${signer.line}\n`), 50);
    });
    expect(await find(signState(await makeState(), SITE_URL, signer), [url])).toEqual([]);
  });

  test('finds the signature of another key, and says whose it is and whose it has to be', async () => {
    const state = signState(await makeState(), SITE_URL, stranger);
    expect(await find(state)).toEqual([]);
    expect(await find(state, [signer.line, other.line])).toEqual([
      {
        code: 'signature-invalid',
        document: SITE_URL + SIGNATURE,
        found: `signed by ${stranger.fingerprint} (ssh-ed25519)`,
        expected: `${signer.fingerprint} (ssh-ed25519) and ${other.fingerprint} (ssh-ed25519)`,
      },
    ]);
  });

  test('finds that nothing is signed, also where no list leads to sums', async () => {
    const unsigned = await makeState();
    expect(await find(unsigned)).toEqual([]);
    const documents = (await find(unsigned, [signer.line])).map(({ document }) =>
      document.slice(SITE_URL.length),
    );
    expect(documents).toEqual(['resourcesync/SHA256SUMS', 'resourcesync/capabilitylist.xml']);
    const signed = signState(unsigned, SITE_URL, signer);
    signed.delete(SIGNATURE);
    expect(await find(signed, [signer.line])).toMatchObject([{ document: SITE_URL + SIGNATURE }]);
  });

  test('takes any of several signatures, and none that is of other sums', async () => {
    const state = signState(await makeState(), SITE_URL, stranger);
    const own = resign(state, signer).get(SIGNATURE) ?? Buffer.alloc(0);
    const both = Buffer.concat([state.get(SIGNATURE) ?? own, own]);
    expect(await find(new Map(state).set(SIGNATURE, both), [signer.line])).toEqual([]);
    expect(await find(new Map(state).set(SIGNATURE, both), [other.line])).toMatchObject([
      { found: expect.stringMatching(/^signed by .*ed25519\) and .*ed25519\)$/) },
    ]);
    const wrong = Buffer.from(signer.sign('other sums\n'));
    const mixed = Buffer.concat([state.get(SIGNATURE) ?? wrong, wrong]);
    expect(await find(new Map(state).set(SIGNATURE, mixed), [signer.line])).toMatchObject([
      { found: expect.stringMatching(/^signed by .*ed25519\)$/) },
    ]);
    expect(await find(new Map(state).set(SIGNATURE, wrong), [signer.line])).toMatchObject([
      { found: `${signer.fingerprint} signed other bytes` },
    ]);
  });

  test('finds a document that the sums lack, however its URL is spelled', async () => {
    const [list, lacking] = ['resourcesync/capabilitylist.xml', 'resourcesync/resourcelist.xml'];
    const state = await makeState();
    const { [lacking]: kept = Buffer.alloc(0), ...others } = Object.fromEntries(state);
    const spelled = (SITE_URL + lacking).replace('https', 'HTTPS');
    const text = String(state.get(list)).replace(`<loc>${SITE_URL}${lacking}`, `<loc>${spelled}`);
    const signed = signState(
      new Map([...Object.entries(others), [list, Buffer.from(text)]]),
      SITE_URL,
      signer,
    );
    expect(await find(signed.set(lacking, kept))).toMatchObject([{ code: 'sums-incomplete' }]);
  });

  test('is a flag, on the web too; the exit status is 1, and what is no key ends it before it begins', async () => {
    const host = await startStateHost();
    host.state = signState(await makeState(host.url), host.url, signer);
    const run = (trust: string) => callCli(['audit', host.url, '--trust', other.line, '--trust', trust]);
    expect(await run(signer.line)).toMatchObject({ status: 0 });
    const { status, stdout } = await run(stranger.line);
    expect({ status, stdout }).toEqual({ status: 1, stdout: expect.stringContaining(signer.fingerprint) });
    host.asked.length = 0;
    expect(await run('nowhere.pub')).toMatchObject({
      stderr: expect.stringContaining('--trust nowhere.pub: it is no key, and no file that can be read'),
    });
    expect(host.asked).toEqual([]);
  });
});

group('a set that another build describes', () => {
  async function makeApart(hasOwn = true) {
    const site = makeSite(FILES);
    await describe({
      ...{ site, url: SITE_URL, history: 'none', source: SITE_URL },
      sets: [{ name: 'texts', include: ['**/*.txt'] }],
    });
    const joined = { name: 'texts', capabilityList: `${SITE_URL}${PART}capabilitylist.xml` };
    const own = hasOwn ? [{ name: 'pages', include: ['**/*.html'] }] : [];
    await describe({ site, url: SITE_URL, history: 'none', sets: [...own, joined] });
    return readState(site);
  }
  const keys = { whole: signer, part: other };

  test.each([
    ['beside others', true],
    ['alone', false],
  ])('%s, has to be signed by a key that the whole names', async (_, hasOwn) => {
    const state = await makeApart(hasOwn);
    const right = signApart(state, SITE_URL, keys);
    for (const trust of [[], [signer.line]]) expect(await find(right, trust)).toEqual([]);
    expect(await find(right, [other.line])).toMatchObject([{ document: SITE_URL + SIGNATURE }]);
    for (const named of [[], [signer]])
      expect(await find(signApart(state, SITE_URL, { ...keys, named }))).toMatchObject([
        { code: 'signature-invalid', document: `${SITE_URL}${PART}SHA256SUMS.sig` },
      ]);
  });

  test('has to be signed where the whole is, and the whole where it is', async () => {
    const state = await makeApart();
    const right = signApart(state, SITE_URL, keys);
    const list = `${PART}capabilitylist.xml`;
    const half = new Map(right).set(list, state.get(list) ?? Buffer.alloc(0));
    expect(await find(half)).toContainEqual(
      expect.objectContaining({ document: SITE_URL + list, found: 'it leads to no SHA256SUMS' }),
    );
    const other: State = new Map([...right].filter(([path]) => !/^resourcesync\/SHA256SUMS/.test(path)));
    expect(await find(other as ReadonlyMap<string, Buffer>)).toMatchObject([
      { code: 'signature-invalid', document: `${SITE_URL}resourcesync/SHA256SUMS` },
    ]);
  });

  test('is audited by itself, by its own key', async () => {
    const url = `${SITE_URL}part/`;
    const part = signState(await makeState(url, { source: SITE_URL }), url, other);
    expect(await find(part, [other.line])).toEqual([]);
    expect(await find(part, [signer.line])).toMatchObject([{ document: url + SIGNATURE }]);
  });
});
