/** Derives the state of a site: its sets of resources, their changes, and their packages. Pure. */

import { DateColumn } from '../base/columns/kinds.js';
import { mapRows, type Rows } from '../base/columns/rows.js';
import { formatDatetime } from '../base/datetime.js';
import type { Notice } from '../base/notices.js';
import type { Config } from '../config/config.js';
import type { ArchiveInput } from '../history/archives/archive.js';
import type { Timeline } from '../history/history.js';
import type { PlannedChangeDump } from '../history/plan/change-packages.js';
import { type PlannedPackage, planResourcePackages } from '../history/plan/packages.js';
import { pathOfDocument } from '../paths/ours.js';
import type { ScannedSite } from '../site/scanned.js';
import type { ResourceDumpManifest } from '../standard/document.js';
import type { Resource } from '../standard/model.js';
import type { DescribedSet } from './plan/documents.js';

/** A set of resources, with its packages to make and lists to archive. */
export interface StateSet extends DescribedSet {
  readonly resourceDump: readonly PlannedPackage<ResourceDumpManifest>[] | undefined;
  readonly changeDump: PlannedChangeDump | undefined;
  readonly archive: ArchiveInput | undefined;
}

/** The contents of all documents of a site, without their addresses. */
export interface SiteState {
  readonly at: Date;
  readonly sets: readonly StateSet[];
  /** Since when changes are known, the newest publication, and if one is pending; undefined if there is no history. */
  readonly publication:
    | { readonly from: string; readonly newest?: string; readonly pending: boolean }
    | undefined;
  readonly changes: ChangeCounts;
  readonly notices: readonly Notice[];
}

export interface ChangeCounts {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
}

/** Derives the state of a site. @param timeline undefined if there is no history @param now the moment of this run */
export function deriveState(
  config: Config,
  scanned: ScannedSite,
  timeline: Timeline | undefined,
  now: Date,
): SiteState {
  const at = timeline?.at ?? now;
  const sets = scanned.sets.map((set, index): StateSet => {
    const { lists, lastmod, changeDump, archive } = timeline?.sets[index] ?? {};
    const resources = lastmod === undefined ? set.resources : dateResources(set.resources, lastmod);
    const up = config.url + pathOfDocument(set.name, 'capabilitylist');
    const resourceDump = config.dumps.resources
      ? planResourcePackages(
          withoutWithdrawn(config, resources),
          { up, at, undated: config.archives?.dumps ? timeline?.from : undefined },
          config.dumps,
        )
      : undefined;
    return { ...set, resources, changes: lists, resourceDump, changeDump, archive };
  });
  return {
    at,
    sets,
    publication: timeline && {
      from: formatDatetime(timeline.from),
      ...(timeline.newest !== undefined && { newest: formatDatetime(timeline.newest) }),
      pending: timeline.pending,
    },
    changes: countChanges(timeline),
    notices: timeline?.notices ?? noticeNoHistory(config),
  };
}

/** Leaves out what the option `withdraw` names. */
export function withoutWithdrawn<T extends { readonly uri: string }>(
  { withdrawals, withdrawn }: Config,
  rows: Rows<T>,
): Rows<T> {
  return withdrawals.length === 0 ? rows : rows.filter(({ uri }) => !withdrawn(uri));
}

/** Reports a missing history, except for a build that only joins sets of others: it has nothing that could change. */
function noticeNoHistory({ sets, history }: Config): Notice[] {
  return sets.length === 0 ? [] : [{ code: 'no-history', wanted: history.kind === 'none' }];
}

/** Adds dates to resources. Stores the dates, because each row of resources is made more than once. */
function dateResources(
  resources: Rows<Resource>,
  lastmod: (resource: Resource) => Date | undefined,
): Rows<Resource> {
  const moments = new DateColumn();
  for (const resource of resources) moments.push(lastmod(resource));
  return mapRows(resources, (resource, place) => {
    const moment = moments.at(place);
    return moment === undefined ? resource : dateResource(resource, moment);
  });
}

/** Adds a date to a resource. Rarely spreads the properties, which would take four times as much memory. */
function dateResource(resource: Resource, lastmod: Date): Resource {
  const { uri, path, length, hash, type, changefreq, links } = resource;
  if (changefreq !== undefined || links !== undefined) return { ...resource, lastmod };
  return type === undefined
    ? { uri, path, length, hash, lastmod }
    : { uri, path, length, hash, type, lastmod };
}

export function countChanges(timeline: Timeline | undefined): ChangeCounts {
  const counts = { created: 0, updated: 0, deleted: 0 };
  const seen = new Set<string>();
  if (timeline === undefined) return counts;
  for (const { changes } of timeline.sets.flatMap(({ lists }) => lists)) {
    for (const { change, uri, datetime } of changes) {
      if (datetime.getTime() !== timeline.at.getTime() || seen.has(uri)) continue;
      seen.add(uri);
      counts[change]++;
    }
  }
  return counts;
}
