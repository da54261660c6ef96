/** Reads which packages the Change Dump of the live site lists. */

import { nameInterval, pathOfPackage } from '../../../paths/ours.js';
import type { ChangeDump } from '../../../resourcesync/document.js';
import { type DocumentReader, ENTRY_BYTES } from '../reader.js';
import { foreign } from '../refusals.js';

export async function readDump(
  reader: DocumentReader,
  url: string,
  set: string | undefined,
  place: string | undefined,
): Promise<ChangeDump['packages']> {
  const packages: ChangeDump['packages'][number][] = [];
  if (place === undefined) return packages;
  for await (const { document, path } of reader.readParts(place, 'change-dump')) {
    if (document.kind !== 'change-dump') continue;
    for (const one of document.packages) {
      const name = url + pathOfPackage(set, 'changedump', nameInterval(one.until, 1));
      const [digest = ''] = /-[\da-f]{16}(?=\.zip$)/.exec(one.uri) ?? [];
      if (one.uri !== `${name}${digest}.zip` || one.contents !== `${name}${digest}.xml`) {
        foreign(url + path, `names ${one.uri}, which is not a package of this set of resources`);
      }
      reader.keep(ENTRY_BYTES + one.uri.length + one.contents.length + one.hash.length);
      packages.push(one);
    }
  }
  return packages;
}
