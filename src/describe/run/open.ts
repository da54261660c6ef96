/** Opens a run: finds the site, the sets of other builds, and the place of the history. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import type { StageClock } from '../../base/progress.js';
import { say } from '../../base/text/say.js';
import type { Config } from '../../config/config.js';
import { resolveSite } from '../../files/folder.js';
import { PageRecords } from '../../files/page/records.js';
import { findHistory } from '../../history/find.js';
import type { HistoryPlace } from '../../history/history.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import type { SiteSitemaps } from '../../site/discovery/sitemaps.js';
import { refuseProject } from '../../site/project.js';
import { type Joined, NO_JOINED } from '../join/joined.js';
import type { RunMemory } from './memory.js';

export interface RunOptions {
  readonly now: Date;
  readonly clock: StageClock;
  readonly memory: RunMemory;
  /** True if the report is to list each change by URL, and each skipped file. */
  readonly details: boolean;
}

/** Data that all steps of a run share. */
export interface Run extends RunOptions {
  readonly config: Config;
  readonly site: string;
  /** The place of the history; undefined if there is none. */
  readonly source: HistoryPlace | undefined;
  readonly joined: Joined;
  /** Existing sitemaps in the site; undefined if this run neither writes nor removes sitemaps. */
  readonly existingSitemaps: SiteSitemaps | undefined;
  readonly records: PageRecords;
}

/** Opens a run. @throws ResyncError `site-unreadable`, `site-is-project`, `config-invalid`, `history-missing`, `git-failed` */
export async function openRun(asked: Config, options: RunOptions): Promise<Run> {
  const site = resolveSite(asked.site);
  refuseProject(site);
  refuseFuture(asked.changes, options.now);
  options.clock.enter('scan');
  const { config, sitemaps: existingSitemaps } = await excludeSitemaps(asked, site);
  options.memory.sitemaps = existingSitemaps?.identity;
  return {
    ...options,
    config,
    site,
    joined: await readJoined(config, site, options.memory),
    source: config.sets.length === 0 ? undefined : await findHistory(config, site),
    records: new PageRecords(site, config.url),
    existingSitemaps,
  };
}

/** Refuses a `changes.since` that is later than this run: Change Lists would be empty and useless. */
function refuseFuture({ since }: Config['changes'], now: Date): void {
  if (since === undefined || since <= now) return;
  throw new ResyncError(
    'config-invalid',
    say`changes.since must not be later than this run (${formatDatetime(now)}), but is ${formatDatetime(since)}.\nName the moment at which the options changed.`,
  );
}

async function readJoined(config: Config, site: string, memory: RunMemory): Promise<Joined> {
  if (config.joined.length === 0) return NO_JOINED;
  const { checkJoined } = await import('../join/check.js');
  memory.joined ??= await checkJoined(config, { url: config.url, site }, config.sign !== undefined);
  return memory.joined;
}
