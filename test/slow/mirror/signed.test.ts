/** A Source that is signed: a copy is verified, remembers who signed it, and refuses others. */

import { createHash } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe as group, test } from 'vitest';
import { describe, type UserConfig } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import type { MirrorConfig } from '../../../src/mirror/index.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { commitFiles, makeRepository } from '../../support/git.js';
import { readCopy } from '../../support/mirror.js';
import {
  PART,
  readState,
  resign,
  SIGNATURE,
  type State,
  SUMS,
  signApart,
  signState,
  startStateHost,
} from '../../support/signed.js';
import { makeSigner } from '../../support/signing.js';
import { makeFolder, makeForFile } from '../../support/site.js';

const signer = makeSigner();
const other = makeSigner();
const FILES = { 'index.html': 'home', 'a.txt': 'a' };
const RICH = { dumps: true, page: true, feed: true, archives: { period: 'day' }, versions: true } as const;
const PUBLISHED = 'https://published.example/';

/** Publishes files at moments, seconds after the first, without serving them. */
function startPublishing(url: string) {
  const repository = makeRepository();
  const site = join(repository, 'site');
  return async (seconds: number, files: Readonly<Record<string, string>>, more: Partial<UserConfig> = {}) => {
    const sited = Object.entries(files).map(([path, text]) => [`site/${path}`, text]);
    commitFiles(repository, seconds, Object.fromEntries(sited));
    await describe({ site, url, history: 'HEAD:site', ...more });
    return readState(site);
  };
}

const pages = { name: 'pages', include: ['**/*.html'] };
const texts = { name: 'texts', include: ['**/*.txt'] };

/** A host, and states of a Source that it may serve: none of them is signed, and no test changes one. */
const world = makeForFile(async () => {
  const host = await startStateHost();
  const { url } = host;
  const publishAll = async (
    publish: ReturnType<typeof startPublishing>,
    times: readonly number[],
    more = {},
  ) => {
    const states: Map<string, Buffer>[] = [];
    for (const [index, seconds] of times.entries())
      states.push(await publish(seconds, { ...FILES, 'a.txt': 'abcd'[index] ?? '' }, more));
    return states;
  };
  const apart = startPublishing(url);
  const publishApart = async (seconds: number, text: string) => {
    await apart(seconds, { ...FILES, 'a.txt': text }, { source: url, sets: [texts] });
    const joined = { name: 'texts', capabilityList: `${url}${PART}capabilitylist.xml` };
    return apart(seconds + 1, {}, { sets: [pages, joined] });
  };
  return {
    host,
    plain: await publishAll(startPublishing(url), [0, 60, 120, 180]),
    rich: (await publishAll(startPublishing(url), [0, 90_000], RICH)).at(-1) ?? new Map<string, Buffer>(),
    elsewhere: await publishAll(startPublishing(PUBLISHED), [0, 60]),
    apart: [await publishApart(0, 'a'), await publishApart(60, 'b')],
  };
});

/** The host, its Source in four states, and a mirror; how long that paused is in `pauses`. */
function start() {
  const { host, plain } = world();
  const pauses: number[] = [];
  host.asked.length = 0;
  return {
    host,
    pauses,
    plain: (index: number) => plain[index] ?? new Map<string, Buffer>(),
    signed: (index: number, key = signer) => signState(plain[index] ?? new Map(), host.url, key),
    copy: (folder: string, more: Partial<MirrorConfig> = {}) =>
      mirrorSource(resolveMirror({ source: host.url, folder, timeout: 5000, attempts: 1, ...more }), {
        clock: { sleep: async (milliseconds) => void pauses.push(milliseconds) },
      }),
  };
}

// docs/mirror.md: "The copy remembers it, and later runs demand it."
test('the first copy shows the key and remembers it, and later runs demand it', async () => {
  const { host, signed, copy, pauses } = start();
  host.state = signed(0);
  const folder = makeFolder();
  expect(await copy(folder)).toMatchObject({
    inSync: true,
    created: 2,
    signature: { fingerprint: signer.fingerprint, type: 'ssh-ed25519', key: signer.line, isKnown: false },
  });
  host.state = signed(1);
  expect(await copy(folder)).toMatchObject({ inSync: true, updated: 1, signature: { isKnown: true } });
  host.state = signed(2, other);
  const before = readCopy(folder);
  const error: Error = await copy(folder).then(
    () => new Error('none'),
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: 'signature-invalid' });
  expect(error.message).toContain(signer.fingerprint);
  expect(error.message).toContain(other.fingerprint);
  expect(error.message).toContain(`--trust '${other.line}'`);
  expect(readCopy(folder)).toEqual(before);
  expect(pauses).toEqual([]);
  expect(await copy(folder, { trust: [other.line] })).toMatchObject({ inSync: true, updated: 1 });
  // From then on, that key is the one.
  host.state = signed(3, other);
  expect(await copy(folder)).toMatchObject({ inSync: true, signature: { key: other.line, isKnown: true } });
  host.state = signed(1);
  await expect(copy(folder)).rejects.toThrow(/the copy was signed by/);
});

test('a copy remembers in its own folder: another copy has met nobody yet, and a clone believes nobody', async () => {
  const { host, signed, copy } = start();
  host.state = signed(0);
  const [folder, clone] = [makeFolder(), makeFolder()];
  await copy(folder);
  cpSync(folder, clone, { recursive: true });
  host.state = signed(1, other);
  await expect(copy(folder)).rejects.toMatchObject({ code: 'signature-invalid' });
  for (const into of [clone, makeFolder()])
    expect(await copy(into)).toMatchObject({ inSync: true, signature: { key: other.line, isKnown: false } });
  await expect(copy(makeFolder(), { trust: [signer.line] })).rejects.toThrow(/--trust demands/);
});

test('a Source that is signed no more is refused', async () => {
  const { host, plain, signed, copy } = start();
  host.state = signed(0);
  const folder = makeFolder();
  await copy(folder);
  host.state = plain(1);
  await expect(copy(folder)).rejects.toThrow(/names no SHA256SUMS/);
  host.state = new Map([...signed(1)].filter(([path]) => path !== SIGNATURE));
  await expect(copy(folder)).rejects.toThrow(/SHA256SUMS\.sig cannot be read/);
  expect(readCopy(folder)).toEqual(FILES);
});

test('two publications that are mixed are read again after a pause', async () => {
  const { host, signed, copy, pauses } = start();
  const [one, two] = [signed(0), signed(1)];
  host.state = one;
  const folder = makeFolder();
  await copy(folder);
  const mixed = new Map([
    ...two,
    [SUMS, one.get(SUMS) ?? Buffer.alloc(0)],
    [SIGNATURE, one.get(SIGNATURE) ?? Buffer.alloc(0)],
  ]);
  host.state = mixed;
  await expect(copy(folder)).rejects.toThrow(/A deploy seems to be going on/);
  expect(pauses).toEqual([10_000]);
  host.state = mixed;
  const sleep = async () => {
    host.state = two;
  };
  const config = resolveMirror({ source: host.url, folder });
  expect(await mirrorSource(config, { clock: { sleep } })).toMatchObject({ inSync: true, updated: 1 });
});

group('a hostile mirror of a signed Source', () => {
  const [CAPABILITIES, LIST] = ['resourcesync/capabilitylist.xml', 'resourcesync/resourcelist.xml'];
  const edit = (state: State, path: string, from: string | RegExp, to: string) =>
    new Map(state).set(path, Buffer.from(`${state.get(path)}`.replace(from, to)));
  const sister = () => signState(world().elsewhere[0] ?? new Map(), PUBLISHED, signer);
  const pick = (state: State, ...paths: readonly string[]) =>
    [...state].filter(([path]) => paths.includes(path));

  test.each<[string, (state: State, url: string) => State]>([
    [
      'a list without its last entry',
      (state) => edit(state, LIST, /<url>(?:(?!<url>).)*<\/url>\s*(?=<\/urlset>)/s, ''),
    ],
    ['a list of another moment', (state) => edit(state, LIST, /20\d\d-/, '2036-')],
    ['no link to the sums', (state) => edit(state, CAPABILITIES, /<rs:ln rel="related"[^>]*>/, '')],
    ['a link to other sums', (state) => edit(state, CAPABILITIES, SUMS, 'evil/SHA256SUMS')],
    ['the sums of another site', (state) => new Map([...state, ...pick(sister(), SUMS, SIGNATURE)])],
    ['the lists of another site', (state) => new Map([...state, ...pick(sister(), LIST)])],
    ['another site', sister],
    ['everything, signed by another key', (state) => resign(new Map(state as Map<string, Buffer>), other)],
    [
      'a Sitemap in place of all documents',
      (_, url) =>
        new Map([
          [
            'sitemap.xml',
            Buffer.from(
              `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}</loc></url></urlset>`,
            ),
          ],
        ]),
    ],
    ['nothing at all', () => new Map()],
  ])('%s is refused, and nothing is changed', async (_, lie) => {
    const { host, signed, copy } = start();
    const [folder, fresh] = [makeFolder(), makeFolder()];
    host.state = signed(0);
    await copy(folder);
    host.state = lie(signed(1), host.url);
    for (const into of [folder, fresh])
      await expect(copy(into, { trust: [signer.line], from: 'list' })).rejects.toMatchObject({
        name: 'ResyncError',
      });
    expect([readCopy(folder), readCopy(fresh)]).toEqual([FILES, {}]);
  });
});

group('what a copy has seen of a Source never gets older', () => {
  test.each<[string, before: Partial<UserConfig>, now: Partial<UserConfig>]>([
    ['with the same sets', {}, {}],
    ['where there were several sets, and is one', { sets: [pages, texts] }, {}],
    ['where a set was dropped', { sets: [pages, texts] }, { sets: [pages] }],
  ])('%s', async (_, before, now) => {
    const { host, copy } = start();
    const publish = startPublishing(host.url);
    const moments = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];
    const state = async (at: number, config: Partial<UserConfig>, text: string) =>
      signState(await publish(60 * at, { ...FILES, 'a.txt': text }, config), host.url, signer, {
        moment: moments[at],
      });
    const one = await state(0, before, 'a');
    const two = await state(1, now, 'b');
    host.state = one;
    const folder = makeFolder();
    await copy(folder, { maxDelete: '100%' });
    host.state = two;
    expect(await copy(folder, { maxDelete: '100%' })).toMatchObject({ inSync: true });
    const files = readCopy(folder);
    host.state = one;
    for (const trust of [[], [signer.line]])
      await expect(copy(folder, { trust })).rejects.toThrow(/this is an old state/);
    expect(readCopy(folder)).toEqual(files);
    host.state = two;
    expect(await copy(folder)).toMatchObject({ inSync: true });
    await expect(copy(folder, { maxAge: '30d' })).rejects.toThrow(/older than --max-age allows/);
    // Sums that tell of no moment are older than all that do.
    host.state = resign(two, signer);
    await expect(copy(folder)).rejects.toThrow(/the Source has no date/);
  });
});

group('--documents', () => {
  test('keeps nothing that nobody signed, and the copy proves itself', async () => {
    const { host, copy } = start();
    const trust = [signer.line];
    const state = signState(world().rich, host.url, signer);
    // Somebody adds a Sitemap, which a copy with documents looks for.
    const added = new Map(state).set('robots.txt', Buffer.from(`Sitemap: ${host.url}more.xml\n`));
    const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${host.url}</loc></url></urlset>`;
    host.state = added.set('more.xml', Buffer.from(sitemap));
    const folder = makeFolder();
    expect(await copy(folder, { documents: true, trust })).toMatchObject({ inSync: true });
    const kept = readState(folder);
    for (const [path, bytes] of state)
      if (!path.endsWith('/inventory.txt')) expect([path, kept.get(path)]).toEqual([path, bytes]);
    expect(kept.has('more.xml')).toBe(false);
    host.state = kept;
    expect(await copy(makeFolder(), { documents: true, trust })).toMatchObject({ inSync: true });
  });

  test('keeps what is signed, also where nothing links to it', async () => {
    const { host, copy } = start();
    const trust = [signer.line];
    // The page for people is not what the lists call the page about the site.
    const options = { page: true, sitemap: true, describedby: 'a.txt' };
    const state = await startPublishing(host.url)(0, FILES, options);
    host.state = signState(state, host.url, signer);
    for (const missing of [[], ['resourcesync/index.html']]) {
      // As hosts do that serve a page by the name of its folder alone.
      const answer = host.state.get('resourcesync/index.html') ?? Buffer.alloc(0);
      const served = new Map([...host.state, ['resourcesync/', answer]] as const);
      for (const path of missing) served.delete(path);
      const folder = makeFolder();
      const { inSync } = await copy(folder, { documents: true, trust });
      expect(inSync).toBe(true);
      for (const path of ['resourcesync/index.html', 'sitemap.xml', SIGNATURE])
        expect([path, readState(folder).get(path)]).toEqual([path, host.state.get(path)]);
    }
  });

  test('refuses a document that is not what was signed', async () => {
    const path = 'resourcesync/changes.atom';
    const { host, copy } = start();
    const state = signState(world().rich, host.url, signer);
    const original = state.get(path) ?? Buffer.alloc(0);
    expect(original.length).toBeGreaterThan(0);
    host.state = new Map(state).set(path, Buffer.from(`${original}\n`));
    const folder = makeFolder();
    const copying = copy(folder, { documents: true, trust: [signer.line] });
    await expect(copying).rejects.toThrow(/differs from its SHA256SUMS/);
    expect([...readState(folder).keys()]).not.toContain(path);
  });
});

group('--trust', () => {
  test('demands a signature, and the key', async () => {
    const { host, plain, signed, copy } = start();
    const folder = makeFolder();
    const file = join(makeFolder(), 'keys');
    writeFileSync(file, `# ours\n${other.line} old\n${signer.line} new\n`);
    host.state = plain(0);
    await expect(copy(folder, { trust: [signer.line] })).rejects.toThrow(/names no SHA256SUMS/);
    host.state = signed(0);
    await expect(copy(folder, { trust: [other.line] })).rejects.toThrow(/--trust demands/);
    for (const trust of [[signer.line], [file], [other.line, signer.line]]) {
      const report = await copy(makeFolder(), { trust });
      expect(report).toMatchObject({ inSync: true, signature: { isKnown: true } });
    }
  });

  test('looks at all of a copy that was made without it', async () => {
    const { host, plain, signed, copy } = start();
    const one = plain(0);
    const lied = new Map(one);
    const folder = makeFolder();
    // Somebody else answers: all is consistent, and nothing is signed.
    const text = (one.get('resourcesync/resourcelist.xml') ?? '').toString();
    const before = /md5:\S+ sha-256:[\da-f]+/.exec(text.split('a.txt')[1] ?? '')?.[0] ?? '';

    const digest = (name: string) => createHash(name).update('x').digest('hex');
    lied.set('a.txt', Buffer.from('x'));
    lied.set(
      'resourcesync/resourcelist.xml',
      Buffer.from(text.replace(before, `md5:${digest('md5')} sha-256:${digest('sha256')}`)),
    );
    host.state = lied;
    expect(await copy(folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'x' });
    host.state = signed(0);
    expect(await copy(folder, { trust: [signer.line] })).toMatchObject({
      inSync: true,
      updated: 1,
      sets: [{ reason: 'signed' }],
    });
    expect(readCopy(folder)).toEqual(FILES);
  });
});

group('a set that another build describes', () => {
  test('is signed by a key that the whole names', async () => {
    const { host, copy } = start();
    const trust = [signer.line];
    const [one, two] = world().apart.map((state) =>
      signApart(state, host.url, { whole: signer, part: other }),
    );
    if (one === undefined || two === undefined) throw new Error('nothing was published');
    host.state = one;
    const folder = makeFolder();
    expect(await copy(folder, { trust })).toMatchObject({ inSync: true, created: 2 });
    // The other build publishes by itself; the whole is as it was.
    const isOfWhole = (path: string) => path.includes('SHA256SUMS') && !path.startsWith(PART);
    host.state = new Map([...two, ...[...one].filter(([path]) => isOfWhole(path))]);
    expect(await copy(folder, { trust })).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual({ ...FILES, 'a.txt': 'b' });
  });

  const thief = makeSigner();
  const LIST = `${PART}resourcelist.xml`;

  test.each<[string, RegExp, (state: Map<string, Buffer>, url: string) => State]>([
    [
      'signed by a key that the whole does not name',
      /which the Source does not name for this set/,
      (state, url) => signApart(state, url, { whole: signer, part: thief, named: [other] }),
    ],
    [
      'for which the whole names no key',
      /which the Source does not name for this set/,
      (state, url) => signApart(state, url, { whole: signer, part: other, named: [] }),
    ],
    [
      'of which a list is another one',
      /differs from its SHA256SUMS/,
      (state, url) => {
        const signed = signApart(state, url, { whole: signer, part: other });
        return new Map(signed).set(LIST, Buffer.from(`${signed.get(LIST)}\n`));
      },
    ],
    [
      'that is not signed',
      /names no SHA256SUMS/,
      (state, url) => {
        const signed = signApart(state, url, { whole: signer, part: other });
        const path = `${PART}capabilitylist.xml`;
        return new Map(signed).set(path, state.get(path) ?? Buffer.alloc(0));
      },
    ],
    [
      'that signs documents of the whole',
      /index\.xml|resourcelist\.xml is in no SHA256SUMS/,
      (state, url) => {
        const whole = 'resourcesync/pages/resourcelist.xml';
        const signed = signApart(state, url, { whole: signer, part: other });
        const [own, theirs] = [SUMS, `${PART}SHA256SUMS`].map((path) => (signed.get(path) ?? '').toString());
        const line = own?.split('\n').find((one) => one.endsWith(`  ${whole}`)) ?? '';
        expect(line).not.toBe('');
        const less = own?.replace(`${line}\n`, '') ?? '';
        const more = `${line}\n${theirs}`;
        return new Map(signed)
          .set(SUMS, Buffer.from(less))
          .set(SIGNATURE, Buffer.from(signer.sign(less)))
          .set(`${PART}SHA256SUMS`, Buffer.from(more))
          .set(`${PART}SHA256SUMS.sig`, Buffer.from(other.sign(more)));
      },
    ],
  ])('%s, is refused, and nothing is copied', async (_, message, lie) => {
    const { host, copy } = start();
    host.state = lie(new Map(world().apart[0]), host.url);
    const folder = makeFolder();
    await expect(copy(folder, { trust: [signer.line] })).rejects.toThrow(message);
    expect(readCopy(folder)).toEqual({});
  });
});

group('--served-at', () => {
  const trust = [signer.line];

  function startElsewhere() {
    const { host, copy } = start();
    const [one, two] = world().elsewhere.map((state) => signState(state, PUBLISHED, signer));
    if (one === undefined || two === undefined) throw new Error('nothing was published');
    const read = (folder: string, more: Partial<MirrorConfig> = {}) =>
      copy(folder, { source: PUBLISHED, servedAt: host.url, ...more });
    return { host, one, two, read };
  }

  test('with a trusted key, any host is as good as the publisher, and a copy of a copy proves itself', async () => {
    const { host, one, read } = startElsewhere();
    host.state = one;
    const [first, second] = [makeFolder(), makeFolder()];
    const report = await read(first, { trust, documents: true });
    expect(report).toMatchObject({ inSync: true, signature: { isKnown: true } });
    host.state = readState(first);
    expect(await read(second, { trust, documents: true })).toMatchObject({ inSync: true });
    const bytes = (folder: string) =>
      [...readState(folder)].filter(([path]) => !path.startsWith('.resync-mirror/')).sort();
    expect(bytes(second)).toEqual(bytes(first));
    expect(bytes(second).map(([path]) => path)).toContain(SIGNATURE);
  });
});
