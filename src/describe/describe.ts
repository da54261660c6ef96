/** The pipeline: config → scan → history → plan → pack → documents → publish. */

import { ResyncError } from '../base/errors.js';
import type { SkipReason } from '../base/notices.js';
import { type Observer, startClock } from '../base/progress.js';
import { fixNow } from '../base/time.js';
import type { Config } from '../config/config.js';
import type { UserConfig } from '../config/options.js';
import { resolveConfig } from '../config/resolve.js';
import type { ToldChanges } from '../diff/report.js';
import { noticeBuild } from '../diff/run/notice.js';
import { blobNameOf, findHistory } from '../history/find.js';
import type { History, KnownHistory } from '../history/known.js';
import { readHistory, readKnownHistory } from '../history/read.js';
import type { EditedSite } from '../site/discovery/edit.js';
import { resolveSite } from '../site/folder.js';
import { refuseProject } from '../site/project/project.js';
import { makeSiteMemory, type SiteMemory } from '../site/scan/rescan.js';
import { scanSite } from '../site/scan/scan.js';
import type { ScannedSite } from '../site/scanned.js';
import type { Joined } from './join/check.js';
import { makeReport, type Report, type SkippedFile } from './report.js';
import { type MakePeopleFiles, type Publishing, publishState } from './run/publish-state.js';
import { deriveState } from './state.js';
import { noticeListed, noticeStyle } from './style.js';

/**
 * Describes a site: reads its files and its history, and publishes the documents of ResourceSync into it: the Source
 * Description, and for each set of resources a Capability List, a Resource List, a Change List where there is a history, and
 * what else is configured, such as dumps, archives, versions and files for people. Where so configured, it edits `robots.txt`,
 * `_headers` and pages of the site, and adds a publication to the history.
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
  /** What was found of the sets of others. They are looked at once, and not after every rebuild. */
  joined: Joined | undefined;
}

/** Makes a memory for the first run. */
export function makeRunMemory(): RunMemory {
  return { site: makeSiteMemory(), history: undefined, joined: undefined };
}

/** All that the stages of one run share. */
interface Run extends Publishing {
  readonly memory: RunMemory | undefined;
}

/**
 * `describe` with a configuration that is resolved already.
 *
 * @param options `memory` of the run before, if there was one, spares to read again what has not changed
 */
export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
  { memory, details = false }: DescribeOptions & { readonly memory?: RunMemory | undefined } = {},
): Promise<Report> {
  const clock = startClock(observe);
  const site = resolveSite(config.site);
  refuseProject(site, config);
  clock.enter('scan');
  const joined = await readJoined(config, site, memory);
  const source = config.sets.length === 0 ? undefined : await findHistory(config, site);
  const run: Run = { config, site, source, now, clock, memory };
  const rootEdits = await editRootFiles(run, joined);
  let skipped: SkippedFile[] = [];
  const onSkipped = (path: string, reason: SkipReason) => {
    if (reason !== 'own-document') skipped.push({ path, reason });
  };
  const read = (reader: SiteMemory | undefined) => {
    skipped = [];
    return scanSite(site, config, {
      blobName: blobNameOf(source),
      onProgress: clock.tell,
      onSkipped: details ? onSkipped : undefined,
      reader,
    });
  };
  const [{ scanned, linked }, first] = await Promise.all([
    scanLinked(run, read),
    source && readHistory(source, config, memory?.history),
  ]);
  const edited = joinEdits(rootEdits, linked);
  for (let history = first; ; history = source && (await readHistory(source, config))) {
    if (memory !== undefined) memory.history = history;
    clock.enter('changes');
    const known = history && (await readKnownHistory(config, scanned, history, now));
    const state = deriveState(config, scanned, known, now);
    const people = await readPeople(run, scanned, history, known);
    const [outcome, ...notices] = await Promise.all([
      publishState(run, { scanned, history, state, people, known }),
      noticeBuild(site, scanned, { history, known }, state.changes.updated),
      noticeStyle(site, config, scanned.files),
      noticeListed(config, scanned),
    ]);
    // Undefined: another run has recorded its state meanwhile, and this one is what comes after that.
    if (outcome === undefined) continue;
    const told = {
      ...outcome.state,
      notices: [...outcome.state.notices, ...(joined?.notices ?? []), ...notices.flat()],
    };
    const changed = details ? await tellChanges(run, scanned, history, known) : undefined;
    const all = { ...outcome, state: told, scanned, edited, joined, site };
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

/** Reads what the page and the feed tell. Where there is neither, nothing is loaded. */
async function readPeople(
  { config, site }: Run,
  scanned: ScannedSite,
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<MakePeopleFiles> {
  if (config.page === undefined && config.feed === undefined) return () => [];
  const { readNews } = await import('./people/run/read-news.js');
  const { makePeopleFiles } = await import('./people/make.js');
  const news = await readNews({ config, site, scanned, history, known });
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
  const { tellPublication } = await import('../diff/run/publication.js');
  return tellPublication({ config, site, scanned, history, known, now }, clock);
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
async function editRootFiles(
  { config, site, clock, memory }: Run,
  joined: Joined | undefined,
): Promise<EditedSite | undefined> {
  if (!config.robots && config.headers === undefined) return undefined;
  clock.enter('discovery');
  const { editSite } = await import('../site/discovery/edit.js');
  const edited = await editSite(site, { ...config, others: joined?.resourceLists }, clock.wait);
  // Nobody has told the memory yet of what was edited just now.
  memory?.site.doubt();
  clock.enter('scan');
  return edited;
}

/**
 * Reads the site. Where pages are to have links, those that lack them are edited, and read again.
 *
 * @param read reads it
 */
async function scanLinked(
  { config, site, clock, memory }: Run,
  read: (reader: SiteMemory | undefined) => Promise<ScannedSite>,
): Promise<{ readonly scanned: ScannedSite; readonly linked: EditedSite | undefined }> {
  const scanned = await read(memory?.site);
  if (!config.htmlLinks) return { scanned, linked: undefined };
  clock.enter('discovery');
  const { linkPages } = await import('../site/discovery/edit.js');
  const linked = await linkPages(site, config, scanned, clock.wait);
  clock.enter('scan');
  if (linked.files.pages === 0) return { scanned, linked };
  memory?.site.doubt();
  return { scanned: await read(memory?.site), linked };
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
  config: Config,
  memory: RunMemory,
  failure: string | undefined,
): Promise<boolean> {
  const source = memory.history?.kind === 'git' ? memory.history.place : undefined;
  if (config.sets.length === 0) return false;
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
