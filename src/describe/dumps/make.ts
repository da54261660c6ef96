/** Makes the packages of a site, and keeps existing ones that are as planned. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedPackage } from '../../history/plan/packages.js';
import { writeDocument } from '../../paths/hold/files.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { folderOfSet } from '../../paths/ours.js';
import type { DescribedSet, PlannedSet } from '../plan/documents.js';
import {
  listForDumps,
  type MadePackage,
  PACKAGE_COMMENT,
  type PackedFile,
  type Packing,
  type PackJob,
} from './job.js';
import { isPackageAsListed, type ListedPackage, readListedPackages } from './listed-packages.js';
import { type Manifest, nameManifest } from './manifest.js';
import { packPackages } from './pack.js';

/** A package before it is written: either `existing` describes the one in the site, or `job` the work to do. */
interface PreparedPackage {
  readonly made: Omit<MadePackage, keyof PackedFile>;
  readonly existing: ListedPackage | undefined;
  readonly job: PackJob | undefined;
}

interface SetToPack extends PlannedSet {
  /** Packages of archived dumps, each once; a current dump may have the same packages. */
  readonly archivedDumps?: { readonly packages: readonly PlannedPackage<Manifest>[] } | undefined;
}

/**
 * Writes the packages of all sets, except those that the site has already, with the same manifest.
 * @param onProgress called with the number of written packages, and of those to write
 * @throws ResyncError `file-changing`, `git-failed`; a system error when a package cannot be written
 */
export async function writePackages(
  packing: Packing,
  sets: readonly SetToPack[],
  onProgress: (done: number, total: number) => void,
): Promise<MadePackage[]> {
  const prepared: PreparedPackage[] = [];
  for (const { name, resourceDump = [], changeDump, archivedDumps } of sets) {
    const previous = await readListedPackages(packing.site, folderOfSet(name), packing.url);
    const current = new Set<string>();
    const prepare = async (planned: PlannedPackage<Manifest>, isCurrent: boolean) => {
      const one = await preparePackage(packing, { set: name, isCurrent }, planned, previous);
      prepared.push(one);
      return one.made.path;
    };
    for (const planned of [...resourceDump, ...(changeDump?.packages ?? [])])
      current.add(await prepare(planned, true));
    for (const planned of archivedDumps?.packages ?? []) {
      const path = `${nameManifest(name, planned.manifest, true).path}.zip`;
      if (!current.has(path)) await prepare(planned, false);
    }
  }
  const jobs = prepared.flatMap(({ job }) => job ?? []);
  const packed = await packPackages(jobs, (done) => onProgress(done, jobs.length));
  const results = new Map(jobs.map(({ target }, index) => [target, packed[index]]));
  return prepared.map(({ job, existing, made }) => {
    const facts = existing ?? (job && results.get(job.target));
    if (facts === undefined) throw new Error(`${made.path} was not packed`);
    return { ...made, length: facts.length, hash: facts.hash };
  });
}

/** Finds a package in the site; if the site does not have it as planned, stages its manifest, and makes the job. */
async function preparePackage(
  { url, hash, archives, site, repository, staging }: Packing,
  { set, isCurrent }: Pick<MadePackage, 'set' | 'isCurrent'>,
  { manifest: planned, bitstreams }: PlannedPackage<Manifest>,
  previous: ReadonlyMap<string, ListedPackage>,
): Promise<PreparedPackage> {
  const { path, date } = nameManifest(set, planned, archives);
  const [zip, copy] = [`${path}.zip`, `${path}.xml`];
  const before = previous.get(zip);
  const { manifest, text } = date(before?.at);
  const isCurrentFile =
    before !== undefined &&
    isOfAlgorithms(before.hash, hash) &&
    isOurs(join(site, zip), PACKAGE_COMMENT) &&
    isOurs(join(site, copy)) &&
    readFileSync(join(site, copy)).equals(Buffer.from(text.join(''))) &&
    (await isPackageAsListed(join(site, zip), before));
  const name = isCurrentFile ? undefined : join(staging, path.replaceAll('/', '-'));
  const files = [
    { path: zip, file: name && `${name}.zip` },
    { path: copy, file: name && `${name}.xml` },
  ];
  const place = { path: copy, uri: url + copy };
  const made = {
    set,
    isCurrent,
    path: zip,
    uri: url + zip,
    manifest: { ...place, document: manifest },
    files,
  };
  if (name === undefined) return { made, existing: before, job: undefined };
  writeDocument(text, `${name}.xml`);
  const job = {
    target: `${name}.zip`,
    manifest: `${name}.xml`,
    bitstreams,
    site,
    repository,
    comment: PACKAGE_COMMENT,
    hash,
  };
  return { made, existing: undefined, job };
}

/** Tests if digests of a package have these algorithms: a manifest with only deletions does not show the algorithms. */
function isOfAlgorithms(hash: string, names: readonly string[]): boolean {
  return hash.replace(/:\S+/g, '') === names.join(' ');
}

/** Adds to a set the packages that its current dumps name. */
export function listMadePackages<S extends PlannedSet>(
  set: S,
  packages: readonly MadePackage[],
): S & Pick<DescribedSet, 'resourcePackages' | 'changePackages'> {
  const { resourceDump, changeDump } = set;
  const own = packages.filter((one) => one.set === set.name && one.isCurrent);
  const { resources, changes } = listForDumps(own);
  return {
    ...set,
    ...(resourceDump !== undefined && { resourcePackages: resources }),
    ...(changeDump !== undefined && { changePackages: { from: changeDump.from, packages: changes } }),
  };
}
