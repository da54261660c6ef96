/** What was seen of a page, as a text: threads hand it on at little cost, and very many can be kept. Pure. */

import { type PageFacts, SILENT } from './wishes.js';

/** `UNSURE` where a parser has to find out; undefined for a page that says nothing. */
export type Seen = string | undefined;

export const UNSURE = '?';

/** Stands first, so that nothing else has to be read where only this counts. */
const NOINDEX = 'noindex';

export function pack(facts: PageFacts): string {
  return (facts.noindex ? NOINDEX : '') + JSON.stringify(facts);
}

/** The facts in a text that is not `UNSURE`. */
export function unpack(seen: Seen): PageFacts {
  if (seen === undefined) return SILENT;
  return JSON.parse(seenNoindex(seen) ? seen.slice(NOINDEX.length) : seen);
}

export function seenNoindex(seen: Seen): boolean {
  return seen?.startsWith(NOINDEX) === true;
}
