/** What is known of a site: its sets of resources, what happened to them, and what is to be packed of them. */

import type { Config } from './config/config.js';
import type { MadePackage } from './dumps/make.js';
import type { Notice } from './errors.js';
import type { SourceHistory } from './history/find.js';
import { capabilityListOf, type KnownHistory, type SetState } from './plan/documents.js';
import { type PlannedChangeDump, type PlannedPackage, planResourcePackages } from './plan/packages.js';
import type { ChangeDump, ResourceDump, ResourceDumpManifest } from './resourcesync/document.js';
import { formatDatetime, type Resource } from './resourcesync/model.js';
import type { ScannedSite } from './site/scan.js';

/** All that the documents say, but for their places. */
export interface SiteState {
  readonly at: Date;
  readonly sets: readonly DerivedSet[];
  /** Undefined where there is no history. */
  readonly publication: { readonly from: string; readonly pending: boolean } | undefined;
  /** Of the newest publication. */
  readonly changes: ChangeCounts;
  readonly notices: readonly Notice[];
}

/** A set of resources, and the packages that there are to be of it; undefined when there are to be none. */
export interface DerivedSet extends Omit<SetState, 'resourcePackages' | 'changePackages'> {
  readonly resourceDump: readonly PlannedPackage<ResourceDumpManifest>[] | undefined;
  readonly changeDump: PlannedChangeDump | undefined;
}

/** Numbers of resources. */
export interface ChangeCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * Derives the state of a site from what it holds and from its history.
 *
 * @param history undefined where there is none
 * @param now the moment of this run
 * @throws ResyncError `git-failed`, `extras-invalid`, `live-foreign`
 */
export async function deriveState(
  config: Config,
  scanned: ScannedSite,
  history: SourceHistory | undefined,
  now: Date,
): Promise<SiteState> {
  const sets = config.sets.map(({ name, describedby, holds }) => ({
    name,
    describedby,
    resources: name === undefined ? scanned.resources : scanned.resources.filter(({ path }) => holds(path)),
  }));
  const known = history && (await deriveKnown(config, scanned, sets, history, now));
  const at = known?.at ?? now;
  const described = sets.map((set, index): DerivedSet => {
    const { lists, lastmod, changeDump } = known?.sets[index] ?? {};
    const resources = set.resources.map((resource) => {
      const datetime = lastmod?.(resource);
      return datetime === undefined ? resource : dateResource(resource, datetime);
    });
    const up = config.url + capabilityListOf(set.name);
    const resourceDump = config.dumps.resources
      ? planResourcePackages(resources, up, at, config.dumps)
      : undefined;
    return { ...set, resources, changes: lists, resourceDump, changeDump };
  });
  return {
    at,
    sets: described,
    publication: known && { from: formatDatetime(known.from), pending: known.pending },
    changes: countChanges(known),
    notices: known?.notices ?? [{ code: 'no-history', wanted: config.history.kind === 'none' }],
  };
}

/** A site without a history is spared the time that all of this takes to load. */
async function deriveKnown(
  config: Config,
  scanned: ScannedSite,
  sets: readonly Pick<DerivedSet, 'name' | 'resources'>[],
  history: SourceHistory,
  now: Date,
): Promise<KnownHistory> {
  if (history.kind === 'git') {
    const { deriveCommitted } = await import('./history/from-git.js');
    return await deriveCommitted(config, scanned, sets, history, now);
  }
  const { derivePublished } = await import('./history/from-live.js');
  return derivePublished(config, sets, history, now);
}

/** Written out, because an object that was spread takes four times as much memory. */
function dateResource(resource: Resource, lastmod: Date): Resource {
  const { uri, path, length, hash, type, changefreq, links } = resource;
  if (changefreq !== undefined || links !== undefined) return { ...resource, lastmod };
  return type === undefined
    ? { uri, path, length, hash, lastmod }
    : { uri, path, length, hash, type, lastmod };
}

function countChanges(known: KnownHistory | undefined): ChangeCounts {
  const counts = { created: 0, updated: 0, deleted: 0 };
  const seen = new Set<string>();
  for (const { changes } of known?.sets.flatMap(({ lists }) => lists) ?? []) {
    for (const { change, uri, datetime } of changes) {
      // A URL may be in several sets.
      if (datetime.getTime() !== known?.at.getTime() || seen.has(uri)) continue;
      seen.add(uri);
      counts[change]++;
    }
  }
  return counts;
}

/** A set of resources as it is to be described, with the packages that were made of it. */
export function listPackages(
  { resourceDump, changeDump, ...set }: DerivedSet,
  packages: readonly MadePackage[],
): SetState {
  const resourcePackages: ResourceDump['packages'][number][] = [];
  const changePackages: ChangeDump['packages'][number][] = [];
  for (const { set: owner, uri, length, hash, manifest } of packages) {
    if (owner !== set.name) continue;
    const { document } = manifest;
    const entry = { uri, length, hash, contents: manifest.uri };
    if (document.kind === 'resource-dump-manifest') resourcePackages.push({ ...entry, at: document.at });
    else changePackages.push({ ...entry, from: document.from, until: document.until });
  }
  return {
    ...set,
    ...(resourceDump !== undefined && { resourcePackages }),
    ...(changeDump !== undefined && { changePackages: { from: changeDump.from, packages: changePackages } }),
  };
}
