/** Derives the archive of a set of resources from its history in git. */

import type { Config } from '../../config/config.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangeSegment } from '../../standard/limits.js';
import type { Resource } from '../../standard/model.js';
import type { Versions } from '../git/versions.js';
import { groupChanges, planChangePackages } from '../plan/change-packages.js';
import type { SetHistory, SiteHistory, UriChange } from '../plan/derive.js';
import type { FileVersion } from '../plan/replay.js';
import type { ArchivedBytes, ArchiveInput } from './archive.js';
import { type ArchivePlan, planArchive } from './plan.js';
import { rewind, type StateChange, takeSnapshots } from './snapshots.js';

/** A set of resources, and the parts of its history to publish. */
export interface CommittedSet extends SetHistory {
  readonly up: string;
  /** The current Change Lists of the set, with their changes. */
  readonly listed: readonly ChangeSegment<UriChange>[];
  readonly plan: ArchivePlan<UriChange> | undefined;
  /** Files of the set by URL, before its first listed change; undefined if nothing is archived. */
  readonly baseline: ReadonlyMap<string, FileVersion> | undefined;
}

export function planCommittedArchive(
  { archives, record }: Config,
  { at, newest, sets }: SiteHistory,
  { from, changes }: SetHistory,
): ArchivePlan<UriChange> | undefined {
  if (archives === undefined) return undefined;
  const moments = new Set(sets.flatMap((set) => set.changes.map(({ datetime }) => datetime.getTime())));
  const begin = from.getTime();
  const publications = [...moments.add(begin)].filter((time) => time >= begin).sort((a, b) => a - b);
  return planArchive(
    changes,
    publications.map((time) => new Date(time)),
    { from, newest: record ? at : newest },
    archives,
  );
}

/** Undoes all listed changes of a set: returns its files before the first of them, by URL. @param index of the set */
export function findBaseline(changes: readonly UriChange[], { sets }: ScannedSite, index: number) {
  const files = sets[index]?.files.map(({ uri, path, blob }) => [uri, { path, blob }] as const);
  return rewind<FileVersion>(new Map(files), changes);
}

export function makeArchiveInput(
  { archives, withdrawn }: Config,
  { from: undated, baseline: beginning, truncated }: SiteHistory,
  { from, up, changes, past, plan, baseline: files }: CommittedSet,
  versions: Versions,
): ArchiveInput | undefined {
  if (plan === undefined || files === undefined) return undefined;
  const { represent, sourceOf } = versions;
  const blobs = new Map<Resource, string>();
  const makeVersion = (uri: string, file: FileVersion, lastmod: Date | undefined): Resource | 'unknown' => {
    const { length, hash, type } = versions.describe(uri, file);
    if (length === undefined || hash === undefined) return 'unknown';
    if (archives?.dumps && sourceOf(file.blob) === undefined) return 'unknown';
    const resource = {
      uri,
      path: file.path,
      length,
      hash,
      ...(type !== undefined && { type }),
      ...(lastmod !== undefined && { lastmod }),
    };
    if (archives?.dumps) blobs.set(resource, file.blob);
    return resource;
  };
  const planBytes = (): ArchivedBytes => {
    const publications = groupChanges(changes, from, from).filter(({ until }) => until <= plan.end);
    return {
      undated,
      withdrawn,
      sourceOf: (resource) => {
        const blob = blobs.get(resource) ?? '';
        return sourceOf(blob) ?? { blob };
      },
      changes: planChangePackages(publications, { from, up, withdrawn }, represent, sourceOf),
    };
  };
  return {
    bytes: archives?.dumps ? planBytes() : undefined,
    lists: plan.lists.map((list) => ({ ...list, changes: list.changes.map(represent) })),
    *snapshots() {
      const dates = new Map<string, Date>();
      for (const { uri, datetime } of past) if (datetime <= from) dates.set(uri, datetime);
      const first = truncated ? undefined : beginning;
      const baseline = new Map(
        [...files].map(([uri, file]) => [uri, makeVersion(uri, file, dates.get(uri) ?? first)] as const),
      );
      const steps = changes.map((change): StateChange<Resource | 'unknown'> => {
        const { uri, datetime } = change;
        const value = change.change === 'deleted' ? undefined : makeVersion(uri, change.file, datetime);
        return { uri, datetime, value };
      });
      for (const { at, values } of takeSnapshots(baseline, steps, plan.moments)) {
        // Leaves out a state with a version whose digests or bytes are not available, as in a partial clone.
        if (!values.includes('unknown')) yield { at, values: values as readonly Resource[] };
      }
    },
  };
}
