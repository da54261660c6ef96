/** The stages of a run that many runs do without: each loads what it needs only where something is asked of it. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { StageClock } from '../../base/progress.js';
import type { Config } from '../../config/config.js';
import { repositoryOf } from '../../history/find.js';
import type { History, HistoryPlace } from '../../history/known.js';
import type { FetchBudget } from '../../history/live/budget.js';
import { pathOfDocument, VERSIONS_INVENTORY } from '../../paths/ours.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { MadePackage } from '../dumps/job.js';
import type { PlannedDumps } from '../past/archiving/dumps.js';
import type { ArchivedSet, WrittenArchives } from '../past/archiving/stage.js';
import type { AddedVersions } from '../past/versions/run/add.js';
import type { VersionsPlace } from '../past/versions/run/place.js';
import type { DescribedSet } from '../plan/documents.js';
import type { PlannedSet } from '../plan/sets.js';
import type { SiteState, StateSet } from '../state.js';
import type { Former } from './former.js';

/** What they work on. */
export interface StageContext {
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
export async function carryArchivedLists(
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
export async function addVersionLinks(
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
export async function findFormer(
  { config, site, source }: Omit<StageContext, 'budget'>,
  history: History | undefined,
): Promise<Former | undefined> {
  if (history === undefined || (config.versions === undefined && !config.dumps.changes)) return undefined;
  const { readFormerPublication } = await import('./former.js');
  return readFormerPublication({ config, site, repository: repositoryOf(source) }, history);
}

export async function noticeWithdrawn(config: Config, { sets }: SiteState): Promise<Notice[]> {
  if (config.withdrawals.length === 0) return [];
  const { noticeWithdrawals } = await import('../past/versions/withdrawals.js');
  return noticeWithdrawals(config, sets);
}

/** Tells what an earlier publication withdrew, and this one does not. */
export async function noticeReturned(
  former: Former | undefined,
  sets: readonly StateSet[],
): Promise<Notice[]> {
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
export async function packAndArchive(
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
