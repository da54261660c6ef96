/** Gets the packages of the live site that are to be published again. */

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { Config } from '../../config/config.js';
import { type LivePackage, momentsOf } from '../../history/live/published.js';
import { isLiveFailure } from '../../history/live/refusals.js';
import { noticeChangeDump } from '../../history/plan/change-packages.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { folderOfSet } from '../../paths/ours.js';
import { DocumentError } from '../../standard/make.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { makeDocument } from '../../standard/xml/parse.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { PlannedSet } from '../plan/sets.js';
import { type FormerPackage, readFormer } from './former.js';
import type { MadePackage, Packing } from './job.js';
import type { Manifest } from './manifest.js';

/** Packages that the live site has. */
export interface CarriedPackages {
  readonly packages: readonly MadePackage[];
  /** A dump begins after the newest package that could not be had. */
  readonly sets: readonly PlannedSet[];
  readonly notices: readonly Notice[];
}

/**
 * Gets the packages that are live and are to be published again: from the site where it still holds them, otherwise from
 * where they are served. They stay as they are, byte for byte.
 */
export async function fetchCarriedPackages(
  packing: Packing,
  sets: readonly PlannedSet[],
): Promise<CarriedPackages> {
  const carried = [];
  for (const set of sets) carried.push(await carrySet(packing, set));
  return {
    packages: carried.flatMap(({ packages }) => packages),
    sets: carried.map(({ set }) => set),
    notices: carried.flatMap(({ set, lost }) => (lost === undefined ? [] : noticeChangeDump(set.changeDump))),
  };
}

async function carrySet(packing: Packing, set: PlannedSet) {
  const { changeDump } = set;
  const listed = changeDump?.carried ?? [];
  if (changeDump === undefined || listed.length === 0) return { set, packages: [], lost: undefined };
  const { config, site } = packing;
  const former = await readFormer(site, folderOfSet(set.name), config.url);
  const packages: MadePackage[] = [];
  // A dump has no gaps: what is older than a package that is lost is of no use.
  for (const entry of listed.toReversed()) {
    const one = await carryPackage(packing, set.name, entry, former);
    if (one === undefined) {
      const lost = entry.until;
      return {
        set: { ...set, changeDump: { ...changeDump, from: lost, shortened: 'not-live' as const } },
        packages,
        lost,
      };
    }
    packages.unshift(one);
  }
  return { set, packages, lost: undefined };
}

/**
 * Gets a package of the live site.
 *
 * @param former what the site lists: what stands there is not fetched
 * @param mayFetch whether it may be fetched
 * @returns undefined where it cannot be had as it is listed
 */
export async function carryPackage(
  { config: { url }, site, staging }: Pick<Packing, 'site' | 'staging'> & { config: Pick<Config, 'url'> },
  set: string | undefined,
  listed: LivePackage,
  former: ReadonlyMap<string, FormerPackage>,
  mayFetch: () => boolean = () => true,
): Promise<MadePackage | undefined> {
  const { uri, contents, length, hash } = listed;
  const [path, copy] = [uri, contents].map((place) => place.slice(url.length)) as [string, string];
  const name = join(staging, path.replaceAll('/', '-'));
  const isListed = former.get(path)?.hash === hash;
  const stands = isListed ? await readStanding(site, [path, copy], listed) : undefined;
  const files = stands === undefined ? { package: name, manifest: `${name}.xml` } : undefined;
  if (files !== undefined && !mayFetch()) return undefined;
  const document = files === undefined ? stands : await fetchLive(url, listed, files);
  return (
    document && {
      set,
      isCurrent: true,
      path,
      uri,
      length,
      hash,
      manifest: { path: copy, uri: contents, document },
      files: [
        { path, file: files?.package },
        { path: copy, file: files?.manifest },
      ],
    }
  );
}

/** The manifest of a package that stands in the site as it is listed. */
async function readStanding(
  site: string,
  [zip, copy]: readonly [zip: string, copy: string],
  listed: LivePackage,
) {
  const isThere = isOurs(join(site, zip)) && isOurs(join(site, copy));
  if (!isThere || statSync(join(site, zip)).size !== listed.length) return undefined;
  const manifest = await readManifest(join(site, copy));
  return manifest !== undefined && momentsOf(manifest) === momentsOf(listed) ? manifest : undefined;
}

async function fetchLive(
  url: string,
  listed: LivePackage,
  files: { readonly package: string; readonly manifest: string },
): Promise<Manifest | undefined> {
  const { savePackage } = await import('../../history/live/fetch.js');
  try {
    const manifest = await savePackage(url, listed, files);
    return isOurs(files.package) ? manifest : undefined;
  } catch (error) {
    // The notice says which changes the dump has to do without.
    if (isLiveFailure(error)) return undefined;
    throw error;
  }
}

async function readManifest(file: string): Promise<Manifest | undefined> {
  try {
    const document = makeDocument(await parseDocument(createReadStream(file)));
    const { kind } = document;
    return kind === 'change-dump-manifest' || kind === 'resource-dump-manifest' ? document : undefined;
  } catch (error) {
    // What is there is of no use, and is fetched.
    if (error instanceof ParseError || error instanceof DocumentError) return undefined;
    throw error;
  }
}
