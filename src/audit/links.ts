/** Checks linked documents: that they exist, and that TimeMaps agree with the changes that link to them. */

import { readStart } from '../source/document.js';
import { isAbsent } from '../source/origin/origin.js';
import { compareTimeMap } from './agreement/versions.js';
import type { Picture } from './picture.js';
import { flagAbsent } from './read.js';

/** Limit of a TimeMap, in bytes; a longer TimeMap is not compared. */
const MOST_TIMEMAP_BYTES = 4 * 1024 * 1024;

export async function checkLinks({ run, links, timeMaps }: Picture): Promise<void> {
  const seen = new Set<string>();
  for (const { expected: entry = '', ...place } of links) {
    // The fragment of a link is not checked.
    const uri = entry.replace(/#.*$/s, '');
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await run.origin.open(uri);
    if (isAbsent(opened)) {
      flagAbsent(opened, 'link-broken', { ...place, entry }, run);
      continue;
    }
    const versions = timeMaps.get(entry) ?? [];
    // A TimeMap is read for two changes or more: the version of a single one cannot contradict it.
    const text = await readStart(opened.body, versions.length < 2 ? 1 : MOST_TIMEMAP_BYTES);
    if (versions.length < 2 || text === undefined || text.length >= MOST_TIMEMAP_BYTES) continue;
    compareTimeMap(uri, text, versions, run.flag);
  }
}
