/** Makes the report of a run that describes a bucket by rows. */

import { judgeNotices } from '../../base/notices.js';
import type { Durations } from '../../base/progress.js';
import type { Config } from '../../config/config.js';
import type { NamedDocument } from '../document.js';
import type { Report } from '../report.js';
import { reportDocuments } from '../run/report.js';
import type { PublishedFiles } from '../run/staging.js';
import type { ReadRows } from './read.js';

/** The moments of this publication and the one before, written as §7 recommends. */
export interface Moments {
  readonly at: string;
  /** Moment of the publication before; undefined if nothing is compared. */
  readonly previous: string | undefined;
}

interface RowsOutcome extends ReadRows, Moments, PublishedFiles {
  readonly staged: readonly NamedDocument[];
}

export function reportRows(
  { site, url, description, notices }: Config,
  { rows, changes, at, previous, staged, outcomes, removed }: RowsOutcome,
  durations: Durations,
): Report {
  const isUnderPath = new URL(url).pathname !== '/';
  return {
    site,
    url,
    description,
    at,
    resources: rows.count,
    bytes: rows.bytes,
    skipped: rows.own === 0 ? {} : { 'own-document': rows.own },
    ...(previous !== undefined && {
      publication: {
        from: previous,
        newest: previous,
        place: 'rows',
        pending: at > previous,
        recorded: false,
      },
      changes: changes.counts,
    }),
    packages: [],
    documents: reportDocuments(staged, outcomes),
    removed,
    notices: judgeNotices(
      [
        ...(isUnderPath ? [{ code: 'well-known-under-path', description } as const] : []),
        ...rows.listNotices(),
      ],
      notices,
    ),
    durations,
  };
}
