/** Plans a publication: what there is to say of the site, in lists, in sitemaps, and for people. */

import type { KnownSite } from '../../diff/run/past.js';
import type { History, KnownHistory } from '../../history/known.js';
import { readKnownHistory } from '../../history/read.js';
import type { SiteSitemaps } from '../../site/discovery/sitemaps.js';
import { makePeopleFiles, type PeopleFile, type PeopleInput } from '../people/make.js';
import type { PlannedSitemap } from '../report.js';
import type { ShownPages } from '../sitemap/pages.js';
import { planSitemap } from '../sitemap/sitemap.js';
import { deriveState, type SiteState } from '../state.js';
import { dateRun } from './pending.js';
import type { ReadRun } from './read.js';

/** Makes the files for people, once the documents are known. */
type MakePeopleFiles = (
  input: Omit<PeopleInput, 'config' | 'news' | 'name' | 'from'>,
) => readonly PeopleFile[];

/** What is to be published, but for what depends on the files that stand in the site. */
export interface Plan {
  readonly state: SiteState;
  readonly known: KnownHistory | undefined;
  /** The commit of the sources that this was built of; undefined if nobody knows. */
  readonly builtOf: Promise<string | undefined>;
  readonly people: MakePeopleFiles;
  /** It takes longer than all else. Undefined if nothing is wanted of sitemaps. */
  readonly sitemap: Promise<PlannedSitemap | undefined>;
}

/** @throws ResyncError `git-failed`, `file-changing`, `live-foreign`; of `sitemap`, where it is awaited */
export async function planPublication(run: ReadRun): Promise<Plan> {
  const { config, site, now, clock, records, scanned, history } = run;
  clock.enter('changes');
  const moment = history === undefined ? now : await dateRun(config, site, scanned, history, now);
  const known = history && (await readKnownHistory(config, scanned, history, moment));
  const state = deriveState(config, scanned, known, now);
  const past = { config, site, scanned, history, known, records };
  const shown = readShown(past);
  // Errors surface where it is awaited.
  shown.catch(() => undefined);
  const { people, excerpts } = await readPeople(past, shown);
  const sitemap = planSitemaps(run.standing, past, { shown, excerpts, at: state.at });
  sitemap.catch(() => undefined);
  return { state, known, people, sitemap, builtOf: findBuildSource(history, known) };
}

/** The commit that the site was built of, where something is pending; undefined where nobody knows. */
async function findBuildSource(
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<string | undefined> {
  if (history?.kind !== 'git' || known?.pending !== true) return undefined;
  const { findCleanCommit } = await import('../../history/git/sources.js');
  return findCleanCommit(history.place);
}

/** Plans the sitemap and `pages.json`. */
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
  const { planPages } = await import('../sitemap/pages.js');
  const pages = writesPages ? [planPages(past, shown, listed.excerpts, listed.at)] : [];
  if (sitemap === undefined || standing === undefined)
    return { removed: [], notices: [], ...none, files: pages };
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

/** Finds the pages that search engines may show, and their dates. */
async function readShown(past: KnownSite): Promise<ShownPages | undefined> {
  if (!past.config.readsPages) return undefined;
  const { readShownPages } = await import('../sitemap/pages.js');
  return readShownPages(past);
}

/** What the page and the feed tell, and what is quoted. */
interface People extends Pick<ListedPages, 'excerpts'> {
  readonly people: MakePeopleFiles;
}

/** Reads what the page and the feed tell. */
async function readPeople(past: KnownSite, shown: ListedPages['shown']): Promise<People> {
  const { config } = past;
  if (config.page === undefined && config.feed === undefined)
    return { people: () => [], excerpts: new Map() };
  const { readNews, readSiteName } = await import('../people/run/read-news.js');
  const news = await readNews(past, shown);
  const name = await readSiteName(past);
  const quoted = news.recent.flatMap(({ pages }) => pages);
  return {
    people: (input) => makePeopleFiles({ ...input, config, news, name, from: past.known?.from }),
    excerpts: new Map(quoted.flatMap(({ uri, excerpt }) => (excerpt === undefined ? [] : [[uri, excerpt]]))),
  };
}
