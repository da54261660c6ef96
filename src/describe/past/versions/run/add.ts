/** Gives changes their versions: plans them, gets those that are missing, and says which are to go. */

import { hash } from 'node:crypto';
import { chmodSync, closeSync, openSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../../../base/notices.js';
import type { Config } from '../../../../config/config.js';
import { repositoryOf } from '../../../../history/find.js';
import { startBlobReader } from '../../../../history/git/blobs.js';
import type { Repository } from '../../../../history/git/repository.js';
import { saveVersions } from '../../../../history/past/fetch-versions.js';
import type { Bitstream } from '../../../../history/plan/packages.js';
import type { Publishable } from '../../../../paths/hold/files.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import { readRootFile } from '../../../../site/discovery/root-files.js';
import {
  planVersionHeaders,
  replaceVersionHeaders,
  type VersionHeaders,
} from '../../../../site/discovery/version-headers.js';
import type { ChangeEvent } from '../../../../standard/model.js';
import { readBitstream } from '../../../dumps/bitstreams.js';
import type { Leaving } from '../../../publish/publish.js';
import type { SiteState, StateSet } from '../../../state.js';
import { type Inventory, joinInventories, writeInventory } from '../inventory.js';
import { linkSet, listedChanges } from '../links.js';
import { keyOfChange, type Patch } from '../patches.js';
import { planVersions, type Version } from '../plan.js';
import { continueTurns, countCommittedTurns, findLosers } from '../repeats.js';
import { listMementos, type Memento, planTimeMaps, TIMEMAP_TYPE, type TimeMap } from '../timemap.js';
import { type FormerFiles, readFormerFiles } from './files.js';
import { obtainPatches } from './patch.js';
import type { VersionsPlace } from './place.js';
import { isKept, isLinked, startFinding, type VersionSource } from './sources.js';
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

/** A version that is to be written, and where its bytes are. */
interface StagedVersion {
  readonly version: Version;
  readonly source: Bitstream['source'];
  /** The file to write. */
  readonly file: string;
}

/**
 * Writes versions, one after another.
 *
 * @param site where files are; `repository` where blobs are
 * @throws ResyncError `file-changing`, `git-failed`
 */
async function stageVersions(
  staged: readonly StagedVersion[],
  site: string,
  repository: Repository | undefined,
): Promise<void> {
  const blobs = staged.flatMap(({ source }) => ('blob' in source ? source.blob : []));
  const reader =
    blobs.length === 0 || repository === undefined ? undefined : startBlobReader(repository, blobs);
  try {
    for (const { version, source, file } of staged) {
      const { path: name, length, hash, type } = version;
      const handle = openSync(file, 'wx');
      try {
        for await (const piece of readBitstream({ name, length, hash, type, source }, site, reader)) {
          for (let offset = 0; offset < piece.length; ) offset += writeSync(handle, piece, offset);
        }
      } finally {
        closeSync(handle);
      }
    }
  } finally {
    reader?.close();
  }
}

/** What there is to be in `_headers`. */
interface EditedHeaders {
  readonly files: readonly Publishable[];
  readonly notices: readonly Notice[];
  /** What the host says that TimeMaps are; undefined where it goes by the extension. */
  readonly timeMapType: string | undefined;
}

const FILE = '_headers';

/** @param staging the folder to write into */
function editHeaders(
  { url, headers: host }: Pick<Config, 'url' | 'headers'>,
  site: string,
  mementos: ReadonlyMap<string, readonly Memento[]>,
  staging: string,
): EditedHeaders {
  if (host === undefined || new URL(url).pathname !== '/') {
    return { files: [], notices: [], timeMapType: undefined };
  }
  const before = readRootFile(site, FILE);
  const versions = [...mementos]
    .flatMap(([original, all]) => all.map(({ version: { uri }, datetime }) => ({ uri, original, datetime })))
    .sort((a, b) => Number(b.datetime) - Number(a.datetime) || (a.uri < b.uri ? -1 : 1));
  // What was published with two moments can answer with one.
  const once = [...new Map(versions.map((version) => [version.uri, version])).values()];
  const { rules, left }: VersionHeaders = planVersionHeaders(before, host, once, TIMEMAP_TYPE);
  const after = replaceVersionHeaders(before, rules);
  return {
    files: after === before ? [] : [{ path: FILE, file: stage(site, after, staging), owned: true }],
    notices: left === 0 ? [] : [{ code: 'versions-without-headers', count: left, host }],
    timeMapType: rules.length === 0 ? undefined : TIMEMAP_TYPE,
  };
}

function stage(site: string, text: string, staging: string): string {
  const file = join(staging, FILE);
  writeFileSync(file, text, 'latin1');
  const mode = statSync(join(site, FILE), { throwIfNoEntry: false })?.mode;
  if (mode !== undefined) chmodSync(file, mode & 0o7777);
  return file;
}
