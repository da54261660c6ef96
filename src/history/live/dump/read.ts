/** Reads which packages the dumps of the live site list. */

import { nameInterval, pathOfPackage } from '../../../paths/ours.js';
import type { ChangeDump, ResourceDump } from '../../../standard/document.js';
import type { LiveSnapshot } from '../../archives/known.js';
import { type LiveReader, RESOURCE_BYTES } from '../reader.js';
import { foreign, isLiveFailure } from '../refusals.js';
import type { LivePackage } from './moments.js';

export async function readLiveDump(
  reader: LiveReader,
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
        refuse(url + path, one);
      }
      keep(reader, one);
      packages.push(one);
    }
  }
  return packages;
}

/** Only archives ask for it: no deploy waits for what cannot be read. */
export async function readResourceDump(
  reader: LiveReader,
  url: string,
  set: string | undefined,
  place: string | undefined,
): Promise<LiveSnapshot | undefined> {
  if (place === undefined) return undefined;
  const packages: ResourceDump['packages'][number][] = [];
  let at: Date | undefined;
  try {
    for await (const { document, path } of reader.readParts(place, 'resource-dump')) {
      if (document.kind !== 'resource-dump') continue;
      at ??= document.at;
      if (at.getTime() !== document.at.getTime()) return undefined;
      for (const one of document.packages) {
        if (!one.uri.startsWith(url + pathOfPackage(set, 'resourcedump', ''))) {
          refuse(url + path, one);
        }
        keep(reader, one);
        packages.push(one);
      }
    }
  } catch (error) {
    if (!isLiveFailure(error)) throw error;
    return undefined;
  }
  return at && { at, packages };
}

function refuse(dump: string, { uri }: LivePackage): never {
  foreign(dump, `names ${uri}, which is not a package of this set of resources`);
}

function keep(reader: LiveReader, { uri, contents, hash }: LivePackage): void {
  reader.keep(RESOURCE_BYTES + uri.length + contents.length + hash.length);
}
