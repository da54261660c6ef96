/** Which packages there will be, and what each holds (§11, §13). Pure. */

import type { Notice, ShortenedReason } from '../errors.js';
import {
  type ChangeDump,
  type ChangeDumpManifest,
  makeChangeDumpManifest,
  makeResourceDumpManifest,
  type ResourceDumpManifest,
} from '../resourcesync/document.js';
import { type ChangeEvent, compactDatetime, formatDatetime, type Resource } from '../resourcesync/model.js';
import type { UriChange } from './replay.js';

/** How large the packages of a Resource Dump may be; a file that is larger by itself is alone in its package. */
export interface PackageLimits {
  readonly maxEntries: number;
  /** Of the files, uncompressed. */
  readonly maxBytes: number;
}

/** Bytes that go into a package. */
export interface Bitstream {
  /** Its place in the package, without a leading slash. */
  readonly name: string;
  /** Number of bytes. */
  readonly length: number;
  /** What the bytes have to be: digests in the notation of §7. */
  readonly hash: string;
  /** Media type; tells whether compressing is of use. */
  readonly type: string | undefined;
  /** Where they are: a file, relative to the site, or a blob in git. */
  readonly source: { readonly file: string } | { readonly blob: string };
}

/** A package that there will be; its manifest says what is in it. */
export interface PlannedPackage<M extends ResourceDumpManifest | ChangeDumpManifest> {
  readonly manifest: M;
  /** In the order of their names. */
  readonly bitstreams: readonly Bitstream[];
}

/** What a ZIP file without the Zip64 extension can hold; beyond that, JSZip writes a broken one. */
export const ZIP_LIMIT = 0xffff_ffff;
/** A manifest is a document of at most so many entries (§7), which a ZIP file could hold, too. */
const MANIFEST_ENTRIES = 50_000;
/** More than the headers of a bitstream, and what does not compress, take beside its bytes. */
const ENTRY_BYTES = 4096;

/**
 * Plans the packages of a Resource Dump.
 *
 * @param resources in the order of their URIs
 * @param up URI of the Capability List
 * @param at the moment of the snapshot. A package whose resources are all dated is of the moment of the newest:
 *   so it stays as it is for as long as they do
 */
export function planResourcePackages(
  resources: readonly Resource[],
  up: string,
  at: Date,
  limits: PackageLimits,
): PlannedPackage<ResourceDumpManifest>[] {
  const names = new Map(nameBitstreams(resources.map(({ path }) => path)));
  return cutPackages(resources, limits).map((members) => {
    const bitstreams = members.map((resource): Bitstream => {
      const { path, length, hash, type } = resource;
      return { name: `resources/${names.get(path)}`, length, hash, type, source: { file: path } };
    });
    const moments = members.map(({ lastmod }) => lastmod?.getTime() ?? Number.POSITIVE_INFINITY);
    const newest = moments.reduce((one, other) => Math.max(one, other));
    return {
      manifest: makeResourceDumpManifest({
        up,
        at: new Date(Math.min(newest, at.getTime())),
        bitstreams: members.map((resource, index) => ({
          resource,
          path: `/${bitstreams[index]?.name}`,
        })),
      }),
      bitstreams: sortByName(bitstreams),
    };
  });
}

/**
 * Cuts resources into packages. What is too large is divided, at the one of the names near its middle that ranks
 * highest, and so on; ranks depend on names alone. So an edit, an addition or a removal moves next to no border.
 *
 * @param resources in the order of their URIs
 */
export function cutPackages<T extends { readonly uri: string; readonly length: number }>(
  resources: readonly T[],
  { maxEntries, maxBytes }: PackageLimits,
): T[][] {
  const ranks = Uint32Array.from(resources, ({ uri }) => hashText(uri, 0));
  // What stands before each resource: bytes, and how much of a package that fills.
  const bytes = new Float64Array(resources.length + 1);
  const fill = new Float64Array(resources.length + 1);
  for (const [index, { length }] of resources.entries()) {
    bytes[index + 1] = at(bytes, index) + length;
    fill[index + 1] = at(fill, index) + length / maxBytes + 1 / maxEntries;
  }
  const packages: T[][] = [];
  cut(0, resources.length);
  return packages;

  function cut(start: number, end: number): void {
    const entries = end - start;
    if (entries <= 1 || (entries <= maxEntries && at(bytes, end) - at(bytes, start) <= maxBytes)) {
      if (entries > 0) packages.push(resources.slice(start, end));
      return;
    }
    const border = findBorder(start, end);
    cut(start, border);
    cut(border, end);
  }

  /** The index of the resource that begins the second half. */
  function findBorder(start: number, end: number): number {
    const total = at(fill, end) - at(fill, start);
    let best: number | undefined;
    let nearest = start + 1;
    for (let index = start + 1; index < end; index++) {
      const share = (at(fill, index) - at(fill, start)) / total;
      if (share >= 0.25 && share <= 0.75 && (best === undefined || at(ranks, index) > at(ranks, best))) {
        best = index;
      }
      const distance = Math.abs(share - 0.5);
      if (distance < Math.abs((at(fill, nearest) - at(fill, start)) / total - 0.5)) nearest = index;
    }
    // A file that is larger than half of the rest leaves no name near the middle.
    return best ?? nearest;
  }
}

function at(values: Float64Array | Uint32Array, index: number): number {
  return values[index] ?? 0;
}

/** FNV-1a, and the last step of MurmurHash3, so that names which differ at their end only are far apart. */
function hashText(text: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Changes that were published at one moment. */
export interface PackagedChanges {
  /** The moment of the publication before. */
  readonly from: Date;
  readonly until: Date;
  readonly changes: readonly UriChange[];
}

/**
 * Groups changes by publication.
 *
 * @param changes all that are known, in order
 * @param from since when they are known
 * @param listed the first moment that is asked for
 */
export function groupChanges(changes: readonly UriChange[], from: Date, listed: Date): PackagedChanges[] {
  const groups: { from: Date; until: Date; changes: UriChange[] }[] = [];
  let before = from;
  for (const change of changes) {
    const last = groups.at(-1);
    if (last !== undefined && last.until.getTime() === change.datetime.getTime()) last.changes.push(change);
    else groups.push({ from: before, until: change.datetime, changes: [change] });
    before = change.datetime;
  }
  return groups.filter(({ until }) => until >= listed);
}

/** The Change Dump that is possible. */
export interface PlannedChangeDump {
  /** The dump has all changes after this moment. */
  readonly from: Date;
  /** Packages that are on the live site, oldest first; they are fetched, and published again as they are. */
  readonly carried?: ChangeDump['packages'];
  /** Those after them. */
  readonly packages: readonly PlannedPackage<ChangeDumpManifest>[];
  /** Why it does not have those before. */
  readonly shortened: ShortenedReason | undefined;
}

/** What is to be told of a Change Dump. */
export function noticeChangeDump(dump: PlannedChangeDump | undefined): Notice[] {
  if (dump?.shortened === undefined) return [];
  return [{ code: 'change-dump-shortened', from: formatDatetime(dump.from), reason: dump.shortened }];
}

/**
 * Plans the packages of a Change Dump, one for each publication. It begins after the last one that cannot be packed.
 *
 * @param publications oldest first
 * @param from since when there are no other changes than theirs
 * @param represent what a change brought; without a hash where that is not known
 * @param fileOf the file of the site that holds the bytes of a blob; undefined when only git has them
 */
export function planChangePackages(
  publications: readonly PackagedChanges[],
  from: Date,
  up: string,
  represent: (change: UriChange) => ChangeEvent,
  fileOf: (blob: string) => string | undefined,
): PlannedChangeDump {
  const packages: PlannedPackage<ChangeDumpManifest>[] = [];
  for (const publication of publications.toReversed()) {
    const planned = planPublication(publication);
    if (typeof planned === 'string') return { from: publication.until, packages, shortened: planned };
    packages.unshift(planned);
  }
  return { from, packages, shortened: undefined };

  function planPublication({ from: since, until, changes }: PackagedChanges) {
    if (changes.length > MANIFEST_ENTRIES) return 'too-large';
    const paths = changes.flatMap((change) => (change.change === 'deleted' ? [] : [change.file.path]));
    const names = new Map(nameBitstreams(paths));
    const folder = `changes/${compactDatetime(until)}`;
    const bitstreams: Bitstream[] = [];
    const entries: ChangeDumpManifest['bitstreams'][number][] = [];
    for (const change of changes) {
      const event = represent(change);
      if (event.change === 'deleted' || change.change === 'deleted') {
        entries.push({ event, path: undefined });
        continue;
      }
      const { length, hash, type } = event.representation;
      if (length === undefined || hash === undefined) return 'versions-missing';
      const name = `${folder}/${names.get(change.file.path)}`;
      const file = fileOf(change.file.blob);
      const source = file === undefined ? { blob: change.file.blob } : { file };
      bitstreams.push({ name, length, hash, type, source });
      entries.push({ event, path: `/${name}` });
    }
    if (!fitsZip(bitstreams)) return 'too-large';
    return {
      manifest: makeChangeDumpManifest({ up, from: since, until, bitstreams: entries }),
      bitstreams: sortByName(bitstreams),
    };
  }
}

/** Whether a ZIP file can hold so much, with its headers and a manifest. */
export function fitsZip(bitstreams: readonly { readonly length: number }[]): boolean {
  return (
    bitstreams.reduce((sum, { length }) => sum + length + ENTRY_BYTES, 2 * ENTRY_BYTES) < ZIP_LIMIT / 1.01
  );
}

function sortByName(bitstreams: readonly Bitstream[]): Bitstream[] {
  return bitstreams.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Longer names could be too long where a package is unpacked: 260 characters on Windows, with the folder. */
const NAME_LENGTH = 160;
const SEGMENT_LENGTH = 80;
/** What Windows, macOS, XML or a shell does not take in a name. */
const UNSAFE = /[\0-\x1f\x7f<>:"\\|?*\p{Noncharacter_Code_Point}]|^~|(?:^|\/)[ .]|[ .](?:\/|$)/u;
const DEVICE = /(?:^|\/)(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d\u00b9\u00b2\u00b3])(?:[./]|$)/i;

/**
 * Names files in a package, as they are called in the site where every file system can hold that; otherwise by a digest of
 * the path, at the top. So names are safe to unpack, and no two are one where case or composition do not count.
 *
 * @param paths distinct
 * @returns pairs of path and name
 */
export function nameBitstreams(paths: readonly string[]): [path: string, name: string][] {
  const clashes = findClashes(paths);
  return paths.map((path) => [path, isPlain(path) && !clashes(path) ? path : makeOpaqueName(path)]);
}

function isPlain(path: string): boolean {
  return (
    path.length <= NAME_LENGTH &&
    !UNSAFE.test(path) &&
    !DEVICE.test(path) &&
    path.normalize('NFC') === path &&
    path.split('/').every((segment) => segment !== '' && segment.length <= SEGMENT_LENGTH)
  );
}

function makeOpaqueName(path: string): string {
  const digest = [0, 1, 2].map((seed) => hashText(path, seed).toString(16).padStart(8, '0')).join('');
  const extension = /\.[a-z0-9]{1,10}$/i.exec(path)?.[0] ?? '';
  return `~${digest}${extension}`;
}

/** Tells the paths that lie at, or below, a name which only case or composition tells from another. */
function findClashes(paths: readonly string[]): (path: string) => boolean {
  const spelled = new Map<string, string>();
  const clashing = new Set<string>();
  for (const path of paths) {
    for (const name of namesAlong(path)) {
      const key = foldName(name);
      const other = spelled.get(key);
      if (other === undefined) spelled.set(key, name);
      else if (other !== name) clashing.add(key);
    }
  }
  if (clashing.size === 0) return () => false;
  return (path) => namesAlong(path).some((name) => clashing.has(foldName(name)));
}

/** `a/b/c` → `a`, `a/b`, `a/b/c` */
function namesAlong(path: string): string[] {
  const names: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    names.push(path.slice(0, end));
  names.push(path);
  return names;
}

/** To lower case and back, because some characters have a partner in one direction only. */
function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
