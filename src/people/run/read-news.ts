/** Reads what the page and the feed tell, from where the history is kept. */

import type { Config } from '../../config/config.js';
import { DEFAULTS } from '../../config/options.js';
import type { History, KnownHistory } from '../../history/known.js';
import type { ScannedSite } from '../../site/scan.js';
import { type News, NO_NEWS } from '../log.js';
import { readCommittedNews } from './committed.js';
import { readContinuedNews } from './continued.js';

/**
 * Reads what changed by publication, and the titles of pages.
 *
 * @param site absolute path
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readNews(
  config: Config,
  site: string,
  scanned: ScannedSite,
  history: History | undefined,
  known: KnownHistory | undefined,
): Promise<News> {
  const { changes, limit } = config.feed ?? DEFAULTS.feed;
  if (history?.kind === 'git' && known?.committed !== undefined) {
    return await readCommittedNews({ site, scanned, history }, known.committed, { changes, limit });
  }
  if (history?.kind === 'published' && known !== undefined) {
    return await readContinuedNews({ site, config, scanned, history, known }, { changes, limit });
  }
  return NO_NEWS;
}
