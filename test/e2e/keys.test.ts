/** Private keys never get published: not those that are files of a site, and not the one that signs it. */

import { existsSync, linkSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe as group, test } from 'vitest';
import { describe, diff } from '../../src/index.js';
import { SITE_URL } from '../support/command.js';
import { makeFolder, makeSite } from '../support/site.js';

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0IQ==\n-----END OPENSSH PRIVATE KEY-----\n';
const PUTTY = 'PuTTY-User-Key-File-3: ssh-ed25519\n';
const run = (site: string, options: object = {}) =>
  describe({ site, url: SITE_URL, history: 'none', ...options });

group('a file of the site that is a private key', () => {
  test.each([
    ['in a folder', { 'a/b/id_ed25519': KEY }],
    ['with the name of a page', { 'key.html': KEY }],
    ['with more behind it than is read at once', { 'key.txt': KEY + ' '.repeat(600_000) }],
    ['of PuTTY', { 'key.ppk': PUTTY }],
    [
      'among a thousand files',
      {
        ...Object.fromEntries(Array.from({ length: 1200 }, (_, at) => [`${at}.txt`, `${at}`])),
        'z.key': KEY,
      },
    ],
  ])('%s is an error that names it, and nothing is written', async (_, files) => {
    const site = makeSite({ 'index.html': 'home', ...files });
    const [name = ''] = Object.keys(files).slice(-1);
    const failure = { code: 'key-in-site', message: expect.stringContaining(`  ${name}\n`) };
    await expect(run(site)).rejects.toMatchObject(failure);
    await expect(run(site, { noindex: 'skip' })).rejects.toMatchObject(failure);
    await expect(diff({ site, url: SITE_URL, history: 'none' })).rejects.toMatchObject(failure);
    expect(existsSync(join(site, 'resourcesync'))).toBe(false);
  });

  test('may be left out, and a page may show one', async () => {
    const site = makeSite({ 'index.html': `<title>Keys</title><pre>${KEY}</pre>`, 'demo.key': KEY });
    expect(await run(site, { exclude: ['demo.key'] })).toMatchObject({ resources: 1 });
  });
});

group('the key that signs', () => {
  /** A site with a key that no list would have, and its public half. */
  function makeKeyed(name = '.keys/id'): { site: string; key: string } {
    const site = makeSite({ 'index.html': 'home', [name]: KEY, [`${name}.pub`]: 'ssh-ed25519 AAAA' });
    return { site, key: join(site, name) };
  }
  const aside = (name: string) => join(makeFolder(), name);

  test.each<[string, (key: string) => string]>([
    ['by its path', (key) => key],
    ['by its public half', (key) => `${key}.pub`],
    [
      'by a link to it',
      (key) => {
        const link = aside('id');
        symlinkSync(key, link);
        return link;
      },
    ],
    [
      'by a link to its public half',
      (key) => {
        const link = aside('id.pub');
        symlinkSync(`${key}.pub`, link);
        return link;
      },
    ],
    [
      'by a folder that leads to its own',
      (key) => {
        const link = aside('keys');
        symlinkSync(join(key, '..'), link);
        return join(link, 'id');
      },
    ],
    [
      'where it is a link in the site to one outside',
      (key) => {
        const moved = aside('id');
        renameSync(key, moved);
        symlinkSync(moved, key);
        return key;
      },
    ],
  ])('is not in the site: %s', async (_, name) => {
    const { site, key } = makeKeyed();
    await expect(run(site, { sign: name(key) })).rejects.toMatchObject({
      code: 'signing-failed',
      message: expect.stringMatching(/the private key \S+ is in the site/),
    });
    expect(existsSync(join(site, 'resourcesync'))).toBe(false);
  });

  test('is found by its bytes where it has a second name in the site', async () => {
    const key = aside('id');
    writeFileSync(key, KEY);
    const site = makeSite({ 'index.html': 'home' });
    linkSync(key, join(site, 'copy'));
    await expect(run(site, { sign: key })).rejects.toMatchObject({ code: 'key-in-site' });
  });
});
