/** Which files of a site are judged by whether they say `noindex`. Pure. */

import type { Config } from '../../config/config.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';

/** Whether it counts what a page says: pages that say `noindex` are left out, and some set might hold this one. */
export function isJudged({ noindex, sets }: Pick<Config, 'noindex' | 'sets'>, path: string): boolean {
  return noindex === 'skip' && PAGE_FILE.test(path) && sets.some(({ holds }) => holds(path));
}
