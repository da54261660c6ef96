/** Describes a bucket by rows of its objects: reads the rows once, and publishes the documents into a folder of their own. */

import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { formatDatetime } from '../../base/datetime.js';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { type Observer, StageClock } from '../../base/progress.js';
import { say, type Words } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { explainFailure } from '../../paths/hold/failure.js';
import { SOURCE_DESCRIPTION, WORK_FOLDER } from '../../paths/ours.js';
import { ChangeListCutter, horizonOf, trimList } from '../../standard/cuts/changes.js';
import { type ChangeSegment, DOCUMENT_LIMITS } from '../../standard/limits.js';
import { planDocuments } from '../plan/documents.js';
import type { Report } from '../report.js';
import { Staging } from '../run/staging.js';
import { ChangeListStager, type WrittenChange } from './changes.js';
import { DocumentStager, placeDocument } from './lists.js';
import { type ReadRows, type RowsOptions, readRows } from './read.js';
import { type Moments, reportRows } from './report.js';
import { readChanges, readState, type StateHeader, StateWriter } from './state.js';

/** Describes a bucket. @throws ResyncError; the documents and the state of the run before are then still in place */
export async function describeRows(options: RowsOptions, observe: Observer): Promise<Report> {
  const clock = new StageClock(observe);
  const { config, state } = options;
  clock.enter('scan');
  const saved = state === undefined ? undefined : readState(state, config.url);
  if (saved !== undefined && options.before === undefined)
    throw new ResyncError(
      'config-invalid',
      say`The state ${state ?? ''} ends with the publication of ${saved.at}, and changes since then can only be found by its rows.\nName them with --before. To begin anew, remove the state.`,
    );
  openFolder(config.site);
  const staging = await Staging.open(config.site, clock.wait, config.isOthers);
  try {
    const read = await readRows(options, saved, staging.folder, clock);
    clock.enter('publish');
    const moments = fixMoments(options.at, read, saved?.at);
    const documents = new DocumentStager(staging, config.url);
    const newState = stageAll(documents, options, read, moments, saved);
    await staging.prepare({ removed: [], last: [] }, async () => ({ documents: [], removed: [] }));
    const published = staging.commit(false);
    // The state is replaced after the documents: a state that is ahead of them would lose changes.
    newState?.replace();
    return reportRows(config, { ...read, ...moments, ...published, staged: documents.staged }, clock.stop());
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

/** Makes the folder, or refuses one that holds anything else at its top than our documents: all of it is uploaded. */
function openFolder(folder: string): void {
  if (unlessRefused(() => statSync(folder), 'ENOENT', 'ENOTDIR')?.isDirectory() === false)
    throw new ResyncError('not-ours', say`${folder} is a file.\nName a folder with --into.`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw explainFailure(folder, error, say`Nothing was published.`);
  }
  const own = [SOURCE_DESCRIPTION, 'resourcesync', WORK_FOLDER].map((path) => path.split('/')[0]);
  const foreign = readdirSync(folder).find((name) => !own.includes(name));
  if (foreign === undefined) return;
  throw new ResyncError(
    'not-ours',
    say`${folder} holds ${foreign}, which is none of the documents.\nName an empty folder with --into, or one that --into has filled.`,
  );
}

/** Chooses the moment of the publication. @param given by the user, if any @param saved moment with which the state ends */
function fixMoments(
  given: Date | undefined,
  { rows, before, changes }: ReadRows,
  saved: string | undefined,
): Moments {
  const at = given === undefined ? rows.newest : formatDatetime(given);
  if (at === '') throw refuseMoment(say`No row of ${rows.name} says when its object was modified.`);
  if (at < rows.newest)
    throw refuseMoment(
      say`--at is ${at}, but an object of ${rows.name} was modified later, at ${rows.newest}.`,
    );
  if (before === undefined) return { at, previous: undefined };
  const previous = saved ?? before.newest;
  if (previous === '')
    throw new ResyncError(
      'rows-invalid',
      say`No row of ${before.name} says when its object was modified, so nobody knows since when changes are listed.\nAdd the column modified, or keep a --state.`,
    );
  if (at > previous) return { at, previous };
  if (Object.values(changes.counts).every((count) => count === 0)) return { at: previous, previous };
  throw refuseMoment(
    say`The publication has changes, but its moment, ${at}, is not after that of the one before, ${previous}.`,
  );
}

function refuseMoment(what: Words): ResyncError {
  return new ResyncError(
    'rows-invalid',
    say`${what}\nGive the moment of the publication, at which the store was listed, such as --at 2026-11-20T10:15:00Z.`,
  );
}

/** Stages all documents, leaves first. @returns the new state; undefined if no state is kept */
function stageAll(
  to: DocumentStager,
  { config, state, before }: RowsOptions,
  { list, changes, digest }: ReadRows,
  { at, previous }: Moments,
  saved: StateHeader | undefined,
): StateWriter | undefined {
  const moment = new Date(at);
  list.stage(to, moment);
  const writer =
    state === undefined ? undefined : new StateWriter(state, { url: config.url, at, rows: digest });
  if (writer === undefined && before === undefined) {
    stageTop(to, config, moment, false);
    return undefined;
  }
  const lists = new ChangeListStager(to, placeDocument(config, 'changelist'));
  const horizon = new Date(Math.max(0, horizonOf(moment.getTime(), config.changes)));
  const add = (segment: ChangeSegment<WrittenChange>) => {
    lists.add(segment);
    writer?.add(segment);
  };
  const cutter = new ChangeListCutter<WrittenChange>(
    saved ?? { from: previous === undefined ? moment : new Date(previous), part: 1 },
    { period: undefined, limits: DOCUMENT_LIMITS, measure: ({ entry }) => entry.length + 1 },
    (segment) => {
      if (segment.until > horizon) add(segment);
    },
  );
  if (state !== undefined && saved !== undefined) for (const change of readChanges(state)) cutter.add(change);
  for (const change of changes.read(moment)) cutter.add(change);
  const open = cutter.end(moment);
  add(lists.isDivided ? open : trimList(open, horizon));
  stageTop(to, config, moment, true);
  return writer;
}

/** Stages the Capability List, and the Source Description unless another build writes it. */
function stageTop(to: DocumentStager, config: Config, at: Date, hasChanges: boolean): void {
  const changes = hasChanges ? [{ from: at, until: undefined, part: 1, changes: [] }] : undefined;
  const planned = planDocuments({
    url: config.url,
    describedby: config.describedby,
    source: config.isJoined ? config.description : undefined,
    sets: config.sets.map(({ name, describedby }) => ({ name, describedby, resources: [], changes })),
    at,
  });
  for (const { path, document } of planned)
    if (document.kind === 'capability-list' || document.kind === 'source-description') to.add(path, document);
}
