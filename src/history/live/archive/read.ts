/** Reads what the archives of the live site name. No deploy waits for the past: what cannot be read is lost. */

import { type ArchiveName, digestInName, folderOfArchives } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../standard/document.js';
import { ARCHIVE_KINDS, type SetArchives } from '../../archives/kinds.js';
import type { LiveArchive } from '../published.js';
import { type LiveReader, RESOURCE_BYTES } from '../reader.js';
import { foreign, isLiveFailure } from '../refusals.js';

type Entry = ArchivedInterval | ArchivedSnapshot;

/**
 * @param find the place of an archive; undefined where the set has none
 * @param dumps whether archives of dumps are read, too
 */
export async function readArchives(
  reader: LiveReader,
  url: string,
  { set, dumps }: { readonly set: string | undefined; readonly dumps: boolean },
  find: (archive: ArchiveName) => string | undefined,
): Promise<LiveArchive> {
  const lost: ArchiveName[] = [];
  const read = async <T extends Entry>(
    name: ArchiveName,
    isOne: (entry: Entry) => entry is T,
  ): Promise<T[]> => {
    const place = dumps || !name.includes('dump') ? find(name) : undefined;
    if (place === undefined) return [];
    try {
      return await readEntries(name, place, isOne);
    } catch (error) {
      if (!isLiveFailure(error)) throw error;
      lost.push(name);
      return [];
    }
  };
  const isSnapshot = (entry: Entry) => 'at' in entry;
  const isInterval = (entry: Entry) => 'until' in entry;
  const entries: SetArchives = {
    'resourcelist-archive': await read('resourcelist-archive', isSnapshot),
    'changelist-archive': await read('changelist-archive', isInterval),
    'resourcedump-archive': await read('resourcedump-archive', isSnapshot),
    'changedump-archive': await read('changedump-archive', isInterval),
  };
  return { entries, lost };

  async function readEntries<T extends Entry>(
    name: ArchiveName,
    place: string,
    isOne: (entry: Entry) => entry is T,
  ): Promise<T[]> {
    const entries: T[] = [];
    for await (const { document, path } of reader.readParts(place, ARCHIVE_KINDS[name])) {
      if (!('entries' in document)) continue;
      for (const entry of document.entries) {
        if (!isOne(entry) || !isArchived(name, reader.pathOf(entry.uri, path))) {
          foreign(url + path, `names ${entry.uri}, which is not an archived document of this set`);
        }
        reader.keep(RESOURCE_BYTES + entry.uri.length);
        entries.push(entry);
      }
    }
    return entries;
  }

  function isArchived(name: ArchiveName, path: string): boolean {
    return path.startsWith(`${folderOfArchives(set)}/${name}-`) && digestInName(path) !== undefined;
  }
}
