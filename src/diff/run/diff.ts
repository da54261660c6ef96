/** Compares a site with its newest publication; writes nothing. */

import { ResyncError } from '../../base/errors.js';
import { type Observer, StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { PageRecords } from '../../files/page/records.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { findCleanCommit } from '../../history/git/sources.js';
import { readHistory, readTimeline } from '../../history/read.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { refuseProject } from '../../site/project.js';
import { scanSite } from '../../site/scan/scan.js';
import type { Comparison } from '../model.js';
import type { DiffReport } from '../report.js';
import { judgeBuild, type Unreproducible } from '../reproducible.js';
import { compareWithPast } from './compare-past.js';
import { findMovedDates } from './dates.js';
import { findPast } from './find-past.js';
import { findGone } from './gone.js';
import { findSameSource, selectFiles } from './notice.js';
import type { Past, ReadPresent, SiteWithHistory } from './past.js';
import { readPresentSite } from './present.js';

export interface DiffOptions {
  readonly observe?: Observer;
  /** True to find out what answers the addresses that were published once. @default false */
  readonly gone?: boolean;
  /** With `gone`, true to ask the live site for these addresses, instead of reading redirects. @default false */
  readonly live?: boolean;
  /** The folder of `netlify.toml` and `vercel.json`, unless they are in the site. @default the folder around the site */
  readonly project?: string;
}

/**
 * Reports what the next publication of a site would change: what `describe` would list with the same configuration, and the
 * kind of each change. Writes nothing, neither into the site nor into a repository, and prints nothing.
 *
 * @throws ResyncError
 */
export async function diffSite(
  asked: Config,
  now: Date,
  { observe = () => undefined, gone = false, live = false, project }: DiffOptions = {},
): Promise<DiffReport> {
  if (asked.sets.length === 0) refuseJoining();
  const clock = new StageClock(observe);
  clock.enter('scan');
  const run = await readRun(asked, gone, clock);
  const { config, site, scanned, history, readFile } = run;
  clock.enter('changes');
  const timeline = history && (await readTimeline(config, scanned, history, now));
  const past = await findPast(config, { ...run, timeline });
  const { comparison, incomplete } = await compareWithPast(past, readFile, config.url, clock.report);
  const lost =
    gone && past.history !== undefined
      ? await findGone({ ...run, project, live }, past, past.history, clock)
      : undefined;
  const hasDates = config.sitemap !== undefined && past.comparedWith.at !== undefined;
  const sitemap = hasDates ? await findMovedDates({ ...run, timeline }, past.changes) : undefined;
  const unreproducible = await judge(run, past.changes, comparison);
  return {
    site,
    url: config.url,
    comparedWith: past.comparedWith,
    changes: comparison.changes,
    groups: comparison.groups,
    ...(incomplete !== undefined && { incomplete }),
    ...(unreproducible !== undefined && { unreproducible }),
    ...(comparison.passage !== undefined && { passage: comparison.passage }),
    ...(sitemap !== undefined && { sitemap }),
    ...(lost !== undefined && { gone: lost }),
  };
}

interface DiffRun extends Omit<SiteWithHistory, 'timeline'> {
  readonly config: Config;
  readonly readFile: ReadPresent;
}

async function readRun(asked: Config, leads: boolean, clock: StageClock): Promise<DiffRun> {
  const site = resolveSite(asked.site);
  refuseProject(site);
  const { config: all } = await excludeSitemaps(asked, site);
  const place = await findHistory(all, site);
  const blobName = blobNameOf(place);
  // Leaves out what `diff` does not need: packages, archives and digests of superseded versions.
  const config: Config = {
    ...all,
    dumps: { ...all.dumps, resources: false, changes: false },
    archives: undefined,
    changes: { ...all.changes, window: 0 },
    wishes: { ...all.wishes, leads },
  };
  const records = new PageRecords(site, config.url);
  const { reader, readFile } = await readPresentSite(site, config, blobName);
  const [scanned, history] = await Promise.all([
    scanSite(site, config, { blobName, onProgress: clock.report, reader, records }),
    place && readHistory(place, config),
  ]);
  return { config, site, scanned, history, records, readFile };
}

async function judge(
  { history, scanned }: DiffRun,
  changes: Past['changes'],
  comparison: Comparison,
): Promise<Unreproducible | undefined> {
  const source =
    history?.kind === 'git' ? await findSameSource(history, findCleanCommit(history.place)) : undefined;
  const { updated, files } = selectFiles(changes, scanned, source);
  return judgeBuild({ updated: updated.length, pages: files }, comparison, source);
}

function refuseJoining(): never {
  throw new ResyncError(
    'config-invalid',
    say`This configuration describes no set of its own, so there is nothing to compare.\nRun diff in the builds that describe the sets.`,
  );
}
