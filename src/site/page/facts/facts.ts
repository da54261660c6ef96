/** What a page says of itself: whether it wants to be found, what it links to, and which page is the right one in its place. */

import { FEED } from '../../../paths/ours.js';
import { makeUri } from '../../../paths/urls.js';
import { sameUri } from '../../../standard/model.js';
import {
  type FoundLink,
  findCharset,
  findFeedLinks,
  findListLinks,
  findTargets,
  isNamedUtf8,
  listLinks,
} from '../elements.js';
import { finishLook } from '../look/finish.js';
import { makeLook, type SeenHead } from '../look/look.js';
import { RELATIONS, selectPageLinks } from '../page-links.js';
import { saysNoindex } from './noindex.js';
import { type PageWishes, pack, type SeenFacts, UNSURE, type WantedFacts } from './seen.js';

/** Makes a function that finds out quickly what a page says, from its path and its beginning. Threads do this. */
export function makePageReader(wanted: WantedFacts): (path: string, page: Uint8Array) => SeenFacts {
  const look = makeLook(listRelations(wanted.wishes));
  return (path, page) => {
    const head = look(page);
    return head === undefined || head === UNSURE ? head : select(head, path, wanted);
  };
}

/** Those of the links that count. */
function listRelations({ canonical, links, lists }: PageWishes): string[] {
  return [
    ...(links ? RELATIONS : []),
    ...(canonical ? ['canonical'] : []),
    ...(lists ? ['resourcesync', 'alternate'] : []),
  ];
}

/** A word without which nothing of interest is said; letters may also be written as numbers. */
const SAYING = /noindex|none|<link|&#/i;
/** Where links are to be put in, it matters whether the page can be read. */
const ANYTHING = /^/;

/** Parses a page of which a quick look was not sure, where there is anything to doubt. */
export async function parsePage(page: Buffer, path: string, wanted: WantedFacts): Promise<SeenFacts> {
  const head = await finishLook(UNSURE, page, wanted.wishes.lists ? ANYTHING : SAYING);
  return head && select(head, path, wanted);
}

function select(head: SeenHead, path: string, { wishes, url, urls }: WantedFacts): SeenFacts {
  const noindex = wishes.noindex && saysNoindex(head);
  const isReadable =
    head.encoding === 'marked' || (head.encoding === 'utf-8' && isNamedUtf8(findCharset(head)));
  if (!isReadable) return pack({ noindex, feed: false }, []);
  const uri = makeUri(url, path, urls);
  const links = listLinks(head, uri);
  const facts = {
    noindex,
    canonical: wishes.canonical ? findOther(links, uri) : undefined,
    lists: wishes.lists ? findListLinks(links).map(({ href }) => href) : [],
    feed: wishes.lists && findFeedLinks(links).some(({ href }) => href === url + FEED),
  };
  return pack(facts, wishes.links ? selectPageLinks(links, uri, url) : []);
}

function findOther(links: readonly FoundLink[], uri: string): string | undefined {
  const [first] = findTargets(links, 'canonical');
  const said = first?.replace(/#.*$/s, '');
  return said === undefined || !/^https?:/.test(said) || sameUri(said, uri) ? undefined : said;
}
