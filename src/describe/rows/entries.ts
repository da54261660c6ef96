/** Writes entries of lists as bytes, the same as `standard/xml/serialize.ts` writes. */

import type { ByteBuffer } from './bytes.js';
import type { Row } from './rows.js';

/** More bytes than an entry takes: 2,047 characters of a URL, escaped to six each at most, a media type, digests, datetimes. */
export const MOST_ENTRY = 16_384;

const OPEN = Buffer.from('\n  <url><loc>');
const CLOSE_LOC = Buffer.from('</loc>');
const OPEN_LASTMOD = Buffer.from('<lastmod>');
const CLOSE_LASTMOD = Buffer.from('</lastmod>');
const METADATA = Buffer.from('<rs:md');
const CLOSE = Buffer.from('/></url>');
const HASH = Buffer.from(' hash="');
const MD5 = Buffer.from('md5:');
const SHA256 = Buffer.from('sha-256:');
const SPACE = Buffer.from(' ');
const QUOTE = Buffer.from('"');
const LENGTH = Buffer.from(' length="');
const TYPE = Buffer.from(' type="');
const TAB = Buffer.from('\t');
const LINE_END = Buffer.from('\n');

/** Adds the entry of a Resource List. @param base URL of the root, escaped for XML */
export function addResource(to: ByteBuffer, base: Uint8Array, row: Row): void {
  to.add(OPEN);
  to.add(base);
  to.addPath(row);
  to.add(CLOSE_LOC);
  if (row.modified.isKnown) {
    to.add(OPEN_LASTMOD);
    to.add(row.modified.bytes);
    to.add(CLOSE_LASTMOD);
  }
  to.add(METADATA);
  addFacts(to, row);
  to.add(CLOSE);
}

export const CHANGES = ['created', 'updated', 'deleted'] as const;
export type Change = (typeof CHANGES)[number];
const CHANGE_NAMES = {
  created: Buffer.from('created'),
  updated: Buffer.from('updated'),
  deleted: Buffer.from('deleted'),
};

/** Adds the line of a change, which `readChange` reads once the moment of the publication is known. */
export function addChange(to: ByteBuffer, change: Change, base: Uint8Array, row: Row): void {
  to.add(CHANGE_NAMES[change]);
  to.add(TAB);
  if (change !== 'deleted' && row.modified.isKnown) to.add(row.modified.bytes);
  to.add(TAB);
  to.add(base);
  to.addPath(row);
  to.add(TAB);
  if (change !== 'deleted') addFacts(to, row);
  to.add(LINE_END);
}

function addFacts(to: ByteBuffer, { md5, sha256, length, type }: Row): void {
  if (md5.isKnown || sha256.isKnown) {
    to.add(HASH);
    if (md5.isKnown) {
      to.add(MD5);
      to.add(md5.bytes);
    }
    if (md5.isKnown && sha256.isKnown) to.add(SPACE);
    if (sha256.isKnown) {
      to.add(SHA256);
      to.add(sha256.bytes);
    }
    to.add(QUOTE);
  }
  if (length !== undefined) {
    to.add(LENGTH);
    to.addNumber(length);
    to.add(QUOTE);
  }
  if (type !== undefined) {
    to.add(TYPE);
    to.add(type);
    to.add(QUOTE);
  }
}
