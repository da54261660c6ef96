/** Commits that are written without a program: loose objects, an index and a branch, as git would write them. */

import { createHash } from 'node:crypto';
import {
  type BigIntStats,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

const CORE = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
`;

/** A repository's settings if it is like a new one, or a clone of one. */
const USUAL_CONFIG = new RegExp(
  `^${CORE.replace(/[[\]]/g, '\\$&')}(?:\\[(?:remote|branch) .*\n(?:\t.*\n)*)*$`,
);

/** Makes a folder a repository, as `git init` does. */
export function initRepository(folder: string): void {
  for (const path of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    mkdirSync(join(folder, '.git', path), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), CORE);
}

/** A file of a work tree; its path is a binary string, as names need not be UTF-8. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly stats: BigIntStats;
  readonly id: string;
}

/** Settings and states in which git may commit something else than the files as they are. */
const UNUSUAL = ['info/attributes', '../.gitconfig', '../.config/git'];

/** Whether nothing in the settings changes how files are committed; if something may, only git can make the commit. */
function isUsual(folder: string): boolean {
  const git = join(folder, '.git');
  return (
    lstatSync(git).isDirectory() &&
    USUAL_CONFIG.test(readFileSync(join(git, 'config'), 'utf8')) &&
    !UNUSUAL.some((path) => existsSync(join(git, path)))
  );
}

/** Writes the files of a folder into a repository; undefined if some are for git to read: with attributes, or in a repository of their own. */
function writeFiles(repository: string, folder: string): Entry[] | undefined {
  const entries: Entry[] = [];
  const writeBelow = (prefix: string): boolean => {
    const below = readdirSync(pathOf(folder, prefix), { encoding: 'latin1', withFileTypes: true });
    return below.every((found) => {
      if (found.name === '.git') return prefix === '';
      if (found.name === '.gitattributes') return false;
      const path = prefix + found.name;
      if (found.isDirectory()) return writeBelow(`${path}/`);
      const file = pathOf(folder, path);
      const stats = lstatSync(file, { bigint: true });
      if (stats.isSymbolicLink()) {
        const id = writeObject(repository, 'blob', readlinkSync(file, { encoding: 'buffer' }));
        entries.push({ path, mode: 0o120000, stats, id });
      } else if (stats.isFile()) {
        const mode = (stats.mode & 0o100n) === 0n ? 0o100644 : 0o100755;
        entries.push({ path, mode, stats, id: writeObject(repository, 'blob', readFileSync(file)) });
      }
      return true;
    });
  };
  if (!writeBelow('')) return undefined;
  return entries.sort((one, other) => (one.path < other.path ? -1 : 1));
}

const pathOf = (folder: string, path: string) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(path, 'latin1')]);

function writeObject(repository: string, type: string, content: Buffer): string {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content]);
  const id = createHash('sha1').update(bytes).digest('hex');
  const folder = join(repository, '.git/objects', id.slice(0, 2));
  const file = join(folder, id.slice(2));
  if (existsSync(file)) return id;
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, deflateSync(bytes, { level: 1 }), { mode: 0o444 });
  return id;
}

/** Writes the tree of sorted entries below a folder, and the trees below it. */
function writeTree(repository: string, entries: readonly Entry[], prefix = ''): string {
  const folders = new Map<string, Entry[]>();
  const rows: { readonly key: string; readonly mode: number; readonly name: string; readonly id: string }[] =
    [];
  for (const entry of entries) {
    const [name = '', ...below] = entry.path.slice(prefix.length).split('/');
    if (below.length === 0) rows.push({ key: name, mode: entry.mode, name, id: entry.id });
    else folders.set(name, [...(folders.get(name) ?? []), entry]);
  }
  for (const [name, some] of folders) {
    const id = writeTree(repository, some, `${prefix}${name}/`);
    rows.push({ key: `${name}/`, mode: 0o40000, name, id });
  }
  rows.sort((one, other) => (one.key < other.key ? -1 : 1));
  const bytes = rows.flatMap(({ mode, name, id }) => [
    Buffer.from(`${mode.toString(8)} ${name}\0`, 'latin1'),
    Buffer.from(id, 'hex'),
  ]);
  return writeObject(repository, 'tree', Buffer.concat(bytes));
}

/** Writes the index, by which git knows what has changed since. */
function writeIndex(repository: string, entries: readonly Entry[]): void {
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(entries.length, 8);
  const rows = entries.map(({ path, mode, stats, id }) => {
    const size = Math.ceil((62 + path.length + 1) / 8) * 8;
    const row = Buffer.alloc(size);
    const second = 1_000_000_000n;
    const { ctimeNs, mtimeNs, dev, ino, uid, gid } = stats;
    const times = [ctimeNs / second, ctimeNs % second, mtimeNs / second, mtimeNs % second];
    const values = [...times, dev, ino, BigInt(mode), uid, gid, stats.size];
    for (const [index, value] of values.entries()) row.writeUInt32BE(Number(value & 0xffff_ffffn), index * 4);
    row.write(id, 40, 'hex');
    row.writeUInt16BE(Math.min(path.length, 0xfff), 60);
    row.write(path, 62, 'latin1');
    return row;
  });
  const bytes = Buffer.concat([head, ...rows]);
  const sum = createHash('sha1').update(bytes).digest();
  writeFileSync(join(repository, '.git/index'), Buffer.concat([bytes, sum]));
}

/** The ref that is checked out, or HEAD itself. */
function readBranch(repository: string): string {
  const head = readFileSync(join(repository, '.git/HEAD'), 'utf8').trimEnd();
  return head.startsWith('ref: ') ? head.slice('ref: '.length) : 'HEAD';
}

/** The commit of a ref, or undefined if it has none. */
function readCommit(repository: string, ref: string): string | undefined {
  const file = join(repository, '.git', ref);
  if (existsSync(file)) return readFileSync(file, 'utf8').trimEnd();
  const packed = join(repository, '.git/packed-refs');
  const lines = existsSync(packed) ? readFileSync(packed, 'utf8').split('\n') : [];
  return lines.find((line) => line.endsWith(` ${ref}`))?.split(' ')[0];
}

/** A commit: its ref, such as `refs/heads/main`, or `HEAD` for the branch of the work tree, and its author and moment as git writes them. */
export interface Commit {
  readonly ref: string;
  readonly who: string;
  readonly message: string;
}

/** Commits all files of a folder. Returns the commit, or undefined if only git can make it. */
export function writeCommit(
  repository: string,
  folder: string,
  { ref, who, message }: Commit,
): string | undefined {
  if (!isUsual(repository)) return undefined;
  const branch = ref === 'HEAD' ? readBranch(repository) : ref;
  const entries = writeFiles(repository, folder);
  if (entries === undefined) return undefined;
  const parent = readCommit(repository, branch);
  const lines = [
    `tree ${writeTree(repository, entries)}`,
    ...(parent === undefined ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
    '',
    `${message}\n`,
  ];
  const commit = writeObject(repository, 'commit', Buffer.from(lines.join('\n')));
  const file = join(repository, '.git', branch);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${commit}\n`);
  if (ref === 'HEAD') writeIndex(repository, entries);
  return commit;
}
