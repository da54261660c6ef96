/** Copies of what a parser cut out of a document, which would keep all of it in memory. */

import type { ListedResource } from './listed.js';

/**
 * Makes resources that outlive their document. What a parser cuts out of a text is a view on it, which keeps all of it
 * in memory: every text is copied, and those that come again and again are shared.
 */
export function startDetaching(): (listed: ListedResource) => ListedResource {
  const known = new Map<string, string>();
  const share = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const before = known.get(text);
    if (before !== undefined) return before;
    const kept = copyText(text);
    if (known.size < MOST_SHARED) known.set(kept, kept);
    return kept;
  };
  return ({ uri, document, line, lastmod, hash, length, type, encoding }) => ({
    uri: copyText(uri),
    document,
    line,
    lastmod: share(lastmod),
    hash: hash && copyText(hash),
    // Short texts are copies already.
    length: length === undefined || length.length < 13 ? length : copyText(length),
    type: share(type),
    encoding: share(encoding),
  });
}

const MOST_SHARED = 1000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const buffer = new Uint8Array(8192);

/** Copies a text that a parser cut out of a larger one, and that is to outlive it. */
export function copyText(text: string): string {
  const { read, written } = encoder.encodeInto(text, buffer);
  return read === text.length ? decoder.decode(buffer.subarray(0, written)) : Buffer.from(text).toString();
}
