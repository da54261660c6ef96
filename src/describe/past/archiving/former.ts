/** Reads what the archives that stand in the site name. */

import { type ArchiveName, pathOfDocument } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import { parseArchived } from './parse.js';
import { readStanding } from './stage.js';

type Entry = ArchivedSnapshot | ArchivedInterval;

/** What is archived for the same time, under another name: with other options, or another version of ours. */
export function countRenamed(former: readonly Entry[], present: readonly Entry[]): number {
  const keyOf = (entry: Entry) => ('at' in entry ? entry.at : entry.until).getTime();
  const names = new Set(present.map(({ uri }) => uri));
  const moments = new Set(present.map(keyOf));
  return former.filter((entry) => !names.has(entry.uri) && moments.has(keyOf(entry))).length;
}

/** Reads the entries of an archive of a former run; none where it cannot be read. */
export async function readFormerArchive(
  site: string,
  { url, set }: { readonly url: string; readonly set: string | undefined },
  archive: ArchiveName,
): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const waiting = [pathOfDocument(set, archive)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const text = readStanding(site, path);
    const document = text === undefined ? undefined : await parseArchived(text);
    if (document === undefined) continue;
    // An index is no part of one.
    if ('parts' in document && waiting.length === 0 && entries.length === 0) {
      waiting.push(...document.parts.map(({ uri }) => uri.slice(url.length)).filter((part) => part !== path));
    } else if ('entries' in document) entries.push(...document.entries);
  }
  return entries;
}
