/** The pipeline: config → scan → history → plan → pack → documents → publish. */

import { formatDatetime } from '../base/datetime.js';
import { ResyncError } from '../base/errors.js';
import type { SkipReason } from '../base/notices.js';
import { type Observer, startClock } from '../base/progress.js';
import { say } from '../base/text/say.js';
import { fixNow } from '../base/time.js';
import type { Config } from '../config/config.js';
import { takeEnvironment } from '../config/file.js';
import type { UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import type { ToldChanges } from '../diff/report.js';
import { noticeBuild } from '../diff/run/notice.js';
import type { KnownSite } from '../diff/run/past.js';
import { resolveSite } from '../files/folder.js';
import { PageRecords } from '../files/page/records.js';
import { blobNameOf, findHistory } from '../history/find.js';
import type { History, KnownHistory } from '../history/known.js';
import { readHistory, readKnownHistory } from '../history/read.js';
import type { EditedSite } from '../site/discovery/edit.js';
import { leaveSitemaps } from '../site/discovery/leave.js';
import type { SiteSitemaps } from '../site/discovery/sitemaps.js';
import { refuseProject } from '../site/project/project.js';
import { SiteMemory } from '../site/scan/rescan.js';
import { scanSite } from '../site/scan/scan.js';
import type { ScannedSite } from '../site/scanned.js';
import type { Joined } from './join/check.js';
import { gatherNotices, noticePages } from './notices.js';
import {
  makeReport,
  type PlannedSitemap,
  type RecordConfig,
  type RecordOptions,
  type RecordReport,
  type Report,
  type RunOutcome,
  type SkippedFile,
} from './report.js';
import type { ShownPages } from './run/pages.js';
import { dateRun, digestPending } from './run/pending.js';
import { type MakePeopleFiles, type Publishing, publishState } from './run/publish-state.js';
import { deriveState } from './state.js';

/**
 * Describes a site: reads its files and its history, and publishes the documents of ResourceSync into it: the Source
 * Description, and for each set of resources a Capability List, a Resource List, a Change List where there is a history, and
 * what else is configured, such as dumps, archives, versions and files for people. Where so configured, it edits `robots.txt`,
 * `_headers` and pages of the site, and adds a publication to the history.
 *
 * Prints nothing. In the environment, `SOURCE_DATE_EPOCH` fixes the moment of the snapshot, in seconds, and
 * `RESYNC_HISTORY` wins over `history`, and `RESYNC_SIGNING_KEY` over the key of `sign`.
 *
 * @throws ResyncError; the documents of the run before are then still in place
 */
export async function describe(
  config: UserConfig,
  observe?: Observer,
  { details = false }: DescribeOptions = {},
): Promise<Report> {
  const resolved = resolveConfig({ ...config, ...takeEnvironment(process.env, config).options });
  return describeSite(resolved, fixNow(process.env), observe, { details });
}

/** How much to tell. */
export interface DescribeOptions {
  /**
   * Whether the report has `details`: what changed, URL by URL, with the kind of each change, and which files were left
   * out. It takes about as long as `diff`. @default false
   */
  readonly details?: boolean;
}

/**
 * Keeps the publication that is in a folder, once it was deployed: adds it to the snapshots in git, with the moment that its
 * documents say. The next build then repeats its Change List. Writes nothing into the site, and prints nothing.
 *
 * @throws ResyncError `config-invalid`; `record-refused` where the folder, its documents and the history do not belong together; `not-live`
 *   with `live`, where something else is served; `source-unreadable` where the folder was never described
 */
export async function record(config: RecordConfig, options: RecordOptions = {}): Promise<RecordReport> {
  const { findDescribedUrl, recordSite } = await import('./run/record.js');
  const given: Partial<RecordConfig> = { ...config };
  const { site, url } = given;
  const isAsked = url === undefined && typeof site === 'string' && site !== '';
  const user = isAsked ? { ...given, url: await findDescribedUrl(site) } : given;
  // Where no folder is given, that is all that is wrong: the URL stands in it.
  return recordSite(resolveConfig(user, { told: url === undefined ? ['url'] : [] }), options);
}

/** What one run leaves to the next, to be used with one configuration. */
export interface RunMemory {
  readonly site: SiteMemory;
  history: History | undefined;
  /** What was found of the sets of others. They are looked at once, and not after every rebuild. */
  joined: Joined | undefined;
  /** How the sitemaps stood after the run. */
  sitemaps: string | undefined;
}

/** Makes a memory for the first run. */
export function makeRunMemory(): RunMemory {
  return { site: new SiteMemory(), history: undefined, joined: undefined, sitemaps: undefined };
}

/** What all steps of one run share. */
interface Run extends Publishing {
  readonly memory: RunMemory | undefined;
  /** What was read before. */
  readonly read: History | undefined;
  readonly details: boolean;
  readonly records: PageRecords;
  /** Undefined where nothing is wanted of sitemaps. */
  readonly standing: SiteSitemaps | undefined;
}

/** A run that has read the site. */
interface ReadRun extends Run {
  readonly scanned: ScannedSite;
  /** What is no resource, in the order of the paths; empty unless it is to be told. */
  readonly skipped: readonly SkippedFile[];
  /** What was changed in the site before; undefined where nothing of the kind was asked for. */
  readonly edited: EditedSite | undefined;
  readonly history: History | undefined;
}

/** A run that has published it. */
interface PublishedRun extends ReadRun, Omit<RunOutcome, 'details'> {
  readonly known: KnownHistory | undefined;
  readonly details: boolean;
}

/**
 * `describe` with a configuration that is resolved already.
 *
 * @param options `memory` of the run before, if there was one, spares to read again what has not changed; `read` is a
 *   history that was read for this run
 */
export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
  {
    memory,
    read = memory?.history,
    details = false,
  }: DescribeOptions & {
    readonly memory?: RunMemory | undefined;
    readonly read?: History | undefined;
  } = {},
): Promise<Report> {
  const clock = startClock(observe);
  return startRun({ config, now, clock, memory, read, details })
    .then(readSite)
    .then(publishSite)
    .then(tellRun);
}

/** Finds out where the site is, what others have of it, and where its history is kept. */
async function startRun(
  asked: Omit<Run, 'site' | 'records' | 'source' | 'joined' | 'standing'>,
): Promise<Run> {
  const { clock, memory } = asked;
  const site = resolveSite(asked.config.site);
  refuseProject(site);
  refuseFuture(asked.config.changes, asked.now);
  clock.enter('scan');
  const { config, sitemaps: standing } = await leaveSitemaps(asked.config, site);
  const joined = await readJoined(config, site, memory);
  const source = config.sets.length === 0 ? undefined : await findHistory(config, site);
  const records = new PageRecords(site, config.url);
  return { ...asked, config, site, records, source, joined, standing };
}

/** A list that begins later than this run would have nothing in it, and no client could say since when it holds. */
function refuseFuture({ since }: Config['changes'], now: Date): void {
  if (since === undefined || since <= now) return;
  throw new ResyncError(
    'config-invalid',
    say`changes.since must not be later than this run (${formatDatetime(now)}), but is ${formatDatetime(since)}.\nName the moment at which the options changed.`,
  );
}

/** Reads the site and its history at one time. What makes the documents easier to find is edited before. */
async function readSite(run: Run): Promise<ReadRun> {
  const { config, source, read } = run;
  const rootEdits = await editRootFiles(run);
  const [{ linked, ...scan }, history] = await Promise.all([
    scanLinked(run),
    source && readHistory(source, config, read),
  ]);
  return { ...run, ...scan, edited: joinEdits(rootEdits, linked), history };
}

/** Finds out what there is to say of the site, and publishes it. */
async function publishSite(run: ReadRun): Promise<PublishedRun> {
  const { config, site, source, now, clock, memory, records, scanned, history } = run;
  if (memory !== undefined) memory.history = history;
  clock.enter('changes');
  const moment = history === undefined ? now : await dateRun(config, site, scanned, history, now);
  const known = history && (await readKnownHistory(config, scanned, history, moment));
  const state = deriveState(config, scanned, known, now);
  const past = { config, site, scanned, history, known, records };
  const shown = readShown(past);
  // What is wrong with it is told where it is waited for.
  shown.catch(() => undefined);
  const { people, excerpts } = await readPeople(past, shown);
  const sitemap = planSitemaps(run.standing, past, { shown, excerpts, at: state.at });
  sitemap.catch(() => undefined);
  const builtOf = findBuildSource(history, known);
  const [published, ...seen] = await Promise.all([
    publishState(run, { scanned, history, known, builtOf, state, people, sitemap }),
    noticeBuild({ site, url: config.url }, scanned, { history, known, builtOf }, state.changes.updated),
    noticePages(site, config, scanned),
  ]);
  // Another run has recorded its state meanwhile, and this one is what comes after that.
  if (published === undefined)
    return publishSite({ ...run, history: source && (await readHistory(source, config)) });
  records.save();
  await leaveBuild(run, known, { ...published, builtOf });
  if (memory !== undefined && run.standing !== undefined)
    memory.sitemaps = (await leaveSitemaps(config, site)).sitemaps?.identity;
  return {
    ...run,
    ...published,
    known,
    notices: gatherNotices(config, published, { ...run, seen: seen.flat() }),
  };
}

/** The commit that the site was built of, where something is pending; undefined where nobody knows. */
async function findBuildSource(
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<string | undefined> {
  if (history?.kind !== 'git' || known?.pending !== true) return undefined;
  const { findCleanCommit } = await import('../history/git/sources.js');
  return findCleanCommit(history.place);
}

/** Leaves what is pending to `record`, which comes after the deploy, and to builds that find an empty folder. */
async function leaveBuild(
  { config, site, scanned, history, source }: ReadRun,
  known: KnownHistory | undefined,
  { recorded, builtOf }: Pick<RunOutcome, 'recorded'> & { readonly builtOf: Promise<string | undefined> },
): Promise<void> {
  if (known === undefined || history === undefined || source?.kind !== 'git' || !source.mayBeMissing) return;
  const { leavePending } = await import('../config/kept.js');
  if (!known.pending || recorded) return leavePending(site, config.sets, undefined);
  const state = digestPending(config.url, scanned, history);
  leavePending(site, config.sets, { at: formatDatetime(known.at), state, source: await builtOf });
}

/** Tells what was done. What changed, URL by URL, is loaded only where it is asked for. */
async function tellRun(run: PublishedRun): Promise<Report> {
  const { config, clock, history, known, skipped } = run;
  if (!run.details) return makeReport(config, { ...run, details: undefined }, clock.stop());
  let told: ToldChanges = { changes: [], groups: [] };
  if (history !== undefined && known !== undefined) {
    clock.enter('changes');
    const { tellPublication } = await import('../diff/run/publication.js');
    told = await tellPublication({ ...run, history, known }, clock);
  }
  return makeReport(config, { ...run, details: { ...told, skipped } }, clock.stop());
}

/** Plans the sitemap and `pages.json`. Where there is to be neither, nothing is loaded. */
async function planSitemaps(
  standing: SiteSitemaps | undefined,
  past: KnownSite,
  listed: ListedPages,
): Promise<PlannedSitemap | undefined> {
  const { sitemap, isJoined, joined, writesPages } = past.config;
  // One that was wanted before goes, unless another build of the Source may want it.
  const isShared = isJoined || joined.length > 0;
  const none = standing && { files: [], removed: isShared ? [] : standing.own, notices: [] };
  const shown = await listed.shown;
  if (shown === undefined) return none;
  const { planPages } = await import('./run/pages.js');
  const pages = writesPages ? [planPages(past, shown, listed.excerpts, listed.at)] : [];
  if (sitemap === undefined || standing === undefined)
    return { removed: [], notices: [], ...none, files: pages };
  const { planSitemap } = await import('./run/sitemap.js');
  const planned = await planSitemap(past, standing, { rules: sitemap, shown });
  return { ...planned, files: [...planned.files, ...pages] };
}

/** What there is to be said of pages. */
interface ListedPages {
  readonly shown: Promise<ShownPages | undefined>;
  /** What is quoted of pages, by URL. */
  readonly excerpts: ReadonlyMap<string, string>;
  /** The moment of the publication. */
  readonly at: Date;
}

/** Finds the pages that search engines may show, and their dates. Where nobody asks, nothing is loaded. */
async function readShown(past: KnownSite): Promise<ShownPages | undefined> {
  if (!past.config.readsPages) return undefined;
  const { readShownPages } = await import('./run/pages.js');
  return readShownPages(past);
}

/** What the page and the feed tell, and what is quoted. */
interface People extends Pick<ListedPages, 'excerpts'> {
  readonly people: MakePeopleFiles;
}

/** Reads what the page and the feed tell. Where there is neither, nothing is loaded. */
async function readPeople(past: KnownSite, shown: ListedPages['shown']): Promise<People> {
  const { config } = past;
  if (config.page === undefined && config.feed === undefined)
    return { people: () => [], excerpts: new Map() };
  const { readNews, readSiteName } = await import('./people/run/read-news.js');
  const { makePeopleFiles } = await import('./people/make.js');
  const news = await readNews(past, shown);
  const name = await readSiteName(past);
  const quoted = news.recent.flatMap(({ pages }) => pages);
  return {
    people: (input) => makePeopleFiles({ ...input, config, news, name, from: past.known?.from }),
    excerpts: new Map(quoted.flatMap(({ uri, excerpt }) => (excerpt === undefined ? [] : [[uri, excerpt]]))),
  };
}

/** Looks at the sets that others describe. Where there are none, nothing is loaded. */
async function readJoined(
  config: Config,
  site: string,
  memory: RunMemory | undefined,
): Promise<Joined | undefined> {
  if (config.joined.length === 0) return undefined;
  const { checkJoined } = await import('./join/check.js');
  const joined = memory?.joined ?? (await checkJoined(config, site));
  if (memory !== undefined) memory.joined = joined;
  return joined;
}

/** Edits `robots.txt` and `_headers` before the site is read. Where nothing of the kind is asked for, nothing is loaded. */
async function editRootFiles({ config, site, clock, joined }: Run): Promise<EditedSite | undefined> {
  if (!config.robots && config.headers === undefined) return undefined;
  clock.enter('discovery');
  const { editSite } = await import('../site/discovery/edit.js');
  const edited = await editSite(site, { ...config, others: joined?.resourceLists }, clock.wait);
  clock.enter('scan');
  return edited;
}

/** Reads the site. Where pages are to have links, those that lack them are edited, and read again. */
async function scanLinked(run: Run) {
  const { config, site, clock } = run;
  const scan = await scanOnce(run);
  if (!config.htmlLinks) return { ...scan, linked: undefined };
  clock.enter('discovery');
  const { linkPages } = await import('../site/discovery/edit.js');
  const linked = await linkPages(site, config, scan.scanned, clock.wait);
  clock.enter('scan');
  if (linked.files.pages === 0) return { ...scan, linked };
  return { ...(await scanOnce(run)), linked };
}

async function scanOnce({ config, site, records, source, clock, memory, details }: Run) {
  const skipped: SkippedFile[] = [];
  const note = (path: string, reason: SkipReason) => {
    if (reason !== 'own-document') skipped.push({ path, reason });
  };
  const scanned = await scanSite(site, config, {
    blobName: blobNameOf(source),
    onProgress: clock.tell,
    onSkipped: details ? note : undefined,
    reader: memory?.site,
    records,
  });
  // Folders are read in any order.
  return { scanned, skipped: skipped.sort((a, b) => (a.path < b.path ? -1 : 1)) };
}

function joinEdits(a: EditedSite | undefined, b: EditedSite | undefined): EditedSite | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return {
    files: { pages: a.files.pages + b.files.pages, files: [...a.files.files, ...b.files.files] },
    notices: [...a.notices, ...b.notices],
  };
}

/**
 * Looks at all of a site, and says whether it differs from what the last run met.
 *
 * @param failure the message of the last run, if it failed
 */
export async function siteHasChanged(
  asked: Config,
  memory: RunMemory,
  failure: string | undefined,
): Promise<boolean> {
  const source = memory.history?.kind === 'git' ? memory.history.place : undefined;
  if (asked.sets.length === 0) return false;
  try {
    const site = resolveSite(asked.site);
    const { config, sitemaps } = await leaveSitemaps(asked, site);
    if (sitemaps?.identity !== memory.sitemaps) return true;
    await scanSite(site, config, { blobName: blobNameOf(source), reader: memory.site });
    return memory.site.hasChanged;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message !== failure;
  }
}
