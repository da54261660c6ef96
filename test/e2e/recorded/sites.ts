/** Generated sites whose documents and packages are recorded, so that a change of their bytes does not go unseen. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserConfig } from '../../../src/index.js';
import { BEGIN, commitFiles, makeRepository } from '../../support/git.js';
import { makeFolder, makeSite } from '../../support/site.js';

type Options = Omit<UserConfig, 'site'>;

export interface RecordedSite {
  readonly options: Options;
  /** Makes the site, and returns its folder. */
  readonly make: () => string;
}

const DAY = 86_400;
const pageOf = (name: string, state: number) =>
  `<!doctype html><title>${name}</title><p>State ${state} of ${name} — «é & 漢字».\n`;

/** Pages, texts, names that have to be escaped, a file without a known type, and one that is left out. */
function makeFiles(state: number): Record<string, string> {
  const pages = Array.from({ length: 40 }, (_, index) => [
    index % 5 === 0 ? `part-${index % 3}/page-${index}/index.html` : `part-${index % 3}/page-${index}.html`,
    pageOf(`page ${index}`, index % 7 === state % 7 ? state : 0),
  ]);
  return {
    ...Object.fromEntries(pages),
    'index.html': pageOf('home', state),
    '404.html': 'nothing',
    'data/a b&c.csv': `1;2;${state}\n`,
    "data/it's «é».json": `{"state": ${state}}\n`,
    'data/blob.unknown': `${'\u0001'.repeat(300)}${state}`,
    ...(state % 2 === 0 && { 'data/even.txt': `even ${state}\n` }),
  };
}

/** A site that is committed in many states, over some months. */
function makeCommitted(states: number): string {
  const repository = makeRepository();
  for (let state = 0; state < states; state++) {
    const files = Object.entries(makeFiles(state)).map(([path, content]) => [`dist/${path}`, content]);
    const gone = state % 2 === 1 ? { 'dist/data/even.txt': undefined } : {};
    commitFiles(repository, state * 9 * DAY, { ...Object.fromEntries(files), ...gone });
  }
  return join(repository, 'dist');
}

export const RECORDED_SITES: Readonly<Record<string, RecordedSite>> = {
  'without a history, in sets, with clean URLs and links': {
    make: () => makeSite(makeFiles(1), makeFolder()),
    options: {
      url: 'https://example.org/under/a path/',
      urls: 'clean',
      history: 'none',
      hash: ['sha-512', 'md5'],
      describedby: 'about.html',
      sets: [
        { name: 'pages', include: ['**/*.html'], describedby: 'pages.html' },
        { name: 'data', include: ['data/**'] },
      ],
      type: { '**/*.unknown': 'application/x-unknown' },
      changefreq: { 'part-1/**': 'daily' },
      links: ({ path }) =>
        path === 'index.html' ? [{ rel: 'duplicate', href: 'copy/?a=1&b=2', pri: 1 }] : [],
      dumps: true,
    },
  },
  'committed in 14 states, with lists that close every month': {
    make: () => makeCommitted(14),
    options: {
      url: 'https://example.org/',
      changes: { window: 100, period: 'month' },
      dumps: { maxEntries: 12 },
    },
  },
  'committed in 5 states, with something pending': {
    make: () => makeSite({ 'new.html': pageOf('new', 5) }, makeCommitted(5)),
    options: { url: 'https://example.org/', urls: 'bare', exclude: ['part-2/**'], include: ['404.html'] },
  },
};

/** The moment of all runs, in seconds. */
export const RECORDED_AT = BEGIN + 1000 * DAY;

/** Digests of all documents and packages of ours in a site, by path. */
export function digestOwn(site: string): Record<string, string> {
  const files = ['.well-known', 'resourcesync'].flatMap((top) =>
    existsSync(join(site, top))
      ? readdirSync(join(site, top), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
      : [],
  );
  return Object.fromEntries(
    files
      .map((file) => [
        file.slice(site.length + 1).replaceAll('\\', '/'),
        createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 16),
      ])
      .sort(),
  );
}
