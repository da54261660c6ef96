/** Every name, place and mark of the documents that this tool writes: a new kind of document is entered in this file alone. Pure. */

import { compactDatetime } from '../base/datetime.js';
import type { ChannelCapability } from '../standard/capabilities.js';
import { PAGES_BEGINNING, SUMS_FILE } from '../standard/model.js';

/** Path of the Source Description, relative to the site (§6.3.2). */
export const SOURCE_DESCRIPTION = '.well-known/resourcesync';

/** Folder for documents that are about to be published, relative to the site; it is removed after the run. */
export const WORK_FOLDER = '.resync-static';

/** Folder of a mirror for its state and for downloads, relative to the copy. */
export const MIRROR_FOLDER = '.resync-mirror';

/** Our mark in every document and package. A file of others that merely has the same name lacks it. */
export const OWNER_MARK = 'Written by resync-static';
/** Our mark at the end of a sitemap that a generator wrote, and in which we have set the dates. */
export const DATED_MARK = 'Dated by resync-static';
/** Number of bytes at the beginning of a document, or at the end of a package, within which our mark stands. */
export const MARK_WITHIN = 256;

const FOLDER = 'resourcesync';
/** Paths of the page for people and of the feed of changes, relative to the site. */
export const PAGE = `${FOLDER}/index.html`;
export const FEED = `${FOLDER}/changes.atom`;
/** Path of the sitemap, unless the configuration names another file. */
export const SITEMAP = 'sitemap.xml';

/** Path of the list of pages and their changes for programs, relative to the site. */
export const PAGES = `${FOLDER}/pages.json`;
/** Matches the name of a set of resources, which is also the name of its folder. */
export const SET_NAME = /^[a-z0-9][a-z0-9-]*$/;
/** Paths of the folders for versions of resources and for lists of versions (TimeMaps), relative to the site. */
export const VERSIONS_FOLDER = `${FOLDER}/versions`;
export const TIMEMAPS_FOLDER = `${FOLDER}/timemaps`;
/** Path of the file that names our versions and lists of versions: these cannot carry our mark. */
export const VERSIONS_INVENTORY = `${VERSIONS_FOLDER}/inventory.txt`;

const NUMBER = '-\\d{4,5}';
const MOMENT = '-\\d{8}T\\d{6}Z';
const DIGEST = '-[\\da-f]{16}';

/** Names of our folders in the folder of a set; no set may have such a name. */
export const RESERVED_NAMES: readonly string[] = ['archives', 'versions', 'timemaps'];
export const ARCHIVES = 'archives';

/** The documents of a set, with patterns for the ends of the names of their parts and packages. */
const DOCUMENTS = {
  capabilitylist: {},
  resourcelist: { part: NUMBER },
  // A publication that no list could hold is divided among lists that begin at the same moment, and are numbered.
  changelist: { part: `${MOMENT}(?:-\\d+)?` },
  resourcedump: { part: NUMBER, package: DIGEST },
  // The name of an archived package also has a digest of its content.
  changedump: { part: NUMBER, package: `${MOMENT}(?:${DIGEST})?` },
  'resourcelist-archive': { part: NUMBER },
  'changelist-archive': { part: NUMBER },
  'resourcedump-archive': { part: NUMBER },
  'changedump-archive': { part: NUMBER },
} as const satisfies Readonly<Record<string, { readonly part?: string; readonly package?: string }>>;

/** The name of a document of a set, as in `capability` (§7). */
export type DocumentName = keyof typeof DOCUMENTS;
/** Names of all documents of a set, lists before dumps before archives. */
export const DOCUMENT_NAMES = Object.keys(DOCUMENTS) as readonly DocumentName[];

export type ArchiveName = Extract<DocumentName, `${string}-archive`>;
export const ARCHIVE_NAMES = DOCUMENT_NAMES.filter((name): name is ArchiveName => name.endsWith('-archive'));

const PEOPLE = `${FOLDER}/(?:index\\.html|changes\\.atom|pages\\.json)`;

const OWN_DOCUMENT = makeOwnDocument();
const FOR_PEOPLE = new RegExp(`^${PEOPLE}$`);

const VERSION = new RegExp(
  `^(?:${VERSIONS_FOLDER}/[\\da-f]{16}(?:-[1-9]\\d*)?/.+|${TIMEMAPS_FOLDER}/.+\\.txt)$`,
  's',
);

/** Returns whether a path is reserved for a version or a TimeMap, whoever wrote the file there. */
export function isVersionPath(path: string): boolean {
  return path.startsWith(FOLDER) && VERSION.test(path);
}

/** Returns whether a path is a folder for versions or TimeMaps, or in one: nothing there is a resource. */
export function isAmongVersions(path: string): boolean {
  // Answers at once for nearly all paths: every path is tested, and few lie in this folder.
  if (!path.startsWith(FOLDER)) return false;
  return [VERSIONS_FOLDER, TIMEMAPS_FOLDER].some(
    (folder) => path === folder || path.startsWith(`${folder}/`),
  );
}

/**
 * Returns the path of a version in the site, by a digest of its bytes and the path of the resource. @param turn 2 if the
 * resource has these bytes for the second time: a memento is of one moment (RFC 7089 §2.2.4)
 */
export function pathOfVersion(sha256: string, path: string, turn = 1): string {
  const name = sha256.slice(0, 16);
  return `${VERSIONS_FOLDER}/${turn === 1 ? name : `${name}-${turn}`}/${path}`;
}

export function pathOfTimeMap(path: string): string {
  return `${TIMEMAPS_FOLDER}/${path}.txt`;
}

function makeOwnDocument(): RegExp {
  const names = Object.entries<{ part?: string; package?: string }>(DOCUMENTS).flatMap(
    ([name, { part, package: packed }]) => [
      part === undefined ? `${name}\\.xml` : `${name}(?:${part})?\\.xml`,
      // Beside each package is a copy of its manifest.
      ...(packed === undefined ? [] : [`${name}${packed}\\.(?:xml|zip)`]),
    ],
  );
  const set = SET_NAME.source.slice(1, -1);
  const description = SOURCE_DESCRIPTION.replaceAll('.', '\\.');
  const archived = `${ARCHIVES}/(?:resource|change)(?:list|dump)-archive${MOMENT}${DIGEST}(?:${NUMBER})?\\.xml`;
  return new RegExp(
    `^(?:${description}|${PEOPLE}|${FOLDER}/(?:${set}/)?(?:${[...names, archived, `${SUMS_FILE}(?:\\.sig)?`].join('|')}))$`,
  );
}

/** Returns the folder of all documents but the Source Description, relative to the site; a named set has a folder of its own. */
export function folderOfSet(set: string | undefined): string {
  return set === undefined ? FOLDER : `${FOLDER}/${set}`;
}

export function pathOfDocument(set: string | undefined, name: DocumentName): string {
  return `${folderOfSet(set)}/${name}.xml`;
}

export function pathOfSums(set: string | undefined): string {
  return `${folderOfSet(set)}/${SUMS_FILE}`;
}

/** Matches the URL of a `SHA256SUMS`: below the root of a site, for the whole site or for one set. */
const SUMS_PLACE = new RegExp(`^(?<root>.*/)${FOLDER}/(?<set>[^/]+/)?${SUMS_FILE}$`);

/** Returns two URLs for a `SHA256SUMS`: its paths are relative to `root`, and it counts below `scope`. Undefined if misplaced. */
export function scopeOfSums(uri: string): { readonly root: string; readonly scope: string } | undefined {
  const { root, set } = SUMS_PLACE.exec(uri)?.groups ?? {};
  return root === undefined
    ? undefined
    : { root, scope: set === undefined ? root : `${root}${FOLDER}/${set}` };
}

export function pathOfSignature(sums: string): string {
  return `${sums}.sig`;
}

/** Returns the path or the URL of a part of a document: `resourcelist.xml` → `resourcelist-0001.xml`. */
export function pathOfPart(whole: string, part: string): string {
  return whole.replace(/\.xml$/, `-${part}.xml`);
}

/** Names a part by its place among the parts: 0 → `0001`. */
export function numberPart(index: number): string {
  return String(index + 1).padStart(4, '0');
}

/** Names a list by the moment after which it begins: `20261120T101500Z`, or `20261120T101500Z-2` for the second of this moment. */
export function nameInterval(from: Date, part: number): string {
  const moment = compactDatetime(from);
  return part === 1 ? moment : `${moment}-${part}`;
}

/**
 * Returns the path of a package in the site, without `.zip`, or `.xml` for its manifest. @param name 16 hexadecimal digits of
 * a digest (Resource Dump), or the end of the interval (Change Dump; if archived, with a digest)
 */
export function pathOfPackage(
  set: string | undefined,
  dump: 'resourcedump' | 'changedump',
  name: string,
): string {
  return `${folderOfSet(set)}/${dump}-${name}`;
}

/**
 * Returns the path of an archived document, such as `archives/changelist-archive-20261201T000000Z-<digest>.xml` in its set's folder.
 * @param moment the end of its interval, or the moment of its snapshot @param digest 16 hexadecimal digits
 */
export function pathOfArchived(
  set: string | undefined,
  archive: ArchiveName,
  moment: Date,
  digest: string,
): string {
  return `${folderOfArchives(set)}/${archive}-${compactDatetime(moment)}-${digest}.xml`;
}

export function folderOfArchives(set: string | undefined): string {
  return `${folderOfSet(set)}/${ARCHIVES}`;
}

/** Returns whether a path is reserved for a document or a package of ours, whoever wrote the file there. */
export function isOwnDocument(path: string): boolean {
  if (!path.startsWith(FOLDER) && path !== SOURCE_DESCRIPTION) return false;
  return OWN_DOCUMENT.test(path) || isAmongVersions(path);
}

/** Returns whether a path is reserved for the page, the feed or `pages.json`: documents of the standard need not link to these. */
export function isForPeople(path: string): boolean {
  return FOR_PEOPLE.test(path);
}

/** Returns whether a URL is that of a present or past document of this Source. */
export function isOwnUri(uri: string, url: string): boolean {
  return uri.startsWith(url) && isOwnDocument(uri.slice(url.length));
}

export function isOwnText(text: string): boolean {
  return text.slice(0, MARK_WITHIN).includes(`<!-- ${OWNER_MARK} -->`) || text.startsWith(PAGES_BEGINNING);
}

/** Returns whether a sitemap has our mark at its end: we have set the dates in it. @param end the end, or the whole */
export function isDatedText(end: string): boolean {
  return end.trimEnd().endsWith(`<!-- ${DATED_MARK} -->`);
}

export const SNAPSHOT_REFS = 'refs/resync-static/';

/** Returns whether a ref holds snapshots, whose commits this tool makes, so that blobs have exactly the bytes of the site. */
export function isSnapshotRef(ref: string): boolean {
  return ref.startsWith(SNAPSHOT_REFS);
}

const SEGMENTS: Readonly<Record<ChannelCapability, string>> = {
  'change-notification': 'changes',
  'framework-notification': 'framework',
};

/** Returns the path of a channel, without a leading slash: `changes`, or `texts/changes` for the set `texts`. */
export function pathOfChannel(set: string | undefined, channel: ChannelCapability): string {
  return set === undefined ? SEGMENTS[channel] : `${set}/${SEGMENTS[channel]}`;
}
