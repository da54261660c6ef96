/** Where the bytes of versions are: in the site, in git, or on the live site. */

import type { HistoryPlace, KnownHistory } from '../../../../history/known.js';
import type { Bitstream } from '../../../../history/plan/packages.js';
import type { ScannedSite } from '../../../../site/scanned.js';
import { findSha256, type Version, type VersionEvent } from '../plan.js';

export type VersionSource = Bitstream['source'] | 'live';

/** Finds where the bytes of a version are; undefined where nobody has them. */
export type FindSource = (event: VersionEvent, version: Version) => VersionSource | undefined;

export function startFinding(scanned: ScannedSite, known: KnownHistory | undefined): FindSource {
  const files = new Map<string, string>();
  for (const { hash, path } of scanned.resources) files.set(findSha256(hash) ?? '', path);
  const blobs = new Map<string, string>();
  for (const [blob, { hash }] of known?.digests ?? []) blobs.set(findSha256(hash) ?? '', blob);
  return (event, version) => {
    const file = files.get(version.sha256);
    if (file !== undefined) return { file };
    const blob = blobs.get(version.sha256);
    if (blob !== undefined) return { blob };
    return isLinked(event, version.uri) ? 'live' : undefined;
  };
}

/** Whether a change was published with a link to a version. */
export function isLinked({ links = [] }: VersionEvent, uri: string): boolean {
  return links.some(({ rel, href }) => rel === 'memento' && href === uri);
}

/** Whether what is pending is a publication: others keep what this run publishes, or it does. */
export function isKept(place: HistoryPlace | undefined, record: boolean): boolean {
  return place?.kind !== 'git' || !place.mayBeMissing || record;
}
