/** Both versions of what was updated, in turn: from git, or the former one from the live site. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startBlobReader } from '../../../../history/git/blobs.js';
import { readBlobLengths } from '../../../../history/git/digest-blobs.js';
import type { GitHistory } from '../../../../history/known.js';
import type { FetchBudget } from '../../../../history/live/budget.js';
import type { PublishedHistory } from '../../../../history/live/published.js';
import { saveVersions } from '../../../../history/past/fetch-versions.js';
import type { SiteHistory } from '../../../../history/plan/derive.js';
import type { ScannedSite } from '../../../../site/scanned.js';
import { PATCHED_BYTES } from '../../../../standard/patches/type.js';
import { collect } from '../../../dumps/bitstreams.js';
import { keyOfChange } from '../patches.js';
import { findSha256, type VersionEvent } from '../plan.js';

/** An update, and the bytes before and after it. */
export interface Pair {
  readonly event: VersionEvent;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

interface Place {
  /** Absolute path. */
  readonly site: string;
  readonly scanned: ScannedSite;
}

/**
 * Reads from git. What is too large, or not here, is left out.
 *
 * @throws ResyncError `git-failed`
 */
export async function* readCommittedPairs(
  { site, scanned }: Place,
  { place: { repository } }: GitHistory,
  committed: SiteHistory,
  events: readonly VersionEvent[],
): AsyncGenerator<Pair, void> {
  const files = new Map(scanned.blobs.map((blob, index) => [blob, scanned.files.at(index)?.path]));
  const blobs = new Map<string, readonly [before: string, after: string]>();
  for (const change of committed.sets.flatMap(({ changes }) => changes)) {
    if (change.change === 'updated' && change.former !== undefined)
      blobs.set(keyOfChange(change), [change.former.blob, change.file.blob]);
  }
  const wanted = events.flatMap((event) => {
    const [before, after] = blobs.get(keyOfChange(event)) ?? [];
    return before === undefined || after === undefined ? [] : [{ event, before, after }];
  });
  const all = new Set(wanted.flatMap(({ before, after }) => [before, after]));
  const lengths = await readBlobLengths(
    repository,
    [...all].filter((blob) => !files.has(blob)),
  );
  const fits = (blob: string) => files.has(blob) || (lengths.get(blob) ?? PATCHED_BYTES + 1) <= PATCHED_BYTES;
  const read = wanted.filter(({ before, after }) => fits(before) && fits(after));
  const ids = read.flatMap(({ before, after }) => [before, after]).filter((blob) => !files.has(blob));
  const reader = ids.length === 0 ? undefined : startBlobReader(repository, ids);
  // In this order: git hands out bytes as they were asked for.
  const take = async (blob: string) => {
    const file = files.get(blob);
    if (file !== undefined) return readFileSync(join(site, file));
    return reader === undefined ? new Uint8Array() : await collect(reader.read(blob));
  };
  try {
    for (const { event, before, after } of read) {
      yield { event, before: await take(before), after: await take(after) };
    }
  } finally {
    reader?.close();
  }
}

/**
 * Reads what this run changes: the former version is what the live site still has.
 *
 * @param scratch a folder for what is fetched
 */
export async function* readLivePairs(
  { site, scanned }: Place,
  { sets }: PublishedHistory,
  { url, scratch, budget }: { readonly url: string; readonly scratch: string; readonly budget: FetchBudget },
  events: readonly VersionEvent[],
): AsyncGenerator<Pair, void> {
  const files = new Map(scanned.files.map(({ uri, path }) => [uri, path]));
  const wanted = events.flatMap((event, index) => {
    const former = [...sets.values()].flatMap(({ resources }) => resources.get(event.uri) ?? [])[0];
    const path = files.get(event.uri);
    if (former === undefined || path === undefined || findSha256(former.hash) === undefined) return [];
    const { length, hash } = former;
    const isSmall = Math.max(length, event.representation.length ?? 0) <= PATCHED_BYTES;
    return isSmall
      ? [{ event, path, uri: event.uri, length, hash, file: join(scratch, `former-${index}`) }]
      : [];
  });
  const saved = await saveVersions(url, wanted, budget);
  for (const one of wanted) {
    if (saved.has(one))
      yield { event: one.event, before: readFileSync(one.file), after: readFileSync(join(site, one.path)) };
  }
}
