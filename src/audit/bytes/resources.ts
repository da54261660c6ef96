/** Compares the bytes of resources with what is listed (§5.2), and listed URLs with those that pages give themselves. */

import { findFirst, joinRows, type Rows } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';
import { readCanonical, readLocations, SITEMAP_BYTES } from '../../files/page/canonical.js';
import { judgeNoindex } from '../../files/page/facts/noindex.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { type Address, addressOf, sameAddress } from '../../paths/address.js';
import { isOurSitemap } from '../../paths/hold/ownership.js';
import {
  folderOfSet,
  isAmongVersions,
  isForPeople,
  pathOfSignature,
  VERSIONS_INVENTORY,
} from '../../paths/ours.js';
import { chooseSaidPages, isVariant, matchSaid } from '../../paths/said-urls.js';
import { makeSelection, type Selection } from '../../paths/selection.js';
import { algorithmsOf, type ListedResource, readLastmod, toWanted } from '../../source/listed.js';
import { type Absent, type Digested, isAbsent, type Origin } from '../../source/origin/origin.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import type { Flag } from '../../standard/rules/checks.js';
import type { LinkedBytes } from '../agreement/versions.js';
import type { Picture, Run } from '../picture.js';
import { flagAbsent } from '../read.js';
import type { ResolvedAudit } from '../resolved.js';
import { checkSitemapPages } from '../sitemap.js';
import { openBeginning, readFileStart, readTagsOf } from './beginning.js';
import { choose, compareBytes } from './bytes.js';
import type { FolderFile } from './compare.js';
import { PageTexts } from './page-texts.js';
import { joinPlaces, listPlaces } from './sample.js';

/** Compares bytes of all resources or a sample, and finds unlisted files (§5.2, §10.1). @param sums URLs of the signed sums */
export async function checkBytes(run: Run, picture: Picture, sums: readonly string[]): Promise<void> {
  const { compare, counts } = run;
  const [listed, chosen] = [picture.listed.kept(), picture.listed.chosen()];
  counts.asked.resources = chosen.values.length;
  counts.resources.listed = picture.listed.count();
  const linked = chooseLinked(run.config, picture);
  const all = joinPlaces<ListedResource | LinkedBytes>([listed, listPlaces(linked)]);
  const at = (place: number) => all.values.at(place) as ListedResource | LinkedBytes;
  const digests = new Set([...picture.listed.digests(), ...linked.flatMap(algorithmsOf)]);
  const pages = choosePagesOf(chosen);
  const comparison = new ByteComparison(run, pages);
  const texts = new PageTexts(run, picture);
  const unlisted = new UnlistedFiles(run, picture, sums);
  await compare({
    uris: all.uris,
    find: all.find,
    isWanted: makeIsWanted(all.values, joinRows([chosen.values, linked])),
    want: (place) => toWanted(at(place)),
    digests,
    take: (place) => texts.take(place, at(place).uri),
    textsOf: texts.site,
    each: (place, outcome, record) => {
      const one = at(place);
      comparison.check(one, outcome);
      texts.check(place, one.uri, outcome, record);
    },
    other: (file) => unlisted.add(file),
  });
  await flagUnlisted(run, picture, unlisted.list());
  await checkCanonicals(run, listed, pages);
  await checkSitemapPages(run, picture);
}

/** Compares bytes of resources, versions and patches with what is listed of them, and counts the checked resources. */
class ByteComparison {
  readonly #run: Run;
  readonly #pages: Set<ListedResource>;
  #done = 0;

  /** Starts to compare bytes. @param pages set of pages, from which `check` removes those that are missing */
  constructor(run: Run, pages: Set<ListedResource>) {
    this.#run = run;
    this.#pages = pages;
  }

  check(one: ListedResource | LinkedBytes, outcome: Digested | Absent): void {
    const { flag, counts } = this.#run;
    const { document, line, uri: entry } = one;
    const place = { document, line, entry };
    if ('missing' in one) {
      if (isAbsent(outcome)) flagAbsent(outcome, one.missing, place, this.#run);
      else compareBytes(one, outcome, flag);
      return;
    }
    this.#run.observe({ stage: 'resources', done: ++this.#done, total: counts.asked.resources });
    if (isAbsent(outcome)) {
      for (const page of this.#pages) if (page.uri === entry) this.#pages.delete(page);
      flagAbsent(outcome, 'resource-missing', place, this.#run);
    } else {
      counts.resources.checked++;
      counts.resources.bytes += outcome.length;
      compareBytes(one, outcome, flag);
    }
  }
}

/** Collects files of a folder that no list has although one should. Reports documents of ours that nothing leads to. */
class UnlistedFiles {
  readonly #flag: Flag;
  readonly #picture: Picture;
  /** Addresses of the sums, signatures, versions, patches and other files that documents lead to. */
  readonly #linked: ReadonlySet<Address>;
  readonly #selection: Selection;
  readonly #files: FolderFile[] = [];

  constructor({ config, flag }: Run, picture: Picture, sums: readonly string[]) {
    this.#flag = flag;
    this.#picture = picture;
    this.#linked = listLinked(picture, sums);
    this.#selection = makeSelection(config.include, config.exclude);
  }

  list(): readonly FolderFile[] {
    return this.#files;
  }

  add({ uri, path }: FolderFile): void {
    const { documents, packageUris, listed } = this.#picture;
    // Documents and packages may be anywhere, such as in the folder of a set that another build describes.
    const address = addressOf(uri);
    if (documents.has(address) || packageUris.has(address)) return;
    if (isAmongVersions(belowPart(path)) && this.#isLinked(uri, path)) return;
    if (isForPeople(belowPart(path)) && this.#hasDocuments(addressOf(new URL('.', uri).href))) return;
    const reason = this.#selection(path);
    if (reason === undefined && !listed.has(address)) this.#files.push({ uri, path });
    if (reason === 'own-document' && !this.#isLinked(uri, path))
      this.#flag('document-unlisted', { document: uri, found: path });
  }

  #isLinked(uri: string, path: string): boolean {
    // Nothing links to the inventory of versions; it belongs to them.
    const isInventory = belowPart(path) === VERSIONS_INVENTORY && this.#picture.versions.length > 0;
    return this.#linked.has(addressOf(uri)) || isInventory;
  }

  #hasDocuments(folder: Address): boolean {
    return [...this.#picture.documents.keys()].some((uri) => uri.startsWith(folder));
  }
}

/** Creates a test for places whose value was chosen. @param chosen all or some of the objects in `all` */
function makeIsWanted<T>(all: Rows<T>, chosen: Rows<T>): (place: number) => boolean {
  if (chosen.length === all.length) return () => true;
  const among = new Set<T | undefined>(chosen);
  return (place) => among.has(all.at(place));
}

/** Returns a path from `resourcesync/` on, wherever that folder is in the site: each build that shares the site has one. */
function belowPart(path: string): string {
  return path.slice(path.indexOf(`/${folderOfSet(undefined)}/`) + 1);
}

/** Chooses the linked versions and patches to check, by the same options as resources. */
function chooseLinked(config: ResolvedAudit, { versions }: Picture): readonly LinkedBytes[] {
  return choose(config, versions, ({ lastmod }) => readLastmod(lastmod));
}

/** Lists the addresses of the sums, signatures, versions, patches and other files that documents lead to. */
function listLinked({ versions, links }: Picture, sums: readonly string[]): ReadonlySet<Address> {
  const linked = [
    ...sums.flatMap((uri) => [uri, pathOfSignature(uri)]),
    ...versions.map(({ uri }) => uri),
    ...links.flatMap(({ expected }) => (expected === undefined ? [] : expected)),
  ];
  return new Set(linked.map(addressOf));
}

/** Reports unlisted files, and files of deleted resources. @param files neither in a list nor excluded by options */
async function flagUnlisted(
  { origin, flag }: Run,
  { deleted, hasList }: Picture,
  files: readonly FolderFile[],
): Promise<void> {
  if (!hasList && deleted.length === 0) return;
  const missed = await withoutHidden(origin, files);
  if (hasList) for (const { uri, path } of missed) flag('resource-unlisted', { document: uri, found: path });
  const there = new Set(missed.map(({ uri }) => addressOf(uri)));
  for (const place of deleted) {
    if (there.has(place.entry)) flag('deleted-but-present', place);
  }
}

/** Returns the files without pages that say `noindex` and sitemaps of ours: options of `describe` keep these out of lists. */
async function withoutHidden(origin: Origin, files: readonly FolderFile[]): Promise<FolderFile[]> {
  const [first] = files;
  if (first === undefined) return [];
  const hasTag = readTagsOf(origin, first.uri);
  const others: FolderFile[] = [];
  for (const file of files) {
    const place = origin.pathOf(file.uri);
    if (hasTag?.(file.uri) === true || (place !== undefined && isOurSitemap(place))) continue;
    const isPage = PAGE_FILE.test(file.path);
    if (!isPage || !judgeNoindex(readFileStart(origin, file.uri, BEGINNING_BYTES))) others.push(file);
  }
  return others;
}

/** Number of pages that are read in parallel. */
const WORKERS = 4;

/** Chooses at most 50 of the pages whose bytes are compared, by hashes of their URLs, so that runs choose alike. */
function choosePagesOf({ values, uris }: TableRows<ListedResource, Address>): Set<ListedResource> {
  const pageAt = (place: number) => {
    const one = values.at(place);
    return one !== undefined && isPage(one) ? one : undefined;
  };
  return new Set(chooseSaidPages(uris, pageAt));
}

/** Compares listed URLs of pages with those in the sitemap and in `rel="canonical"`. @param pages that can be read */
async function checkCanonicals(
  run: Run,
  { values, uris }: TableRows<ListedResource, Address>,
  pages: ReadonlySet<ListedResource>,
): Promise<void> {
  const sitemap = findFirst(uris, (uri) => /^https?:\/\/[^/]+(?:\/[^?#]*)?\/sitemap(?:-0)?\.xml$/.test(uri));
  if (sitemap !== undefined && pages.size > 0) {
    const beginning = await openBeginning(run.origin, sitemap, SITEMAP_BYTES);
    const said = beginning === undefined ? [] : readLocations(beginning.bytes.toString());
    for (const { page, said: found } of matchSaid(said, uris, (place) => values.at(place))) {
      if (!sameAddress(page.uri, found)) flagPage(run, page, `${found} in ${sitemap}`);
    }
  }
  await workSideBySide(pages, WORKERS, (page) => checkPage(run, page));
}

async function checkPage(run: Run, page: ListedResource): Promise<void> {
  const beginning = await openBeginning(run.origin, page.uri, BEGINNING_BYTES);
  const found = beginning && readCanonical(beginning.bytes, page.uri);
  if (found !== undefined && !sameAddress(page.uri, found) && isVariant(page.uri, found))
    flagPage(run, page, `${found} in rel="canonical"`);
}

function flagPage({ flag }: Run, { document, line, uri }: ListedResource, found: string): void {
  flag('canonical-differs', { document, line, entry: uri, found });
}

function isPage({ type, uri }: ListedResource): boolean {
  if (type !== undefined) return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  return /(?:\/|\.html)$/.test(uri);
}
