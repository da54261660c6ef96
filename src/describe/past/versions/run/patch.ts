/** Gets the patches of updates: makes those that there are to be, and carries on those of the live site. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { startBlobReader } from '../../../../history/git/blobs.js';
import { readBlobLengths } from '../../../../history/git/digest-blobs.js';
import type { GitHistory } from '../../../../history/known.js';
import type { FetchBudget } from '../../../../history/live/budget.js';
import type { PublishedHistory } from '../../../../history/live/published.js';
import { saveVersions } from '../../../../history/past/fetch-versions.js';
import type { SiteHistory } from '../../../../history/plan/derive.js';
import { isVersionPath } from '../../../../paths/ours.js';
import { listPaths } from '../../../../paths/urls.js';
import type { ScannedSite } from '../../../../site/scanned.js';
import { formatDigests, startDigests } from '../../../../standard/digests.js';
import { PATCHED_BYTES } from '../../../../standard/limits.js';
import { PATCH } from '../../../../standard/namespaces.js';
import { collect } from '../../../dumps/bitstreams.js';
import type { SiteState } from '../../../state.js';
import { type Claims, startClaims } from '../claims.js';
import { listedChanges } from '../links.js';
import { keyOfChange, mayHavePatch, type Patch, type Patches, placePatch } from '../patches.js';
import { findSha256, type VersionEvent } from '../plan.js';
import type { VersionsPlace } from './place.js';
import { isKept } from './sources.js';
import type { StagedFile, Targets } from './tree.js';

/** Patches, and the files of those that do not stand in the site yet. */
export interface ObtainedPatches {
  readonly patches: Patches;
  readonly files: readonly StagedFile[];
  /** Number of those that the live site was to have, and had not. */
  readonly lost: number;
}

/**
 * @param taken paths of versions, which come first
 * @throws ResyncError `git-failed`, `not-ours`
 */
export async function obtainPatches(
  place: VersionsPlace,
  state: SiteState,
  targets: Targets,
  taken: readonly string[],
): Promise<ObtainedPatches> {
  const wanted = place.config.versions?.patches;
  if (wanted === undefined) return { patches: new Map(), files: [], lost: 0 };
  const events = new Map<string, VersionEvent>();
  const isPending = (event: VersionEvent) =>
    state.publication?.pending === true && event.datetime.getTime() === state.at.getTime();
  for (const event of listedChanges(state.sets)) {
    if (event.change === 'deleted' || !mayHavePatch(event, wanted, place.config)) continue;
    if (isPending(event) && !isKept(place.place, place.config.record)) continue;
    const key = keyOfChange(event);
    // In several sets, one of them may have been published with links.
    if (events.get(key)?.links === undefined) events.set(key, event);
  }
  const all = [...events.values()];
  const claims = startClaims();
  for (const path of taken) claims.take(path);
  const files = { ...targets, claims };
  const carried = place.history?.kind === 'published' ? await carryPatches(place, files, all) : NOTHING;
  const pairs = readPairs(place, all, isPending);
  const made = pairs === undefined ? NOTHING : await makePatches(place, files, pairs);
  return {
    patches: new Map([...carried.patches, ...made.patches]),
    files: [...carried.files, ...made.files],
    lost: carried.lost,
  };
}

const NOTHING: ObtainedPatches = { patches: new Map(), files: [], lost: 0 };

/** What patches have to stand beside. */
interface OtherFiles extends Targets {
  readonly claims: Claims;
}

function readPairs(
  { config: { url }, site, scanned, history, known, staging, budget }: VersionsPlace,
  events: readonly VersionEvent[],
  isPending: (event: VersionEvent) => boolean,
): AsyncIterable<Pair> | undefined {
  if (history?.kind === 'published')
    return readLivePairs(
      { site, scanned },
      history,
      { url, scratch: staging, budget },
      events.filter(isPending),
    );
  if (history === undefined || known?.committed === undefined) return undefined;
  return readCommittedPairs({ site, scanned }, history, known.committed, events);
}

async function makePatches(
  { config, site }: VersionsPlace,
  { former, tree, claims }: OtherFiles,
  pairs: AsyncIterable<Pair>,
): Promise<Omit<ObtainedPatches, 'lost'>> {
  const { makeJsonPatch } = await import('../../../../standard/patches.js');
  const patches = new Map<string, Patch>();
  const files = new Map<string, StagedFile>();
  const places = new Map<string, string>();
  for await (const { event, before, after } of pairs) {
    const bytes = makeJsonPatch(before, after);
    if (bytes === undefined) continue;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const at = placePatch(event, sha256, config);
    if (at === undefined || (!places.has(at.path) && !claims.take(at.path))) continue;
    if (former.isBlocked(at.path)) continue;
    const { length } = bytes;
    const digests = startDigests(config.hash);
    digests.update(bytes);
    if (!places.has(at.path)) {
      places.set(at.path, at.path);
      if (!former.stands(at.path, { sha256, length })) {
        const file = tree.fileFor(at.path);
        writeFileSync(file, bytes);
        files.set(at.path, { path: at.path, file });
        places.set(at.path, relative(site, file).split(sep).join('/'));
      }
    }
    const file = places.get(at.path) ?? at.path;
    patches.set(keyOfChange(event), { ...at, sha256, length, hash: formatDigests(digests.finish()), file });
  }
  return { patches, files: [...files.values()] };
}

/** Carries on the patches that the lists of the live site link to. */
async function carryPatches(
  { config: { url }, site, budget }: VersionsPlace,
  { former, tree, claims }: OtherFiles,
  events: readonly VersionEvent[],
): Promise<ObtainedPatches> {
  const patches = new Map<string, Patch>();
  const fetched = new Map<string, Patch & { readonly target: string }>();
  const places = new Set<string>();
  for (const event of events) {
    const patch = readLink(event, url);
    if (patch === undefined || (!places.has(patch.path) && !claims.take(patch.path))) continue;
    places.add(patch.path);
    if (former.isBlocked(patch.path)) continue;
    patches.set(keyOfChange(event), patch);
    if (fetched.has(patch.path) || former.stands(patch.path, patch)) continue;
    fetched.set(patch.path, { ...patch, target: tree.fileFor(patch.path) });
  }
  // The newest first.
  const wanted = [...fetched.values()].reverse().map((one) => ({ ...one, file: one.target }));
  const saved = await saveVersions(url, wanted, budget);
  const lost = new Set(wanted.filter((one) => !saved.has(one)).map(({ path }) => path));
  const kept = [...patches].filter(([, { path }]) => !lost.has(path));
  const placeOf = (path: string) => {
    const target = fetched.get(path)?.target;
    return target === undefined ? path : relative(site, target).split(sep).join('/');
  };
  return {
    patches: new Map(kept.map(([key, patch]) => [key, { ...patch, file: placeOf(patch.path) }])),
    files: wanted.filter((one) => saved.has(one)).map(({ path, target }) => ({ path, file: target })),
    lost: lost.size,
  };
}

/** The patch that a change was published with; undefined where it is not one of ours. */
function readLink({ links = [] }: VersionEvent, url: string): Patch | undefined {
  const link = links.find(({ rel }) => rel === PATCH);
  const [path] = link === undefined ? [] : listPaths(link.href, url, 'file');
  const { href: uri, hash, length } = link ?? {};
  const sha256 = hash === undefined ? undefined : findSha256(hash);
  if (path === undefined || uri === undefined || hash === undefined) return undefined;
  if (length === undefined || sha256 === undefined || !isVersionPath(path)) return undefined;
  return path.includes(`/${sha256.slice(0, 16)}/`)
    ? { path, uri, sha256, length, hash, file: path }
    : undefined;
}

/** An update, and the bytes before and after it. */
interface Pair {
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
async function* readCommittedPairs(
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
async function* readLivePairs(
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
