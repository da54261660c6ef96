/** Reads what the live site says of itself: the documents of its last publication. */

import type { Config } from '../../config/config.js';
import { pathOfDocument, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { PATIENCE, type Patience, withReader } from './attempts.js';
import { readFeed } from './feed.js';
import type { LiveSet, PublishedHistory } from './published.js';
import type { DocumentReader } from './reader.js';
import { unreadable } from './refusals.js';
import { readSet } from './set.js';

/**
 * Reads the documents that the live site has for the configured sets. Only those are asked for that have the names which
 * ours have, at the URL of the site; nothing leads elsewhere.
 *
 * @throws ResyncError `live-unreadable`, after several readings; `live-foreign` when the documents are of another tool or
 *   another site
 */
export async function readLive(
  config: Pick<Config, 'url' | 'sets' | 'dumps'> & Partial<Pick<Config, 'feed' | 'archives'>>,
  patience: Patience = PATIENCE,
): Promise<PublishedHistory> {
  return await withReader(config.url, patience, (reader) => readDocuments(reader, config));
}

async function readDocuments(
  reader: DocumentReader,
  {
    url,
    sets,
    dumps,
    feed,
    archives,
  }: Pick<Config, 'url' | 'sets' | 'dumps'> & Partial<Pick<Config, 'feed' | 'archives'>>,
): Promise<PublishedHistory> {
  const description = await reader.find(SOURCE_DESCRIPTION);
  if (description === undefined) return { kind: 'published', begun: false, sets: new Map() };
  const { document } = description;
  if (document.kind !== 'source-description')
    return unreadable(url + SOURCE_DESCRIPTION, `it is a ${document.kind}`);
  const known = new Set(document.capabilityLists.map(({ uri }) => reader.pathOf(uri, SOURCE_DESCRIPTION)));
  const wanted = { dump: dumps.changes, archive: archives !== undefined };
  const live = new Map<string | undefined, LiveSet>();
  for (const { name } of sets) {
    if (known.has(pathOfDocument(name, 'capabilitylist')))
      live.set(name, await readSet(reader, url, name, wanted));
  }
  return {
    kind: 'published',
    begun: true,
    sets: live,
    feed: feed === undefined ? undefined : await readFeed(reader, url),
  };
}
