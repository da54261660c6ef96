/** Saves the pending publication for later runs, in the cache of the project. */

import { rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { unlessRefused } from '../../base/errors.js';
import { digestLists, readSaved, SAVED_LIMIT, type SourceSets } from '../../config/cached.js';
import { type CachePlace, findCaches, readCached, writeCached } from '../../paths/hold/cache.js';

const PENDING_FORMAT = 'resync-static pending 1';

interface PendingPublication {
  readonly at: string;
  /** Digest of the listed resources and of the newest publication's moment. */
  readonly state: string;
  /** The commit from which the site was built, or undefined if it is unknown. */
  readonly source?: string | undefined;
}

const PendingSchema = v.strictObject({
  format: v.literal(PENDING_FORMAT),
  site: v.string(),
  at: v.string(),
  state: v.string(),
  source: v.optional(v.pipe(v.string(), v.regex(/^(?:[\da-f]{40}|[\da-f]{64})$/))),
  lists: v.optional(v.record(v.string(), v.string())),
});

const pendingFileOf = ({ file }: CachePlace) => `${file}-pending.json`;

/**
 * Saves the pending publication for `record`, and for builds into an empty folder. Its commit is bound to the present
 * Resource Lists by their digests. @param pending undefined if nothing is pending; the saved one is then removed
 */
export function savePending(site: string, sets: SourceSets, pending: PendingPublication | undefined): void {
  unlessRefused(() => {
    const [place] = findCaches(site);
    if (place === undefined) return;
    const file = pendingFileOf(place);
    if (pending === undefined) return rmSync(file, { force: true });
    const lists = pending.source === undefined ? undefined : digestLists(site, { sets });
    const saved = { format: PENDING_FORMAT, site: place.site, ...pending, lists };
    const text = `${JSON.stringify(saved, undefined, 2)}\n`;
    if (unlessRefused(() => readCached(file, site, SAVED_LIMIT)) !== text) writeCached(file, text);
  });
}

export function readPending(site: string): v.InferOutput<typeof PendingSchema> | undefined {
  for (const place of findCaches(site)) {
    const saved = readSaved(PendingSchema, readCached, pendingFileOf(place), site);
    if (saved?.site === place.site) return saved;
  }
  return undefined;
}

/** Returns the commit from which the site with its present Resource Lists was built, if it is known. */
export function readBuildCommit(site: string, sets: SourceSets): string | undefined {
  const { source, lists } = readPending(site) ?? {};
  const isCurrent = unlessRefused(() => isDeepStrictEqual(digestLists(site, { sets }) ?? null, lists));
  return isCurrent === true ? source : undefined;
}
