/** Which files of a site are judged by whether they say `noindex`. Pure. */

import type { Config } from '../../config/config.js';
import { PAGE_FILE } from '../../site/page/facts/seen.js';

/** Whether it counts what a page says: some set leaves out pages that say `noindex`, and might hold this one. */
export function isJudged({ sets }: Pick<Config, 'sets'>, path: string): boolean {
  return PAGE_FILE.test(path) && sets.some(({ noindex, holds }) => noindex === 'skip' && holds(path));
}
