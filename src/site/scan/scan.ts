/** Scans a site: makes resources of its files, with URL, media type and digests. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SharedColumn } from '../../base/columns/kinds.js';
import { makeRows, mapRows } from '../../base/columns/rows.js';
import type { ResolvedSet } from '../../config/config.js';
import type { NoindexChoice, ResourceFacts } from '../../config/options.js';
import { type DigestName, findStrongest } from '../../files/digest/kinds.js';
import type { DigestTable } from '../../files/digest/table.js';
import type { WantedFacts } from '../../files/page/facts/seen.js';
import { PageRecords } from '../../files/page/records.js';
import { loadTypes } from '../../files/types.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { makeUri, URL_LENGTH_LIMIT } from '../../paths/urls.js';
import { formatDigests } from '../../standard/digests.js';
import type { HashAlgorithm, Link, Resource } from '../../standard/model.js';
import { makeFacts } from '../resource.js';
import type { FoundFile, ScannedSet, ScannedSite, SiteFacts, SiteFile } from '../scanned.js';
import { readFacts } from './facts.js';
import { DISK, type SiteReader } from './reader.js';
import { refuseSwapped } from './refusals.js';
import { planPageFacts, type WalkedSite, type WalkListener, type WalkRules, walkSite } from './walk.js';

export interface ScanRules extends WalkRules, WantedFacts {
  readonly noindex: NoindexChoice;
  readonly sets: readonly ResolvedSet[];
  readonly hash: readonly HashAlgorithm[];
  /** Tests if the option `withdraw` names a resource, by its URI. */
  readonly withdrawn: (uri: string) => boolean;
  readonly extras: ((resource: ResourceFacts) => Partial<Resource>) | undefined;
}

export interface ScanOptions {
  /** The kind of git blob ids to compute besides the digests; none if undefined. */
  readonly blobName?: 'git-sha1' | 'git-sha256' | undefined;
  /** Called every 100 ms with the number of files read, and the number of all files once it is known. */
  readonly onProgress?: (done: number, total?: number) => void;
  readonly onSkipped?: WalkListener['onSkipped'];
  readonly reader?: SiteReader | undefined;
  /** Cache of the facts of pages, which the scan uses and completes. @default that of an earlier run */
  readonly records?: PageRecords | undefined;
}

/**
 * Walks the site, maps its files to URLs and reads those that are resources.
 *
 * @param site absolute path, see `resolveSite`
 * @throws ResyncError `file-unreadable`, `file-changing`, `name-not-unicode`, `url-conflict`, `url-too-long`,
 *   `site-empty`, `file-too-large`, `extras-invalid`, `key-in-site`
 */
export async function scanSite(
  site: string,
  rules: ScanRules,
  { blobName, onProgress, onSkipped, reader = DISK, ...options }: ScanOptions = {},
): Promise<ScannedSite> {
  if (rules.sets.length === 0) return scanNothing(site);
  const wanted = planPageFacts(rules);
  const names = listDigests(rules, blobName, wanted !== undefined);
  const records = wanted && (options.records ?? new PageRecords(site, rules.url));
  const digester = reader.createDigester(site, names, wanted, true, wanted && records?.list(wanted));
  let found = false;
  const timer = setInterval(() => {
    const { done, total } = digester.progress();
    // Without a total while files are still being found: the share of files that were read would fall.
    onProgress?.(done, found ? total : undefined);
  }, 100);
  try {
    const folders: string[] = [];
    const list = (root: string, folder: string) => {
      folders.push(folder);
      return reader.readFolder(root, folder);
    };
    const walked = await walkSite(site, rules, list, { onFile: (path) => digester.add(path), onSkipped });
    found = true;
    // `_headers` is read like a page, and watched for changes, because its rules may say noindex.
    const hasRules = wanted?.wishes.noindex === true && walked.hostFiles.has(HOST_RULES);
    if (hasRules) digester.add(HOST_RULES);
    const typeOf = await loadTypes();
    const digests = await digester.finish();
    refuseSwapped(site, folders);
    const facts = wanted && readFacts(reader, site, wanted, digests, hasRules);
    for (const { index } of wanted === undefined ? [] : walked.files) {
      const seen = digests.seen(index);
      if (seen !== undefined) records?.add(seen);
    }
    const scanned = assembleSite(rules, walked, { digests, facts, typeOf, blobName });
    for (const path of scanned.unlisted) onSkipped?.(path, 'noindex');
    return scanned;
  } finally {
    clearInterval(timer);
    digester.close();
  }
}

/** Lists the digests to compute: pages are known again by one that is equal only for equal bytes. */
function listDigests(
  { hash }: ScanRules,
  blobName: ScanOptions['blobName'],
  wantsFacts: boolean,
): readonly DigestName[] {
  const names = blobName === undefined ? hash : [...hash, blobName];
  return wantsFacts && findStrongest(names) < 0 ? [...names, 'sha-256'] : names;
}

interface ReadFiles extends Pick<ScannedSite, 'facts' | 'typeOf'>, Pick<ScanOptions, 'blobName'> {
  readonly digests: DigestTable;
}

function assembleSite(
  rules: ScanRules,
  { files, skipped, ...walked }: WalkedSite,
  { digests, facts, typeOf, blobName }: ReadFiles,
): ScannedSite {
  const { extras } = rules;
  const types = new SharedColumn<string | undefined>();
  for (const { path } of files) types.push(typeOf(path));
  const make = ({ uri, path, index }: FoundFile, place: number): Resource => {
    const length = digests.length(index);
    const hash = formatDigests(rules.hash.map((name) => [name, digests.hex(index, name)]));
    const basic = makeFacts({ uri, path, length, hash }, types.at(place));
    // The links of a page are part of its content, so they are left out if the option `withdraw` names the page.
    const isLinked = facts !== undefined && rules.wishes.links && !rules.withdrawn(uri);
    const own = isLinked ? facts.linksOf({ index }) : [];
    return addLinks(extras === undefined ? basic : { ...basic, ...extras(basic) }, own);
  };
  // Makes all resources only once if the configuration has functions, which must be called once for each.
  const resources = extras === undefined ? mapRows(files, make) : files.map(make);
  const typeAt = (place: number) => (extras === undefined ? types.at(place) : resources.at(place)?.type);
  const unlisted = listUnlisted(rules, files, facts);
  let bytes = 0;
  for (const { path, index } of files) if (!unlisted.has(path)) bytes += digests.length(index);
  const blobs = blobName === undefined ? [] : files.map(({ index }) => digests.hex(index, blobName));
  return {
    ...walked,
    resources,
    files,
    bytes,
    sets: rules.sets.map((set) => selectResources(set, { files, resources, blobs }, unlisted)),
    facts,
    unlisted,
    tagRules: rules.noindex === 'skip' ? facts?.tagRules : undefined,
    skipped: unlisted.size === 0 ? skipped : { ...skipped, noindex: unlisted.size },
    blobs,
    uriOf: (path) => findUri(path, rules),
    typeOf,
    typeAt,
  };
}

function findUri(path: string, { selection, url, urls }: ScanRules): string | undefined {
  const uri = selection(path) === undefined ? makeUri(url, path, urls) : undefined;
  return uri !== undefined && uri.length < URL_LENGTH_LIMIT ? uri : undefined;
}

/** Returns an empty result without reading files, if the configuration only joins sets that other builds describe. */
async function scanNothing(site: string): Promise<ScannedSite> {
  const hostFiles = new Set(['CNAME', '.nojekyll'].filter((name) => existsSync(join(site, name))));
  const nothing = {
    resources: [],
    files: [],
    bytes: 0,
    sets: [],
    blobs: [],
    idleIncludes: [],
    idleGlobs: [],
  };
  const noFacts = { facts: undefined, unlisted: new Set<string>(), tagRules: undefined };
  const none = () => undefined;
  const types = { typeOf: await loadTypes(), typeAt: none };
  return { ...nothing, ...noFacts, ...types, skipped: {}, hostFiles, uriOf: none };
}

/** Selects the resources of a set; the set without a name has all. Makes objects only for those that it selects. */
function selectResources(
  set: ResolvedSet,
  { files, resources, blobs }: Pick<ScannedSite, 'files' | 'resources' | 'blobs'>,
  unlisted: ReadonlySet<string>,
): ScannedSet {
  const toSiteFile = ({ uri, path }: Pick<FoundFile, 'uri' | 'path'>, place: number): SiteFile => ({
    uri,
    path,
    blob: blobs[place] ?? '',
  });
  const { name, holds } = set;
  if (name === undefined && unlisted.size === 0)
    return { ...set, resources, files: mapRows(files, toSiteFile) };
  const isHeld = ({ path }: FoundFile) => (name === undefined || holds(path)) && !unlisted.has(path);
  const places = new Uint32Array(files.length);
  let count = 0;
  for (const [place, file] of files.entries()) if (isHeld(file)) places[count++] = place;
  const held = places.slice(0, count);
  const makeHeld = <T>(make: (place: number) => T) => makeRows(count, (row) => make(held[row] ?? 0));
  return {
    ...set,
    resources: makeHeld((place) => resources.at(place) as Resource),
    files: makeHeld((place) => toSiteFile(files.at(place) as FoundFile, place)),
  };
}

function listUnlisted(
  { noindex, sets }: ScanRules,
  files: Iterable<FoundFile>,
  facts: SiteFacts | undefined,
): ReadonlySet<string> {
  const unlisted = new Set<string>();
  if (facts === undefined || noindex === 'keep') return unlisted;
  for (const file of files)
    if (facts.saysNoindex(file) && sets.some(({ holds }) => holds(file.path))) unlisted.add(file.path);
  return unlisted;
}

/** Adds the links that a page has of its own to a resource, after those of the configuration. */
function addLinks(resource: Resource, own: readonly Link[]): Resource {
  if (own.length === 0) return resource;
  const { links = [] } = resource;
  const present = new Set(links.map(({ rel, href }) => `${rel} ${href}`));
  return { ...resource, links: [...links, ...own.filter(({ rel, href }) => !present.has(`${rel} ${href}`))] };
}
