/** Decodes content codings that were not requested (RFC 9110 §8.4.1), and gzip files that hold a document. */

import { pipeline, Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import { nodeErrorCode } from '../../base/errors.js';
import { type Body, type Bounds, FetchError } from '../web/bounds.js';

type Counting = Pick<Bounds, 'take' | 'signal'>;

interface Coding {
  /** Tests the first bytes of a body for the coding; absent if they do not show it. */
  readonly fits?: (head: Buffer) => boolean;
  /** Creates a decoder; returns undefined if Node has none for the coding. */
  readonly decoder: (head: Buffer) => Transform | undefined;
  readonly names?: RegExp;
}

/** Tests for the magic number of gzip (RFC 1952 §2.3.1). */
export const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b;
/** Tests for the header of zlib (RFC 1950 §2.2): method 8, and a multiple of 31. Many servers send deflate without it. */
const isZlib = (head: Buffer) => (head.readUInt8() & 15) === 8 && head.readUInt16BE() % 31 === 0;
const { createZstdDecompress } = zlib as { readonly createZstdDecompress?: () => Transform };

/** The registered content codings for whole files (IANA, HTTP Content Coding Registry), by name. */
const CODINGS: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  ['gzip', { fits: isGzip, decoder: () => zlib.createGunzip(), names: /\.(?:t?gz|svgz|emz|wmz|taz|cpgz)$/i }],
  [
    'deflate',
    {
      decoder: (head) => (head.length < 2 || isZlib(head) ? zlib.createInflate() : zlib.createInflateRaw()),
    },
  ],
  ['br', { decoder: () => zlib.createBrotliDecompress(), names: /\.br$/i }],
  [
    'zstd',
    {
      fits: (head) => head.length >= 4 && head.readUInt32BE() === 0x28b52ffd,
      decoder: () => createZstdDecompress?.(),
      names: /\.t?zst$/i,
    },
  ],
  ['compress', { decoder: () => undefined, names: /\.(?:z|taz)$/i }],
  ...['aes128gcm', 'dcb', 'dcz', 'exi', 'pack200-gzip'].map(
    (name) => [name, { decoder: () => undefined }] as const,
  ),
]);

const MOST_CODINGS = 4;

/** Reads a `Content-Encoding`, in the order of application, without values that are no codings, such as `utf-8` or `none`. */
export function readCodings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const names = header
    .toLowerCase()
    .split(',')
    .map((name) => name.trim().replace(/^x-(?=gzip$|compress$)/, ''));
  return names.filter((name) => CODINGS.has(name));
}

/** Returns whether a file, by its name or type, is itself in the format of a coding, as `a.tar.gz` is. */
export function isCodedFile(encoding: string | undefined, uri: string, type = ''): boolean {
  const coding = readCodings(encoding).at(-1) ?? '';
  const isNamed = CODINGS.get(coding)?.names?.test(new URL(uri).pathname) === true;
  return isNamed || (coding === 'gzip' && /gzip|\btgz/.test(type));
}

/** Decodes the content codings of a body, the last coding first. */
export function decodeBody(body: Body, codings: readonly string[], bounds: Counting): Body {
  if (codings.length > MOST_CODINGS) return refuse(body, `has ${codings.length} content codings`);
  return codings.reduceRight((coded, coding) => undo(coded, coding, bounds), body);
}

/** Makes a body that fails when it is read, and ends the given body, which would occupy its connection. */
// biome-ignore lint/correctness/useYield: only the error is of use.
async function* refuse(body: Body, found: string): AsyncGenerator<Buffer> {
  for await (const _ of body) break;
  throw new FetchError('failed', found);
}

/** Unpacks a gzip file; any other body is passed on unchanged. */
export function unpackFile(body: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return undo(body, 'gzip');
}

/** Number of bytes at the beginning of a body that show its coding. */
const HEAD_BYTES = 4;

/** Decodes one coding of a body. Bytes that are clearly not in it pass unchanged. @param bounds absent if the reader has limits */
async function* undo(body: AsyncIterable<Buffer>, name: string, bounds?: Counting): AsyncGenerator<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  try {
    let head: Buffer = Buffer.alloc(0);
    while (head.length < HEAD_BYTES) {
      const { done, value } = await pieces.next();
      if (done === true) break;
      head = head.length === 0 ? value : Buffer.concat([head, value]);
    }
    const rest = { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) };
    const coding = CODINGS.get(name);
    if (coding?.fits?.(head) === false) {
      yield head;
      return yield* rest;
    }
    const decoder = coding?.decoder(head);
    if (decoder === undefined)
      throw new FetchError('failed', `has the Content-Encoding ${name}, which cannot be undone here`);
    yield* decode(prepend(head, rest), decoder, name, bounds);
  } finally {
    // The end of the iteration is not awaited, because a piece may still be under way.
    void pieces.return?.();
  }
}

async function* prepend(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (head.length > 0) yield head;
  yield* rest;
}

async function* decode(
  body: AsyncIterable<Buffer>,
  decoder: Transform,
  name: string,
  bounds: Counting | undefined,
): AsyncGenerator<Buffer> {
  try {
    // The iteration throws errors of the body and of the decoder.
    const decoded = pipeline(Readable.from(body), decoder, () => undefined) as AsyncIterable<Buffer>;
    for await (const chunk of decoded) {
      bounds?.take(chunk.length);
      yield chunk;
    }
  } catch (error) {
    bounds?.signal.throwIfAborted();
    // Errors of the body itself are FetchErrors. Those of zlib have codes, which differ between codings.
    if (error instanceof FetchError || nodeErrorCode(error) === undefined) throw error;
    const says = bounds === undefined ? 'its first bytes say' : 'its Content-Encoding says';
    throw new FetchError('failed', `is not ${name}, as ${says}`, { cause: error });
  }
}
