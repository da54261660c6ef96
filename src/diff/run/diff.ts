/** Comparison of a site with its newest publication; writes nothing. */

import { ResyncError } from '../../base/errors.js';
import { type Observer, StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { PageRecords } from '../../files/page/records.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { findCleanCommit } from '../../history/git/sources.js';
import { readHistory, readKnownHistory } from '../../history/read.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { refuseProject } from '../../site/project.js';
import { scanSite } from '../../site/scan/scan.js';
import { judgeType } from '../../standard/content.js';
import type { DiffReport, MovedDates } from '../report.js';
import { judgeBuild } from '../reproducible.js';
import { compareWithPast } from './compare-past.js';
import { findMovedDates } from './dates.js';
import { findPast } from './find-past.js';
import { findSameSource } from './notice.js';
import { readPresentSite } from './present.js';

export interface DiffOptions {
  /** Called with the progress. */
  readonly observe?: Observer;
  /** Whether to find out what answers the addresses that were published once. @default false */
  readonly gone?: boolean;
  /** With `gone`, whether to ask the live site for these addresses, instead of reading redirects. @default false */
  readonly live?: boolean;
  /** The folder in which `netlify.toml` and `vercel.json` are, unless they are in the site. @default that around the site */
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
  const site = resolveSite(asked.site);
  refuseProject(site);
  clock.enter('scan');
  const { config } = await excludeSitemaps(asked, site);
  const place = await findHistory(config, site);
  const blobName = blobNameOf(place);
  // Packages, archives and digests of superseded versions are not needed.
  const wanted: Config = {
    ...config,
    dumps: { ...config.dumps, resources: false, changes: false },
    archives: undefined,
    changes: { ...config.changes, window: 0 },
    readsLeads: gone,
  };
  const records = new PageRecords(site, config.url);
  const present = await readPresentSite(site, wanted, blobName);
  const [scanned, history] = await Promise.all([
    scanSite(site, wanted, { blobName, onProgress: clock.report, reader: present.reader, records }),
    place && readHistory(place, wanted),
  ]);
  clock.enter('changes');
  const past = await findPast(config, scanned, history, now);
  const { comparison, incomplete } = await compareWithPast(past, present.readFile, config.url, clock);
  const compared = { config, site, project, live, scanned, readFile: present.readFile };
  const lost =
    gone && past.history !== undefined
      ? await (await import('./gone.js')).findGone(compared, past, past.history, clock)
      : undefined;
  let sitemap: MovedDates | undefined;
  if (config.sitemap !== undefined && history !== undefined && past.comparedWith.at !== undefined) {
    const known = await readKnownHistory(wanted, scanned, history, now);
    const dated = { config: wanted, site, scanned, history, known, records, readFile: present.readFile };
    sitemap = await findMovedDates(dated, past.changes);
  }
  const source =
    place?.kind === 'git' && history?.kind === 'git'
      ? await findSameSource(history, findCleanCommit(place))
      : undefined;
  const counts = (type: string | undefined) => source !== undefined || judgeType(type) === 'page';
  const updated = past.changes.filter(({ change, type }) => change === 'updated' && counts(type)).length;
  const pages = scanned.resources.filter(({ type }) => counts(type)).length;
  const unreproducible = judgeBuild({ updated, pages }, comparison, source);
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

function refuseJoining(): never {
  throw new ResyncError(
    'config-invalid',
    say`This configuration describes no set of its own, so there is nothing to compare.\nRun diff in the builds that describe the sets.`,
  );
}
