/** Documents that others link to: whether they are there, and TimeMaps against the changes that link to them. */

import { readStart } from '../source/document.js';
import { isAbsent } from '../source/origin/origin.js';
import { compareTimeMap } from './agreement/versions.js';
import type { Picture, Run } from './picture.js';
import { flagAbsent } from './read.js';

/** If a TimeMap is longer, only its beginning would be known. */
const MOST_TIMEMAP_BYTES = 4 * 1024 * 1024;

export async function checkLinks(run: Run, { links, timeMaps }: Picture): Promise<void> {
  const seen = new Set<string>();
  for (const { expected: entry = '', ...place } of links) {
    // A place in a document is looked for by its readers.
    const uri = entry.replace(/#.*$/s, '');
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await run.origin.open(uri);
    if (isAbsent(opened)) {
      flagAbsent(opened, 'link-broken', { ...place, entry }, run);
      continue;
    }
    const told = timeMaps.get(entry) ?? [];
    // One change of a resource has nothing to contradict.
    const text = await readStart(opened.body, told.length < 2 ? 1 : MOST_TIMEMAP_BYTES);
    if (told.length < 2 || text === undefined || text.length >= MOST_TIMEMAP_BYTES) continue;
    compareTimeMap(uri, text, told, run.flag);
  }
}
