/** Gives changes their versions: plans them, gets those that are missing, and says which are to go. */

import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import type { Notice } from '../../../../base/notices.js';
import { repositoryOf } from '../../../../history/find.js';
import { saveVersions } from '../../../../history/past/fetch-versions.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import type { ChangeEvent } from '../../../../standard/model.js';
import type { Leaving, Publishable } from '../../../publish/publish.js';
import type { SiteState, StateSet } from '../../../state.js';
import { type Inventory, joinInventories, writeInventory } from '../inventory.js';
import { linkSet, listedChanges } from '../links.js';
import { keyOfChange, type Patch } from '../patches.js';
import { planVersions, type Version } from '../plan.js';
import { continueTurns, countCommittedTurns, findLosers } from '../repeats.js';
import { listMementos, planTimeMaps, type TimeMap } from '../timemap.js';
import { type FormerFiles, readFormerFiles } from './files.js';
import { editHeaders } from './headers.js';
import { obtainPatches } from './patch.js';
import type { VersionsPlace } from './place.js';
import { isKept, isLinked, startFinding, type VersionSource } from './sources.js';
import { stageVersions } from './stage.js';
import { type StagedFile, type StagedTree, startTree, type Targets } from './tree.js';

/** What is to be published of versions. */
export interface AddedVersions {
  /** With links to them. */
  readonly sets: readonly StateSet[];
  /** Before all that links to them. */
  readonly files: readonly Publishable[];
  readonly leaving: Leaving;
  /** Whether something is to come once what leaves is gone: then all is to be planned again. */
  readonly waits: boolean;
  readonly notices: readonly Notice[];
  /** All that there will be. */
  readonly versions: readonly (Version | Patch)[];
}

/**
 * Plans and stages the versions of a site.
 *
 * @throws ResyncError `not-ours`, `file-changing`, `git-failed`
 */
export async function addVersions(place: VersionsPlace, state: SiteState): Promise<AddedVersions> {
  const { config, site } = place;
  const former = readFormerFiles(site);
  // What comes from the live site may turn out to be lost.
  const targets = { former, tree: startTree(site, place.staging, place.history?.kind !== 'published') };
  const { planned, lost, staged } = await obtain(place, state, targets);
  const taken = [...planned.values()].map(({ path }) => path);
  const { patches, ...patched } = await obtainPatches(place, state, targets, taken);
  const mementos = listMementos(planned);
  const timeMaps = planTimeMaps(mementos, config, former.isBlocked);
  const { timeMapType, ...headers } = editHeaders(config, site, mementos, place.staging);
  const versions = [...new Set(planned.values())];
  const maps = stageTimeMaps(targets, [...timeMaps.values()]);
  const inventory: Inventory = new Map([
    ...versions.map(({ path, sha256 }) => [path, [sha256]] as const),
    ...[...maps, ...patches.values()].map(({ path, sha256 }) => [path, [sha256]] as const),
  ]);
  const removed = [...former.inventory.keys()].filter((path) => !inventory.has(path) && former.isOwn(path));
  const leaving = new Map(removed.map((path) => [path, former.inventory.get(path) ?? []]));
  const replaced = new Map(maps.flatMap(({ path }) => listFormer(former, path)));
  const during = joinInventories(joinInventories(inventory, leaving), replaced);
  const files = [
    ...staged,
    ...patched.files,
    ...maps.flatMap(({ path, file }) => (file ? { path, file } : [])),
  ];
  return {
    sets: state.sets.map((set) => linkSet(set, { versions: planned, timeMaps, timeMapType, patches })),
    files: [...(inventory.size === 0 ? [] : listFiles(targets.tree, during, files)), ...headers.files],
    leaving: { removed, last: removed.length + replaced.size === 0 ? [] : settle(inventory, during) },
    waits: former.hasBlocked(),
    notices: [...noticeLost(lost + patched.lost), ...headers.notices],
    versions: [...versions, ...new Map([...patches.values()].map((patch) => [patch.path, patch])).values()],
  };
}

/** The inventory, and what it lists after it; or both in one, with the folder that they are in. */
function listFiles(tree: StagedTree, inventory: Inventory, files: readonly StagedFile[]): Publishable[] {
  const text = writeInventory(inventory);
  const path = VERSIONS_INVENTORY;
  if (!tree.isWhole(path)) return [{ path, content: [text] }, ...tree.list(files)];
  const file = tree.fileFor(path);
  writeFileSync(file, text);
  return tree.list([{ path, file }, ...files]);
}

function noticeLost(count: number): Notice[] {
  return count === 0 ? [] : [{ code: 'versions-lost', count }];
}

/** The inventory at the end, where it is another one than while files are moved. */
function settle(inventory: Inventory, during: Inventory): Publishable[] {
  const [text, before] = [writeInventory(inventory), writeInventory(during)];
  return inventory.size === 0 || text === before ? [] : [{ path: VERSIONS_INVENTORY, content: [text] }];
}

/** Until a file is replaced, the one before is ours as well. */
function listFormer({ inventory }: FormerFiles, path: string) {
  const listed = inventory.get(path);
  return listed === undefined ? [] : [[path, listed] as const];
}

/** Finds the bytes of all versions, and writes those that do not stand in the site yet. */
async function obtain(place: VersionsPlace, state: SiteState, { former, tree }: Targets) {
  const { config, site, known, scanned, budget } = place;
  const { versions: wanted } = config;
  if (wanted === undefined) return { planned: new Map<ChangeEvent, Version>(), lost: 0, staged: [] };
  const find = startFinding(scanned, known);
  const withholdsPending = state.publication?.pending === true && !isKept(place.place, config.record);
  const closed = listCarried(state.sets);
  const sources = new Map<string, VersionSource>();
  const listed = [...listedChanges(state.sets)];
  const past = known?.committed?.sets.flatMap(({ changes }) => changes.filter(isKeeping));
  const losers = findLosers(past ?? [], { holds: wanted.holds, withdrawn: config.withdrawn });
  const planned = planVersions(listed, {
    ...config,
    holds: wanted.holds,
    turnOf: past === undefined ? continueTurns(listed.filter(isKeeping)) : countCommittedTurns(past),
    isThere: (event, version) => {
      if (withholdsPending && event.datetime.getTime() === state.at.getTime()) return false;
      // A list that is closed gets no new links, so it stays as it is.
      if (closed.has(event) && !isLinked(event, version.uri)) return false;
      if (losers.has(keyOfChange(event))) return false;
      const source = sources.get(version.uri) ?? find(event, version);
      if (source !== undefined) sources.set(version.uri, source);
      return source !== undefined;
    },
  });
  const blocked = new Set<string>();
  const missing = [...new Set(planned.values())]
    .filter(({ path, uri }) => !former.isBlocked(path) || !blocked.add(uri))
    .filter((version) => tree.isWhole(version.path) || !former.stands(version.path, version))
    .map((version) => ({ version, file: tree.fileFor(version.path), ...version }));
  const live = missing.filter(({ uri }) => sources.get(uri) === 'live');
  const saved = await saveVersions(config.url, sortNewest(live, planned), budget);
  const lost = new Set(live.filter((one) => !saved.has(one)).map(({ uri }) => uri));
  const written = missing.flatMap((one) => {
    const source = sources.get(one.uri);
    return source === undefined || source === 'live' ? [] : [{ ...one, source }];
  });
  await stageVersions(written, site, repositoryOf(place.place));
  const staged = missing.filter(({ uri }) => !lost.has(uri));
  // Nothing else takes their places: what is in the way of those that wait has to leave.
  const isMissing = ({ uri }: Version) => lost.has(uri) || blocked.has(uri);
  return {
    planned: new Map([...planned].filter(([, version]) => !isMissing(version))),
    lost: lost.size,
    staged,
  };
}

function isKeeping<T extends { readonly change: string }>(
  change: T,
): change is Exclude<T, { readonly change: 'deleted' }> {
  return change.change !== 'deleted';
}

/** What is linked to by the newest changes comes first. */
function sortNewest<T extends Pick<Version, 'uri'>>(
  versions: readonly T[],
  planned: ReadonlyMap<ChangeEvent, Version>,
): T[] {
  const moments = new Map<string, number>();
  for (const [{ datetime }, { uri }] of planned)
    moments.set(uri, Math.max(moments.get(uri) ?? 0, datetime.getTime()));
  const momentOf = ({ uri }: T) => moments.get(uri) ?? 0;
  return versions.toSorted((a, b) => momentOf(b) - momentOf(a) || (a.uri < b.uri ? -1 : 1));
}

/** The changes of lists that are published again as they were. */
function listCarried(sets: readonly StateSet[]): ReadonlySet<ChangeEvent> {
  const all = sets.flatMap(({ changes = [], archive }) => [...changes, ...(archive?.lists ?? [])]);
  const lists = all.filter(({ text }) => text !== undefined);
  return new Set(lists.flatMap(({ changes }) => changes));
}

/** Writes the TimeMaps that are not in the site yet. */
function stageTimeMaps({ former, tree }: Targets, maps: readonly TimeMap[]) {
  return maps.map(({ path, text }) => {
    const sha256 = hash('sha256', text, 'hex');
    const isThere = !tree.isWhole(path) && former.stands(path, { sha256, length: Buffer.byteLength(text) });
    if (isThere) return { path, sha256, file: undefined };
    const file = tree.fileFor(path);
    writeFileSync(file, text);
    return { path, sha256, file };
  });
}
