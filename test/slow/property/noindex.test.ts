/** The laws of `noindex: 'skip'`: what is listed, and what is said of the past, is what every whole tree says. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../../src/config/options.js';
import { describe } from '../../../src/describe/describe.js';
import { diff } from '../../../src/index.js';
import { applyChanges, hashesOf, lineOf } from '../../support/changes.js';
import { readSource } from '../../support/documents.js';
import { makeRepository } from '../../support/git.js';
import {
  arbitrarySteps,
  compareStates,
  makeHistory,
  readStates,
  type StateRules,
  stateOf,
  URL_BASE,
  type UrlFile,
  writableFrom,
} from '../../support/histories.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { makeSite } from '../../support/site.js';

const NAMES = ['index.html', 'a.html', 'a/index.html', 'b.HTM', 'd/e.html', 'c.css', 'x.txt', '404.html'];

/** Pages, some of which say `noindex`. */
const PAGES = [
  'one',
  'two',
  '<meta name="robots" content="noindex">one',
  '<!doctype html><html><head><title>noindex</title><META content="nofollow,NOINDEX" name=Robots></head><body>two',
  '<head><meta name="googlebot" content="none"><script>"<!--"</script></head>',
  '<head><meta name="description" content="noindex"></head>',
  '<p>said too late<meta name="robots" content="noindex">',
  '<!-- <meta name="robots" content="noindex"> -->',
];

/** What `_headers` may hold, and of which paths of URLs it says `noindex`. */
const RULES: ReadonlyMap<string, (path: string) => boolean> = new Map([
  ['/*\n  X-Robots-Tag: noindex\n', () => true],
  ['/a\n  X-Robots-Tag: googlebot: none, nofollow\n/x*\n  X-A: 1\n', (path: string) => path === '/a'],
  ['/:name\r\n\tx-robots-tag: noindex\r\n', (path: string) => /^\/[^/]+$/.test(path)],
  ['https://example.org/d/*\n  X-Robots-Tag: NoIndex', (path: string) => path.startsWith('/d/')],
  ['https://other.example/*\n  X-Robots-Tag: noindex', () => false],
  ['/*\n  X-Robots-Tag: noindex\n/a\n  ! X-Robots-Tag\n', (path: string) => path !== '/a'],
  ['/*\n  X-Robots-Tag: nofollow\n', () => false],
]);

const edit = fc.oneof(
  { weight: 4, arbitrary: fc.record({ name: fc.constantFrom(...NAMES), content: some(PAGES) }) },
  { weight: 1, arbitrary: fc.record({ name: fc.constant('_headers'), content: some([...RULES.keys()]) }) },
);

function some(values: readonly string[]) {
  return fc.option(fc.constantFrom(...values), { nil: undefined, freq: 4 });
}

/** How the rules look when written down once more, for this site alone. */
function urlOf(path: string): string | undefined {
  if (path === '404.html' || path === '_headers') return undefined;
  return URL_BASE + path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
}

/** All of the page is parsed. */
function saysNoindex(page: string): boolean {
  const document = parse(page);
  const html = document.childNodes.find(({ nodeName }) => nodeName === 'html') as Tree.Element;
  const head = html.childNodes.find(({ nodeName }) => nodeName === 'head') as Tree.Element;
  return head.childNodes.some((node) => {
    if (node.nodeName !== 'meta' || !('attrs' in node)) return false;
    const { name = '', content = '' } = Object.fromEntries(
      node.attrs.map(({ name, value }) => [name, value]),
    );
    return /^(?:robots|googlebot)$/i.test(name) && /\b(?:noindex|none)\b/i.test(content);
  });
}

function isLeftOut({ path, url, content }: UrlFile, tree: ReadonlyMap<string, string>): boolean {
  const says = RULES.get(tree.get('_headers') ?? '');
  return (/\.html?$/i.test(path) && saysNoindex(content)) || says?.(new URL(url).pathname) === true;
}

const SKIPPING: StateRules = { urlOf, isLeftOut };

const CONFIG = {
  url: URL_BASE,
  urls: 'bare',
  hash: ['md5'],
  noindex: 'skip',
  changes: { window: 36_500 },
} as const satisfies Partial<UserConfig>;

function readListed(site: string) {
  const source = readSource(site, URL_BASE);
  return { present: hashesOf(source), changes: source.sets[0]?.changes ?? [] };
}

test('the history of git is what every tree says, and diff tells what is pending', async () => {
  await checkLaw(
    'noindex in git',
    fc.asyncProperty(arbitrarySteps(edit), fc.integer({ min: 0, max: 3 }), async (steps, since) => {
      const repository = makeRepository();
      makeHistory(repository, steps.slice(0, Math.max(1, steps.length - since)));
      const site = join(repository, 'the site');
      const tree = makeHistory(makeRepository(), steps);
      mkdirSync(site);
      const files = writableFrom(tree, SKIPPING);
      makeSite(files, site);
      const config = { ...CONFIG, site, history: 'main:the site' };
      const told = await diff(config);
      const report = await describe(config);

      const { present, changes } = readListed(site);
      expect(present).toEqual(stateOf(new Map(Object.entries(files)), SKIPPING));
      const states = readStates(repository, SKIPPING);
      const known = states.some(({ holds }) => holds);
      const now = { seconds: Date.parse(report.at) / 1000, state: present, holds: true };
      const { base, lines } = compareStates([...states, now]);
      expect(changes.map(lineOf)).toEqual(known ? lines : []);
      expect(applyChanges(known ? base : present, changes)).toEqual(present);
      const pending = changes.filter(
        ({ md }) => known && report.publication?.pending && md['datetime'] === report.at,
      );
      expect(told.changes.map(({ change, uri }) => [change, uri])).toEqual(
        pending.map(({ uri, md }) => [md['change'], uri]),
      );
      rmSync(repository, { recursive: true, force: true });
    }),
    fewer(24, 6),
  );
});
