/** What is to be found out about pages: what the configuration makes use of, and nothing else. Pure. */

import type { WantedFacts } from '../page/facts/seen.js';
import type { ScanConfig } from '../project/find.js';

/** Undefined where nothing is of interest, so that no page is looked at. */
export function planLook(config: WishConfig): WantedFacts | undefined {
  const { url, urls, sets, robots, htmlLinks, pageLinks, notices } = config;
  const skips = sets.some(({ noindex }) => noindex === 'skip');
  const wishes = {
    noindex: skips || (robots && notices['noindex-listed'] !== false),
    canonical: robots && notices['canonical-elsewhere'] !== false,
    links: pageLinks,
    lists: htmlLinks,
  };
  return Object.values(wishes).includes(true) ? { wishes, url, urls } : undefined;
}

type WishConfig = Pick<
  ScanConfig,
  'url' | 'urls' | 'sets' | 'robots' | 'htmlLinks' | 'pageLinks' | 'notices'
>;
