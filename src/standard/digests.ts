/** Computes digests, and writes them in the notation of §7. */

import { createHash, type Hash, hash } from 'node:crypto';
import type { HashAlgorithm } from './model.js';

/** Computes several digests of the same bytes, which come in pieces. An instance is for one use. */
export class Digests {
  readonly #streams: readonly (readonly [name: HashAlgorithm, stream: Hash])[];

  constructor(names: readonly HashAlgorithm[]) {
    this.#streams = names.map((name) => [name, createHash(name.replace('-', ''))]);
  }

  update(piece: Uint8Array | string): void {
    for (const [, stream] of this.#streams) stream.update(piece);
  }

  /** Returns the digests in lower-case hexadecimal: `md5:… sha-256:…`. */
  finish(): string {
    return formatDigests(this.#streams.map(([name, stream]) => [name, stream.digest('hex')]));
  }
}

/** Returns a URI that stands for a value: that of a digest of its JSON (RFC 6920). */
export function fingerprint(value: unknown): string {
  return `ni:///sha-256;${hash('sha256', JSON.stringify(value), 'base64url')}`;
}

export function formatDigests(digests: readonly (readonly [name: string, hex: string])[]): string {
  return digests.map(([name, hex]) => `${name}:${hex}`).join(' ');
}
