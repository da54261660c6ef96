/** Reads the head of a feed (RFC 4287). Pure. */

import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { parseDatetime } from '../base/datetime.js';

export interface FeedHead {
  readonly self: string | undefined;
  /** URLs of WebSub hubs. */
  readonly hubs: readonly string[];
  /** Time of the last update of the feed, in milliseconds since 1970. */
  readonly updated: number | undefined;
}

/** Reads the head of any feed; undefined if it is not XML. */
export function readFeedHead(text: string): FeedHead | undefined {
  const hubs: string[] = [];
  let self: string | undefined;
  let updated: number | undefined;
  const parser = new SaxesParser();
  const path: string[] = [];
  let content = '';
  let isXml = true;
  parser.on('opentag', ({ name, attributes: { rel, href } }: SaxesTagPlain) => {
    path.push(name);
    content = '';
    if (path.length !== 2 || name !== 'link' || href === undefined) return;
    if (rel === 'hub') hubs.push(href);
    if (rel === 'self') self ??= href;
  });
  parser.on('text', (piece) => {
    content += piece;
  });
  parser.on('closetag', ({ name }) => {
    if (path.length === 2 && name === 'updated') updated ??= parseDatetime(content.trim())?.getTime();
    path.pop();
  });
  parser.on('error', () => {
    isXml = false;
  });
  parser.write(text).close();
  return isXml ? { self, hubs, updated } : undefined;
}
