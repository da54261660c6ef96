/** Reports what a run did. */

import { formatDatetime } from '../../base/datetime.js';
import { judgeNotices } from '../../base/notices.js';
import type { ReportedChanges } from '../../diff/report.js';
import type { HistoryPlace } from '../../history/history.js';
import { SNAPSHOT_REFS } from '../../paths/ours.js';
import type { NamedDocument } from '../document.js';
import { dumpOf } from '../dumps/job.js';
import type { Details, DocumentReport, PackageReport, Report } from '../report.js';
import type { Plan } from './plan.js';
import type { PublishedState } from './published.js';
import type { PublishOutcome } from './staging.js';

export async function reportRun(plan: Plan, published: PublishedState): Promise<Report> {
  const { config, site, clock, source, scanned, edited, joined } = plan;
  const { state, draft, seal, outcomes } = published;
  const details = await listDetails(plan);
  const { versions } = draft.versions;
  return {
    site,
    url: config.url,
    description: config.description,
    at: formatDatetime(state.at),
    resources: scanned.files.length - scanned.unlisted.size,
    bytes: scanned.bytes,
    skipped: scanned.skipped,
    ...(state.publication !== undefined && {
      publication: { ...state.publication, place: namePlace(source), recorded: published.recorded },
      changes: state.changes,
    }),
    ...(details !== undefined && { details }),
    ...(edited !== undefined && { edited: edited.files }),
    ...(seal.signature !== undefined && { signature: seal.signature }),
    ...(config.versions !== undefined && {
      versions: { count: versions.length, bytes: versions.reduce((sum, { length }) => sum + length, 0) },
    }),
    packages: reportPackages(published),
    documents: reportDocuments([...draft.documents, ...seal.documents], outcomes),
    ...(draft.archived.length > 0 && { archives: reportArchives(published) }),
    ...(config.joined.length > 0 && {
      joined: config.joined.map(({ name, uri }) => ({ name, url: uri, checked: joined.read.has(uri) })),
    }),
    removed: published.removed,
    notices: judgeNotices(published.notices, config.notices),
    durations: clock.stop(),
  };
}

async function listDetails(plan: Plan): Promise<Details | undefined> {
  const { config, clock, history, timeline, skipped } = plan;
  if (!plan.details) return undefined;
  let changes: ReportedChanges = { changes: [], groups: [] };
  if (history !== undefined && timeline !== undefined) {
    clock.enter('changes');
    const { reportPublication } = await import('../../diff/run/publication.js');
    changes = await reportPublication(config, { ...plan, history, timeline }, clock);
  }
  return { ...changes, skipped };
}

function namePlace(place: HistoryPlace | undefined): 'live' | 'snapshots' | 'commits' {
  if (place?.kind !== 'git') return 'live';
  return place.ref.startsWith(SNAPSHOT_REFS) ? 'snapshots' : 'commits';
}

function reportPackages({ draft, outcomes }: PublishedState): PackageReport[] {
  const published = new Map(outcomes.map((one) => [one.path, one]));
  return draft.packages.map((one) => {
    const { path, uri, copy, length } = one;
    const changed = published.get(path)?.changed === true;
    return { path, url: uri, dump: dumpOf(one), entries: copy.entries, bytes: length, changed };
  });
}

/** Reports documents in the order in which they were published. Leaves out those that were not. */
export function reportDocuments(
  documents: readonly NamedDocument[],
  outcomes: readonly PublishOutcome[],
): DocumentReport[] {
  const byPath = new Map(documents.map((one) => [one.path, one]));
  return outcomes.flatMap(({ path, bytes, changed }) => {
    const found = byPath.get(path);
    return found === undefined
      ? []
      : { path, url: found.uri, kind: found.kind, entries: found.entries, bytes, changed };
  });
}

function reportArchives({ draft, outcomes }: PublishedState) {
  const paths = new Set(draft.archived);
  const archived = outcomes.filter(({ path }) => paths.has(path));
  return {
    documents: archived.filter(({ path }) => path.endsWith('.xml')).length,
    bytes: archived.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
