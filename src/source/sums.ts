/** Reads a `SHA256SUMS` of a Source with its signature, and finds the digests of documents in it. */

import { hash } from 'node:crypto';
import { ResyncError } from '../base/errors.js';
import { Words } from '../base/text/say.js';
import { addressOf } from '../paths/address.js';
import { pathOfSignature } from '../paths/ours.js';
import { decodePath, encodePath } from '../paths/urls.js';
import { type SshKey, tellMistake, verifySignatures } from '../standard/signature.js';
import { parseSums, SUMS_BYTES, type Sums } from '../standard/sums.js';
import { type Absent, isAbsent } from './origin/origin.js';

export interface NamedDocument {
  readonly uri: string;
  readonly sha256: string;
}

export interface FoundSignature {
  /** False if the file is no signature at all. */
  readonly isSignature: boolean;
  /** Keys whose signatures are valid. While a key is replaced there are several signatures, of which one is enough. */
  readonly keys: readonly SshKey[];
  /** Reasons why the signature file, or further signatures in it, are not accepted. */
  readonly mistakes: readonly Words[];
}

export interface FoundSums {
  /** The content of the `SHA256SUMS`, or the mistake in it. */
  readonly sums: Sums | Words;
  readonly signature: FoundSignature | Absent;
  /** The `SHA256SUMS` and its signature, with their own digests. */
  readonly files: readonly NamedDocument[];
}

/** Reads a `SHA256SUMS`, and checks its signature. @param read reads a file of at most `most` bytes @param armored the signature */
export async function readSums(
  read: (uri: string, most: number) => Promise<Buffer | Absent>,
  uri: string,
  armored: Buffer | Absent,
): Promise<FoundSums | Absent> {
  const bytes = await read(uri, SUMS_BYTES);
  if (isAbsent(bytes)) return bytes;
  const files = [{ uri, sha256: hash('sha256', bytes) }];
  if (!isAbsent(armored)) files.push({ uri: pathOfSignature(uri), sha256: hash('sha256', armored) });
  const signature = isAbsent(armored) ? armored : checkSignature(armored, bytes);
  return { sums: parseSums(bytes), signature, files };
}

function checkSignature(armored: Buffer, message: Buffer): FoundSignature {
  try {
    const all = verifySignatures(armored, message);
    const wrong = all.filter(({ mistake }) => mistake !== undefined);
    const keys = all.filter(({ mistake }) => mistake === undefined).map(({ key }) => key);
    return { isSignature: true, keys, mistakes: wrong.map(tellMistake) };
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return { isSignature: false, keys: [], mistakes: [Words.asWritten(error.message)] };
  }
}

export interface PlacedSums {
  /** Digests of the documents by path. */
  readonly digests: Sums['digests'];
  /** URL to which the paths in the sums are relative. */
  readonly root: string;
  /** URL below which the sums cover all documents. */
  readonly scope: string;
}

export function covers({ scope }: PlacedSums, uri: string): boolean {
  return addressOf(uri).startsWith(addressOf(scope));
}

export function findSum(placed: PlacedSums, uri: string): string | undefined {
  if (!covers(placed, uri)) return undefined;
  const path = decodePath(addressOf(uri).slice(addressOf(placed.root).length));
  // The page of changes is listed by its file, and its URL is in the style of the site.
  const files = [path, path.replace(/\/?$/, '/index.html'), `${path}.html`];
  return files.map((file) => placed.digests.get(file)).find(Boolean);
}

export function listNamed({ digests, root, scope }: PlacedSums): NamedDocument[] {
  const named = Array.from(digests, ([path, sha256]) => ({ uri: root + encodePath(path), sha256 }));
  return named.filter(({ uri }) => uri.startsWith(scope));
}
