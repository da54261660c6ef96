/** The walk finds what another walker finds, in any order of the file system. */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { globbySync } from 'globby';
import { expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.js';
import { scanSite } from '../../src/site/scan/scan.js';
import { checkLaw } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';

const name = fc.constantFrom(
  'a',
  'b',
  'c.html',
  'é',
  'index.html',
  '[x]',
  'd e',
  '.f',
  '.git',
  '_headers',
  'g.CSS',
);
const path = fc
  .array(name, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'))
  // As a folder it is left alone; as a file, as it stands in a submodule, globby leaves it out and we count it.
  .filter((file) => !/(?:^|\/)\.git$/.test(file));

/** A path cannot be both a file and a folder, nor differ from another in case alone. */
function withoutClashes(paths: readonly string[]): string[] {
  return paths.filter(
    (one, index) => !paths.some((other, at) => other.startsWith(`${one}/`) || (at < index && other === one)),
  );
}

// docs/reference.md: "Every regular file in the folder is listed, except"
test('every regular file is a resource, or is counted as skipped', async () => {
  await checkLaw(
    'scan',
    fc.asyncProperty(fc.array(path, { minLength: 1, maxLength: 12 }), async (some) => {
      const paths = withoutClashes(['page.html', ...some]);
      const site = makeSite(Object.fromEntries(paths.map((file) => [file, file])), makeFolder());
      const config = resolveConfig({ site, url: 'https://example.org/', urls: 'file' });
      const { resources, skipped } = await scanSite(site, config);
      const theirs = globbySync('**', {
        cwd: site,
        dot: true,
        ignore: ['**/.git/**'],
        expandDirectories: false,
      });
      const counted = Object.values(skipped).reduce((sum, count) => sum + count, 0);
      expect(resources.length + counted).toBe(theirs.length);
      for (const { path: file, hash, length } of resources) {
        expect(theirs).toContain(file);
        expect(hash).toContain(`md5:${createHash('md5').update(file).digest('hex')}`);
        expect(length).toBe(Buffer.byteLength(file));
      }
      const uris = resources.map(({ uri }) => uri);
      expect(uris).toEqual([...uris].sort());
      rmSync(site, { recursive: true });
    }),
    40,
  );
});
