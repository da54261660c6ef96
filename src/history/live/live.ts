/** Reads what the live site says of itself: the documents of its last publication. */

import type { Config } from '../../config/config.js';
import { FEED, isOwnUri, pathOfDocument, pathOfOlder, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import type { LiveFeed, LiveSet, PublishedHistory } from './published.js';
import { CONNECTIONS, type LivePatience, type LiveReader, withReader } from './reader.js';
import { mixed, refuseUnreadable } from './refusals.js';
import { readLiveSet } from './set.js';

/**
 * Reads the documents that the live site has for the configured sets. Only those are asked for that have the names which
 * ours have, at the URL of the site; nothing leads elsewhere.
 *
 * @throws ResyncError `live-unreadable`, after several readings; `live-foreign` when the documents are of another tool or
 *   another site
 */
export async function readLive(config: LiveConfig, patience?: LivePatience): Promise<PublishedHistory> {
  return await withReader(config.url, (reader) => readDocuments(reader, config), patience);
}

type LiveConfig = Pick<Config, 'url' | 'sets' | 'dumps' | 'isJoined' | 'joined'> &
  Partial<Pick<Config, 'feed' | 'archives'>>;

async function readDocuments(reader: LiveReader, config: LiveConfig): Promise<PublishedHistory> {
  const { url, sets, dumps, feed, archives } = config;
  const known = await findLists(reader, config);
  if (known === undefined) return { kind: 'published', begun: false, sets: new Map() };
  const wanted = {
    dump: dumps.changes,
    archive: archives !== undefined,
    archivedDumps: archives?.dumps === true,
  };
  const live = new Map<string | undefined, LiveSet>();
  for (const { name } of sets) {
    if (known.has(pathOfDocument(name, 'capabilitylist')))
      live.set(name, await readLiveSet(reader, url, name, wanted));
  }
  return {
    kind: 'published',
    begun: true,
    sets: live,
    feed: feed === undefined ? undefined : await readFeed(reader, url),
  };
}

/** The Capability Lists of ours that are live, as paths; undefined where nothing is. */
async function findLists(
  reader: LiveReader,
  { url, sets, isJoined, joined }: LiveConfig,
): Promise<ReadonlySet<string> | undefined> {
  if (isJoined) {
    // Another build writes the Source Description, perhaps later: this one begins at what is its own.
    const lists = sets.map(({ name }) => pathOfDocument(name, 'capabilitylist'));
    const found = await Promise.all(lists.map(async (path) => (await reader.find(path)) !== undefined));
    return found.includes(true) ? new Set(lists.filter((_, index) => found[index])) : undefined;
  }
  const description = await reader.find(SOURCE_DESCRIPTION);
  if (description === undefined) return undefined;
  const { document } = description;
  if (document.kind !== 'source-description')
    return refuseUnreadable(url + SOURCE_DESCRIPTION, `it is a ${document.kind}`);
  const all = document.capabilityLists.map(({ uri }) => uri);
  const own = all.filter((uri) => isOwnUri(uri, url));
  const isShared = own.length > 0 || all.some((uri) => joined.some((set) => set.uri === uri));
  // A Source Description may list sets of others; one that lists nothing else is that of another site.
  return new Set((isShared ? own : all).map((uri) => reader.pathOf(uri, SOURCE_DESCRIPTION)));
}

/** @returns undefined where there is no feed of ours yet */
async function readFeed(reader: LiveReader, url: string): Promise<LiveFeed | undefined> {
  const text = await reader.findText(FEED);
  if (text === undefined) return undefined;
  const [, number = '0'] = /rel="prev-archive"[^>]*-(\d{4,5})\.atom"/.exec(text) ?? [];
  const archives: string[] = [];
  for (let start = 0; start < Number(number); start += CONNECTIONS) {
    const indexes = Array.from(
      { length: Math.min(CONNECTIONS, Number(number) - start) },
      (_, step) => start + step,
    );
    const texts = await Promise.all(indexes.map((index) => reader.findText(pathOfOlder(FEED, index))));
    for (const archive of texts) archives.push(archive ?? mixed(url + FEED));
  }
  return { text, archives };
}
