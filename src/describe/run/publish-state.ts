/** Stages what there is to say of a site, and publishes it. */

import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import { unlessRefused } from '../../base/errors.js';
import { type Notice, noticeSome } from '../../base/notices.js';
import type { Config } from '../../config/config.js';
import { repositoryOf } from '../../history/find.js';
import type { Publishable } from '../../paths/hold/files.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { OWNER_MARK, PAGES, pathOfDocument, pathOfSignature, VERSIONS_INVENTORY } from '../../paths/ours.js';
import { serializeDocument } from '../../standard/xml/serialize.js';
import type { MadePackage } from '../dumps/job.js';
import { type PlannedDumps, planArchivedDumps } from '../past/archiving/dumps.js';
import type { WrittenArchives } from '../past/archiving/write.js';
import type { AddedVersions } from '../past/versions/run/add.js';
import type { VersionsPlace } from '../past/versions/run/shelf.js';
import { noticeWithdrawals } from '../past/withdrawals.js';
import {
  type DescribedSet,
  type PlannedDocument,
  type PlannedSet,
  planDocuments,
} from '../plan/documents.js';
import { divideDocuments, type RunOutcome } from '../report.js';
import type { Seal, SignedDocument } from '../signature/sign.js';
import type { SiteState, StateSet } from '../state.js';
import type { Plan } from './plan.js';
import type { ReadRun } from './read.js';
import { openStaging, type Staging } from './staging.js';

/** What became of it. */
export type PublishedState = Omit<
  RunOutcome,
  'site' | 'scanned' | 'source' | 'edited' | 'details' | 'joined'
>;

/**
 * Stages everything, records the publication where that is wanted, and moves all into place.
 *
 * @returns undefined when another run has recorded a publication meanwhile; nothing is published then
 */
export async function publishState(run: ReadRun, publication: Plan): Promise<PublishedState | undefined> {
  const { config, site, clock } = run;
  clock.enter('changes');
  const staging = await openStaging(site, clock.wait, config.isOthers);
  try {
    return await publishStaged(run, publication, staging);
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

/** One advance, and what it stages. */
interface Advance extends ReadRun {
  /** The folder to write into. */
  readonly staging: string;
}

/** Records between staging and moving. */
async function publishStaged(
  run: ReadRun,
  publication: Plan,
  staging: Staging,
): Promise<PublishedState | undefined> {
  const { config, site, clock } = run;
  const { state, people } = publication;
  const advance: Advance = { ...run, staging: staging.folder };
  const versioned = await addVersionLinks({ ...advance, ...publication }, state);
  const linked = versioned?.sets ?? state.sets;
  const { packages, archives, sets, notices } = await packAndArchive(advance, linked);
  clock.enter('plan');
  const source = config.isJoined ? config.description : undefined;
  const sumsOf = config.writesSums ? config.sumsOf : undefined;
  const pages = config.writesPages ? config.url + PAGES : undefined;
  const documents = planDocuments({ ...config, sumsOf, pages, source, sets, at: state.at });
  const [below, top] = divideDocuments(documents);
  const packed = packages.flatMap(({ files }) => files);
  const paths = [...packed, ...documents].map(({ path }) => path);
  const files = people({ sets, documents: paths, at: state.at });
  const withdrawn = await tellWithdrawals(config, state.sets);
  clock.enter('publish');
  const unsigned = await findUnsigned(run);
  staging.stage([
    ...(versioned?.files ?? []),
    ...packed,
    ...archives.files,
    ...below.map(makePublishable),
    // They link to all of these, and the Source Description to the page.
    ...files.map(({ path, text }) => ({ path, content: [text] })),
  ]);
  const sitemap = await publication.sitemap;
  staging.stage([
    ...(sitemap?.files ?? []).map(({ publishable }) => publishable),
    ...top.map(makePublishable),
  ]);
  let seal: Seal | undefined;
  await staging.prepare(
    {
      removed: [
        ...(versioned?.leaving.removed ?? []),
        // A generator may have written its own by now.
        ...(sitemap?.removed ?? []).filter((path) => isOurs(join(site, path))),
        ...unsigned.removed,
      ],
      last: versioned?.leaving.last ?? [],
    },
    async (staged) => {
      const bytes = new Set((versioned?.files ?? []).map(({ path }) => path));
      const told = staged.filter(({ path }) => !bytes.has(path) && !path.endsWith('.zip'));
      const moment = sets.length === 0 ? undefined : formatDatetime(state.at);
      seal = await sealStaged(run, [...told, ...(versioned?.timeMaps ?? [])], moment);
      return (seal?.files ?? []).map(({ publishable }) => publishable);
    },
  );
  const recording = await record(run, publication);
  if (recording === 'overtaken') return undefined;
  const recorded = recording === 'recorded';
  const { left, ...published } = staging.commit(recorded);
  return {
    ...published,
    state,
    notices: [
      ...state.notices,
      ...withdrawn,
      ...notices,
      ...(sitemap?.notices ?? []),
      ...noticeSome(left, (example, count) => ({ code: 'changed-meanwhile', count, example }) as const),
      ...unsigned.notices,
      ...(seal?.notices ?? []),
    ],
    versions: config.versions && (versioned?.versions ?? []),
    packages,
    archived: archives.documents,
    documents: [...packages.map(({ manifest }) => manifest), ...documents],
    people: files,
    sitemaps: (sitemap?.files ?? []).filter(({ path }) => !left.includes(path)),
    seal,
    recorded,
  };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}

type Recording = 'recorded' | 'nothing' | 'overtaken';

/** Keeps this publication, where that is wanted. */
async function record(
  { config, site, now, clock, scanned, history }: ReadRun,
  { builtOf, state: { at } }: Plan,
): Promise<Recording> {
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const { recordState } = await import('../../history/record.js');
  const recording = await recordState(history, site, scanned, {
    sets: config.sets,
    at,
    now,
    source: await builtOf,
  });
  clock.enter('publish');
  return recording;
}

/** Gives changes links to versions. */
async function addVersionLinks(
  place: VersionsPlace & { readonly config: Pick<Config, 'isOthers'> },
  state: SiteState,
): Promise<AddedVersions | undefined> {
  const { config, site } = place;
  // Those that another build writes into this folder are left to it.
  const isThere = !config.isOthers(VERSIONS_INVENTORY) && existsSync(join(site, VERSIONS_INVENTORY));
  if (config.versions === undefined && !isThere) return undefined;
  const { addVersions } = await import('../past/versions/run/add.js');
  return addVersions(place, state);
}

/** Tells what is withdrawn. */
async function tellWithdrawals(
  config: Pick<Config, 'withdrawals' | 'withdrawn'>,
  sets: readonly StateSet[],
): Promise<Notice[]> {
  if (config.withdrawals.length === 0) return [];
  return noticeWithdrawals(config, sets);
}

/** Writes the sums of what is staged, and signs them. */
async function sealStaged(
  { config, site, joined }: ReadRun,
  documents: readonly SignedDocument[],
  moment: string | undefined,
): Promise<Seal | undefined> {
  if (!config.writesSums) return undefined;
  const { sealDocuments } = await import('../signature/sign.js');
  return sealDocuments({ config, site }, config.sign, documents, joined?.signed ?? [], moment);
}

/** Finds what a run before has signed, where this one does not. */
async function findUnsigned({
  config,
  site,
}: ReadRun): Promise<{ readonly removed: readonly string[]; readonly notices: readonly Notice[] }> {
  // What is in the way of a folder is told where all documents are looked at.
  const isThere = (path: string) => unlessRefused(() => lstatSync(join(site, path))) !== undefined;
  const left = config.sums.some((path) => isThere(path) || isThere(pathOfSignature(path)));
  if (config.sign !== undefined || !left) return { removed: [], notices: [] };
  const { findLeft } = await import('../signature/sign.js');
  return findLeft({ config, site });
}

/** The sets with their dumps and archives. */
interface PackedSets {
  readonly packages: readonly MadePackage[];
  readonly archives: Pick<WrittenArchives, 'files' | 'documents'>;
  readonly sets: readonly DescribedSet[];
  readonly notices: readonly Notice[];
}

/** Writes the packages that there are to be, and what is archived. */
async function packAndArchive(advance: Advance, sets: readonly StateSet[]): Promise<PackedSets> {
  const { config, site, staging } = advance;
  const dumps = await planPastDumps(config, sets);
  const planned = sets.map(({ archive: _, ...set }, index) => ({
    ...set,
    archivedPackages: dumps[index]?.packages,
  }));
  const packed = await packSets(advance, planned);
  const archives = { documents: [], files: [] };
  if (sets.every(({ archive }) => archive === undefined)) return { ...packed, archives };
  const { writeArchives } = await import('../past/archiving/write.js');
  const pasts = sets.map(({ name, archive }, index) => ({ name, archive, dumps: dumps[index] }));
  const written = await writeArchives({ url: config.url, site, staging }, pasts, packed.packages);
  return {
    packages: packed.packages,
    archives: written,
    sets: packed.sets.map((set, index) => ({ ...set, archives: written.sets[index] })),
    notices: [...packed.notices, ...written.notices],
  };
}

/** Gets and writes the packages that there are to be. */
async function packSets(
  { config, site, source, clock, staging }: Advance,
  planned: readonly PlannedSet[],
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
  { url, archives, dumps }: Pick<Config, 'url' | 'archives' | 'dumps'>,
  sets: readonly StateSet[],
): Promise<readonly (PlannedDumps | undefined)[]> {
  if (archives?.dumps !== true) return [];
  return sets.map(({ name: set, archive }) => {
    const up = url + pathOfDocument(set, 'capabilitylist');
    return archive && planArchivedDumps({ set, up }, archive, dumps);
  });
}
