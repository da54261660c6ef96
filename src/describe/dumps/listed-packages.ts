/** Reads which packages the dumps of a previous run list. */

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { isOwnUri } from '../../paths/ours.js';
import { Digests } from '../../standard/digests.js';
import { algorithmsOf, compareHashes } from '../../standard/model.js';
import { parseExisting, readExisting } from '../existing-documents.js';
import type { PackedFile } from './job.js';

/** Tests if a package is as a dump lists it. Checks digests only if it is newer than the dump, as a killed run would leave it. */
export async function isPackageAsListed(
  file: string,
  { length, hash, listed }: ListedPackage,
): Promise<boolean> {
  const { size, mtimeMs } = statSync(file);
  if (size !== length || mtimeMs <= listed) return size === length;
  const digests = new Digests(algorithmsOf({ hash }));
  for await (const piece of createReadStream(file)) digests.update(piece);
  return compareHashes(digests.finish(), hash) === 'same';
}

export interface ListedPackage extends PackedFile {
  readonly at: Date | undefined;
  /** Time at which the dump that lists the package was written, in milliseconds since 1970. */
  readonly listed: number;
}

const DUMPS = ['resourcedump-archive.xml', 'changedump-archive.xml', 'resourcedump.xml', 'changedump.xml'];

/** Reads which packages the dumps of a previous run list, also archived dumps, by path. Ignores dumps that cannot be read. */
export async function readListedPackages(
  site: string,
  folder: string,
  url: string,
): Promise<Map<string, ListedPackage>> {
  const packages = new Map<string, ListedPackage>();
  const waiting = DUMPS.map((name) => `${folder}/${name}`);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const listed = statSync(join(site, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const document = await parseExisting(readExisting(site, path));
    if (document?.kind.includes('dump') !== true) continue;
    if ('packages' in document) {
      for (const { uri, length, hash, ...moments } of document.packages) {
        const at = 'at' in moments ? moments.at : undefined;
        packages.set(uri.slice(url.length), { length, hash, at, listed });
      }
    }
    const links = 'parts' in document ? document.parts : 'entries' in document ? document.entries : [];
    for (const { uri } of links) {
      const target = uri.slice(url.length);
      if (isOwnUri(uri, url) && target.endsWith('.xml') && target !== path) waiting.push(target);
    }
  }
  return packages;
}
