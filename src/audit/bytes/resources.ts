/** Compares the bytes of resources with what is listed (§5.2), and listed URLs with those that pages give themselves. */

import { setImmediate as breathe } from 'node:timers/promises';
import { joinRows, type Rows } from '../../base/columns/rows.js';
import type { SkipReason } from '../../base/reasons.js';
import { readCanonical, readLocations, SITEMAP_BYTES } from '../../files/page/canonical.js';
import { judgeNoindex } from '../../files/page/facts/noindex.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
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
import { digestOpened, isAbsent, MOST_BYTES, MOST_LONGER, type Origin } from '../../source/origin/origin.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import type { LinkedBytes } from '../agreement/versions.js';
import type { Picture, Run } from '../picture.js';
import { flagAbsent } from '../read.js';
import { checkSitemapPages } from '../sitemap.js';
import { openBeginning, readFileStart, readTagsOf } from './beginning.js';
import { choose, compareBytes } from './bytes.js';
import { PageBytes, PageTexts } from './page-texts.js';

/** Compares bytes of all resources or a sample, and finds unlisted files (§5.2, §10.1). @param sums URLs of the signed sums */
export async function checkBytes(run: Run, picture: Picture, sums: readonly string[]): Promise<void> {
  const { config, counts } = run;
  const chosen = picture.listed.chosen();
  counts.asked.resources = chosen.length;
  counts.resources.listed = picture.listed.count();
  run.folder?.settleStyle();
  const linked = choose(config, picture.versions, ({ lastmod }) => readLastmod(lastmod));
  const pages = choosePagesOf(chosen);
  const state: CompareState = { texts: new PageTexts(run, picture), pages, done: 0 };
  const all = joinRows<ListedResource | LinkedBytes>([chosen, linked]);
  await workSideBySide(all, config.http.connections, (one) => compareOne(run, state, one));
  await flagUnlisted(run, picture, await listUnlisted(run, picture, sums));
  await checkCanonicals(run, picture.listed.sitemap(), chosen, pages);
  await checkSitemapPages(run, picture);
}

interface CompareState {
  readonly texts: PageTexts;
  /** Pages to be read again for their canonical URLs; without those that are missing. */
  readonly pages: Set<ListedResource>;
  done: number;
}

/** Compares the bytes of a resource, a version or a patch with what is listed of them, and a page with `pages.json`. */
async function compareOne(run: Run, state: CompareState, one: ListedResource | LinkedBytes): Promise<void> {
  const { texts, pages } = state;
  const { origin, flag, counts, observe, bounds } = run;
  const { document, line, uri: entry } = one;
  bounds.check();
  const wanted = toWanted(one);
  const opened = await origin.open(wanted.uri, {
    encoding: wanted.encoding,
    most: MOST_BYTES + MOST_LONGER,
  });
  let page: PageBytes | undefined;
  const outcome = await digestOpened(opened, wanted, () => {
    page = texts.has(entry) ? new PageBytes() : undefined;
    return page?.take;
  });
  const isLinked = 'missing' in one;
  if (!isLinked) observe({ stage: 'resources', done: ++state.done, total: counts.asked.resources });
  if (isAbsent(outcome)) {
    if (!isLinked) for (const missing of pages) if (missing.uri === entry) pages.delete(missing);
    flagAbsent(outcome, isLinked ? one.missing : 'resource-missing', { document, line, entry }, run);
    return;
  }
  if (!isLinked) {
    counts.resources.checked++;
    counts.resources.bytes += outcome.length;
  }
  compareBytes(one, outcome, flag);
  if (page !== undefined && !outcome.more) texts.check(entry, page);
}

interface FolderFile {
  readonly uri: string;
  /** Path of the file, relative to the folder of the site. */
  readonly path: string;
}

/** Number of files that a walk handles between two turns of the event loop. */
const STEP = 1024;

/** Lists files of a folder that no list has although one should. Reports documents of ours that nothing leads to. */
async function listUnlisted(
  { folder, config, flag, bounds }: Run,
  picture: Picture,
  sums: readonly string[],
): Promise<readonly FolderFile[]> {
  if (folder === undefined) return [];
  const { site, url, base } = folder;
  const style = folder.settleStyle();
  const ofVersions = new Set(picture.versions.map(({ uri }) => uri));
  const isListed = (address: Address) => picture.listed.has(address) || ofVersions.has(address);
  const select = makeSelection(config.include, config.exclude);
  const isLedTo = makeLinkTest(picture, sums);
  const unlisted: FolderFile[] = [];
  let met = 0;
  for (const { path, kind, nameless } of listEntries(site)) {
    if (met++ % STEP === 0) await bounds.race(breathe());
    if (kind !== undefined || nameless) continue;
    const address = addressOf(makeUri(base, path, style));
    if (isListed(address) || (folder.isRootOfPart(path) && isListed(addressOf(`${address}/`)))) continue;
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

/** Returns a path from `resourcesync/` on, wherever that folder is in the site: each build that shares the site has one. */
function belowPart(path: string): string {
  return path.slice(path.indexOf(`/${folderOfSet(undefined)}/`) + 1);
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
function choosePagesOf(chosen: Rows<ListedResource>): Set<ListedResource> {
  const pageAt = (place: number) => {
    const one = chosen.at(place);
    return one !== undefined && isPage(one) ? one : undefined;
  };
  return new Set(chooseSaidPages(urisOf(chosen), pageAt));
}

function* urisOf(resources: Iterable<ListedResource>): Generator<Address> {
  for (const { uri } of resources) yield uri;
}

/** Compares URLs of pages in lists with those in the sitemap and in `rel="canonical"`. @param pages that can be read */
async function checkCanonicals(
  run: Run,
  sitemap: string | undefined,
  chosen: Rows<ListedResource>,
  pages: ReadonlySet<ListedResource>,
): Promise<void> {
  if (sitemap !== undefined && pages.size > 0) {
    const beginning = await openBeginning(run.origin, sitemap, SITEMAP_BYTES);
    const said = beginning === undefined ? [] : readLocations(beginning.bytes.toString());
    for (const { page, said: found } of matchSaid(said, urisOf(chosen), (place) => chosen.at(place))) {
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
