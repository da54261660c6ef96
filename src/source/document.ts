/** Reads documents, texts and bytes from files that an origin opens. */

import { createHash } from 'node:crypto';
import { READ_LIMITS } from '../standard/limits.js';
import type { CheckCode, Finding } from '../standard/rules/checks.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { type EntryTaker, parseDocument } from '../standard/xml/read.js';
import { unpackFile } from './origin/codings.js';
import { type Absent, isAbsent, type Opened, type Origin, toAbsent } from './origin/origin.js';

export async function readDocument(origin: Origin, uri: string): Promise<ReadDocument | Absent> {
  const opened = await origin.open(uri, { most: READ_LIMITS.bytes });
  return isAbsent(opened) ? opened : parseBody(opened.body, undefined, opened.uri);
}

/** Reads a document from a body, which may be a gzip file. @param take and `base` are those of `parseDocument` */
export async function parseBody(
  body: AsyncIterable<Buffer>,
  take?: EntryTaker,
  base?: string,
): Promise<ReadDocument | Absent> {
  try {
    return await parseDocument(unpackFile(body), {}, take, base);
  } catch (error) {
    return toAbsent(error);
  }
}

/** Reads an opened document; also returns its SHA-256, and its length in bytes. */
export async function digestDocument(
  { body, uri }: Pick<Opened, 'body'> & Partial<Pick<Opened, 'uri'>>,
  take?: EntryTaker,
) {
  const hash = createHash('sha256');
  let length = 0;
  async function* noteBytes(): AsyncGenerator<Buffer> {
    for await (const piece of body) {
      hash.update(piece);
      length += piece.length;
      yield piece;
    }
  }
  const read = await parseBody(noteBytes(), take, uri);
  return { read, digest: hash.digest('hex'), length };
}

/** Makes the finding of an audit about a document that cannot be read. */
export function toFinding(document: string, { found, mistake }: Absent): readonly [CheckCode, Finding] {
  if (mistake === undefined) return ['document-unreachable', { document, found }];
  return [mistake.code, { document, line: mistake.line, found }];
}

const HEAD_BYTES = 256 * 1024;

/** Reads the first bytes of a body as text; undefined if the body breaks off. */
export async function readStart(body: AsyncIterable<Buffer>, most = HEAD_BYTES): Promise<string | undefined> {
  const { bytes, broken } = await collectBytes(unpackFile(body), most);
  return broken === undefined ? bytes.toString() : undefined;
}

/** Reads all of a small file; one of more than `most` bytes counts as unreadable. */
export async function collectWhole(opened: Opened | Absent, most: number): Promise<Buffer | Absent> {
  if (isAbsent(opened)) return opened;
  const { bytes, broken } = await collectBytes(opened.body, most + 1);
  if (broken !== undefined) return broken;
  return bytes.length > most ? { failure: 'failed', found: `more than ${most} bytes` } : bytes;
}

/** Reads at least the first `most` bytes of a body, to the end of a piece; `broken` says why the body broke off before. */
export async function collectBytes(
  body: AsyncIterable<Buffer>,
  most = Number.POSITIVE_INFINITY,
): Promise<{ readonly bytes: Buffer; readonly broken: Absent | undefined }> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length >= most) break;
    }
    return { bytes: Buffer.concat(pieces), broken: undefined };
  } catch (error) {
    return { bytes: Buffer.concat(pieces), broken: toAbsent(error) };
  }
}
