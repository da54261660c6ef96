/** Digests of bytes that come in pieces, and how several are written together (§7). */

import { createHash, hash } from 'node:crypto';
import { type HashAlgorithm, opensslName } from './model.js';

/** A digest and what it is called; lower-case hexadecimal. */
type Digest<Name extends string = HashAlgorithm> = readonly [name: Name, hex: string];

/** Several digests of the same bytes. To be used once. */
export interface Digests {
  readonly update: (piece: Uint8Array | string) => void;
  /** Ends them, and returns them in the order in which they were asked for. */
  readonly finish: () => readonly Digest[];
}

/** Starts digests of bytes that come in pieces. */
export function startDigests(names: readonly HashAlgorithm[]): Digests {
  const streams = names.map((name) => [name, createHash(opensslName(name))] as const);
  return {
    update: (piece) => {
      for (const [, stream] of streams) stream.update(piece);
    },
    finish: () => streams.map(([name, stream]) => [name, stream.digest('hex')] as const),
  };
}

/** Digests of bytes that are all there, in the order of the names; lower-case hexadecimal. */
export function digestWhole(names: readonly HashAlgorithm[], bytes: Uint8Array): readonly string[] {
  return names.map((name) => hash(opensslName(name), bytes));
}

/** The URI of a digest (RFC 6920) that stands for a value. */
export function fingerprint(value: unknown): string {
  return `ni:///sha-256;${hash('sha256', JSON.stringify(value), 'base64url')}`;
}

/** Writes digests in the notation of §7: `md5:… sha-256:…`. */
export function formatDigests(digests: readonly Digest<string>[]): string {
  return digests.map(([name, hex]) => `${name}:${hex}`).join(' ');
}
