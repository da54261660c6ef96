/** What a page says of itself: whether it wants to be found, what it links to, and which page is the right one in its place. */

import { FEED } from '../paths/ours.js';
import { sameUri } from '../resourcesync/model.js';
import {
  type FoundLink,
  findCharset,
  findFeedLinks,
  findListLinks,
  findTargets,
  isNamedUtf8,
  listLinks,
} from './elements.js';
import { finishLook } from './look/finish.js';
import { type SeenHead, UNSURE, unpack } from './look/look.js';
import { saysNoindex } from './noindex.js';
import { RELATIONS, selectPageLinks } from './page-links.js';
import { type PageFacts, type Seen, SILENT, type Wanted, type Wishes } from './wishes.js';

/** What threads have to look for. */
export function planLook({ canonical, links, lists }: Wishes): Wanted {
  return {
    relations: [
      ...(links ? RELATIONS : []),
      ...(canonical ? ['canonical'] : []),
      ...(lists ? ['resourcesync', 'alternate'] : []),
    ],
  };
}

/** A word without which nothing of interest is said; letters may also be written as numbers. */
const SAYING = /noindex|none|<link|&#/i;
/** Where links are to be put in, it matters whether the page can be read. */
const ANYTHING = /^/;

/** Where a page is. */
interface Page {
  readonly uri: string;
  /** Of the site, with a trailing slash. */
  readonly url: string;
}

/** What a page says, where a quick look was enough; undefined where it left doubts. */
export function makeQuickFacts(seen: Seen, { uri, url }: Page, wishes: Wishes): PageFacts | undefined {
  if (seen === UNSURE) return undefined;
  return seen === undefined ? SILENT : select(unpack(seen), uri, url, wishes);
}

/**
 * Finds out what a page says. Where a quick look left doubts, and there is anything to doubt, the page is parsed.
 *
 * @param read reads the page again
 */
export async function makeFacts(
  seen: Seen,
  { uri, url }: Page,
  wishes: Wishes,
  read: () => Buffer,
): Promise<PageFacts> {
  const head = await finishLook(seen, read, wishes.lists ? ANYTHING : SAYING);
  return head === undefined ? SILENT : select(head, uri, url, wishes);
}

function select(head: SeenHead, uri: string, url: string, wishes: Wishes): PageFacts {
  const isReadable =
    head.encoding === 'marked' || (head.encoding === 'utf-8' && isNamedUtf8(findCharset(head)));
  const noindex = wishes.noindex && saysNoindex(head);
  if (!isReadable) return { ...SILENT, noindex, lists: undefined };
  const links = listLinks(head, uri);
  return {
    noindex,
    canonical: wishes.canonical ? findOther(links, uri) : undefined,
    links: wishes.links ? selectPageLinks(links, uri, url) : [],
    lists: wishes.lists ? findListLinks(links).map(({ href }) => href) : [],
    feed: wishes.lists && findFeedLinks(links).some(({ href }) => href === url + FEED),
  };
}

function findOther(links: readonly FoundLink[], uri: string): string | undefined {
  const [first] = findTargets(links, 'canonical');
  const said = first?.replace(/#.*$/s, '');
  return said === undefined || !/^https?:/.test(said) || sameUri(said, uri) ? undefined : said;
}
