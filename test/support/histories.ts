/** Random histories in real repositories, and what their trees say, the slow way. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { git, gitText } from './git.js';

export const URL_BASE = 'https://example.org/';

export type Tree = ReadonlyMap<string, { readonly mode: string; readonly content: string }>;
export interface Step {
  readonly edits: readonly {
    readonly name: string;
    readonly content: string | undefined;
    readonly mode: string;
  }[];
  readonly seconds: number;
  readonly kind: 'commit' | 'merge' | 'swap' | 'elsewhere' | 'empty' | 'restore';
}

/**
 * Steps of a history.
 *
 * @param edit what is written to a file; undefined where it is removed
 */
export function arbitrarySteps(
  edit: fc.Arbitrary<{ name: string; content: string | undefined }>,
): fc.Arbitrary<Step[]> {
  const mode = fc.constantFrom('100644', '100644', '100755', '120000');
  const withMode = fc.tuple(edit, mode).map(([one, mode]) => ({ ...one, mode }));
  const step: fc.Arbitrary<Step> = fc.record({
    edits: fc.array(withMode, { maxLength: 4 }),
    // Clocks stand still and run backwards, too.
    seconds: fc.constantFrom(-50, -1, 0, 0, 1, 60, 3600),
    kind: fc.constantFrom('commit', 'commit', 'commit', 'merge', 'swap', 'elsewhere', 'empty', 'restore'),
  });
  return fc.array(step, { minLength: 1, maxLength: 12 });
}

/** Makes a repository with fast-import, which knows nothing of how we read it. Returns the tree at the end. */
export function makeHistory(folder: string, steps: readonly Step[]): Tree {
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
      // The steps of the side branch are one change on the main line.
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

const hashOf = (content: string | Buffer) => `md5:${createHash('md5').update(content).digest('hex')}`;

/** A publication: the digest of what each URL had. */
export interface State {
  readonly seconds: number;
  readonly state: ReadonlyMap<string, string>;
}

/** The URL of a path, or undefined if it is no resource. */
type UrlOf = (path: string) => string | undefined;

/** The state of a whole tree, the bytes of its regular files by path. */
export function stateOf(tree: ReadonlyMap<string, string>, urlOf: UrlOf): Map<string, string> {
  const state = new Map<string, string>();
  for (const [path, content] of [...tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const url = urlOf(path);
    if (url !== undefined && !state.has(url)) state.set(url, hashOf(content));
  }
  return state;
}

/** The state of each first-parent commit, from its whole tree. */
export function readStates(folder: string, urlOf: UrlOf): State[] {
  const log = gitText(folder, 'rev-list', '--first-parent', '--reverse', '--timestamp', 'main');
  return log.split('\n').map((line) => {
    const [seconds, id = ''] = line.split(' ');
    const rows = git(folder, ['ls-tree', '-r', '-z', id, 'the site/']).toString().split('\0').filter(Boolean);
    const tree = new Map<string, string>();
    for (const row of rows) {
      const [facts = '', ...path] = row.split('\t');
      const [mode = '', , blob = ''] = facts.split(' ');
      if (!mode.startsWith('100')) continue;
      tree.set(path.join('\t').slice('the site/'.length), git(folder, ['cat-file', 'blob', blob]).toString());
    }
    return { seconds: Number(seconds), state: stateOf(tree, urlOf) };
  });
}

/** The events, the slow way: every state against the one before. */
export function compareStates(states: readonly State[]): {
  base: ReadonlyMap<string, string>;
  lines: string[];
} {
  let [last, base]: [number, ReadonlyMap<string, string> | undefined] = [0, undefined];
  let before: ReadonlyMap<string, string> = new Map<string, string>();
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
    // History begins with the first tree that has a resource.
    const begins = base === undefined && state.size > 0;
    if (found.length > 0 || begins) last = Math.max(seconds, last + 1);
    if (begins) base = state;
    else lines.push(...found);
    before = state;
  }
  return { base: base ?? new Map(), lines };
}

/** A state that fits on a disk and in one Resource List: regular files, one for each URL, and at least one. */
export function writableFrom(tree: Tree, urlOf: UrlOf): Record<string, string> {
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
