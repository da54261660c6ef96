/** Gets the patches of updates: makes those that there are to be, and carries on those of the live site. */

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../../../config/config.js';
import { startBlobReader } from '../../../../history/git/blobs.js';
import { readBlobLengths } from '../../../../history/git/digest-blobs.js';
import type { GitHistory } from '../../../../history/known.js';
import type { PublishedHistory } from '../../../../history/live/published.js';
import { saveVersions } from '../../../../history/past/fetch-versions.js';
import type { SiteHistory } from '../../../../history/plan/derive.js';
import { isVersionPath } from '../../../../paths/ours.js';
import { listPaths } from '../../../../paths/urls.js';
import { readUnchanged } from '../../../../site/scan/beginning.js';
import { formatDigests, startDigests } from '../../../../standard/digests.js';
import { PATCHED_BYTES } from '../../../../standard/limits.js';
import type { ChangeEvent } from '../../../../standard/model.js';
import { PATCH } from '../../../../standard/namespaces.js';
import { collect } from '../../../dumps/bitstreams.js';
import { type ClaimPath, startClaims } from '../claims.js';
import { mayHavePatch, type Patch, type Patches, placePatch } from '../patches.js';
import { findSha256, keyOfChange, type VersionEvent, type VersionFile } from '../plan.js';
import type { VersionShelf, VersionsPlace } from './shelf.js';

/** Patches, and how many of them the live site was to have, and had not. */
export interface ObtainedPatches {
  readonly patches: Patches;
  readonly lost: number;
}

/**
 * @param listed the changes that may have patches
 * @param taken paths of versions, which come first
 * @throws ResyncError `git-failed`, `not-ours`
 */
export async function obtainPatches(
  place: VersionsPlace,
  listed: readonly ChangeEvent[],
  isPending: (event: ChangeEvent) => boolean,
  shelf: VersionShelf,
  taken: Iterable<string>,
): Promise<ObtainedPatches> {
  const wanted = place.config.versions?.patches;
  if (wanted === undefined) return { patches: new Map(), lost: 0 };
  const events = new Map<string, VersionEvent>();
  for (const event of listed) {
    if (event.change === 'deleted' || !mayHavePatch(event, wanted, place.config)) continue;
    const key = keyOfChange(event);
    // In several sets, one of them may have been published with links.
    if (events.get(key)?.links === undefined) events.set(key, event);
  }
  const all = [...events.values()];
  const claim = startClaims();
  for (const path of taken) claim(path);
  const { history, known } = place;
  if (history?.kind === 'published') {
    const carried = await carryPatches(place.config.url, shelf, claim, all);
    const pairs = readLivePairs(place, history, all.filter(isPending));
    const made = await makePatches(place.config, shelf, claim, pairs);
    return { patches: new Map([...carried.patches, ...made]), lost: carried.lost };
  }
  if (history === undefined || known?.committed === undefined) return { patches: new Map(), lost: 0 };
  const pairs = readCommittedPairs(place, history, known.committed, all);
  return { patches: await makePatches(place.config, shelf, claim, pairs), lost: 0 };
}

/** @param claim of patches, beside versions */
async function makePatches(
  config: Pick<Config, 'url' | 'urls' | 'hash'>,
  shelf: VersionShelf,
  claim: ClaimPath,
  pairs: AsyncIterable<Pair>,
): Promise<Patches> {
  const { makeJsonPatch } = await import('../../../../standard/patches.js');
  const patches = new Map<string, Patch>();
  /** Whether the patch of a path is there. */
  const stored = new Map<string, boolean>();
  for await (const { event, before, after } of pairs) {
    const content = makeJsonPatch(before, after);
    if (content === undefined) continue;
    const sha256 = hash('sha256', content, 'hex');
    const at = placePatch(event, sha256, config);
    if (at === undefined) continue;
    const { path } = at;
    const digests = startDigests(config.hash);
    digests.update(content);
    const patch = { ...at, sha256, length: content.length, hash: formatDigests(digests.finish()) };
    if (!stored.has(path)) {
      const isThere = claim(path) && (await shelf.store([{ ...patch, content }])).all.size === 0;
      stored.set(path, isThere);
    }
    if (stored.get(path)) patches.set(keyOfChange(event), { ...patch, file: shelf.locate(path) });
  }
  return patches;
}

/** Carries on the patches that the lists of the live site link to. */
async function carryPatches(
  url: string,
  shelf: VersionShelf,
  claim: ClaimPath,
  events: readonly VersionEvent[],
): Promise<ObtainedPatches> {
  const linked = new Map<string, VersionFile>();
  const wanted = new Map<string, VersionFile>();
  for (const event of events) {
    const patch = readLink(event, url);
    if (patch === undefined || (!wanted.has(patch.path) && !claim(patch.path))) continue;
    linked.set(keyOfChange(event), patch);
    if (!wanted.has(patch.path)) wanted.set(patch.path, patch);
  }
  // The newest first.
  const newest = [...wanted.values()].reverse();
  const missing = await shelf.store(newest.map((patch) => ({ ...patch, content: 'live' })));
  const kept = [...linked].filter(([, { path }]) => !missing.all.has(path));
  return {
    patches: new Map(kept.map(([key, patch]) => [key, { ...patch, file: shelf.locate(patch.path) }])),
    lost: missing.lost.size,
  };
}

/** The patch that a change was published with; undefined where it is not one of ours. */
function readLink({ links = [] }: VersionEvent, url: string): VersionFile | undefined {
  const link = links.find(({ rel }) => rel === PATCH);
  const [path] = link === undefined ? [] : listPaths(link.href, url, 'file');
  const { href: uri, hash, length } = link ?? {};
  const sha256 = hash === undefined ? undefined : findSha256(hash);
  if (path === undefined || uri === undefined || hash === undefined) return undefined;
  if (length === undefined || sha256 === undefined || !isVersionPath(path)) return undefined;
  return path.includes(`/${sha256.slice(0, 16)}/`) ? { path, uri, sha256, length, hash } : undefined;
}

/** An update, and the bytes before and after it. */
interface Pair {
  readonly event: VersionEvent;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Reads from git. What is too large, or not here, is left out.
 *
 * @throws ResyncError `git-failed`
 */
async function* readCommittedPairs(
  { site, scanned }: VersionsPlace,
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
    if (file !== undefined) return readUnchanged(site, file);
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

/** Reads what this run changes: the former version is what the live site still has. */
async function* readLivePairs(
  { config: { url }, site, scanned, staging, budget }: VersionsPlace,
  { sets }: PublishedHistory,
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
      ? [{ event, path, uri: event.uri, length, hash, file: join(staging, `former-${index}`) }]
      : [];
  });
  const saved = await saveVersions(url, wanted, budget);
  for (const one of wanted) {
    if (saved.has(one))
      yield { event: one.event, before: readFileSync(one.file), after: readUnchanged(site, one.path) };
  }
}
