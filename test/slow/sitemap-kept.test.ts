/** Runs keep the digests of the texts of pages for later ones, which give the same result with them and without. */

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { describe as describeSite, diff } from '../../src/index.js';
import { writeSealed } from '../../src/paths/hold/cache.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeFolder, readTree } from '../support/site.js';
import { readEntries } from '../support/sitemap.js';

const DAY = 86_400;
const PAGES = 600;

/** Every page gets another script, and every third one another text. */
function makeStory(): string {
  const folder = makeRepository();
  const pages = (text: (page: number) => string, script: string) =>
    Object.fromEntries(
      Array.from({ length: PAGES }, (_, page) => [
        `site/page-${page}.html`,
        pageOf(`${page}`, text(page), `<script src="/${script}.js"></script>`),
      ]),
    );
  commitFiles(
    folder,
    0,
    pages(() => 'one', 'a'),
  );
  commitFiles(
    folder,
    DAY,
    pages((page) => (page % 3 === 0 ? '. two' : 'one'), 'b'),
  );
  return folder;
}

afterEach(() => vi.unstubAllEnvs());

test('a run says the same without what was kept, with it, and with what is not believed', async () => {
  const caches = makeFolder();
  vi.stubEnv('XDG_CACHE_HOME', caches);
  const folder = makeStory();
  const options = { site: join(folder, 'site'), url: 'https://example.org/', sitemap: true };
  const run = () => describeSite(options);
  const nameKept = () => Object.keys(readTree(caches)).find((name) => name.endsWith('.pages.json')) ?? '';
  const readSite = () => readTree(join(folder, 'site'));

  await diff(options);
  expect(nameKept()).toBe('');
  await run();
  const first = readSite();
  const dates = Object.values(readEntries(folder));
  expect(dates.filter((date) => date !== undefined)).toHaveLength(PAGES / 3);
  const kept = join(caches, nameKept());
  const text = readFileSync(kept, 'utf8');
  expect(text.match(/^(?:nc)?t\t\S+\t[\da-f]{32}\t[\da-f]{16}\t/gm)).toHaveLength(2 * PAGES);

  await run();
  expect(readSite()).toEqual(first);
  expect(readFileSync(kept, 'utf8')).toBe(text);

  // Files that claim that no text changed and that no page is to be shown, if damaged, copied or forged, are not believed.
  const same = text.replace(/\t[\da-f]{16}\t/g, `\t${'0'.repeat(16)}\t`);
  const lies = same.replaceAll('\nnct\t', '\nnct!\t');
  for (const other of [lies, text.slice(0, -9)]) {
    writeFileSync(kept, other);
    await run();
    expect(readSite()).toEqual(first);
    expect(readFileSync(kept, 'utf8')).toBe(text);
  }
  const copy = makeFolder();
  cpSync(caches, copy, { recursive: true });
  rmSync(caches, { recursive: true });
  mkdirSync(caches);
  cpSync(copy, caches, { recursive: true });
  writeFileSync(join(caches, nameKept()), lies);
  await run();
  expect(readSite()).toEqual(first);

  // A file with our seal is believed.
  const name = kept.replace(/\.json$/, '');
  writeSealed(name, same);
  await run();
  expect(Object.values(readEntries(folder))).toEqual(Array(PAGES).fill(undefined));
  writeSealed(name, lies);
  await run();
  expect(readEntries(folder)).toEqual({});
});
