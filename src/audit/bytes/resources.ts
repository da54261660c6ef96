/** Compares the bytes of resources with what is listed (§5.2), and listed URLs with those that pages give themselves. */

import { setImmediate as breathe } from 'node:timers/promises';
import { FingerprintSet, InternedTexts } from '../../base/columns/keys.js';
import { joinRows, type Rows } from '../../base/columns/rows.js';
import type { SkipReason } from '../../base/reasons.js';
import { createDigester } from '../../files/digest/digester.js';
import type { DigestTable } from '../../files/digest/table.js';
import { readCanonical, readLocations, SITEMAP_BYTES } from '../../files/page/canonical.js';
import { judgeNoindex } from '../../files/page/facts/noindex.js';
import { PAGE_FILE, TEXT_ALONE, unpackRecord } from '../../files/page/facts/seen.js';
import { BEGINNING_BYTES } from '../../files/page/page-head.js';
import { listEntries } from '../../files/walk.js';
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
import { makeSelection } from '../../paths/selection.js';
import { makeUri } from '../../paths/urls.js';
import { type ListedResource, readLastmod, toWanted } from '../../source/listed.js';
import type { SiteFolder } from '../../source/origin/folder.js';
import {
  type Absent,
  type Digested,
  digestOpened,
  isAbsent,
  MOST_BYTES,
  MOST_LONGER,
  NO_ANSWER,
} from '../../source/origin/origin.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { LinkedBytes } from '../agreement/versions.js';
import type { Picture, Run } from '../picture.js';
import { flagAbsent } from '../read.js';
import { checkSitemapPages } from '../sitemap.js';
import { openBeginning, readFileStart, readTagsOf } from './beginning.js';
import { choose, compareAnswer } from './bytes.js';
import { PageBytes, PageTexts } from './page-texts.js';
import type { Listing } from './sample.js';

/** Compares bytes of all resources or a sample, and finds unlisted files (§5.2, §10.1). @param sums URLs of the signed sums */
export async function checkBytes(picture: Picture, sums: readonly string[]): Promise<void> {
  const { run, listed, versions } = picture;
  const { config, counts, folder } = run;
  const chosen = listed.chosen();
  counts.asked.resources = chosen.length;
  counts.resources.listed = listed.count();
  const linked = choose(config, versions, ({ lastmod }) => readLastmod(lastmod));
  const all = joinRows<Compared>([chosen, linked]);
  const pages = choosePagesOf(listed.uris(), chosen);
  const work: Comparison = { picture, all, texts: new PageTexts(picture), pages, done: 0 };
  if (folder === undefined) {
    await workSideBySide(all, config.http.connections, (one) => compareOnline(work, one));
  } else {
    const wanted = new FingerprintSet();
    for (const uri of listed.uris()) wanted.add(uri);
    for (const { uri } of linked) wanted.add(uri);
    flagUnlisted(picture, folder, await compareFiles(work, folder, wanted, sums));
  }
  await checkCanonicals(run, listed, pages);
  await checkSitemapPages(picture);
}

type Compared = ListedResource | LinkedBytes;

interface Comparison {
  readonly picture: Picture;
  readonly all: Rows<Compared>;
  readonly texts: PageTexts;
  /** Pages whose canonical URLs are read later; pages that turn out to be missing are removed. */
  readonly pages: Set<ListedResource>;
  done: number;
}

/** Number of files that are handled between two turns of the event loop, in which timers and signals have their turn. */
const BETWEEN_TURNS = 1024;

/** Compares the files of a folder, which are digested in threads while the folder is walked. @returns unlisted files */
async function compareFiles(
  work: Comparison,
  folder: SiteFolder,
  wanted: FingerprintSet,
  sums: readonly string[],
): Promise<readonly FolderFile[]> {
  const { picture, all, texts } = work;
  const { bounds } = picture.run;
  const { digests } = picture.listed;
  const { site, url } = folder;
  const wishes = { wishes: TEXT_ALONE, url, urls: folder.settleStyle() };
  const digester = createDigester(site, [...digests], texts.site === url ? wishes : undefined);
  // Each path has the number that its file has in the digester.
  const paths = new InternedTexts();
  try {
    const unlisted = await walkFolder(picture, folder, sums, (path, addresses) => {
      if (!addresses.some((address) => wanted.has(address))) return;
      paths.add(path);
      digester.add(path);
    });
    const table = await bounds.race(digester.finish());
    for (const [place, one] of all.entries()) {
      if (place % BETWEEN_TURNS === 0) await bounds.race(breathe());
      const found = folder.find(one.uri, (path) => paths.find(path) !== undefined);
      if (typeof found !== 'string') {
        judge(work, one, found);
        continue;
      }
      const number = paths.add(found);
      judge(work, one, toDigested(table, number, digests));
      texts.check(one.uri, undefined, unpackRecord(table.seen(number)));
    }
    return unlisted;
  } finally {
    digester.close();
  }
}

function toDigested(table: DigestTable, number: number, names: ReadonlySet<HashAlgorithm>): Digested {
  const hex = (name: HashAlgorithm) => (names.has(name) ? table.hex(number, name) : undefined);
  return { ...NO_ANSWER, length: table.length(number), more: false, hex };
}

/** Requests a file, and compares its bytes. */
async function compareOnline(work: Comparison, one: Compared): Promise<void> {
  const { texts, picture } = work;
  const wanted = toWanted(one);
  const options = { encoding: wanted.encoding, most: MOST_BYTES + MOST_LONGER };
  let page: PageBytes | undefined;
  const outcome = await digestOpened(await picture.run.origin.open(wanted.uri, options), wanted, () => {
    page = texts.has(one.uri) ? new PageBytes() : undefined;
    return page?.take;
  });
  judge(work, one, outcome);
  if (page !== undefined && !isAbsent(outcome) && !outcome.more) texts.check(one.uri, page.all());
}

/** Compares the bytes of a resource, a version or a patch with what is listed, and counts the checked resources. */
function judge(work: Comparison, one: Compared, outcome: Digested | Absent): void {
  const { picture, pages } = work;
  const { run } = picture;
  const { flag, counts } = run;
  const { document, line, uri: entry } = one;
  const isLinked = 'missing' in one;
  if (!isLinked) run.observe({ stage: 'resources', done: ++work.done, total: counts.asked.resources });
  if (isAbsent(outcome)) {
    if (!isLinked) for (const page of pages) if (page.uri === entry) pages.delete(page);
    flagAbsent(outcome, isLinked ? one.missing : 'resource-missing', { document, line, entry }, run);
    return;
  }
  if (!isLinked) {
    counts.resources.checked++;
    counts.resources.bytes += outcome.length;
  }
  compareAnswer(one, outcome, flag);
}

interface FolderFile {
  readonly uri: string;
  /** Path of the file, relative to the folder of the site. */
  readonly path: string;
}

/**
 * Walks a folder. Reports documents of ours that nothing leads to.
 * @param take called with each file and its possible URLs @returns files that no list has although one should
 */
async function walkFolder(
  picture: Picture,
  folder: SiteFolder,
  sums: readonly string[],
  take: (path: string, addresses: readonly Address[]) => void,
): Promise<readonly FolderFile[]> {
  const { config, flag, bounds } = picture.run;
  const { site, url, base } = folder;
  const style = folder.settleStyle();
  const ofVersions = new Set(picture.versions.map(({ uri }) => uri));
  const isListed = (address: Address) => picture.listed.has(address) || ofVersions.has(address);
  const select = makeSelection(config.include, config.exclude);
  const isLedTo = makeLinkTest(picture, sums);
  const unlisted: FolderFile[] = [];
  let met = 0;
  for (const { path, kind, nameless } of listEntries(site)) {
    if (met++ % BETWEEN_TURNS === 0) await bounds.race(breathe());
    if (kind !== undefined || nameless) continue;
    const address = addressOf(makeUri(base, path, style));
    const own = folder.isRootOfPart(path) ? [address, addressOf(`${address}/`)] : [address];
    take(path, own);
    if (own.some(isListed)) continue;
    const reason = select(path);
    const file = { uri: url + address.slice(base.length), path };
    if ((reason !== undefined && reason !== 'own-document') || isLedTo(file, reason)) continue;
    if (reason === undefined) unlisted.push(file);
    else flag('document-unlisted', { document: file.uri, found: path });
  }
  return unlisted;
}

/** Makes a test for files that belong to the documents of a Source, though no list has them. */
function makeLinkTest(
  { documents, packageUris, versions, links }: Picture,
  sums: readonly string[],
): (file: FolderFile, reason: SkipReason | undefined) => boolean {
  const linked = new Set(
    [
      ...sums.flatMap((uri) => [uri, pathOfSignature(uri)]),
      ...links.flatMap(({ expected }) => (expected === undefined ? [] : expected)),
    ].map(addressOf),
  );
  const folders = new Set(Array.from(documents.keys(), (uri) => addressOf(new URL('.', uri).href)));
  return ({ uri, path }, reason) => {
    // Documents and packages may be anywhere, such as in the folder of a set that another build describes.
    const address = addressOf(uri);
    if (documents.has(address) || packageUris.has(address)) return true;
    const below = belowPart(path);
    // Nothing links to the inventory of versions; it belongs to them.
    const isLinked = linked.has(address) || (below === VERSIONS_INVENTORY && versions.length > 0);
    if (isLinked && (reason !== undefined || isAmongVersions(below))) return true;
    const folder = addressOf(new URL('.', uri).href);
    return isForPeople(below) && [...folders].some((one) => one.startsWith(folder));
  };
}

/** Returns a path from its `resourcesync/` on; each build that shares the site has a folder of this name. */
function belowPart(path: string): string {
  return path.slice(path.indexOf(`/${folderOfSet(undefined)}/`) + 1);
}

/** Reports unlisted files, and files of deleted resources. @param files neither in a list nor excluded by options */
function flagUnlisted(
  { run: { flag }, deleted, hasList }: Picture,
  folder: SiteFolder,
  files: readonly FolderFile[],
): void {
  if (!hasList && deleted.length === 0) return;
  const missed = withoutHidden(folder, files);
  if (hasList) for (const { uri, path } of missed) flag('resource-unlisted', { document: uri, found: path });
  const there = new Set(missed.map(({ uri }) => addressOf(uri)));
  for (const place of deleted) {
    if (there.has(place.entry)) flag('deleted-but-present', place);
  }
}

/** Removes pages with `noindex` and sitemaps of ours, which options of `describe` keep out of lists. */
function withoutHidden(folder: SiteFolder, files: readonly FolderFile[]): FolderFile[] {
  const hasTag = readTagsOf(folder, folder.url);
  return files.filter(({ uri, path }) => {
    if (hasTag?.(uri) === true || isOurSitemap(`${folder.site}/${path}`)) return false;
    return !PAGE_FILE.test(path) || !judgeNoindex(readFileStart(folder, uri, BEGINNING_BYTES));
  });
}

/** Number of pages that are read in parallel. */
const WORKERS = 4;

/** Chooses at most 50 of the pages whose bytes are compared, by hashes of their URLs, so that runs choose alike. */
function choosePagesOf(uris: Iterable<Address>, chosen: Rows<ListedResource>): Set<ListedResource> {
  const pageAt = (place: number) => {
    const one = chosen.at(place);
    return one !== undefined && isPage(one) ? one : undefined;
  };
  return new Set(chooseSaidPages(uris, pageAt));
}

/** Compares URLs of pages in lists with those in the sitemap and in `rel="canonical"`. @param pages that can be read */
async function checkCanonicals(run: Run, listed: Listing, pages: ReadonlySet<ListedResource>): Promise<void> {
  const sitemap = listed.sitemap();
  if (sitemap !== undefined && pages.size > 0) {
    const chosen = listed.chosen();
    const beginning = await openBeginning(run, sitemap, SITEMAP_BYTES);
    const said = beginning === undefined ? [] : readLocations(beginning.bytes.toString());
    for (const { page, said: found } of matchSaid(said, listed.uris(), (place) => chosen.at(place))) {
      if (!sameAddress(page.uri, found)) flagPage(run, page, `${found} in ${sitemap}`);
    }
  }
  await workSideBySide(pages, WORKERS, (page) => checkPage(run, page));
}

async function checkPage(run: Run, page: ListedResource): Promise<void> {
  const beginning = await openBeginning(run, page.uri, BEGINNING_BYTES);
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
