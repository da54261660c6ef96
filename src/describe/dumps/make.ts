/** Makes the packages of a site, and keeps existing ones that are as planned. */

import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { PlannedPackage } from '../../history/plan/packages.js';
import { writeDocument } from '../../paths/hold/files.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { folderOfSet } from '../../paths/ours.js';
import { readExisting } from '../existing-documents.js';
import type { DraftSet } from '../feature.js';
import { listForDumps, type MadePackage, PACKAGE_COMMENT, type Packing } from './job.js';
import { isPackageAsListed, type ListedPackage, readListedPackages } from './listed-packages.js';
import { type Manifest, type NamedManifest, nameManifest } from './manifest.js';
import { packPackage } from './pack.js';

/**
 * Writes the packages of all sets, except those that the site has already, with the same manifest.
 * @param onProgress called with the number of packages that are done, and of all
 * @throws ResyncError `file-changing`, `git-failed`; a system error when a package cannot be written
 */
export async function writePackages(
  packing: Packing,
  sets: readonly DraftSet[],
  onProgress: (done: number, total: number) => void,
): Promise<MadePackage[]> {
  const planned = sets.flatMap(({ name: set, resourceDump = [], changeDump, archivedDumps }) => [
    ...[...resourceDump, ...(changeDump?.packages ?? [])].map((one) => ({ set, isCurrent: true, ...one })),
    ...(archivedDumps?.packages ?? []).map((one) => ({ set, isCurrent: false, ...one })),
  ]);
  const listed = new Map<string | undefined, ReadonlyMap<string, ListedPackage>>();
  for (const { name } of sets)
    listed.set(name, await readListedPackages(packing.site, folderOfSet(name), packing.url));
  const made = new Map<string, MadePackage>();
  for (const [index, one] of planned.entries()) {
    const name = nameManifest(one.set, one.manifest, packing.archives);
    if (!made.has(name.path)) {
      const previous = listed.get(one.set)?.get(`${name.path}.zip`);
      made.set(name.path, await makePackage(packing, one, name, previous));
    }
    onProgress(index + 1, planned.length);
    // Handlers of signals and timers run here, between two packages.
    await yieldToEventLoop();
  }
  return [...made.values()];
}

/** Keeps the package of the site if it is as planned; else packs and stages a new one, with the copy of its manifest. */
async function makePackage(
  packing: Packing,
  { set, isCurrent, bitstreams }: Pick<MadePackage, 'set' | 'isCurrent'> & PlannedPackage<Manifest>,
  { path, date }: NamedManifest,
  previous: ListedPackage | undefined,
): Promise<MadePackage> {
  const { url, hash, site, staging } = packing;
  const [zip, copy] = [`${path}.zip`, `${path}.xml`];
  const { manifest, text } = date(previous?.at);
  const bytes = Buffer.from(text.join(''));
  const isKept =
    previous !== undefined &&
    isOfAlgorithms(previous.hash, hash) &&
    isOurs(join(site, zip), PACKAGE_COMMENT) &&
    readExisting(site, copy)?.equals(bytes) === true &&
    (await isPackageAsListed(join(site, zip), previous));
  const entries = manifest.bitstreams.length;
  const document = { path: copy, uri: url + copy, kind: manifest.kind, entries };
  const made = { set, isCurrent, path: zip, uri: url + zip, manifest };
  if (isKept) {
    const facts = { length: previous.length, hash: previous.hash, file: undefined };
    return { ...made, ...facts, copy: { ...document, file: undefined } };
  }
  const name = join(staging, path.replaceAll('/', '-'));
  writeDocument([bytes], `${name}.xml`);
  const packed = await packPackage(`${name}.zip`, bytes, bitstreams, packing);
  return { ...made, ...packed, file: `${name}.zip`, copy: { ...document, file: `${name}.xml` } };
}

/** Tests if the digests of a package are by given algorithms. A manifest with only deletions does not show which they are. */
function isOfAlgorithms(hash: string, names: readonly string[]): boolean {
  return hash.replace(/:\S+/g, '') === names.join(' ');
}

/** Adds to a set the packages that its current dumps name. */
export function listMadePackages(set: DraftSet, packages: readonly MadePackage[]): DraftSet {
  const { resourceDump, changeDump } = set;
  const own = packages.filter((one) => one.set === set.name && one.isCurrent);
  const { resources, changes } = listForDumps(own);
  return {
    ...set,
    ...(resourceDump !== undefined && { resourcePackages: resources }),
    ...(changeDump !== undefined && { changePackages: { from: changeDump.from, packages: changes } }),
  };
}
