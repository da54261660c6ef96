/** Reads sitemaps with the positions of their elements. */

import { SaxesParser, type SaxesTagNS } from 'saxes';

/** A part of the text of a sitemap: from `start` to `end`, exclusive. */
interface Range {
  readonly start: number;
  readonly end: number;
}

interface StandingEntry {
  readonly loc: string;
  /** Position in the text after the `<loc>` element. */
  readonly behind: number;
  /** White space before the `<loc>` element. */
  readonly indent: string;
  /** Namespace prefix of the entry, with its colon; '' if it has none. */
  readonly prefix: string;
  readonly lastmods: readonly (Range & { readonly content: Range | undefined; readonly said: string })[];
}

export interface StandingSitemap {
  readonly text: string;
  readonly isIndex: boolean;
  readonly entries: readonly StandingEntry[];
}

/** Limits beyond which no sitemap is read: elements within one another, and entries (50,000 by the protocol). */
const DEPTH_LIMIT = 20;
const ENTRIES_LIMIT = 500_000;

/**
 * Reads a sitemap or an index; ignores other namespaces. Undefined if it is neither, is malformed, or has a document type.
 * @param text without a byte order mark
 */
export function readSitemap(text: string): StandingSitemap | undefined {
  try {
    return parseSitemap(text);
  } catch (error) {
    // Saxes throws plain `Error`s for mistakes in the text; errors of other classes are bugs.
    if (error instanceof Error && error.constructor === Error) return undefined;
    throw error;
  }
}

function parseSitemap(text: string): StandingSitemap | undefined {
  const parser = new SaxesParser({ xmlns: true });
  const entries: StandingEntry[] = [];
  const path: SaxesTagNS[] = [];
  let root: SaxesTagNS | undefined;
  let content = '';
  let openEnd = 0;
  let loc: Pick<StandingEntry, 'loc' | 'behind' | 'indent' | 'prefix'> | undefined;
  let lastmods: StandingEntry['lastmods'][number][] = [];
  const isOwn = ({ uri }: SaxesTagNS) => uri === root?.uri;
  const add = (piece: string) => {
    if (path.length === 3) content += piece;
  };
  parser.on('doctype', () => refuse('a document type'));
  parser.on('opentag', (tag) => {
    path.push(tag);
    root ??= tag;
    if (path.length > DEPTH_LIMIT) refuse('too deep');
    if (path.length === 2) [loc, lastmods] = [undefined, []];
    if (path.length === 3) [content, openEnd] = ['', parser.position];
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', (tag) => {
    path.pop();
    if (!isOwn(tag)) return;
    // An inserted element can take the prefix of its entry, which is bound to the right namespace there.
    if (path.length === 2) closeField(tag, path[1]?.prefix ?? '');
    if (path.length === 1 && tag.local === (root?.local === 'urlset' ? 'url' : 'sitemap') && loc) {
      if (entries.push({ ...loc, lastmods }) > ENTRIES_LIMIT) refuse('too many entries');
    }
  });
  parser.write(text).close();
  if (root === undefined || !/^(?:urlset|sitemapindex)$/.test(root.local)) return undefined;
  return { text, isIndex: root.local === 'sitemapindex', entries };

  function closeField(tag: SaxesTagNS, outer: string): void {
    const end = parser.position;
    const start = text.lastIndexOf('<', openEnd - 1);
    const prefix = outer === '' ? '' : `${outer}:`;
    if (tag.local === 'loc') {
      const before = text.slice(Math.max(0, start - 100), start);
      const indent = before.slice(before.trimEnd().length);
      loc = { loc: content.trim(), behind: end, indent, prefix };
    } else if (tag.local === 'lastmod') {
      const inside = tag.isSelfClosing ? undefined : { start: openEnd, end: text.lastIndexOf('</', end - 1) };
      lastmods.push({ start, end, content: inside, said: content.trim() });
    }
  }
}

function refuse(why: string): never {
  throw new Error(why);
}
