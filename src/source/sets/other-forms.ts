/** Sitemaps that are no XML documents of the protocol: lists of URLs as text, RSS and Atom feeds, as sitemaps.org allows them. */

import { SaxesParser } from 'saxes';
import { isUrl } from '../../standard/model.js';
import { collectBytes } from '../document.js';
import { unpackFile } from '../origin/codings.js';
import { makeWhole } from '../web/bounds.js';

/** What such a Sitemap names, and the lines that name nothing that can be asked for. */
export interface OtherForm {
  readonly uris: readonly string[];
  readonly odd: readonly { readonly line: number; readonly found: string }[];
}

/**
 * Reads the bytes of a Sitemap.
 *
 * @param most bytes, once unpacked
 * @returns undefined if they are in none of these forms
 */
export async function readOtherForm(
  bytes: Buffer,
  uri: string,
  most: number,
): Promise<OtherForm | undefined> {
  const { bytes: unpacked, broken } = await collectBytes(unpackFile(makeWhole(bytes)), most + 1);
  if (broken !== undefined || unpacked.length > most) return undefined;
  const text = unpacked.toString().replace(/^\ufeff/, '');
  return /^\s*</.test(text) ? readFeed(text, uri) : readLines(text);
}

const isWeb = (uri: string) => /^https?:\/\//i.test(uri) && isUrl(uri);

function readLines(text: string): OtherForm | undefined {
  const lines = text.split(/\r\n?|\n/).map((line, index) => ({ line: index + 1, found: line.trim() }));
  const named = lines.filter(({ found }) => found !== '');
  if (!isWeb(named[0]?.found ?? '')) return undefined;
  const odd = named.filter(({ found }) => !isWeb(found));
  return { uris: named.flatMap(({ found }) => (isWeb(found) ? found : [])), odd };
}

/** The pages that the items of a feed link to. */
function readFeed(text: string, base: string): OtherForm | undefined {
  const uris: string[] = [];
  let [root, link, isInItem] = ['', undefined as string | undefined, false];
  const parser = new SaxesParser({ xmlns: true });
  const add = (target: string) => {
    if (isUrl(target, base)) uris.push(new URL(target, base).href);
  };
  parser.on('opentag', ({ local, attributes }) => {
    root ||= local;
    if (/^(?:item|entry)$/.test(local)) isInItem = true;
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
    if (/^(?:item|entry)$/.test(local)) isInItem = false;
    if (local !== 'link' || link === undefined) return;
    add(link.trim());
    link = undefined;
  });
  try {
    parser.write(text).close();
  } catch (error) {
    // saxes throws plain errors for what is not well-formed.
    if (!(error instanceof Error) || error.constructor !== Error) throw error;
    return undefined;
  }
  return /^(?:rss|feed|RDF)$/.test(root) ? { uris, odd: [] } : undefined;
}
