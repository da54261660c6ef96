/** Plans versions and TimeMaps, stages missing ones, and finds outdated ones to remove. */

import { hash } from 'node:crypto';
import type { Timeline } from '../../../../history/history.js';
import type { Publishable } from '../../../../paths/hold/files.js';
import { VERSIONS_INVENTORY } from '../../../../paths/ours.js';
import type { ScannedSite } from '../../../../site/scanned.js';
import type { ChangeEvent } from '../../../../standard/model.js';
import type { Contribute, Contribution, PlannedRun } from '../../../feature.js';
import { type Inventory, joinInventories, writeInventory } from '../inventory.js';
import { linkSet, listedChanges } from '../links.js';
import {
  countCommittedTurns,
  findLosers,
  findSha256,
  keyOfChange,
  planVersions,
  type Version,
} from '../plan.js';
import { listMementos, planTimeMaps, TIMEMAP_TYPE, type TimeMap } from '../timemap.js';
import { VersionFolder, type WantedFile } from './version-folder.js';

/** Plans and stages the versions of a site under addresses of their own, and the TimeMaps that list them (§14.1, §14.6). */
export function prepare(run: PlannedRun): Contribute {
  return (_, staging) => addVersions(run, new VersionFolder(run, staging));
}

/** Adds versions and TimeMaps to a publication. @throws ResyncError `not-ours`, `file-changing`, `git-failed` */
async function addVersions(run: PlannedRun, folder: VersionFolder): Promise<Contribution> {
  const { config, source, state } = run;
  const isPending = ({ datetime }: ChangeEvent) =>
    state.publication?.pending === true && datetime.getTime() === state.at.getTime();
  // Changes of a pending state have versions only if that state will be in the history.
  const isKept = source?.kind !== 'git' || !source.mayBeMissing || config.record;
  const listed = [...listedChanges(state.sets)].filter((event) => isKept || !isPending(event));
  const planned = await obtainVersions(run, listed, folder);
  const mementos = listMementos(planned);
  // Hosts that read our `_headers` send this type for TimeMaps; others choose a type by the extension.
  const timeMapType =
    config.headers === undefined || new URL(config.url).pathname !== '/' ? undefined : TIMEMAP_TYPE;
  const timeMaps = await storeTimeMaps(planTimeMaps(mementos, config), folder);
  const versions = [...new Set(planned.values())];
  const all = [...versions, ...timeMaps.values()];
  const inventory: Inventory = new Map(all.map(({ path, sha256 }) => [path, [sha256]]));
  const removed = [...folder.inventory.keys()].filter((path) => !inventory.has(path) && folder.isOwn(path));
  // Until files are replaced or removed, their previous digests stay in the inventory, so that they count as ours.
  const previous = new Set([...removed, ...[...timeMaps.values()].map(({ path }) => path)]);
  const during = joinInventories(
    inventory,
    new Map([...folder.inventory].filter(([path]) => previous.has(path))),
  );
  const files = inventory.size === 0 ? [] : folder.list(during);
  const paths = new Set(files.map(({ path }) => path));
  return {
    draft: {
      sets: state.sets.map((set) => linkSet(set, { versions: planned, timeMaps, timeMapType })),
      versions: { versions, timeMaps: [...timeMaps.values()], paths },
    },
    files,
    removed,
    last: settle(inventory, during),
  };
}

/** Returns the final inventory as a file to publish, if it differs from the inventory while files are moved. */
function settle(inventory: Inventory, during: Inventory): Publishable[] {
  const [text, before] = [writeInventory(inventory), writeInventory(during)];
  return inventory.size === 0 || text === before ? [] : [{ path: VERSIONS_INVENTORY, content: [text] }];
}

/** Plans versions, and stages those that are not in the site yet. */
async function obtainVersions(
  { config, timeline, scanned }: PlannedRun,
  listed: readonly ChangeEvent[],
  folder: VersionFolder,
) {
  const { versions: wanted } = config;
  if (wanted === undefined) return new Map<ChangeEvent, Version>();
  const contents = findContents(scanned, timeline);
  const past = timeline?.committed?.sets.flatMap(({ past }) => past.filter(isKeeping)) ?? [];
  const losers = findLosers(past, { holds: wanted.holds, withdrawn: config.withdrawn });
  const planned = planVersions(listed, {
    ...config,
    holds: wanted.holds,
    turnOf: countCommittedTurns(past),
    isThere: (event, { sha256 }) => !losers.has(keyOfChange(event)) && contents.has(sha256),
  });
  const files = [...new Set(planned.values())].flatMap((version) => {
    const content = contents.get(version.sha256);
    return content === undefined ? [] : [{ ...version, content }];
  });
  const waiting = await folder.store(files);
  // Versions whose paths are blocked by outdated files wait for the next run, after this run has removed those files.
  return new Map([...planned].filter(([, { path }]) => !waiting.has(path)));
}

/** Finds the bytes of versions in the site or in git, by their SHA-256. */
function findContents(
  scanned: ScannedSite,
  timeline: Timeline | undefined,
): ReadonlyMap<string, WantedFile['content']> {
  const contents = new Map<string, WantedFile['content']>();
  const add = (hash: string, content: WantedFile['content']) => {
    const sha256 = findSha256(hash);
    if (sha256 !== undefined) contents.set(sha256, content);
  };
  if (timeline?.digests !== undefined)
    for (const [blob, { hash, pointer }] of timeline.digests) if (pointer === undefined) add(hash, { blob });
  for (const { hash, path } of scanned.resources) add(hash, { file: path });
  return contents;
}

function isKeeping<T extends { readonly change: string }>(
  change: T,
): change is Exclude<T, { readonly change: 'deleted' }> {
  return change.change !== 'deleted';
}

/** Stages missing TimeMaps, and returns all but those that have to wait for the next run. */
async function storeTimeMaps(planned: ReadonlyMap<string, TimeMap>, folder: VersionFolder) {
  const files = [...planned].map(([uri, { text, ...timeMap }]) => {
    const content = Buffer.from(text);
    const sha256 = hash('sha256', content, 'hex');
    return [uri, { ...timeMap, sha256, length: content.length, hash: `sha-256:${sha256}`, content }] as const;
  });
  const waiting = await folder.store(files.map(([, file]) => file));
  return new Map(files.filter(([, { path }]) => !waiting.has(path)));
}
