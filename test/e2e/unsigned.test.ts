/** Sums and signatures where nothing is signed, or nothing can be: no program is needed for these. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describe as describeSite, watch } from '../../src/index.js';
import { renderSums } from '../../src/standard/sums.js';
import { SITE_URL } from '../support/command.js';
import { makeSigner } from '../support/signing.js';
import { callCli, configured, makeFolder, makeSite, readTree } from '../support/site.js';

const SUMS = 'resourcesync/SHA256SUMS';
const DESCRIPTION = '.well-known/resourcesync';
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0IQ==\n-----END OPENSSH PRIVATE KEY-----\n';

/** A site as a run that signs has left it. */
async function makeSigned(options: object = {}): Promise<string> {
  const site = makeSite({ 'index.html': 'home', 'a.txt': 'a' });
  await describeSite({ site, url: SITE_URL, history: 'none', ...options });
  const digest = createHash('sha256')
    .update(readFileSync(join(site, DESCRIPTION)))
    .digest('hex');
  const text = renderSums({ digests: new Map([[DESCRIPTION, digest]]), signers: new Map() });
  return makeSite({ [SUMS]: text, [`${SUMS}.sig`]: makeSigner().sign(text) }, site);
}

const run = (site: string, options: object = {}) =>
  describeSite({ site, url: SITE_URL, history: 'none', ...options });

test('a run that signs nothing removes what was signed, with a warning, once', async () => {
  const site = await makeSigned();
  const first = await run(site);
  expect(first.removed).toEqual([`${SUMS}.sig`, SUMS]);
  expect(first.notices).toContainEqual({ code: 'signature-removed', severity: 'warning' });
  expect(Object.keys(readTree(site)).filter((path) => path.includes('SHA256'))).toEqual([]);
  const second = await run(site);
  expect(second).toMatchObject({ removed: [] });
  expect(second.notices.map(({ code }) => code)).not.toContain('signature-removed');
  expect(first.signature).toBeUndefined();
});

test('sums without a signature, or a signature without sums, are ours, too: a run may have been killed', async () => {
  for (const path of [SUMS, `${SUMS}.sig`]) {
    const site = await makeSigned();
    rmSync(join(site, path));
    expect((await run(site)).removed).toHaveLength(1);
    expect(existsSync(join(site, `${SUMS}.sig`)) || existsSync(join(site, SUMS))).toBe(false);
  }
});

test.each([
  ['sums of other files', SUMS, `${'0'.repeat(64)}  downloads/a.zip\n`],
  ['sums in another form', SUMS, `SHA256 (${DESCRIPTION}) = ${'0'.repeat(64)}\n`],
  ['anything else', SUMS, 'mine'],
  ['another signature', `${SUMS}.sig`, '-----BEGIN PGP SIGNATURE-----\n'],
])('%s in the place of ours: an error, and it stays', async (_, path, text) => {
  const site = await makeSigned();
  writeFileSync(join(site, path), text);
  const before = readTree(site);
  await expect(run(site)).rejects.toMatchObject({ code: 'not-ours', message: expect.stringContaining(path) });
  expect(readTree(site)).toEqual(before);
});

test('neither file is a resource, nor counted as one that changed', async () => {
  const site = await makeSigned();
  const report = await describeSite({ site, url: SITE_URL, history: 'none' }, undefined, { details: true });
  expect(report.resources).toBe(2);
  expect(report.details?.skipped).toEqual([]);
});

test('a watch signs nothing and says so', async () => {
  const site = await makeSigned();
  const end = new AbortController();
  for await (const event of watch(
    { site, url: SITE_URL, history: 'none', sign: 'key' },
    { signal: end.signal },
  )) {
    end.abort();
    expect(event).toMatchObject({
      kind: 'described',
      report: {
        removed: [`${SUMS}.sig`, SUMS],
        notices: expect.arrayContaining([
          { code: 'not-signed', severity: 'note' },
          { code: 'signature-removed', severity: 'warning' },
        ]),
      },
    });
  }
});

test.each([
  ['a file that is missing', { sign: 'missing' }, /there is no key file .*missing/],
  ['no key at all', { sign: {} }, /there is no key\. Name one with --sign/],
  ['no ssh-keygen', { sign: { key: 'key.txt' } }, /there is no ssh-keygen/],
])('%s is an error before anything moves', async (_, options, message) => {
  const folder = makeSite({ 'key.txt': 'a key', 'site/index.html': 'home' });
  const args = ['site', '--url', SITE_URL, ...configured(options, makeFolder())];
  const { status, stderr } = await callCli(args, { cwd: folder, env: { PATH: '' } });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(message) });
  expect(Object.keys(readTree(join(folder, 'site')))).toEqual(['index.html']);
});

test('checksums that prove nothing are not signed', async () => {
  await expect(run(makeFolder(), { sign: 'key', hash: ['md5'] })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('sign needs sha-256 or sha-512, because md5 proves nothing'),
  });
});

test.each([
  ['a flag', (site: string) => [site, '--url', SITE_URL, '--sign', KEY]],
  ['a flag with a sign', (site: string) => [site, '--url', SITE_URL, `--sign=${KEY}`]],
  [
    'a flag, with another one',
    (site: string) => [site, '--url', SITE_URL, '--sign', KEY.trim().slice(0, 60)],
  ],
  ['an option', (site: string) => [site, '--url', SITE_URL, ...configured({ sign: { key: KEY } })]],
  ['an option by itself', (site: string) => [site, '--url', SITE_URL, ...configured({ sign: KEY })]],
  [
    'an option of the wrong kind',
    (site: string) => [site, '--url', SITE_URL, ...configured({ sign: [KEY] })],
  ],
])('a key that stands in %s is refused, and not shown', async (_, argsOf) => {
  const site = makeSite({ 'index.html': 'home' });
  const { status, stdout, stderr } = await callCli(argsOf(site));
  expect(status).toBe(2);
  expect(stderr).toContain('1 mistake');
  expect(stdout + stderr).not.toContain('c2Vj');
});
