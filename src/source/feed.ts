/** Reads what a feed says of itself (RFC 4287), element by element. Pure. */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { parseDatetime } from '../base/datetime.js';

/** What is told of each element: the names of those around it end with its own. */
interface FeedListener {
  readonly open: (path: readonly string[], attributes: Readonly<Record<string, string>>) => void;
  readonly close: (path: readonly string[], text: string) => void;
}

/** Tells what the elements of a feed say, one after another; returns whether all of the text is XML. */
export function readElements(text: string, { open, close }: FeedListener): boolean {
  const parser = new SaxesParser();
  const path: string[] = [];
  let content = '';
  let isXml = true;
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    path.push(name);
    content = '';
    open(path, attributes);
  });
  parser.on('text', (piece) => {
    content += piece;
  });
  parser.on('closetag', () => {
    close(path, content);
    path.pop();
  });
  parser.on('error', () => {
    isXml = false;
  });
  parser.write(text).close();
  return isXml;
}

/** What a feed says of itself, before its entries. */
interface FeedHead {
  readonly self: string | undefined;
  /** Hubs of WebSub. */
  readonly hubs: readonly string[];
  /** Milliseconds since 1970. */
  readonly updated: number | undefined;
}

/** Reads what a feed, anybody's, says of itself; undefined where it is no XML. */
export function readFeedHead(text: string): FeedHead | undefined {
  const hubs: string[] = [];
  let self: string | undefined;
  let updated: number | undefined;
  const isXml = readElements(text, {
    open(path, { rel, href }) {
      if (path.length !== 2 || path[1] !== 'link' || href === undefined) return;
      if (rel === 'hub') hubs.push(href);
      if (rel === 'self') self ??= href;
    },
    close(path, content) {
      if (path.length === 2 && path[1] === 'updated') updated ??= parseDatetime(content.trim())?.getTime();
    },
  });
  return isXml ? { self, hubs, updated } : undefined;
}
