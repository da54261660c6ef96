/** Stages what there is to say of a site, and publishes it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { StageClock } from '../../base/progress.js';
import type { Config } from '../../config/config.js';
import { repositoryOf } from '../../history/find.js';
import type { History, HistoryPlace, KnownHistory } from '../../history/known.js';
import { type FetchBudget, startBudget } from '../../history/live/budget.js';
import type { Publishable } from '../../paths/hold/files.js';
import { OWNER_MARK, pathOfDocument, VERSIONS_INVENTORY } from '../../paths/ours.js';
import type { ScannedSite } from '../../site/scanned.js';
import { serializeDocument } from '../../standard/xml/serialize.js';
import type { MadePackage } from '../dumps/job.js';
import type { ArchivedSet, PlannedDumps, WrittenArchives } from '../past/archiving/stage.js';
import type { AddedVersions } from '../past/versions/run/add.js';
import type { VersionsPlace } from '../past/versions/run/place.js';
import type { PeopleFile, PeopleInput } from '../people/make.js';
import { type DescribedSet, planDocuments } from '../plan/documents.js';
import type { PlannedDocument } from '../plan/parts.js';
import type { PlannedSet } from '../plan/sets.js';
import { joinPublished, openStaging, type Staging } from '../publish/publish.js';
import { divideDocuments, noticePreview, type RunOutcome } from '../report.js';
import type { SiteState, StateSet } from '../state.js';
import type { Former } from './former.js';

/** A run that publishes. */
export interface Publishing extends Omit<StageContext, 'budget'> {
  readonly now: Date;
}

/** Makes the files for people, once the documents are known. */
export type MakePeopleFiles = (input: Omit<PeopleInput, 'config' | 'news' | 'from'>) => readonly PeopleFile[];

/** What is to be published, but for what depends on the files that stand in the site. */
export interface PublicationInput {
  readonly scanned: ScannedSite;
  readonly history: History | undefined;
  readonly state: SiteState;
  readonly known: KnownHistory | undefined;
  readonly people: MakePeopleFiles;
}

/** What became of it. */
type PublishedState = Omit<RunOutcome, 'site' | 'scanned' | 'edited' | 'details' | 'joined'>;

/**
 * Stages everything, records the publication where that is wanted, and moves all into place.
 *
 * @returns undefined when another run has recorded a publication meanwhile; nothing is published then
 */
export async function publishState(
  run: Publishing,
  publication: PublicationInput,
): Promise<PublishedState | undefined> {
  const { config, site, clock } = run;
  clock.enter('publish');
  const staging = await openStaging(site, clock.wait, config.isOthers);
  try {
    const former = await findFormer(run, publication.history);
    const all = { ...publication, former };
    const first = await publishOnce(run, all, staging, () => record(run, publication));
    if (first?.waits !== true) return first;
    // Nothing links any more to what was in the way of something, and it is gone.
    staging.clear();
    const { recorded } = first;
    const second = await publishOnce(run, all, staging, async () => (recorded ? 'recorded' : 'nothing'));
    return second && { ...second, ...joinPublished(first, second) };
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

/** @param keep records the publication, between staging and moving */
async function publishOnce(
  run: Publishing,
  {
    scanned,
    history,
    state: derived,
    known,
    people,
    former,
  }: PublicationInput & { readonly former: Former | undefined },
  staging: Staging,
  keep: () => Promise<Recording>,
): Promise<(PublishedState & { readonly waits: boolean }) | undefined> {
  const { config, clock } = run;
  const stage: StageContext = { ...run, budget: startBudget() };
  const state = await carryArchivedLists(stage, derived);
  const versioned = await addVersionLinks(stage, scanned, { state, history, known, staging: staging.folder });
  const described = versioned?.sets ?? state.sets;
  const { packages, archives, sets, notices } = await packAndArchive(stage, described, staging.folder);
  clock.enter('plan');
  const source = config.isJoined ? config.description : undefined;
  const documents = planDocuments({ ...config, source, sets, at: state.at });
  const [below, top] = divideDocuments(documents);
  const all = [...packages.flatMap(({ files }) => files), ...documents];
  const files = people({ sets, documents: all.map(({ path }) => path), at: state.at });
  const returned = await noticeReturned(former, described);
  clock.enter('publish');
  staging.prepare(
    [
      ...(versioned?.files ?? []),
      ...packages.flatMap(({ files }) => files),
      ...archives.files,
      ...below.map(makePublishable),
      // They link to all of these, and the Source Description to the page.
      ...files.map(({ path, text }) => ({ path, content: [text] })),
      ...top.map(makePublishable),
    ],
    versioned?.leaving,
  );
  const recording = await keep();
  if (recording === 'overtaken') return undefined;
  const { published, removed } = staging.commit(recording === 'recorded');
  return {
    state: {
      ...state,
      notices: [
        ...state.notices,
        ...(versioned?.notices ?? []),
        ...(await noticeWithdrawn(config, state)),
        ...returned,
        ...notices,
        ...noticePreview(config, process.env),
      ],
    },
    versions: config.versions && (versioned?.versions ?? []),
    packages,
    archived: archives.documents,
    documents: [...packages.map(({ manifest }) => manifest), ...documents],
    people: files,
    recorded: recording === 'recorded',
    published,
    removed,
    waits: versioned?.waits === true,
  };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}

type Recording = 'recorded' | 'nothing' | 'overtaken';

/** Keeps this publication, where that is wanted. */
async function record(
  { config, site, now, clock }: Publishing,
  { scanned, history, state: { at } }: PublicationInput,
): Promise<Recording> {
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const { recordState } = await import('../../history/record.js');
  const recording = await recordState(history, site, scanned, { sets: config.sets, at, now });
  clock.enter('publish');
  return recording;
}

/** What they work on. */
interface StageContext {
  readonly config: Config;
  /** Absolute path of the site. */
  readonly site: string;
  /** Undefined where there is no history. */
  readonly source: HistoryPlace | undefined;
  readonly clock: StageClock;
  /** How much is carried on from the live site. */
  readonly budget: FetchBudget;
}

/** Gets the Change Lists that the live site has archived: they may link to versions. Where there are none, nothing is loaded. */
async function carryArchivedLists(
  { config: { url, withdrawals }, site, budget }: StageContext,
  state: SiteState,
): Promise<SiteState> {
  const entriesOf = ({ archive }: StateSet) => archive?.live?.entries['changelist-archive'] ?? [];
  if (state.sets.every((set) => entriesOf(set).length === 0)) return state;
  const { carryLists } = await import('../past/archiving/carry-lists.js');
  const sets: StateSet[] = [];
  const all: Notice[] = [];
  for (const set of state.sets) {
    const { lists, notices } = await carryLists(
      { site, url, budget },
      entriesOf(set),
      withdrawals.length > 0,
    );
    const { archive } = set;
    sets.push({ ...set, archive: archive && { ...archive, lists: [...lists, ...archive.lists] } });
    all.push(...notices);
  }
  return { ...state, sets, notices: [...state.notices, ...all] };
}

/** Gives changes links to versions. Where there are none, and were none, nothing is loaded. */
async function addVersionLinks(
  { config, site, source, budget }: StageContext,
  scanned: ScannedSite,
  { state, ...rest }: { state: SiteState } & Pick<VersionsPlace, 'history' | 'known' | 'staging'>,
): Promise<AddedVersions | undefined> {
  // What is carried on may link to versions of before.
  const isLinked = source?.kind === 'published' && hasLinks(state);
  // Those that another build writes into this folder are left to it.
  const isThere = !config.isOthers(VERSIONS_INVENTORY) && existsSync(join(site, VERSIONS_INVENTORY));
  const isWanted = config.versions !== undefined || isLinked || isThere;
  if (!isWanted) return undefined;
  const versions = await import('../past/versions/run/add.js');
  return versions.addVersions({ config, site, place: source, scanned, budget, ...rest }, state);
}

/** Looks at what was published before, where bytes of the past may come back. */
async function findFormer(
  { config, site, source }: Omit<StageContext, 'budget'>,
  history: History | undefined,
): Promise<Former | undefined> {
  if (history === undefined || (config.versions === undefined && !config.dumps.changes)) return undefined;
  const { readFormerPublication } = await import('./former.js');
  return readFormerPublication({ config, site, repository: repositoryOf(source) }, history);
}

async function noticeWithdrawn(config: Config, { sets }: SiteState): Promise<Notice[]> {
  if (config.withdrawals.length === 0) return [];
  const { noticeWithdrawals } = await import('../past/versions/withdrawals.js');
  return noticeWithdrawals(config, sets);
}

/** Tells what an earlier publication withdrew, and this one does not. */
async function noticeReturned(former: Former | undefined, sets: readonly StateSet[]): Promise<Notice[]> {
  if (former === undefined) return [];
  const { findReturned } = await import('./former.js');
  return findReturned(former, sets);
}

function hasLinks({ sets }: SiteState): boolean {
  return sets.some(({ changes = [], archive }) =>
    [...changes, ...(archive?.lists ?? [])].some((list) => list.changes.some((one) => 'links' in one)),
  );
}

/** The sets with their dumps and archives. */
interface PackedSets {
  readonly packages: readonly MadePackage[];
  readonly archives: WrittenArchives;
  readonly sets: readonly DescribedSet[];
  readonly notices: readonly Notice[];
}

/** Writes the packages that there are to be, and what is archived. */
async function packAndArchive(
  stage: StageContext,
  sets: readonly StateSet[],
  staging: string,
): Promise<PackedSets> {
  const dumps = await planPastDumps(stage, sets);
  const planned = sets.map(({ archive: _, ...set }, index) => ({
    ...set,
    archivedPackages: dumps[index]?.packages,
  }));
  const packed = await packSets(stage, planned, staging);
  const pasts = sets.map(({ name, archive }, index) => ({ name, archive, dumps: dumps[index] }));
  const archives = await archiveSets(stage, pasts, packed.packages, staging);
  return {
    packages: [...packed.packages, ...archives.packages],
    archives,
    sets: packed.sets.map((set, index) => ({ ...set, archives: archives.sets[index] })),
    notices: [...packed.notices, ...archives.notices],
  };
}

/** Gets and writes the packages that there are to be. Where there are none, nothing is loaded. */
async function packSets(
  { config, site, source, clock }: StageContext,
  planned: readonly PlannedSet[],
  staging: string,
): Promise<Omit<PackedSets, 'archives'>> {
  const wanted = config.dumps.resources || config.dumps.changes || config.archives?.dumps === true;
  if (!wanted) return { packages: [], sets: planned, notices: [] };
  clock.enter('pack');
  const { fetchCarriedPackages } = await import('../dumps/carry.js');
  const { listMadePackages, writePackages } = await import('../dumps/make.js');
  const packing = { config, site, repository: repositoryOf(source), staging };
  const carried = await fetchCarriedPackages(packing, planned);
  const packages = [...carried.packages, ...(await writePackages(packing, carried.sets, clock.tell))];
  const sets = carried.sets.map((set) => listMadePackages(set, packages));
  return { packages, sets, notices: carried.notices };
}

/** Plans the dumps of the past, where there are to be some. */
async function planPastDumps(
  { config }: StageContext,
  sets: readonly StateSet[],
): Promise<readonly (PlannedDumps | undefined)[]> {
  if (config.archives?.dumps !== true) return [];
  const { planArchivedDumps } = await import('../past/archiving/dumps.js');
  return sets.map(({ name: set, archive }) => {
    const up = config.url + pathOfDocument(set, 'capabilitylist');
    return archive && planArchivedDumps({ set, up }, archive, config.dumps);
  });
}

/** Writes what is archived. Where nothing is, nothing is loaded. */
async function archiveSets(
  { config, site, budget }: StageContext,
  pasts: readonly ArchivedSet[],
  packages: readonly MadePackage[],
  staging: string,
): Promise<WrittenArchives> {
  if (pasts.every(({ archive }) => archive === undefined)) {
    return { documents: [], files: [], packages: [], notices: [], sets: [] };
  }
  const { writeArchives } = await import('../past/archiving/write.js');
  return await writeArchives({ config, site, staging, budget }, pasts, packages);
}
