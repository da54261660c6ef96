/** Plans the packages of Change Dumps (§13). Pure. */

import { compactDatetime, formatDatetime } from '../../base/datetime.js';
import type { Notice, ShortenedReason } from '../../base/notices.js';
import { nameBitstreams } from '../../paths/package-names.js';
import { fitsZip } from '../../standard/cuts/borders.js';
import type { ChangeDump, ChangeDumpManifest } from '../../standard/document.js';
import { checkDocument } from '../../standard/make.js';
import type { ChangeEvent } from '../../standard/model.js';
import { type Bitstream, type PlannedPackage, sortByName } from './packages.js';
import type { FileVersion } from './replay.js';

/** A change of a URL, with the version to pack unless it was deleted. */
export type PackagedChange = { readonly uri: string; readonly datetime: Date } & (
  | { readonly change: 'created' | 'updated'; readonly file: FileVersion }
  | { readonly change: 'deleted' }
);

interface PackagedChanges {
  /** Moment of the previous publication. */
  readonly from: Date;
  readonly until: Date;
  readonly changes: readonly PackagedChange[];
}

/**
 * Groups changes by publication.
 * @param changes all known changes, oldest first @param from moment since which they are known
 * @param listed moment of the first group to return
 */
export function groupChanges(
  changes: readonly PackagedChange[],
  from: Date,
  listed: Date,
): PackagedChanges[] {
  const groups: { from: Date; until: Date; changes: PackagedChange[] }[] = [];
  let before = from;
  for (const change of changes) {
    const last = groups.at(-1);
    if (last !== undefined && last.until.getTime() === change.datetime.getTime()) last.changes.push(change);
    else groups.push({ from: before, until: change.datetime, changes: [change] });
    before = change.datetime;
  }
  return groups.filter(({ until }) => until >= listed);
}

export interface PlannedChangeDump {
  /** All changes after this moment are in the dump. */
  readonly from: Date;
  /** Packages of the live site to fetch and publish again unchanged, oldest first. */
  readonly carried?: ChangeDump['packages'];
  readonly packages: readonly PlannedPackage<ChangeDumpManifest>[];
  /** Why older changes are missing in the dump; undefined if none are. */
  readonly shortened: ShortenedReason | undefined;
}

export function noticeChangeDump(dump: PlannedChangeDump | undefined): Notice[] {
  if (dump?.shortened === undefined) return [];
  return [{ code: 'change-dump-shortened', from: formatDatetime(dump.from), reason: dump.shortened }];
}

/** Limit of entries in a manifest, as in any document (§7); a ZIP file could hold more. */
const MANIFEST_ENTRIES = 50_000;

/**
 * Plans a package for each publication, beginning after the last one that cannot be packed.
 * @param publications oldest first
 * @param from moment since which changes are known; `withdrawn` tests if the option `withdraw` names a URI
 * @param represent makes the entry of a change, without a hash if that is not known
 * @param sourceOf returns where the bytes of a blob are, or undefined if they are not available
 */
export function planChangePackages(
  publications: readonly PackagedChanges[],
  {
    from,
    up,
    withdrawn,
  }: { readonly from: Date; readonly up: string; readonly withdrawn: (uri: string) => boolean },
  represent: (change: PackagedChange) => ChangeEvent,
  sourceOf: (blob: string) => Bitstream['source'] | undefined,
): PlannedChangeDump {
  const packages: PlannedPackage<ChangeDumpManifest>[] = [];
  for (const publication of publications.toReversed()) {
    const planned = planPublication(publication);
    if (typeof planned === 'string') return { from: publication.until, packages, shortened: planned };
    packages.unshift(planned);
  }
  return { from, packages, shortened: undefined };

  function planPublication({ from: since, until, changes }: PackagedChanges) {
    if (changes.length > MANIFEST_ENTRIES) return 'too-large';
    if (changes.some(({ change, uri }) => change !== 'deleted' && withdrawn(uri))) return 'withdrawn';
    const paths = changes.flatMap((change) => (change.change === 'deleted' ? [] : [change.file.path]));
    const names = new Map(nameBitstreams(paths));
    const folder = `changes/${compactDatetime(until)}`;
    const bitstreams: Bitstream[] = [];
    const entries: ChangeDumpManifest['bitstreams'][number][] = [];
    for (const change of changes) {
      const event = represent(change);
      if (event.change === 'deleted' || change.change === 'deleted') {
        entries.push({ event, path: undefined });
        continue;
      }
      const { length, hash, type } = event.representation;
      if (length === undefined || hash === undefined) return 'versions-missing';
      const name = `${folder}/${names.get(change.file.path)}`;
      const source = sourceOf(change.file.blob);
      if (source === undefined) return 'versions-missing';
      bitstreams.push({ name, length, hash, type, source });
      entries.push({ event, path: `/${name}` });
    }
    if (!fitsZip(bitstreams)) return 'too-large';
    return {
      manifest: checkDocument({ kind: 'change-dump-manifest', up, from: since, until, bitstreams: entries }),
      bitstreams: sortByName(bitstreams),
    };
  }
}
