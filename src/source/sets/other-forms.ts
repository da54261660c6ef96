/** Reads Sitemaps in the other formats that sitemaps.org allows: lists of URLs as text, RSS and Atom feeds. */

import { SaxesParser } from 'saxes';
import { isUrl } from '../../base/url.js';
import { findSkipped } from '../../standard/rules/skipped.js';
import type { Skipped } from '../../standard/xml/as-read.js';
import { collectBytes } from '../document.js';
import { unpackFile } from '../origin/codings.js';
import { makeBody } from '../web/bounds.js';

export interface OtherForm {
  /** True for a feed, which names only what is new. */
  readonly isFeed: boolean;
  readonly uris: readonly string[];
  /** Lines of the file without a URL that can be requested. */
  readonly odd: readonly Omit<Skipped, 'document'>[];
}

/** Reads a list of URLs or a feed; undefined if the bytes are neither, or more than `most` once unpacked. */
export async function readOtherForm(
  bytes: Buffer,
  uri: string,
  most: number,
): Promise<OtherForm | undefined> {
  const { bytes: unpacked, broken } = await collectBytes(unpackFile(makeBody(bytes)), most + 1);
  if (broken !== undefined || unpacked.length > most) return undefined;
  const text = unpacked.toString().replace(/^\ufeff/, '');
  return /^\s*</.test(text) ? readFeed(text, uri) : readLines(text);
}

const isWeb = (loc: string) => findSkipped({ loc, md: undefined }) === undefined;

function readLines(text: string): OtherForm | undefined {
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ line: index + 1, found: line.trim() }));
  const named = lines.filter(({ found }) => found !== '');
  const [first] = named;
  if (first === undefined || !isWeb(first.found)) return undefined;
  const odd = named.filter(({ found }) => !isWeb(found));
  return { uris: named.flatMap(({ found }) => (isWeb(found) ? found : [])), odd, isFeed: false };
}

const ITEM = /^(?:item|entry)$/;

/** Reads a feed: lists the URLs of the pages that its items link to. Undefined if the text is no feed. */
function readFeed(text: string, base: string): OtherForm | undefined {
  const uris: string[] = [];
  const odd: Omit<Skipped, 'document'>[] = [];
  let [root, link, isInItem, before] = ['', undefined as string | undefined, false, 0];
  const parser = new SaxesParser({ xmlns: true });
  const add = (target: string) => {
    const uri = isUrl(target, base) ? new URL(target, base).href : '';
    if (isWeb(uri)) uris.push(uri);
  };
  parser.on('opentag', ({ local, attributes }) => {
    root ||= local;
    if (ITEM.test(local)) [isInItem, before] = [true, uris.length];
    if (local !== 'link' || !isInItem) return;
    const { href, rel } = attributes;
    if (href === undefined) link = '';
    else if (rel === undefined || rel.value === 'alternate') add(href.value);
  });
  const addText = (piece: string) => {
    if (link !== undefined) link += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ local }) => {
    if (ITEM.test(local)) {
      isInItem = false;
      if (uris.length === before) odd.push({ line: parser.line, found: `<${local}> without a link` });
    }
    if (local !== 'link' || link === undefined) return;
    add(link.trim());
    link = undefined;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    // saxes throws plain errors for XML that is not well-formed.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return undefined;
  }
  return /^(?:rss|feed|RDF)$/.test(root) ? { uris, odd, isFeed: true } : undefined;
}
