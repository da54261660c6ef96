/** The laws of change events, over random histories in real repositories. */

import { createHash } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describe } from '../../src/describe.js';
import { applyChanges, hashesOf, lineOf, moment } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { git, gitText, makeRepository } from '../support/git.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeSite } from '../support/site.js';

const URL_BASE = 'https://example.org/';

/** Files that meet under one URL, files that are left out, and names that need quoting. */
const NAMES = [
  'index.html',
  'a.html',
  'a/index.html',
  'b/index.html',
  'b.html',
  'c.css',
  'x-draft.html',
  '404.html',
  'é ü.txt',
  'tab\there.txt',
  'line\nbreak "quoted" \\.txt',
  'd/e/f.txt',
  '.well-known/g.txt',
];
const FORBIDDEN_ON_WINDOWS = /[\t\n"\\]/;
const names = process.platform === 'win32' ? NAMES.filter((name) => !FORBIDDEN_ON_WINDOWS.test(name)) : NAMES;

type Tree = ReadonlyMap<string, { readonly mode: string; readonly content: string }>;
interface Step {
  readonly edits: readonly {
    readonly name: string;
    readonly content: string | undefined;
    readonly mode: string;
  }[];
  readonly seconds: number;
  readonly kind: 'commit' | 'merge' | 'swap' | 'elsewhere' | 'empty' | 'restore';
}

const edit = fc.record({
  name: fc.constantFrom(...names),
  content: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined, freq: 3 }),
  mode: fc.constantFrom('100644', '100644', '100755', '120000'),
});
const step: fc.Arbitrary<Step> = fc.record({
  edits: fc.array(edit, { maxLength: 4 }),
  // Clocks stand still and run backwards, too.
  seconds: fc.constantFrom(-50, -1, 0, 0, 1, 60, 3600),
  kind: fc.constantFrom('commit', 'commit', 'commit', 'merge', 'swap', 'elsewhere', 'empty', 'restore'),
});

/** Makes a repository with fast-import, which knows nothing of how we read it. Returns the tree at the end. */
function makeHistory(folder: string, steps: readonly Step[]): Tree {
  const stream: string[] = [];
  const trees: Tree[] = [new Map()];
  let seconds = 1_700_000_000;
  let mark = 0;
  let tip = 0;
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const quote = (path: string) => `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  const commit = (ref: string, parents: readonly number[], tree: Tree, other = '') => {
    mark++;
    stream.push(`commit ${ref}\nmark :${mark}\ncommitter T <t@example.org> ${seconds} +0000\n${data('m')}`);
    parents.forEach((parent, index) => {
      if (parent > 0) stream.push(`${index === 0 ? 'from' : 'merge'} :${parent}\n`);
    });
    stream.push(`deleteall\nM 100644 inline other.txt\n${data(`${mark} ${other}`)}`);
    for (const [path, { mode, content }] of tree) {
      stream.push(`M ${mode} inline ${quote(`the site/${path}`)}\n${data(content)}`);
    }
    return mark;
  };
  for (const { edits, seconds: passed, kind } of steps) {
    seconds += passed;
    const before = trees.at(-1) ?? new Map();
    let tree = new Map(before);
    if (kind === 'empty') tree = new Map();
    if (kind === 'swap') tree = swapFiles(before);
    if (kind === 'restore') tree = new Map(trees[Math.floor(trees.length / 2)]);
    if (kind === 'commit' || kind === 'merge') {
      for (const { name, content, mode } of edits) {
        if (content === undefined) tree.delete(name);
        else tree.set(name, { mode, content });
      }
    }
    if (kind === 'merge' && tip > 0) {
      // What happened on the side, step by step, is one change on the main line.
      const middle = commit(
        'refs/heads/side',
        [tip],
        new Map([...before, ['side.txt', { mode: '100644', content: 's' }]]),
      );
      const side = commit('refs/heads/side', [middle], tree);
      tip = commit('refs/heads/main', [tip, side], tree);
    } else {
      tip = commit('refs/heads/main', [tip], tree, kind);
    }
    trees.push(tree);
  }
  git(folder, ['fast-import', '--quiet', '--force'], stream.join(''));
  return trees.at(-1) ?? new Map();
}

/** Moves each page to the other file that stands for its URL, bytes as they are. */
function swapFiles(tree: Tree): Map<string, { mode: string; content: string }> {
  const swap = (path: string) =>
    /^[ab]\.html$/.test(path)
      ? path.replace('.html', '/index.html')
      : path.replace(/^([ab])\/index\.html$/, '$1.html');
  return new Map([...tree].map(([path, file]) => [swap(path), file]));
}

/** How the rules of the contract look when written down once more, for this site alone. */
function urlOf(path: string): string | undefined {
  if (path === '404.html' || path.startsWith('x-')) return undefined;
  const served = path.replace(/(^|\/)index\.html$/, '').replace(/\.html$/, '');
  return URL_BASE + served.split('/').map(encodeURIComponent).join('/');
}

const hashOf = (content: string | Buffer) => `md5:${createHash('md5').update(content).digest('hex')}`;

/** The state of each first-parent commit, from its whole tree. */
function readStates(folder: string): { seconds: number; state: Map<string, string> }[] {
  const log = gitText(folder, 'rev-list', '--first-parent', '--reverse', '--timestamp', 'main');
  return log.split('\n').map((line) => {
    const [seconds, id = ''] = line.split(' ');
    const rows = git(folder, ['ls-tree', '-r', '-z', id, 'the site/']).toString().split('\0').filter(Boolean);
    const state = new Map<string, string>();
    for (const row of rows.sort((a, b) => ((a.split('\t')[1] ?? '') < (b.split('\t')[1] ?? '') ? -1 : 1))) {
      const [facts = '', ...path] = row.split('\t');
      const [mode = '', , blob = ''] = facts.split(' ');
      const url = urlOf(path.join('\t').slice('the site/'.length));
      if (url === undefined || !mode.startsWith('100') || state.has(url)) continue;
      state.set(url, hashOf(git(folder, ['cat-file', 'blob', blob])));
    }
    return { seconds: Number(seconds), state };
  });
}

/** The events, the slow way: every state against the one before. */
function compareStates(states: ReturnType<typeof readStates>): {
  base: Map<string, string>;
  lines: string[];
} {
  let [last, base]: [number, Map<string, string> | undefined] = [0, undefined];
  let before = new Map<string, string>();
  const lines: string[] = [];
  for (const { seconds, state } of states) {
    const found: string[] = [];
    const datetime = new Date(Math.max(seconds, last + 1) * 1000).toISOString().replace('.000', '');
    for (const url of [...new Set([...before.keys(), ...state.keys()])].sort()) {
      const [was, is] = [before.get(url), state.get(url)];
      if (was === is) continue;
      found.push(
        [
          was === undefined ? 'created' : is === undefined ? 'deleted' : 'updated',
          url,
          datetime,
          is ?? '-',
        ].join(' '),
      );
    }
    if (found.length > 0) last = Math.max(seconds, last + 1);
    if (base === undefined && found.length > 0) base = state;
    else lines.push(...found);
    before = state;
  }
  return { base: base ?? new Map(), lines };
}

/** What can stand on a disk and in one Resource List: regular files, one for each URL, and never none at all. */
function writableFrom(tree: Tree): Record<string, string> {
  const urls = new Set<string>();
  const files: Record<string, string> = {};
  for (const [path, { content, mode }] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const url = urlOf(path) ?? path;
    if (urls.has(url) || mode === '120000') continue;
    urls.add(url);
    files[path] = content;
  }
  return Object.keys(files).some((path) => urlOf(path) !== undefined) ? files : { ...files, 'c.css': 'one' };
}

test('the Change List leads from the baseline to the Resource List, and says what every tree says', async () => {
  await checkLaw(
    'history',
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, edited) => {
      const repository = makeRepository();
      const tree = makeHistory(repository, steps);
      const site = join(repository, 'the site');
      mkdirSync(site);
      makeSite(edited ? { 'c.css': 'something else', 'new.txt': 'new' } : writableFrom(tree), site);
      const config = {
        site,
        url: URL_BASE,
        urls: 'bare',
        hash: ['md5'],
        exclude: ['x-*'],
        changes: { window: 36_500 },
      } as const;
      const report = await describe({ ...config, history: 'main:the site' });

      const source = readSource(site, URL_BASE);
      const present = hashesOf(source);
      const changes = source.sets[0]?.changes ?? [];
      const states = readStates(repository);
      const known = states.some(({ state }) => state.size > 0);
      // What is pending is one more state, of this run.
      const { base, lines } = compareStates([
        ...states,
        { seconds: Date.parse(report.at) / 1000, state: present },
      ]);
      expect(changes.map(lineOf)).toEqual(known ? lines : []);
      expect(applyChanges(known ? base : present, changes)).toEqual(present);
      const datetimes = changes.map(({ md }) => md['datetime'] ?? '');
      expect(datetimes).toEqual([...datetimes].sort());
      expect([moment(source, 'from') ?? '', ...datetimes, moment(source, 'at') ?? ''].sort().at(-1)).toBe(
        report.at,
      );
      rmSync(repository, { recursive: true, force: true });
    }),
    fewer(60, 8),
  );
});
