import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import type { Notice } from '../../base/notices.js';
import type { LivePackage } from '../../history/live/published.js';
import { withReader } from '../../history/live/reader.js';
import { ignoreLiveFailure, mixed } from '../../history/live/refusals.js';
import { noticeChangeDump } from '../../history/plan/change-packages.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { folderOfSet } from '../../paths/ours.js';
import { parseExisting, readExisting } from '../existing-documents.js';
import type { DraftSet } from '../feature.js';
import type { MadePackage, Packing } from './job.js';
import { type ListedPackage, readListedPackages } from './listed-packages.js';
import type { Manifest } from './manifest.js';

interface CarriedPackages {
  readonly packages: readonly MadePackage[];
  /** The planned sets, with Change Dumps that begin after their newest package that is not available any more. */
  readonly sets: readonly DraftSet[];
  readonly notices: readonly Notice[];
}

/** Keeps packages that the live site has, unchanged: takes them from the folder of the site, or else fetches them. */
export async function fetchCarriedPackages(
  packing: Packing,
  planned: readonly DraftSet[],
): Promise<CarriedPackages> {
  const packages: MadePackage[] = [];
  const sets: DraftSet[] = [];
  const notices: Notice[] = [];
  for (const set of planned) {
    const carried = await carrySet(packing, set);
    packages.push(...carried.packages);
    if (carried.lost === undefined || set.changeDump === undefined) {
      sets.push(set);
      continue;
    }
    const changeDump = { ...set.changeDump, from: carried.lost, shortened: 'not-live' as const };
    sets.push({ ...set, changeDump });
    notices.push(...noticeChangeDump(changeDump));
  }
  return { packages, sets, notices };
}

/** Keeps the packages of one set. @returns them, and as `lost` the end of the newest package that is not available */
async function carrySet(packing: Packing, { name, changeDump }: DraftSet) {
  const packages: MadePackage[] = [];
  const listed = changeDump?.carried ?? [];
  if (listed.length === 0) return { packages, lost: undefined };
  const place = { ...packing, set: name };
  const previous = await readListedPackages(place.site, folderOfSet(name), place.url);
  // A dump has no gaps, so packages older than a lost one are useless.
  for (const entry of listed.toReversed()) {
    const one = await carryPackage(place, entry, previous);
    if (one === undefined) return { packages, lost: entry.until };
    packages.unshift(one);
  }
  return { packages, lost: undefined };
}

interface CarriedPlace extends Pick<Packing, 'url' | 'site' | 'staging'> {
  readonly set: string | undefined;
}

/** Keeps a package of the live site; undefined if it is not available as listed. @param previous packages that the site lists */
async function carryPackage(
  { url, set, site, staging }: CarriedPlace,
  listed: LivePackage,
  previous: ReadonlyMap<string, ListedPackage>,
): Promise<MadePackage | undefined> {
  const { uri, contents, length, hash } = listed;
  const [path, copy] = [uri, contents].map((place) => place.slice(url.length)) as [string, string];
  const name = join(staging, path.replaceAll('/', '-'));
  const isListed = previous.get(path)?.hash === hash;
  const existing = isListed ? await readManifest(site, [path, copy], listed) : undefined;
  const files = existing === undefined ? { package: name, manifest: `${name}.xml` } : undefined;
  const document = files === undefined ? existing : await fetchLive(url, listed, files);
  if (document === undefined) return undefined;
  const { kind, bitstreams } = document;
  const own = { path: copy, uri: contents, kind, entries: bitstreams.length, file: files?.manifest };
  const facts = { path, uri, length, hash, file: files?.package };
  return { set, isCurrent: true, ...facts, manifest: document, copy: own };
}

/** Reads the manifest of a package in the site; undefined if package or manifest is not as listed. */
async function readManifest(
  site: string,
  [zip, copy]: readonly [zip: string, copy: string],
  listed: LivePackage,
): Promise<Manifest | undefined> {
  if (!isOurs(join(site, zip)) || statSync(join(site, zip)).size !== listed.length) return undefined;
  const document = await parseExisting(readExisting(site, copy));
  const isManifest = document?.kind === 'change-dump-manifest' || document?.kind === 'resource-dump-manifest';
  return isManifest && momentsOf(document) === momentsOf(listed) ? document : undefined;
}

/** Fetches a package, and the copy of its manifest beside it, from the live site. @returns undefined if they are not as listed */
async function fetchLive(
  url: string,
  listed: LivePackage,
  files: { readonly package: string; readonly manifest: string },
): Promise<Manifest | undefined> {
  const { uri, contents } = listed;
  const manifest = await withReader(url, async (reader, save) => {
    const path = reader.pathOf(contents, '');
    const { document, text } = await reader.read(path, 'change-dump-manifest');
    if (momentsOf(document) !== momentsOf(listed)) mixed(contents);
    await save(reader.pathOf(uri, ''), files.package, listed);
    writeFileSync(files.manifest, text());
    return document;
    // What cannot be fetched is left out: the notice about the dump says which changes it lacks.
  }).catch(ignoreLiveFailure);
  return manifest !== undefined && isOurs(files.package) ? manifest : undefined;
}

/** Writes the moment or interval of a package as text, to compare a manifest with the dump that lists its package. */
function momentsOf(dated: LivePackage | Manifest): string {
  return 'at' in dated ? formatDatetime(dated.at) : [dated.from, dated.until].map(formatDatetime).join();
}
