/** Links the pages of a site to the Capability Lists of the sets that list them, one after another. */

import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import type { Notice, UnlinkedReason } from '../notices.js';
import type { PageFacts } from '../page/facts.js';
import { linkPage } from '../page/html.js';
import { PAGE_FILE } from '../page/page-file.js';
import { pathOfDocument } from '../paths/ours.js';
import type { Resource } from '../resourcesync/model.js';
import type { ScannedSite } from '../site/scan.js';
import { readBytes } from './file.js';
import type { Edit } from './served.js';

/** A site as it was scanned, with what its pages say. */
type LinkedSite = Pick<ScannedSite, 'resources' | 'facts'>;

interface UnlinkedPage extends Pick<Resource, 'path' | 'uri'> {
  readonly capabilityLists: readonly string[];
}

/**
 * Plans what is to be edited: pages that do not have the right links yet. Writes nothing, and reads only these.
 *
 * @param notices takes what is to be told
 * @throws ResyncError `file-unreadable`
 */
export async function* editPages(
  site: string,
  config: Pick<Config, 'url' | 'sets' | 'feed'>,
  scanned: LinkedSite,
  notices: Notice[],
): AsyncGenerator<Edit, void> {
  const { url, feed } = config;
  const unlinked = new Map<UnlinkedReason, { count: number; example: string }>();
  for (const [index, { path, uri, capabilityLists }] of listUnlinked(config, scanned).entries()) {
    // Others wait for their turn, such as the progress line.
    if (index % 256 === 255) await yieldToEventLoop();
    const isListed = capabilityLists.length > 0;
    const outcome = linkPage(readBytes(join(site, path)), {
      uri,
      capabilityLists,
      url,
      feed: feed !== undefined && isListed,
    });
    if (typeof outcome === 'string') {
      if (!isListed) continue;
      const { count = 0, example = path } = unlinked.get(outcome) ?? {};
      unlinked.set(outcome, { count: count + 1, example });
    } else if (outcome !== undefined) yield { path, content: outcome };
  }
  for (const [reason, pages] of unlinked) notices.push({ code: 'pages-not-linked', reason, ...pages });
}

/** The pages of sets whose links are not right, or not known, in the order of their paths. */
function listUnlinked(
  { url, sets, feed }: Pick<Config, 'url' | 'sets' | 'feed'>,
  { resources, facts }: LinkedSite,
): UnlinkedPage[] {
  const unlinked: UnlinkedPage[] = [];
  const known = sets.map(({ name, holds, noindex }) => ({
    list: url + pathOfDocument(name, 'capabilitylist'),
    holds,
    noindex,
  }));
  for (const { path, uri } of resources) {
    if (!PAGE_FILE.test(path)) continue;
    const holding = known.filter(({ holds }) => holds(path));
    if (holding.length === 0) continue;
    const listing = holding.filter(
      ({ noindex }) => noindex === 'keep' || facts?.saysNoindex({ path, uri }) !== true,
    );
    const capabilityLists = listing.map(({ list }) => list);
    const wantsFeed = feed !== undefined && capabilityLists.length > 0;
    if (!hasRightLinks(facts?.of(path), capabilityLists, wantsFeed))
      unlinked.push({ path, uri, capabilityLists });
  }
  return unlinked.sort((a, b) => (a.path < b.path ? -1 : 1));
}

function hasRightLinks(
  facts: PageFacts | undefined,
  capabilityLists: readonly string[],
  wantsFeed: boolean,
): boolean {
  const lists = facts?.lists;
  return (
    lists !== undefined &&
    facts?.feed === wantsFeed &&
    capabilityLists.every((list) => lists.includes(list)) &&
    lists.every((list) => capabilityLists.includes(list))
  );
}
