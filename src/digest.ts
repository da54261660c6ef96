/** Many digests of many files, each file read once. Knows nothing of sites. */

import { createHash, type Hash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ResyncError, systemErrorCode } from './errors.js';

/** What can be computed: plain digests, and the ids under which git stores the same bytes. */
export type DigestName = keyof typeof DIGESTS;

const DIGESTS = {
  md5: { openssl: 'md5', bytes: 16, gitHeader: false },
  'sha-256': { openssl: 'sha256', bytes: 32, gitHeader: false },
  'sha-512': { openssl: 'sha512', bytes: 64, gitHeader: false },
  'git-sha1': { openssl: 'sha1', bytes: 20, gitHeader: true },
  'git-sha256': { openssl: 'sha256', bytes: 32, gitHeader: true },
} as const;

/** Below both, starting threads costs more than it saves. */
const IN_PROCESS_FILES = 2000;
const IN_PROCESS_BYTES = 32 * 1024 * 1024;
/** More threads than cores keep a cold disk busy; more than four only cost memory. */
const WORKERS = Math.min(4, Math.max(2, availableParallelism()));

/** What fits is digested in one call; what does not is streamed through the same buffer, within the cache of a core. */
const BUFFER_BYTES = 256 * 1024;
/** Room before the bytes for the longest git header, `blob 9007199254740991` and a NUL. */
const HEADER_BYTES = 32;
/** A file that changes while it is read is read again after these pauses, in milliseconds. */
const RETRY_PAUSES = [10, 30, 100, 300];

/** Never waits for a FIFO's writer, never follows a link that was put in a file's place. Absent on Windows. */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/** Everything a thread needs, and where it leaves its results; cheap to hand over. */
export interface DigestJob {
  readonly root: string;
  /** Paths joined by NUL, the one character that no path holds: one string crosses to a thread faster than many. */
  readonly paths: string;
  readonly names: readonly DigestName[];
  /** Index of the next file that nobody has taken; every thread takes from here. */
  readonly next: Int32Array;
  readonly lengths: Float64Array;
  readonly digests: Uint8Array;
}

/** A file that could not be digested. */
export interface DigestFailure {
  readonly index: number;
  /** A system error code, `EFILETYPE` for what is not a regular file, `ECHANGED` for what would not hold still. */
  readonly code: string;
}

/** Lengths and digests by the index of the path that was asked for. */
export interface DigestTable {
  /** Number of bytes that the digests are of. */
  length(index: number): number;
  /** Lower-case hexadecimal. */
  hex(index: number, name: DigestName): string;
}

/**
 * Reads every file once and computes all the digests asked for. Length and digests of a file are always of one moment.
 *
 * @param paths relative to `root`
 * @param onProgress called now and then with the number of files taken so far
 * @throws ResyncError `file-unreadable` naming the files that cannot be read; `file-changing` naming those that
 *   changed each time they were read
 */
export async function digestFiles(
  root: string,
  paths: readonly string[],
  names: readonly DigestName[],
  onProgress: (done: number) => void = () => undefined,
): Promise<DigestTable> {
  const width = names.reduce((sum, name) => sum + DIGESTS[name].bytes, 0);
  const job: DigestJob = {
    root,
    paths: paths.join('\0'),
    names,
    next: new Int32Array(new SharedArrayBuffer(4)),
    lengths: new Float64Array(new SharedArrayBuffer(8 * paths.length)),
    digests: new Uint8Array(new SharedArrayBuffer(width * paths.length)),
  };
  const timer = setInterval(() => onProgress(Math.min(Atomics.load(job.next, 0), paths.length)), 100);
  try {
    const failures = staysInProcess(root, paths)
      ? await digestShare(job)
      : (
          await Promise.all(Array.from({ length: Math.min(WORKERS, paths.length) }, () => runWorker(job)))
        ).flat();
    if (failures.length > 0) throw makeFailure(paths, failures);
  } finally {
    clearInterval(timer);
  }
  return makeTable(job, width);
}

function staysInProcess(root: string, paths: readonly string[]): boolean {
  if (paths.length > IN_PROCESS_FILES) return false;
  let bytes = 0;
  for (const path of paths) bytes += lstatSync(join(root, path), { throwIfNoEntry: false })?.size ?? 0;
  return bytes <= IN_PROCESS_BYTES;
}

function runWorker(job: DigestJob): Promise<DigestFailure[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./digest-worker.js', import.meta.url), {
      workerData: job,
      execArgv: [],
    });
    worker.once('message', resolve).once('error', reject);
  });
}

/**
 * Takes files from a job until none is left. Several threads may do so at once.
 *
 * @returns the files that could not be digested
 */
export async function digestShare(job: DigestJob): Promise<DigestFailure[]> {
  const paths = job.paths === '' ? [] : job.paths.split('\0');
  const reader = makeReader(job.names);
  const failures: DigestFailure[] = [];
  const width = job.digests.length / paths.length;
  // Few enough at a time that the threads finish together, however the bytes are spread.
  const batch = Math.max(1, Math.min(64, Math.floor(paths.length / (WORKERS * 32))));
  for (;;) {
    const start = Atomics.add(job.next, 0, batch);
    if (start >= paths.length) return failures;
    for (let index = start; index < Math.min(start + batch, paths.length); index++) {
      try {
        job.lengths[index] = reader(`${job.root}/${paths[index]}`, job.digests.subarray(index * width));
      } catch (error) {
        const code = systemErrorCode(error);
        if (code === undefined) throw error;
        failures.push({ index, code });
      }
    }
    await yieldToEventLoop();
  }
}

/** Makes a function that reads one file, writes its digests one after another into `target`, returns its length. */
function makeReader(names: readonly DigestName[]): (path: string, target: Uint8Array) => number {
  const kinds = names.map((name) => DIGESTS[name]);
  const buffer = Buffer.allocUnsafeSlow(HEADER_BYTES + BUFFER_BYTES);

  return (path, target) => {
    for (const pause of [...RETRY_PAUSES, 0]) {
      const length = readOnce(path, target);
      if (length !== undefined) return length;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
    throw Object.assign(new Error(`${path} kept changing`), { code: 'ECHANGED' });
  };

  /** Returns undefined when the file was another at the end than at the beginning. */
  function readOnce(path: string, target: Uint8Array): number | undefined {
    const file = openSync(path, OPEN_FLAGS);
    try {
      const before = fstatSync(file);
      if (!before.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EFILETYPE' });
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
      let offset = 0;
      for (const [index, kind] of kinds.entries()) {
        const digest = streams?.[index]?.digest() ?? digestBuffer(kind, length);
        target.set(digest, offset);
        offset += kind.bytes;
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

  function digestBuffer(kind: (typeof kinds)[number], length: number): Uint8Array {
    let start = HEADER_BYTES;
    if (kind.gitHeader) {
      const header = `blob ${length}\0`;
      start -= header.length;
      buffer.write(header, start, 'latin1');
    }
    return hash(kind.openssl, buffer.subarray(start, HEADER_BYTES + length), 'buffer');
  }
}

function makeTable(job: DigestJob, width: number): DigestTable {
  const bytes = Buffer.from(job.digests.buffer);
  const offsets = new Map<DigestName, number>();
  let offset = 0;
  for (const name of job.names) {
    offsets.set(name, offset);
    offset += DIGESTS[name].bytes;
  }
  return {
    length: (index) => {
      const length = job.lengths[index];
      if (length === undefined) throw new RangeError(`no file ${index}`);
      return length;
    },
    hex: (index, name) => {
      const within = offsets.get(name);
      if (within === undefined) throw new RangeError(`${name} was not asked for`);
      const start = index * width + within;
      return bytes.toString('hex', start, start + DIGESTS[name].bytes);
    },
  };
}

function makeFailure(paths: readonly string[], failures: readonly DigestFailure[]): ResyncError {
  const sorted = [...failures].sort((a, b) => a.index - b.index);
  const changing = sorted.filter(({ code }) => code === 'ECHANGED');
  const unreadable = sorted.filter(({ code }) => code !== 'ECHANGED');
  const list = (some: readonly DigestFailure[]) =>
    some
      .slice(0, 5)
      .map(({ index, code }) => `\n  ${paths[index]}${code === 'ECHANGED' ? '' : ` (${code})`}`)
      .join('') + (some.length > 5 ? `\n  and ${some.length - 5} more` : '');
  return unreadable.length > 0
    ? new ResyncError(
        'file-unreadable',
        `Cannot read ${count(unreadable.length)} of the site:${list(unreadable)}\nMake them readable, or leave them out with --exclude.`,
      )
    : new ResyncError(
        'file-changing',
        `${count(changing.length)} of the site changed each time they were read:${list(changing)}\nRun again when the build has finished, or leave them out with --exclude.`,
      );
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`;
}
