/** The pipeline: config → scan → history → plan → pack → documents → publish. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.js';
import type { UserConfig } from './config/options.js';
import { resolveConfig } from './config/resolve.js';
import type { ToldChanges } from './diff/report.js';
import { noticeBuild } from './diff/run/notice.js';
import type { EditedSite } from './discovery/edit.js';
import type { MadePackage } from './dumps/make.js';
import { ResyncError } from './errors.js';
import { blobNameOf, findHistory, repositoryOf } from './history/find.js';
import type { History, HistoryPlace, KnownHistory } from './history/known.js';
import { readHistory, readKnownHistory } from './history/read.js';
import type { Notice, SkipReason } from './notices.js';
import { OWNER_MARK, VERSIONS_INVENTORY } from './paths/ours.js';
import type { PeopleFile, PeopleInput } from './people/make.js';
import { type DescribedSet, planDocuments } from './plan/documents.js';
import type { PlannedDocument } from './plan/parts.js';
import type { PlannedSet } from './plan/sets.js';
import { type Clock, type Observer, startClock } from './progress.js';
import { openStaging, type Publishable } from './publish/publish.js';
import { makeReport, noticePreview, type Outcome, type Report, type SkippedFile } from './report.js';
import { serializeDocument } from './resourcesync/serialize.js';
import { resolveSite } from './site/folder.js';
import { refuseProject } from './site/project.js';
import { makeSiteMemory, type SiteMemory } from './site/rescan.js';
import { type ScannedSite, scanSite } from './site/scan.js';
import { deriveState, type SiteState } from './state.js';
import { noticeStyle } from './style.js';
import { fixNow } from './time.js';
import type { AddedVersions } from './versions/run/add.js';
import type { VersionsPlace } from './versions/run/place.js';

/**
 * Describes a site: reads its files and publishes Source Description, Capability Lists and Resource Lists into it.
 *
 * Prints nothing. `SOURCE_DATE_EPOCH` in the environment, in seconds, fixes the moment of the snapshot.
 *
 * @throws ResyncError; the documents of the run before are then still in place
 */
export async function describe(
  config: UserConfig,
  observe?: Observer,
  { details = false }: DescribeOptions = {},
): Promise<Report> {
  return describeSite(resolveConfig(config), fixNow(process.env), observe, { details });
}

/** How much to tell. */
export interface DescribeOptions {
  /**
   * Whether the report has `details`: what changed, URL by URL, with the kind of each change, and which files were left
   * out. It takes about as long as `diff`. @default false
   */
  readonly details?: boolean;
}

/** What one run leaves to the next, to be used with one configuration. */
export interface RunMemory {
  readonly site: SiteMemory;
  history: History | undefined;
}

/** Makes a memory for the first run. */
export function makeRunMemory(): RunMemory {
  return { site: makeSiteMemory(), history: undefined };
}

/** All that the stages of one run share. */
interface Run {
  readonly config: Config;
  /** Absolute path of the site. */
  readonly site: string;
  /** Undefined where there is no history. */
  readonly source: HistoryPlace | undefined;
  readonly now: Date;
  readonly clock: Clock;
  readonly memory: RunMemory | undefined;
}

/**
 * `describe` with a configuration that is resolved already.
 *
 * @param options `memory` of the run before, if there was one, spares to read again what has not changed
 */
export async function describeSite(
  given: Config,
  now: Date,
  observe: Observer = () => undefined,
  { memory, details = false }: DescribeOptions & { readonly memory?: RunMemory | undefined } = {},
): Promise<Report> {
  const clock = startClock(observe);
  const site = resolveSite(given.site);
  refuseProject(site, given);
  clock.enter('scan');
  const source = await findHistory(given, site);
  const edited = await editPages({ config: given, site, clock, memory });
  const config = addLinks(given, edited?.links);
  const run: Run = { config, site, source, now, clock, memory };
  const skipped: SkippedFile[] = [];
  const onSkipped = (path: string, reason: SkipReason) => {
    if (reason !== 'own-document') skipped.push({ path, reason });
  };
  const [scanned, first] = await Promise.all([
    scanSite(site, config, {
      blobName: blobNameOf(source),
      onProgress: clock.tell,
      onSkipped: details ? onSkipped : undefined,
      reader: memory?.site,
    }),
    source && readHistory(source, config, memory?.history),
  ]);
  for (let history = first; ; history = source && (await readHistory(source, config))) {
    if (memory !== undefined) memory.history = history;
    clock.enter('changes');
    const known = history && (await readKnownHistory(config, scanned, history, now));
    const state = deriveState(config, scanned, known, now);
    const people = await readPeople(run, scanned, history, known);
    const [outcome, ...notices] = await Promise.all([
      publishState(run, scanned, history, { state, known, people }),
      noticeBuild(site, scanned, { history, known }, state.changes.updated),
      noticeStyle(site, config, scanned.resources),
    ]);
    // Undefined: another run has recorded its state meanwhile, and this one is what comes after that.
    if (outcome === undefined) continue;
    const told = { ...outcome.state, notices: [...outcome.state.notices, ...notices.flat()] };
    const changed = details ? await tellChanges(run, scanned, history, known) : undefined;
    const all = { ...outcome, state: told, scanned, edited, site };
    return makeReport(
      config,
      { ...all, details: changed && { ...changed, skipped: sortByPath(skipped) } },
      clock.stop(),
    );
  }
}

/** Folders are read in any order. */
function sortByPath(files: readonly SkippedFile[]): SkippedFile[] {
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** Makes the files for people, once the documents are known. */
type MakePeopleFiles = (input: Omit<PeopleInput, 'config' | 'news' | 'from'>) => readonly PeopleFile[];

/** Reads what the page and the feed tell. Where there is neither, nothing is loaded. */
async function readPeople(
  { config, site }: Run,
  scanned: ScannedSite,
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<MakePeopleFiles> {
  if (config.page === undefined && config.feed === undefined) return () => [];
  const { readNews } = await import('./people/run/read-news.js');
  const { withholdTitles } = await import('./people/withhold.js');
  const { makePeopleFiles } = await import('./people/make.js');
  const read = await readNews({ config, site, scanned, history, known });
  const news = config.withdrawals.length === 0 ? read : withholdTitles(read, config.withdrawn);
  return (input) => makePeopleFiles({ ...input, config, news, from: known?.from });
}

/** Tells what changed, URL by URL. Loaded only where it is asked for. */
async function tellChanges(
  { config, site, now, clock }: Run,
  scanned: ScannedSite,
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<ToldChanges> {
  if (history === undefined || known === undefined) return { changes: [], groups: [] };
  clock.enter('changes');
  const { tellPublication } = await import('./diff/run/publication.js');
  return tellPublication({ config, site, scanned, history, known, now }, clock);
}

/** Edits the site before it is read. Where nothing of the kind is asked for, nothing is loaded. */
async function editPages({
  config,
  site,
  clock,
  memory,
}: Pick<Run, 'config' | 'site' | 'clock' | 'memory'>): Promise<EditedSite | undefined> {
  const edits = config.robots || config.htmlLinks || config.headers !== undefined;
  if (!edits && !config.pageLinks) return undefined;
  clock.enter('discovery');
  const { editSite } = await import('./discovery/edit.js');
  const edited = await editSite(site, config, clock.wait);
  // Nobody has told the memory yet of what was edited just now.
  if (edits) memory?.site.doubt();
  clock.enter('scan');
  return edited;
}

/** What pages link to is listed along with what the configuration says of them. */
function addLinks(config: Config, links: EditedSite['links']): Config {
  if (links === undefined || links.size === 0) return config;
  return {
    ...config,
    extras: (facts) => {
      const { links: configured = [], ...extras } = config.extras?.(facts) ?? {};
      const own = config.withdrawn(facts.uri) ? [] : (links.get(facts.path) ?? []);
      const known = new Set(configured.map(({ rel, href }) => `${rel} ${href}`));
      const all = [...configured, ...own.filter(({ rel, href }) => !known.has(`${rel} ${href}`))];
      return all.length === 0 ? extras : { ...extras, links: all };
    },
  };
}

/**
 * Stages everything, records the publication where that is wanted, and moves all into place.
 *
 * @returns undefined when another run has recorded a publication meanwhile; nothing is published then
 */
async function publishState(
  run: Run,
  scanned: ScannedSite,
  history: History | undefined,
  {
    state,
    known,
    people,
  }: {
    readonly state: SiteState;
    readonly known: KnownHistory | undefined;
    readonly people: MakePeopleFiles;
  },
): Promise<Omit<Outcome, 'site' | 'scanned' | 'edited' | 'details'> | undefined> {
  const { config, site, clock } = run;
  clock.enter('publish');
  const staging = await openStaging(site, clock.wait);
  try {
    const versioned = await addVersions(run, scanned, { state, history, known, staging: staging.folder });
    const { packages, sets, notices } = await packSets(run, versioned?.sets ?? state.sets, staging.folder);
    clock.enter('plan');
    const documents = planDocuments({ url: config.url, describedby: config.describedby, sets, at: state.at });
    const all = [...packages.flatMap(({ files }) => files), ...documents];
    const files = people({ sets, documents: all.map(({ path }) => path), at: state.at });
    clock.enter('publish');
    staging.prepare(
      [
        ...(versioned?.files ?? []),
        ...packages.flatMap(({ files }) => files),
        ...documents.slice(0, -1).map(makePublishable),
        // They link to all of these, and the Source Description to the page.
        ...files.map(({ path, text }) => ({ path, content: [text] })),
        ...documents.slice(-1).map(makePublishable),
      ],
      versioned?.leaving,
    );
    const recording = await record(run, scanned, history, state.at);
    if (recording === 'overtaken') return undefined;
    const { published, removed } = staging.commit(recording === 'recorded');
    return {
      state: {
        ...state,
        notices: [
          ...state.notices,
          ...(versioned?.notices ?? []),
          ...(await noticeWithdrawn(config, state)),
          ...notices,
          ...noticePreview(config, process.env),
        ],
      },
      versions: config.versions && (versioned?.versions ?? []),
      packages,
      documents: [...packages.map(({ manifest }) => manifest), ...documents],
      people: files,
      recorded: recording === 'recorded',
      published,
      removed,
    };
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

/** Gives changes links to versions. Where there are none, and were none, nothing is loaded. */
async function addVersions(
  { config, site, source }: Run,
  scanned: ScannedSite,
  { state, ...rest }: { state: SiteState } & Pick<VersionsPlace, 'history' | 'known' | 'staging'>,
): Promise<AddedVersions | undefined> {
  // What is carried on may link to versions of before.
  const isLinked = source?.kind === 'published' && hasLinks(state);
  const isWanted = config.versions !== undefined || isLinked || existsSync(join(site, VERSIONS_INVENTORY));
  if (!isWanted) return undefined;
  const versions = await import('./versions/run/add.js');
  return versions.addVersions({ config, site, place: source, scanned, ...rest }, state);
}

async function noticeWithdrawn(config: Config, { sets }: SiteState): Promise<Notice[]> {
  if (config.withdrawals.length === 0) return [];
  const { noticeWithdrawals } = await import('./versions/withdrawals.js');
  return noticeWithdrawals(config, sets);
}

function hasLinks({ sets }: SiteState): boolean {
  return sets.some(({ changes = [] }) => changes.some((list) => list.changes.some((one) => 'links' in one)));
}

interface PackedSets {
  readonly packages: readonly MadePackage[];
  /** Their dumps are as long as can be. */
  readonly sets: readonly DescribedSet[];
  readonly notices: readonly Notice[];
}

/** Gets and writes the packages that there are to be. Where there are none, nothing is loaded. */
async function packSets(
  { config, site, source, clock }: Run,
  planned: readonly PlannedSet[],
  staging: string,
): Promise<PackedSets> {
  if (!config.dumps.resources && !config.dumps.changes) return { packages: [], sets: planned, notices: [] };
  clock.enter('pack');
  const { fetchCarriedPackages } = await import('./dumps/carry.js');
  const { listPackages, writePackages } = await import('./dumps/make.js');
  const packing = { config, site, repository: repositoryOf(source), staging };
  const carried = await fetchCarriedPackages(packing, planned);
  const packages = [...carried.packages, ...(await writePackages(packing, carried.sets, clock.tell))];
  const sets = carried.sets.map((set) => listPackages(set, packages));
  return { packages, sets, notices: carried.notices };
}

function makePublishable({ path, document, text }: PlannedDocument): Publishable {
  return { path, content: text === undefined ? serializeDocument(document, OWNER_MARK) : [text] };
}

/** Keeps this publication, where that is wanted. */
async function record(
  { config, site, now, clock }: Run,
  scanned: ScannedSite,
  history: History | undefined,
  at: Date,
): Promise<'recorded' | 'nothing' | 'overtaken'> {
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const { recordState } = await import('./history/record.js');
  const recording = await recordState(history, site, scanned, { at, now });
  clock.enter('publish');
  return recording;
}

/**
 * Looks at all of a site, and says whether it differs from what the last run met.
 *
 * @param failure the message of the last run, if it failed
 */
export async function siteHasChanged(
  config: Config,
  memory: RunMemory,
  failure: string | undefined,
): Promise<boolean> {
  const source = memory.history?.kind === 'git' ? memory.history.place : undefined;
  memory.site.doubt();
  try {
    const site = resolveSite(config.site);
    await scanSite(site, config, { blobName: blobNameOf(source), reader: memory.site });
    return memory.site.hasChanged();
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message !== failure;
  }
}
