/** Reads what the page and the feed tell, from where the history is kept. */

import { DEFAULTS } from '../../../config/options.js';
import { type News, withholdTitles } from '../log.js';
import { readCommittedNews } from './committed.js';
import { readContinuedNews } from './continued.js';
import type { NewsPlace } from './examine.js';

/**
 * Reads what changed by publication, and the titles of pages.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readNews(place: NewsPlace): Promise<News> {
  const { withdrawals, withdrawn } = place.config;
  const news = await readAllNews(place);
  return withdrawals.length === 0 ? news : withholdTitles(news, withdrawn);
}

async function readAllNews({ config, site, scanned, history, known }: NewsPlace): Promise<News> {
  const { changes, limit } = config.feed ?? DEFAULTS.feed;
  const rules = { changes, limit, titles: true };
  if (history?.kind === 'git' && known?.committed !== undefined) {
    return await readCommittedNews({ site, scanned, history }, known.committed, rules);
  }
  if (history?.kind === 'published' && known !== undefined) {
    return await readContinuedNews({ site, config, scanned, history, known }, rules);
  }
  return { archives: [], recent: [], tombstones: [] };
}
