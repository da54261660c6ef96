/** Many digests of many files, each file read once. Knows nothing of sites. */

import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ResyncError, systemErrorCode } from '../errors.js';
import { joinWords, say, type Words } from '../text/say.js';

/** What can be computed: plain digests, and the ids under which git stores the same bytes. */
export type DigestName = keyof typeof DIGESTS;
type Kind = (typeof DIGESTS)[DigestName];

const DIGESTS = {
  md5: { openssl: 'md5', bytes: 16, gitHeader: false },
  'sha-256': { openssl: 'sha256', bytes: 32, gitHeader: false },
  'sha-512': { openssl: 'sha512', bytes: 64, gitHeader: false },
  'git-sha1': { openssl: 'sha1', bytes: 20, gitHeader: true },
  'git-sha256': { openssl: 'sha256', bytes: 32, gitHeader: true },
} as const;

/** More threads than cores keep a cold disk busy; more than four only cost memory. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** For less, further threads take longer to start than they save. */
const LARGE_FILES = 2000;
const LARGE_BYTES = 16 * 1024 * 1024;
/** Files are handed to the threads so many at a time: few enough that they soon have something to do. */
const BATCH_FILES = 256;
/** What fits is digested in one call; what does not is streamed through the same buffer, within the cache of a core. */
const BUFFER_BYTES = 256 * 1024;
/** Room before the bytes for the longest git header, `blob 9007199254740991` and a NUL. */
const HEADER_BYTES = 32;
/** Room for all digests in hexadecimal, and their names. */
const TEXT_BYTES = 1024;
/** Every thread reads into its own, over and over. */
const buffer = Buffer.allocUnsafeSlow(HEADER_BYTES + BUFFER_BYTES);
/**
 * So long after a file has changed, in milliseconds, a write may go on, or a further one come, that its times do not
 * show: the system notes the time before it copies the bytes, and by a clock that goes in steps.
 */
const SETTLING = 20;
/** A file that changes while it is read, or just did, is read again after these pauses, in milliseconds. */
const RETRY_PAUSES = [SETTLING, 30, 100, 300];

/** Never waits for a FIFO's writer, never follows a link that was put in a file's place. Absent on Windows. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Some of the files: what a thread needs, and where it leaves its results. All of it is shared, nothing is copied. */
export interface DigestJob {
  readonly root: string;
  /** The paths in UTF-8, one after another. */
  readonly paths: Uint8Array;
  /** Where each path ends. */
  readonly pathEnds: Uint32Array;
  readonly names: readonly DigestName[];
  /** Index of the next file that nobody has taken; every thread takes from here. */
  readonly next: Int32Array;
  readonly lengths: Float64Array;
  /** The digests of a file one after another, in the order of `names`, binary. */
  readonly digests: Uint8Array;
}

/** A file that could not be digested. */
export interface DigestFailure {
  readonly path: string;
  /** A system error code, `EFILETYPE` for what is not a regular file, `ECHANGED` for what would not hold still. */
  readonly code: string;
}

/** Lengths and digests by the index of the path that was asked for. */
export interface DigestTable {
  /** Number of bytes that the digests are of. */
  length(index: number): number;
  /** Lower-case hexadecimal. */
  hex(index: number, name: DigestName): string;
  /** Several digests of one file, each after its name: `md5:… sha-256:…`. */
  join(index: number, names: readonly DigestName[]): string;
}

/** Threads that digest files while others are still being looked for. To be used once. */
export interface Digester {
  /**
   * Hands over a file. It is read once, for all the digests; length and digests are always of one moment.
   *
   * @param path relative to the root
   */
  add(path: string): void;
  /**
   * Waits until all files are digested.
   *
   * @returns the results by the order in which the files were added, from 0
   * @throws ResyncError `file-unreadable` naming the files that cannot be read; `file-changing` naming those that
   *   changed each time they were read
   */
  finish(): Promise<DigestTable>;
  /** How many files have been taken up, and how many have been added. */
  progress(): { done: number; total: number };
  /** Ends the threads, whether they are done or not. */
  close(): void;
}

/**
 * Starts a thread, which takes a while in which the caller can do something else; the others start once there is
 * enough to do for them.
 */
export function startDigester(root: string, names: readonly DigestName[]): Digester {
  const workers: Worker[] = [];
  const jobs: DigestJob[] = [];
  const failures: DigestFailure[] = [];
  let waiting: string[] = [];
  let unfinished = 0;
  let crash: Error | undefined;
  let wake = (): void => undefined;

  function startWorker(): void {
    const worker = new Worker(new URL('./digest-worker.js', import.meta.url), { execArgv: [] });
    worker.on('message', (shares: readonly DigestShare[]) => {
      shares.forEach(takeShare);
      wake();
    });
    worker.on('error', (error) => {
      crash = error;
      wake();
    });
    workers.push(worker);
    for (const job of jobs) worker.postMessage(job);
  }

  function takeShare(share: DigestShare): void {
    for (const failure of share.failures) failures.push(failure);
    unfinished -= share.files;
  }

  function handOver(): void {
    const job = makeJob(root, waiting, names);
    for (const worker of workers) worker.postMessage(job);
    jobs.push(job);
    unfinished += waiting.length;
    if (jobs.length * BATCH_FILES >= LARGE_FILES) startOthers();
    waiting = [];
  }

  function startOthers(): void {
    while (workers.length < WORKERS) startWorker();
  }

  /** Lends a hand: a small site is digested before a second thread would have started. */
  async function digestHere(): Promise<void> {
    let bytes = 0;
    for (const job of jobs) {
      for (const share of digestShares(job)) {
        takeShare(share);
        bytes += share.bytes;
        if (bytes >= LARGE_BYTES) return startOthers();
        await yieldToEventLoop();
      }
    }
  }

  startWorker();
  return {
    add(path) {
      if (waiting.push(path) === BATCH_FILES) handOver();
    },
    async finish() {
      if (waiting.length > 0) handOver();
      if (workers.length === 1) await digestHere();
      while (unfinished > 0 && crash === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (crash !== undefined) throw crash;
      if (failures.length > 0) throw makeError(failures);
      return makeTable(jobs, names);
    },
    progress: () => ({
      done: jobs.reduce((sum, { next, lengths }) => sum + Math.min(Atomics.load(next, 0), lengths.length), 0),
      total: jobs.reduce((sum, { lengths }) => sum + lengths.length, waiting.length),
    }),
    close: () => {
      for (const worker of workers) void worker.terminate();
    },
  };
}

function makeJob(root: string, paths: readonly string[], names: readonly DigestName[]): DigestJob {
  return {
    root,
    ...sharePaths(paths),
    names,
    next: new Int32Array(new SharedArrayBuffer(4)),
    lengths: new Float64Array(new SharedArrayBuffer(8 * paths.length)),
    digests: new Uint8Array(new SharedArrayBuffer(widthOf(names) * paths.length)),
  };
}

function widthOf(names: readonly DigestName[]): number {
  return names.reduce((sum, name) => sum + DIGESTS[name].bytes, 0);
}

function sharePaths(paths: readonly string[]): Pick<DigestJob, 'paths' | 'pathEnds'> {
  const pathEnds = new Uint32Array(new SharedArrayBuffer(4 * paths.length));
  let end = 0;
  for (const [index, path] of paths.entries()) {
    end += Buffer.byteLength(path);
    pathEnds[index] = end;
  }
  const bytes = Buffer.from(new SharedArrayBuffer(end));
  let start = 0;
  for (const path of paths) start += bytes.write(path, start);
  return { paths: new Uint8Array(bytes.buffer), pathEnds };
}

/** Some of the files of a job, digested. */
export interface DigestShare {
  readonly files: number;
  readonly bytes: number;
  readonly failures: readonly DigestFailure[];
}

/** Takes files from a job, a few at a time, until none is left. Several threads may do so at once. */
export function* digestShares(job: DigestJob): Generator<DigestShare, void> {
  const paths = Buffer.from(job.paths.buffer);
  const files = job.pathEnds.length;
  const read = makeReader(job.names, job.digests);
  const width = widthOf(job.names);
  // Few enough at a time that the threads finish together, however the bytes are spread.
  const batch = Math.max(1, Math.min(64, Math.floor(files / (WORKERS * 32))));
  for (;;) {
    const start = Atomics.add(job.next, 0, batch);
    if (start >= files) return;
    const end = Math.min(start + batch, files);
    const failures: DigestFailure[] = [];
    let bytes = 0;
    for (let index = start; index < end; index++) {
      const path = paths.toString('utf8', job.pathEnds[index - 1] ?? 0, job.pathEnds[index]);
      try {
        const length = read(`${job.root}/${path}`, index * width);
        job.lengths[index] = length;
        bytes += length;
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        failures.push({ path, code });
      }
    }
    yield { files: end - start, bytes, failures };
  }
}

/** Makes a function that reads one file, writes its digests into the table from `offset` on, returns its length. */
function makeReader(
  names: readonly DigestName[],
  digests: Uint8Array,
): (path: string, offset: number) => number {
  const kinds = names.map((name) => DIGESTS[name]);
  const table = Buffer.from(digests.buffer);

  return (path, offset) => {
    for (const pause of [...RETRY_PAUSES, 0]) {
      const length = readOnce(path, offset);
      if (length !== undefined) return length;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
    throw Object.assign(new Error(`${path} kept changing`), { code: 'ECHANGED' });
  };

  /** Returns undefined when the file was another at the end than at the beginning, or may have been. */
  function readOnce(path: string, offset: number): number | undefined {
    const file = openSync(path, OPEN_FLAGS);
    try {
      const before = fstatSync(file);
      if (!before.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EFILETYPE' });
      if (Math.abs(Date.now() - before.ctimeMs) < SETTLING) return undefined;
      const streams = before.size > BUFFER_BYTES ? startStreams(before.size) : undefined;
      let length = 0;
      let filled = 0;
      // A short read is not the end of a file, and a file that grows has no end: the size says when to stop.
      while (length < before.size) {
        const count = readSync(file, buffer, HEADER_BYTES + filled, BUFFER_BYTES - filled, null);
        if (count === 0) return undefined;
        length += count;
        filled += count;
        if (streams !== undefined && (filled === BUFFER_BYTES || length >= before.size)) {
          for (const stream of streams) stream.update(buffer.subarray(HEADER_BYTES, HEADER_BYTES + filled));
          filled = 0;
        }
        if (length > before.size) return undefined;
      }
      const after = fstatSync(file);
      const changed =
        after.size !== length || after.mtimeMs !== before.mtimeMs || after.ctimeMs !== before.ctimeMs;
      if (changed) return undefined;
      let target = offset;
      for (let index = 0; index < kinds.length; index++) {
        const kind = kinds[index] as Kind;
        // Binary strings: the quickest of the encodings that node:crypto has.
        const digest = streams?.[index]?.digest('binary') ?? digestBuffer(kind, length);
        target += table.write(digest, target, 'latin1');
      }
      return length;
    } finally {
      closeSync(file);
    }
  }

  function startStreams(size: number): Hash[] {
    return kinds.map((kind) => {
      const stream = createHash(kind.openssl);
      return kind.gitHeader ? stream.update(`blob ${size}\0`) : stream;
    });
  }

  function digestBuffer(kind: Kind, length: number): string {
    let start = HEADER_BYTES;
    if (kind.gitHeader) {
      const header = `blob ${length}\0`;
      start -= header.length;
      buffer.write(header, start, 'latin1');
    }
    return hash(kind.openssl, buffer.subarray(start, HEADER_BYTES + length), 'binary');
  }
}

function makeTable(jobs: readonly DigestJob[], names: readonly DigestName[]): DigestTable {
  const width = widthOf(names);
  const batches = jobs.map(({ lengths, digests }) => ({ lengths, bytes: Buffer.from(digests.buffer) }));
  const offsets = new Map<DigestName, number>();
  let offset = 0;
  for (const name of names) {
    offsets.set(name, offset);
    offset += DIGESTS[name].bytes;
  }
  const find = (index: number) => {
    const batch = batches[Math.floor(index / BATCH_FILES)];
    if (batch === undefined) throw new RangeError(`no file ${index}`);
    return batch;
  };
  const hex = (index: number, name: DigestName) => {
    const within = offsets.get(name);
    if (within === undefined) throw new RangeError(`${name} was not asked for`);
    const start = (index % BATCH_FILES) * width + within;
    return find(index).bytes.toString('hex', start, start + DIGESTS[name].bytes);
  };
  const text = Buffer.alloc(TEXT_BYTES);
  return {
    length: (index) => find(index).lengths[index % BATCH_FILES] ?? Number.NaN,
    hex,
    join: (index, wanted) => {
      // Put together in a buffer: a string that `+` makes keeps all its parts for as long as it lives.
      let end = 0;
      for (const name of wanted) {
        if (end > 0) end += text.write(' ', end, 'latin1');
        end += text.write(name, end, 'latin1');
        end += text.write(':', end, 'latin1');
        end += text.write(hex(index, name), end, 'latin1');
      }
      return text.toString('latin1', 0, end);
    },
  };
}

function makeError(failures: readonly DigestFailure[]): ResyncError {
  const sorted = [...failures].sort((a, b) => (a.path < b.path ? -1 : 1));
  const changing = sorted.filter(({ code }) => code === 'ECHANGED');
  const unreadable = sorted.filter(({ code }) => code !== 'ECHANGED');
  return unreadable.length > 0
    ? new ResyncError(
        'file-unreadable',
        say`Cannot read ${count(unreadable.length)} of the site:${list(unreadable)}\nMake them readable, or leave them out with --exclude.`,
      )
    : new ResyncError(
        'file-changing',
        say`${count(changing.length)} of the site changed each time they were read:${list(changing)}\nRun again when the build has finished, or leave them out with --exclude.`,
      );
}

/** The first few, a line each. */
function list(failures: readonly DigestFailure[]): Words {
  const lines = failures
    .slice(0, 5)
    .map(({ path, code }) => say`\n  ${path}${code === 'ECHANGED' ? '' : ` (${code})`}`);
  const rest = failures.length > 5 ? [say`\n  and ${failures.length - 5} more`] : [];
  return joinWords([...lines, ...rest], '');
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
