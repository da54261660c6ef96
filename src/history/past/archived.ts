/** What the publications that git keeps make of archives. */

import type { Config } from '../../config/config.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangeEvent, Representation, Resource } from '../../standard/model.js';
import type { KnownArchive } from '../archives/known.js';
import { type ArchivePlan, planArchive } from '../archives/plan.js';
import { rewind, type StateChange, takeSnapshots } from '../archives/snapshots.js';
import { groupChanges, planChangePackages } from '../plan/change-packages.js';
import type { SetHistory, SiteHistory, UriChange } from '../plan/derive.js';
import type { Bitstream } from '../plan/packages.js';
import type { FileVersion } from '../plan/replay.js';

/** Plans the archive of a set of resources; undefined when there is to be none. What is pending enters none. */
export function planCommittedArchive(
  { archives, record }: Pick<Config, 'archives' | 'record'>,
  { from, at, newest, sets }: SiteHistory,
  { changes }: SetHistory,
): ArchivePlan<UriChange> | undefined {
  if (archives === undefined) return undefined;
  const moments = new Set(sets.flatMap((set) => set.changes.map(({ datetime }) => datetime.getTime())));
  const publications = [...moments.add(from.getTime())].sort((a, b) => a - b).map((time) => new Date(time));
  // What this run records is there to stay.
  return planArchive(changes, publications, { from, newest: record ? at : newest }, archives);
}

/** A set of resources at its baseline, and what became of it. */
export interface CommittedPast {
  readonly baseline: ReadonlyMap<string, FileVersion>;
  readonly changes: readonly UriChange[];
  /** All versions that it ever had. */
  readonly blobs: readonly string[];
}

/** Goes back from the site as it was scanned to the baseline of a set of resources. */
export function findCommittedPast(
  history: SetHistory | undefined,
  { files, blobs, sets }: ScannedSite,
  index: number,
): CommittedPast {
  const changes = history?.changes ?? [];
  const blobOf = new Map(files.map(({ uri }, place) => [uri, blobs[place] ?? '']));
  const present = new Map(
    sets[index]?.resources.map(({ uri, path }) => [uri, { path, blob: blobOf.get(uri) ?? '' }]),
  );
  const baseline = rewind<FileVersion>(present, changes);
  return {
    baseline,
    changes,
    blobs: [...[...baseline.values()].map(({ blob }) => blob), ...listBlobs(changes)],
  };
}

/** What changes brought. */
export function listBlobs(changes: readonly UriChange[]): string[] {
  return changes.flatMap((change) => (change.change === 'deleted' ? [] : change.file.blob));
}

/** What versions are, once they were read. */
interface ReadVersions {
  readonly represent: (change: UriChange) => ChangeEvent;
  readonly describeVersion: (uri: string, file: FileVersion) => Representation;
  /** What archived dumps need; undefined where only lists are archived. */
  readonly packing:
    | {
        /** URI of the Capability List. */
        readonly up: string;
        /** The file of the site that holds the bytes of a blob. */
        readonly fileOf: (blob: string) => string | undefined;
        /** Whose bytes no package may hold, by URI. */
        readonly withdrawn: (uri: string) => boolean;
      }
    | undefined;
}

/** What is known of the past of a set of resources, once its versions were read. */
export function knowCommittedArchive(
  plan: ArchivePlan<UriChange> | undefined,
  past: CommittedPast | undefined,
  { from, truncated }: SiteHistory,
  { represent, describeVersion, packing }: ReadVersions,
): KnownArchive | undefined {
  if (plan === undefined || past === undefined) return undefined;
  const blobs = new Map<Resource, string>();
  const makeVersion = (uri: string, file: FileVersion, lastmod: Date | undefined): Resource | 'unknown' => {
    const { length, hash, type } = describeVersion(uri, file);
    if (length === undefined || hash === undefined) return 'unknown';
    const resource = {
      uri,
      path: file.path,
      length,
      hash,
      ...(type !== undefined && { type }),
      ...(lastmod !== undefined && { lastmod }),
    };
    if (packing !== undefined) blobs.set(resource, file.blob);
    return resource;
  };
  return {
    bytes: packing && {
      undated: from,
      withdrawn: packing.withdrawn,
      sourceOf: (resource) => findSource(blobs.get(resource) ?? '', packing.fileOf),
      changes: planChangePackages(
        groupChanges(past.changes, from, from).filter(({ until }) => until <= plan.end),
        { from, up: packing.up, withdrawn: packing.withdrawn },
        represent,
        packing.fileOf,
      ),
    },
    live: undefined,
    lists: plan.lists.map((list) => ({ ...list, changes: list.changes.map(represent) })),
    *snapshots() {
      const since = truncated ? undefined : from;
      const baseline = new Map(
        [...past.baseline].map(([uri, file]) => [uri, makeVersion(uri, file, since)] as const),
      );
      const steps = past.changes.map(
        (change): StateChange<Resource | 'unknown'> => ({
          uri: change.uri,
          datetime: change.datetime,
          value:
            change.change === 'deleted' ? undefined : makeVersion(change.uri, change.file, change.datetime),
        }),
      );
      for (const { at, values } of takeSnapshots(baseline, steps, plan.moments)) {
        // In a partial clone, what is not here cannot be described; the notice about versions says so.
        if (!values.includes('unknown')) yield { at, values: values as readonly Resource[] };
      }
    },
  };
}

function findSource(blob: string, fileOf: (blob: string) => string | undefined): Bitstream['source'] {
  const file = fileOf(blob);
  return file === undefined ? { blob } : { file };
}
