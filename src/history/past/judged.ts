/** Tests which files of a site are read for `noindex`. Pure. */

import type { Config } from '../../config/config.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';

/** Tests whether `noindex` in this page matters. */
export function isJudged({ noindex, sets }: Pick<Config, 'noindex' | 'sets'>, path: string): boolean {
  return noindex === 'skip' && PAGE_FILE.test(path) && sets.some(({ holds }) => holds(path));
}
