/** Describes a bucket by its rows: reads them once, and publishes the documents into a folder of their own. */

import { mkdirSync, readdirSync } from 'node:fs';
import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { type Observer, StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { type DocumentName, pathOfDocument, SOURCE_DESCRIPTION, WORK_FOLDER } from '../../paths/ours.js';
import { horizonOf } from '../../standard/cuts/changes.js';
import type { DocumentCapability } from '../../standard/document.js';
import type { Report } from '../report.js';
import { Staging } from '../run/staging.js';
import type { WrittenChange } from './change-list.js';
import { stageChanges } from './change-lists.js';
import { DocumentStager } from './documents.js';
import { fixMoments, type Moments } from './moments.js';
import { type ReadRows, type RowsOptions, readRows } from './read.js';
import { reportRows } from './report.js';
import { placeList } from './resource-list.js';
import { readChanges, readState, type StateHeader, StateWriter } from './state.js';

/** @throws ResyncError; the documents and the state of the run before are then still in place */
export async function describeRows(options: RowsOptions, observe: Observer): Promise<Report> {
  const clock = new StageClock(observe);
  const { config } = options;
  clock.enter('scan');
  const saved = options.state === undefined ? undefined : readState(options.state, config.url);
  if (saved !== undefined && options.before === undefined) throw refuseGap(options.state ?? '', saved);
  openFolder(config.site);
  const staging = await Staging.open(config.site, clock.wait, config.isOthers);
  try {
    const read = await readRows(options, staging.folder, clock, saved);
    clock.enter('publish');
    const moments = fixMoments(options.at, read, saved?.at);
    const documents = new DocumentStager(staging);
    const state = stageAll(documents, options, read, moments, saved);
    await staging.prepare({ removed: [], last: [] }, async () => []);
    const published = staging.commit(false);
    // After the documents: a state that is ahead of them would lose changes.
    state?.replace();
    return reportRows(config, { ...read, ...moments, ...published, staged: documents.staged }, clock.stop());
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

function refuseGap(state: string, { at }: StateHeader): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`The state ${state} ends with the publication of ${at}, and changes since then can only be found by its rows.\nName them with --before. To begin anew, remove the state.`,
  );
}

/** The folder holds our documents and nothing else, so that all of it can be uploaded. */
function openFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const own = [SOURCE_DESCRIPTION, pathOfDocument(undefined, 'capabilitylist'), WORK_FOLDER].map(
    (path) => path.split('/')[0],
  );
  const foreign = readdirSync(folder).find((name) => !own.includes(name));
  if (foreign === undefined) return;
  throw new ResyncError(
    'not-ours',
    say`${folder} holds ${foreign}, which is none of the documents.\nName an empty folder with --into, or one that --into has filled.`,
  );
}

/** Stages all documents, leaves first. @returns the new state */
function stageAll(
  to: DocumentStager,
  { config, state, before }: RowsOptions,
  read: ReadRows,
  { at, previous }: Moments,
  saved: StateHeader | undefined,
): StateWriter | undefined {
  const moment = new Date(at);
  read.list.stage(to, moment);
  if (state === undefined && before === undefined) {
    stageTop(to, config, ['resourcelist']);
    return undefined;
  }
  const writer = state === undefined ? undefined : new StateWriter(state);
  const header = { url: config.url, at, rows: read.digest ?? '' };
  const { from, part } = saved ?? { from: previous ?? at, part: 1 };
  const horizon = formatDatetime(new Date(Math.max(0, horizonOf(moment.getTime(), config.changes))));
  const changes = listChanges(saved === undefined ? undefined : state, read, at);
  stageChanges(
    to,
    placeList(config, 'changelist'),
    changes,
    { from, part, horizon },
    writer && { writer, header },
  );
  stageTop(to, config, ['resourcelist', 'changelist']);
  return writer;
}

function* listChanges(
  state: string | undefined,
  { comparison }: ReadRows,
  at: string,
): Generator<WrittenChange> {
  if (state !== undefined) yield* readChanges(state);
  if (comparison !== undefined) yield* comparison.changes.read(at);
}

/** Stages the documents that lead to the lists. */
function stageTop(to: DocumentStager, config: Config, capabilities: readonly DocumentCapability[]): void {
  const {
    url,
    description,
    describedby,
    joined,
    sets: [set],
  } = config;
  const place = (name: DocumentName) => pathOfDocument(set?.name, name);
  const capabilityList = place('capabilitylist');
  to.add(capabilityList, {
    kind: 'capability-list',
    up: description,
    describedby: set?.describedby,
    capabilities: capabilities.map((capability) => ({ capability, uri: url + place(capability) })),
  });
  if (config.isJoined) return;
  const own = { uri: url + capabilityList, describedby: set?.describedby };
  to.add(SOURCE_DESCRIPTION, { kind: 'source-description', describedby, capabilityLists: [own, ...joined] });
}
