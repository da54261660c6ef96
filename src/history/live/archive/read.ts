/** Reads what the archives of the live site name. No deploy waits for the past: what cannot be read is lost. */

import { ResyncError } from '../../../errors.js';
import { type ArchiveName, digestInName, folderOfArchives } from '../../../paths/ours.js';
import type { ArchivedInterval, ArchivedSnapshot } from '../../../resourcesync/document.js';
import type { LiveArchive } from '../published.js';
import { type DocumentReader, ENTRY_BYTES } from '../reader.js';
import { foreign } from '../refusals.js';

/** @param find the place of an archive; undefined where the set has none */
export async function readArchives(
  reader: DocumentReader,
  url: string,
  set: string | undefined,
  find: (archive: ArchiveName) => string | undefined,
): Promise<LiveArchive> {
  const lost: LiveArchive['lost'][number][] = [];
  const lists: ArchivedInterval[] = [];
  const snapshots: ArchivedSnapshot[] = [];
  await read('change-list-archive', find('changelist-archive'), lists, (entry) =>
    'until' in entry ? entry : undefined,
  );
  await read('resource-list-archive', find('resourcelist-archive'), snapshots, (entry) =>
    'at' in entry ? entry : undefined,
  );
  return { lists, snapshots, lost };

  async function read<T extends ArchivedInterval | ArchivedSnapshot>(
    kind: LiveArchive['lost'][number],
    place: string | undefined,
    entries: T[],
    pick: (entry: ArchivedInterval | ArchivedSnapshot) => T | undefined,
  ): Promise<void> {
    if (place === undefined) return;
    try {
      for await (const { document, path } of reader.readParts(place, kind)) {
        if (!('entries' in document)) continue;
        for (const entry of document.entries) {
          const known = pick(entry);
          if (known === undefined || !isArchived(reader.pathOf(entry.uri, path))) {
            foreign(url + path, `names ${entry.uri}, which is not an archived document of this set`);
          }
          reader.keep(ENTRY_BYTES + entry.uri.length);
          entries.push(known as T);
        }
      }
    } catch (error) {
      if (!(error instanceof ResyncError) || !error.code.startsWith('live-')) throw error;
      entries.length = 0;
      lost.push(kind);
    }
  }

  function isArchived(path: string): boolean {
    return path.startsWith(`${folderOfArchives(set)}/`) && digestInName(path) !== undefined;
  }
}
