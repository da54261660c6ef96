/** Makes the notices about a history in git. Pure. */

import { mapRows } from '../../base/columns/rows.js';
import { formatDatetime } from '../../base/datetime.js';
import type { Notice } from '../../base/notices.js';
import type { Config } from '../../config/config.js';
import { isSnapshotRef } from '../../paths/ours.js';
import type { ScannedSite } from '../../site/scanned.js';
import { horizonOf } from '../../standard/cuts/changes.js';
import type { GitHistory } from '../history.js';
import type { SiteHistory } from '../plan/derive.js';
import { findKeptFolders } from '../plan/kept-folders.js';
import { secondsOf } from '../plan/replay.js';

export function noticeHistory(
  { record, archives, changes }: Config,
  { publications, place: { ref, folder } }: GitHistory,
  { from, begins, at, truncated }: SiteHistory,
): Notice[] {
  if (publications.length === 0) {
    return record ? [] : [{ code: 'no-publication', ref: folder === '' ? ref : `${ref}:${folder}` }];
  }
  if (begins) return [{ code: 'listing-changed', from: formatDatetime(from) }];
  const wanted = truncated && archives !== undefined;
  if (!wanted && from.getTime() <= horizonOf(at.getTime(), changes)) return [];
  return [{ code: 'changes-known-from', from: formatDatetime(from), truncated }];
}

export function noticeDates({ misdated }: GitHistory): Notice[] {
  const [example] = misdated;
  if (example === undefined) return [];
  return [
    { code: 'commit-dates-ahead', count: misdated.length, commit: example.id, seconds: secondsOf(example) },
  ];
}

export function noticeLineEnds([example, ...others]: readonly string[]): Notice[] {
  return example === undefined ? [] : [{ code: 'line-ends-differ', count: others.length + 1, example }];
}

/** Reports folders that deploys keep on their branch, though the build does not write them. */
export function noticeKept(
  { publications, place: { ref } }: GitHistory,
  { sets }: SiteHistory,
  { files }: ScannedSite,
): Notice[] {
  if (ref === 'HEAD' || isSnapshotRef(ref)) return [];
  const gone = sets.flatMap(({ unpublished }) =>
    unpublished.flatMap(({ previous, present }) => (previous && !present ? previous.path : [])),
  );
  const kept =
    gone.length === 0
      ? []
      : findKeptFolders(
          publications,
          [...new Set(gone)],
          mapRows(files, ({ path }) => path),
        );
  return kept.map(({ folder, count }) => ({ code: 'kept-on-branch', ref, folder, count }));
}
