/** Everything that is asked of git, and the one thing that it is told. */

import { isUtf8 } from 'node:buffer';
import { createHash, type Hash, hash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { ResyncError } from '../../errors.js';
import type { PathChange, Publication } from '../../plan/replay.js';
import { type HashAlgorithm, opensslName } from '../../resourcesync/model.js';
import { say } from '../../text/say.js';
import { askGit, findGit, type GitProcess, makeGitError, startGit } from './run.js';

/** A repository, as it is seen from one folder. */
export interface Repository {
  /** Where git runs: the top of the work tree, or the folder of a bare repository. */
  readonly root: string;
  /** Where git keeps the repository, or what belongs to one of its work trees. */
  readonly gitFolder: string;
  /** Where it keeps what all work trees share. */
  readonly commonFolder: string;
  /** The folder that was asked about, relative to the top, `/` between segments; '' for the top itself. */
  readonly prefix: string;
  readonly objectFormat: 'sha1' | 'sha256';
  /** Commits whose parents are not here (shallow clone). */
  readonly boundary: ReadonlySet<string>;
}

/**
 * Finds the repository around a folder: the nearest one that is in a folder `.git`, or where a file of that name leads.
 * Folders that look like a bare repository are passed by, because anybody can commit such a folder.
 *
 * @returns undefined where there is none, or no git
 * @throws ResyncError `git-failed` when git refuses, as it does in a folder of another user
 */
export async function openRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const from = realpathSync.native(folder);
  for (const root of ancestorsOf(from)) {
    const gitFolder = join(root, '.git');
    if (!existsSync(gitFolder)) continue;
    const repository = await readFacts(root, relative(root, from).split(sep).join('/'));
    // Where the folder holds no repository, git goes on to those around it.
    if (repository === undefined) continue;
    if (statSync(gitFolder).isFile() || realpathSync.native(gitFolder) === repository.gitFolder)
      return repository;
  }
  return undefined;
}

/**
 * Finds the bare repository around a folder, for those who have named it.
 *
 * @returns undefined where there is none, or no git
 * @throws ResyncError `git-failed`
 */
export async function openBareRepository(folder: string): Promise<Repository | undefined> {
  if (findGit() === undefined) return undefined;
  const isBare = (path: string) => ['HEAD', 'objects', 'refs'].every((name) => existsSync(join(path, name)));
  const root = ancestorsOf(realpathSync.native(folder)).find(isBare);
  return root === undefined ? undefined : await readFacts(root, '', { 'safe.bareRepository': 'all' });
}

function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

async function readFacts(
  root: string,
  prefix: string,
  settings?: Readonly<Record<string, string>>,
): Promise<Repository | undefined> {
  // What is asked in between keeps the two paths apart.
  const facts = ['--show-object-format', '--absolute-git-dir', '--is-bare-repository', '--git-common-dir'];
  const answer = await askGit({ root }, ['rev-parse', ...facts], { settings }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : '';
    if (/not a git repository|cannot use bare repository/.test(message)) return '';
    throw error;
  });
  const [, objectFormat, gitFolder, common] = /^(\w+)\n(.+)\n(?:true|false)\n(.+)$/s.exec(answer) ?? [];
  if (gitFolder === undefined || common === undefined) return undefined;
  const commonFolder = resolve(root, common);
  return {
    root,
    gitFolder: realpathSync.native(gitFolder),
    commonFolder,
    prefix,
    objectFormat: objectFormat === 'sha256' ? 'sha256' : 'sha1',
    boundary: readBoundary(join(commonFolder, 'shallow')),
  };
}

function readBoundary(file: string): ReadonlySet<string> {
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return new Set(isThere ? readFileSync(file, 'latin1').split('\n').filter(Boolean) : []);
}

/**
 * The commit that a ref stands for; undefined when there is no such ref, or no commit yet.
 *
 * @throws ResyncError `git-failed` when there is one, and it is damaged
 */
export async function resolveCommit(repository: Repository, ref: string): Promise<string | undefined> {
  const find = (object: string) =>
    askGit(repository, ['rev-parse', '--verify', '--quiet', '--end-of-options', object]);
  const commit = await find(`${ref}^{commit}`);
  if (commit !== '') return commit;
  // git is as quiet about a ref that is broken as about one that does not exist.
  const exists = (await find(ref)) !== '' || (await findLooseRef(repository, ref)) !== undefined;
  if (!exists) return undefined;
  // Unless another run has made it just now.
  const late = await find(`${ref}^{commit}`);
  if (late !== '') return late;
  throw makeGitError(repository.root, `${ref} does not lead to a commit`);
}

/** The file that a ref is kept in, where it has one of its own. */
async function findLooseRef(repository: Repository, ref: string): Promise<string | undefined> {
  const fileOf = async (name: string) =>
    resolve(repository.root, await askGit(repository, ['rev-parse', '--git-path', name]));
  const head = ref === 'HEAD' ? readFileSync(await fileOf('HEAD'), 'utf8') : '';
  const name = /^ref: (.+)$/m.exec(head)?.[1] ?? ref;
  const folders = name.startsWith('refs/') ? [''] : ['refs/heads/', 'refs/tags/', 'refs/remotes/'];
  const files = await Promise.all(folders.map((folder) => fileOf(folder + name)));
  return files.find((file) => existsSync(file) && statSync(file).isFile());
}

/** Whether a commit holds a folder. */
export async function hasFolder(repository: Repository, commit: string, path: string): Promise<boolean> {
  if (path === '') return true;
  const entry = await askGit(repository, ['ls-tree', '-d', '--full-tree', commit, '--', path]);
  return entry !== '';
}

/** More processes than that gain nothing: what they find is put together in one thread. */
const READERS = Math.min(4, availableParallelism());
/** For fewer commits than that, another one takes longer to start than it saves. */
const READER_COMMITS = 250;

/**
 * Reads what the first-parent commits that touch a folder did to its files, newest first. Only regular files count: a
 * symbolic link or a submodule is as good as absent.
 *
 * @param prefix the folder, '' for the top; paths are relative to it
 * @throws ResyncError `git-failed`
 */
export async function* readPublications(
  repository: Repository,
  commit: string,
  prefix: string,
): AsyncGenerator<Publication, void> {
  // git compares the trees of commits in one thread, which takes most of the time; several may do so side by side. How
  // many of the commits touch the folder would take long to find out, and only tells how even the shares are.
  const commits = await countCommits(repository, commit);
  const readers = Math.max(1, Math.min(READERS, Math.floor(commits / READER_COMMITS)));
  const size = Math.ceil(commits / readers);
  const logs = Array.from({ length: readers }, (_, index) => {
    const end = index < readers - 1 ? [`--max-count=${size}`] : [];
    return startLog(repository, commit, prefix, [`--skip=${index * size}`, ...end]);
  });
  const [newest, ...older] = logs.map(readLog) as [
    AsyncGenerator<Publication>,
    ...AsyncGenerator<Publication>[],
  ];
  // A pipe that nobody reads would fill up.
  const collected = older.map(collect);
  for (const part of collected) part.catch(() => undefined);
  try {
    yield* newest;
    for (const part of collected) yield* await part;
  } finally {
    for (const { git } of logs) git.stdout.destroy();
  }
}

async function countCommits(repository: Repository, commit: string): Promise<number> {
  const git = startGit(repository, ['rev-list', '--first-parent', '--count', commit]);
  git.stdin.end();
  const count = Number(await readText(git.stdout));
  await git.ended;
  return count;
}

interface Log {
  readonly git: GitProcess;
  /** Of the path to the folder, with its slash, in bytes. */
  readonly skip: number;
}

/** @param range which of the publications, as options of git */
function startLog(repository: Repository, commit: string, prefix: string, range: readonly string[]): Log {
  const git = startGit(repository, [
    'log',
    '--first-parent',
    '-m',
    '--raw',
    '-z',
    '--no-renames',
    '--no-abbrev',
    '--no-show-signature',
    '--no-notes',
    '--no-mailmap',
    '--encoding=UTF-8',
    '-O/dev/null',
    '--format=format:%x01%H %ct',
    ...range,
    commit,
    '--',
    ...(prefix === '' ? [] : [prefix]),
  ]);
  git.stdin.end();
  return { git, skip: prefix === '' ? 0 : Buffer.byteLength(prefix) + 1 };
}

async function* readLog({ git, skip }: Log): AsyncGenerator<Publication, void> {
  const publications: { id: string; seconds: number; changes: PathChange[] }[] = [];
  let entry: { mode: string; blob: string } | undefined;
  const readToken = (token: Buffer) => {
    if (entry !== undefined) {
      const path = token.subarray(skip);
      // A name that is not UTF-8 has no URL; it was never a resource. Nor was a file in the place of the folder.
      if (path.length > 0 && isUtf8(path))
        publications.at(-1)?.changes.push(makePathChange(path.toString(), entry));
      entry = undefined;
      return;
    }
    const text = token.toString('latin1');
    const header = /^\x01(\S+) (\d+)\n?/.exec(text);
    if (header !== null) publications.push({ id: header[1] ?? '', seconds: Number(header[2]), changes: [] });
    const raw = text.slice(header?.[0].length ?? 0);
    if (raw === '') return;
    const [, mode = '', , blob = ''] = raw.split(' ');
    entry = { mode, blob };
  };
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of git.stdout) {
    const bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      readToken(bytes.subarray(start, end));
      start = end + 1;
    }
    rest = bytes.subarray(start);
    // More changes of the last one may follow.
    yield* publications.splice(0, publications.length - 1);
  }
  if (rest.length > 0) readToken(rest);
  await git.ended;
  yield* publications;
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

function makePathChange(path: string, { mode, blob }: { mode: string; blob: string }): PathChange {
  return { path, blob: mode.startsWith('100') ? blob : undefined };
}

/** The length and the digests of bytes that git keeps, in the notation of §7. */
export interface BlobDigest {
  readonly length: number;
  readonly hash: string;
}

/** A blob that is larger comes in pieces. */
const PIECE_BYTES = 256 * 1024;

/** Digests blobs while others are still being looked for, all from one process. To be used once. */
export interface BlobDigester {
  /** Asks for a blob. Nothing is fetched: in a partial clone, what is not here is left out of the result. */
  add(id: string): void;
  /**
   * Waits for all that was asked for.
   *
   * @throws ResyncError `git-failed` when a blob is missing although it should be here, or is corrupt
   */
  finish(): Promise<Map<string, BlobDigest>>;
}

/** A file as a publication has it. */
export interface FileInCommit {
  readonly path: string;
  readonly commit: string;
}

/** @param locate tells what a blob is, for the error when it is missing */
export async function startBlobDigester(
  repository: Repository,
  algorithms: readonly HashAlgorithm[],
  locate: (id: string) => FileInCommit | undefined,
): Promise<BlobDigester> {
  const present = (await isPartial(repository)) ? await listObjects(repository) : undefined;
  const asked = new Set<string>();
  let reading: { git: GitProcess; digests: Promise<Map<string, BlobDigest>> } | undefined;
  return {
    add(id) {
      if (asked.has(id) || present?.has(id) === false) return;
      asked.add(id);
      if (reading === undefined) {
        const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
        const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, locate(id)));
        const digests = readDigests(git, pieces, algorithms);
        // It is awaited in the end.
        digests.catch(() => undefined);
        reading = { git, digests };
      }
      reading.git.stdin.write(`${id}\n`);
    },
    async finish() {
      if (reading === undefined) return new Map();
      reading.git.stdin.end();
      return await reading.digests;
    },
  };
}

async function readDigests(
  git: GitProcess,
  pieces: AsyncIterable<BlobPiece>,
  algorithms: readonly HashAlgorithm[],
): Promise<Map<string, BlobDigest>> {
  const names = algorithms.map(opensslName);
  const digests = new Map<string, BlobDigest>();
  let streams: Hash[] = [];
  for await (const { id, length, content, last } of pieces) {
    let values: string[];
    if (last && streams.length === 0) {
      values = names.map((name) => hash(name, content, 'hex'));
    } else {
      if (streams.length === 0) streams = names.map((name) => createHash(name));
      for (const stream of streams) stream.update(content);
      if (!last) continue;
      values = streams.map((stream) => stream.digest('hex'));
      streams = [];
    }
    digests.set(id, { length, hash: values.map((value, at) => `${algorithms[at]}:${value}`).join(' ') });
  }
  await git.ended;
  return digests;
}

/** Reads the bytes of blobs, all from one process, in the order in which they were asked for. */
export interface BlobReader {
  /**
   * The next blob, in pieces.
   *
   * @throws ResyncError `git-failed` when it is another one, missing or corrupt
   */
  read(id: string): AsyncGenerator<Uint8Array, void>;
  /** Ends git, whether everything was read or not. */
  close(): void;
}

export function startBlobReader(repository: Repository, ids: readonly string[]): BlobReader {
  const git = startGit(repository, ['cat-file', '--batch', '--buffer']);
  git.stdin.end(`${ids.join('\n')}\n`);
  const pieces = readPieces(git.stdout, (id) => makeMissingError(repository.root, id, undefined));
  return {
    async *read(id) {
      for (;;) {
        const { value, done } = await pieces.next();
        if (done === true) await git.ended;
        if (done === true || value.id !== id) {
          throw makeGitError(repository.root, `blob ${id} did not come when its turn was`);
        }
        yield value.content;
        if (value.last) return;
      }
    },
    close: () => git.stdout.destroy(),
  };
}

/** Whether objects may be missing because nobody has fetched them yet. */
async function isPartial(repository: Repository): Promise<boolean> {
  const pattern = '^(extensions\\.partialclone|remote\\..*\\.promisor)$';
  return (await askGit(repository, ['config', '--get-regexp', pattern])) !== '';
}

async function listObjects(repository: Repository): Promise<ReadonlySet<string>> {
  const git = startGit(repository, [
    'cat-file',
    '--batch-all-objects',
    '--unordered',
    '--batch-check=%(objectname)',
    '--buffer',
  ]);
  git.stdin.end();
  const text = await readText(git.stdout);
  await git.ended;
  return new Set(text.split('\n'));
}

/** Writes as fast as git reads. A pipe breaks when git ends early; `ended` tells why. */
async function write(stdin: Writable, data: string | Buffer): Promise<void> {
  if (stdin.destroyed || stdin.write(data)) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      stdin.off('drain', done).off('close', done);
      resolve();
    };
    stdin.on('drain', done).on('close', done);
  });
}

interface BlobPiece {
  readonly id: string;
  /** Of the whole blob, in bytes. */
  readonly length: number;
  readonly content: Buffer;
  readonly last: boolean;
}

function makeMissingError(root: string, id: string, file: FileInCommit | undefined): ResyncError {
  const what = file === undefined ? 'a file' : `${file.path} as it is in commit ${file.commit}`;
  return new ResyncError(
    'git-failed',
    say`git in ${root} has lost the bytes of ${what}: there is no blob ${id}.\nRun git fsck to see what else is missing, and fetch it from another clone. Or leave older changes out with a smaller changes.window, or all of them with --history none.`,
  );
}

/** Takes apart what `git cat-file --batch` writes. What fits into the pipe is one piece. */
async function* readPieces(
  stdout: Readable,
  makeError: (id: string) => ResyncError,
): AsyncGenerator<BlobPiece, void> {
  let rest: Buffer = Buffer.alloc(0);
  let current: { id: string; length: number; missing: number } | undefined;
  for await (const chunk of stdout) {
    let bytes: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      if (current === undefined) {
        const end = bytes.indexOf(10);
        if (end === -1) break;
        const header = bytes.toString('latin1', 0, end);
        const [id = '', type, size] = header.split(' ');
        if (type !== 'blob') throw makeError(id);
        current = { id, length: Number(size), missing: Number(size) };
        bytes = bytes.subarray(end + 1);
      }
      const { id, length, missing } = current;
      // One more byte than the content has: the line break after it.
      if (bytes.length <= missing) {
        if (bytes.length < PIECE_BYTES) break;
        // Something is left for the last piece.
        const content = bytes.subarray(0, -1);
        yield { id, length, content, last: false };
        current.missing -= content.length;
        bytes = bytes.subarray(-1);
        break;
      }
      yield { id, length, content: bytes.subarray(0, missing), last: true };
      bytes = bytes.subarray(missing + 1);
      current = undefined;
    }
    rest = bytes;
  }
}

/**
 * Makes sure that moving a ref moves no other one: it must not stand for another, nor be kept by way of a symbolic link.
 *
 * @throws ResyncError `git-failed` when it does
 */
export async function requireOwnRef(repository: Repository, ref: string): Promise<void> {
  const { root, commonFolder } = repository;
  const target = await askGit(repository, ['symbolic-ref', '--quiet', ref]);
  if (target !== '') {
    throw new ResyncError(
      'git-failed',
      say`${ref} in ${root} stands for ${target}: recording would move that. Nothing has been written.\nRun git symbolic-ref --delete ${ref}, or choose another name: --history snapshots:<name>.`,
    );
  }
  for (const folder of ['refs', 'logs/refs']) {
    const link = findLink(join(commonFolder, folder), ref.slice('refs/'.length));
    if (link === undefined) continue;
    throw new ResyncError(
      'git-failed',
      say`${link} is a symbolic link: recording ${ref} would write where that leads. Nothing has been written.\nRemove it, or choose another name: --history snapshots:<name>.`,
    );
  }
}

/** The first symbolic link on the way from a folder to a file in it. */
function findLink(folder: string, path: string): string | undefined {
  const segments = path.split('/');
  const ways = segments.map((_, index) => join(folder, ...segments.slice(0, index + 1)));
  return ways.find((way) => lstatSync(way, { throwIfNoEntry: false })?.isSymbolicLink());
}

/** A state to record, as the difference from the snapshot before. */
export interface Snapshot {
  readonly ref: string;
  /** The commit that the ref points to; undefined for the first snapshot. */
  readonly parent: string | undefined;
  readonly datetime: Date;
  readonly removed: readonly string[];
  /** `blob` is the id that the bytes of the file have to have. */
  readonly written: readonly { readonly path: string; readonly length: number; readonly blob: string }[];
}

/**
 * Appends a snapshot to its ref: bytes as they are, no filter, no hook, nothing else in the repository touched. The ref
 * moves at the very end, in one step. The same snapshots make the same commits on every machine.
 *
 * @param site where the files are
 * @returns false when another run has moved the ref meanwhile; nothing is recorded then
 * @throws ResyncError `file-changing` when a file is no longer what was described, `git-failed`
 */
export async function recordSnapshot(
  repository: Repository,
  site: string,
  snapshot: Snapshot,
): Promise<boolean> {
  const { ref, parent, datetime, removed, written } = snapshot;
  const seconds = datetime.getTime() / 1000;
  // The first snapshot is large and written once: speed over size. Later ones are small.
  const settings = {
    ...(parent === undefined && { 'core.compression': '0' }),
    // Milliseconds; others hold a lock for less. The repository could say for ever.
    'core.filesRefLockTimeout': '1000',
    'core.packedRefsTimeout': '1000',
  };
  const { stdin, ended } = startGit(repository, ['fast-import', '--quiet', '--done', '--depth=0'], {
    settings,
    oddSettings: await switchHooksOff(repository),
  });
  let changed: ResyncError | undefined;
  for (const [index, file] of written.entries()) {
    await write(stdin, `blob\nmark :${index + 1}\ndata ${file.length}\n`);
    changed = await sendFile(join(site, file.path), file, repository.objectFormat, stdin);
    if (changed !== undefined) break;
  }
  // Without a commit, git keeps what it was sent as loose ends that it will clear away.
  if (changed === undefined) {
    await write(stdin, `commit ${ref}\ncommitter resync-static <> ${seconds} +0000\ndata 12\nPublication\n`);
    if (parent !== undefined) await write(stdin, `from ${parent}\n`);
    for (const path of removed) await write(stdin, `D ${quotePath(path)}\n`);
    for (const [index, { path }] of written.entries()) {
      await write(stdin, `M 100644 :${index + 1} ${quotePath(path)}\n`);
    }
  }
  await write(stdin, 'done\n');
  stdin.end();
  try {
    await ended;
  } catch (error) {
    if ((await resolveCommit(repository, ref)) !== parent) return false;
    refuseLocked(repository, ref);
    throw error;
  }
  if (changed !== undefined) throw changed;
  return true;
}

/**
 * Tells which file to remove where git was killed and has left its lock. How long the other one takes that may hold it
 * nobody knows, so it is not removed here.
 *
 * @throws ResyncError `git-failed` when there is a lock
 */
function refuseLocked({ root, commonFolder }: Repository, ref: string): void {
  const lock = join(commonFolder, `${ref}.lock`);
  const since = lstatSync(lock, { throwIfNoEntry: false })?.mtime.toISOString();
  if (since === undefined) return;
  throw new ResyncError(
    'git-failed',
    say`git cannot record in ${root}: ${ref} is locked since ${since}. Nothing is recorded.\nIf no git runs there any more, one was killed and has left the lock. Then remove ${lock}, and run again.`,
  );
}

/** From 2.54 on, git also runs hooks that settings name; each is switched off by its own name. */
async function switchHooksOff(repository: Repository): Promise<Record<string, string>> {
  const names = await askGit(repository, [
    'config',
    '--null',
    '--name-only',
    '--get-regexp',
    '^hook\\..*\\.',
  ]);
  const hooks = names.split('\0').map((name) => name.slice(0, name.lastIndexOf('.')));
  return Object.fromEntries(hooks.filter(Boolean).map((hook) => [`${hook}.enabled`, 'false']));
}

/** Sends as many bytes as were announced in any case. Returns an error when they are not those that were described. */
async function sendFile(
  path: string,
  { length, blob }: { readonly length: number; readonly blob: string },
  objectFormat: Repository['objectFormat'],
  stdin: Writable,
): Promise<ResyncError | undefined> {
  const id = createHash(objectFormat).update(`blob ${length}\0`);
  let sent = 0;
  let problem: unknown;
  try {
    const file = await open(path, 'r');
    try {
      while (sent < length) {
        const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(1 << 16, length - sent)));
        if (bytesRead === 0) break;
        const part = buffer.subarray(0, bytesRead);
        id.update(part);
        sent += bytesRead;
        await write(stdin, part);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    problem = error;
  }
  while (sent < length) {
    const padding = Buffer.alloc(Math.min(1 << 16, length - sent));
    sent += padding.length;
    await write(stdin, padding);
  }
  await write(stdin, '\n');
  return problem === undefined && id.digest('hex') === blob ? undefined : makeChangedError(path, problem);
}

function makeChangedError(path: string, cause?: unknown): ResyncError {
  return new ResyncError(
    'file-changing',
    say`${path} is no longer what was described; nothing is recorded.\nRun again when the build has finished.`,
    { cause },
  );
}

/** Quotes a path for fast-import: its bytes in UTF-8, but for what would end the line or the quotes. */
function quotePath(path: string): string {
  return `"${path.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}
