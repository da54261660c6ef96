/** Plans a sitemap of our own, or puts true dates into the sitemaps of a generator. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { makeRows, mapRows, type Rows } from '../../base/columns/rows.js';
import { type Notice, noticeSome } from '../../base/notices.js';
import type { ShownPages } from '../../diff/run/dates.js';
import { RULE } from '../../files/page/record.js';
import { addressOf } from '../../paths/address.js';
import { stateOfFile } from '../../paths/hold/files.js';
import { isOurs } from '../../paths/hold/ownership.js';
import { DATED_MARK, numberPart, OWNER_MARK, pathOfPart } from '../../paths/ours.js';
import { encodePath } from '../../paths/urls.js';
import { loadSitemap, parseSitemap, type SiteSitemaps } from '../../site/discovery/sitemaps.js';
import { cutRows } from '../../standard/cuts/limits.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import {
  dateSitemap,
  differInDates,
  type SitemapEntry,
  serializeSitemap,
} from '../../standard/xml/sitemap.js';
import type { NewDocument } from '../document.js';
import { gzipText } from '../dumps/compress.js';
import type { Contribute, Contribution, PlannedRun } from '../feature.js';

/** Bytes that an entry of a sitemap has at most, without its URL. */
const ROW_BYTES = 100;
/** Milliseconds that a build takes at most. Many generators date every page with the time of the build. */
const BUILD_TIME = 3_600_000;

export function prepare(run: PlannedRun): Contribute {
  const { existingSitemaps: existing } = run;
  return async () => {
    const { removed = [], ...planned } = existing === undefined ? {} : await plan(run, existing);
    // A generator may have replaced a sitemap of ours by now.
    return { ...planned, removed: removed.filter((path) => isOurs(join(run.site, path))) };
  };
}

async function plan(run: PlannedRun, existing: SiteSitemaps): Promise<Contribution> {
  const { shown, config } = run;
  const { sitemap, isJoined, joined } = config;
  if (sitemap !== undefined && shown !== undefined) return planSitemap(run, existing, sitemap.file, shown);
  // A sitemap of an earlier run is removed, unless another build of the Source may need it.
  const isShared = isJoined || joined.length > 0;
  return isShared ? {} : { removed: existing.own };
}

/** Plans the sitemaps to write. @param existing sitemaps in the site @throws ResyncError `git-failed`, `file-changing` */
async function planSitemap(
  run: PlannedRun,
  existing: SiteSitemaps,
  file: string,
  { pages: shown, dates }: ShownPages,
): Promise<Contribution> {
  const { history, scanned } = run;
  const odd = shown.filter((page) => scanned.facts?.hasOddEncoding(page) === true).map(({ uri }) => uri);
  const isOfOtherRule = history?.kind === 'published' && (history.pages?.rule ?? RULE) !== RULE;
  const unread = dates?.unread ?? 0;
  const notices: Notice[] = [
    ...(dates === undefined ? [{ code: 'sitemap-without-history' } as const] : []),
    ...(isOfOtherRule ? [{ code: 'dates-of-other-rule' } as const] : []),
    ...(unread > 0 ? [{ code: 'dates-not-moved', count: unread } as const] : []),
    ...noticeSome(odd, (example, count) => ({ code: 'encoding-unknown', count, example })),
  ];
  const pages = mapRows(shown, ({ uri }): SitemapEntry => ({ uri, lastmod: dates?.dates.get(uri) }));
  if (existing.files.length === 0) {
    const documents = makeOwn(run, file, pages);
    const present = new Set(documents.map(({ path }) => path));
    return { documents, removed: existing.own.filter((path) => !present.has(path)), notices };
  }
  const from = findOldest(run);
  const dated =
    dates === undefined || from === undefined ? {} : await dateExisting(run, existing.files, pages, from);
  return { ...dated, removed: existing.own, notices: [...notices, ...(dated.notices ?? [])] };
}

/** Returns the moment before which the generator's dates of pages without known dates are kept. With `pages.json`, none are. */
function findOldest({ history, timeline }: PlannedRun): Date | undefined {
  return history?.kind === 'published' && history.pages !== undefined ? new Date(0) : timeline?.from;
}

/** Makes a sitemap, or its parts and their index. */
function makeOwn(
  { site, config: { url } }: PlannedRun,
  file: string,
  entries: Rows<SitemapEntry>,
): NewDocument[] {
  const make = (path: string, root: 'urlset' | 'sitemapindex', some: Rows<SitemapEntry>): NewDocument => ({
    path,
    uri: url + encodePath(path),
    kind: 'sitemap',
    entries: some.length,
    state: stateOfFile(join(site, path)),
    content: makeRows(1, () => serializeSitemap(root, some, OWNER_MARK)),
  });
  const cuts = cutRows(
    // An upper limit for each entry in bytes: URLs are ASCII, and an escaped `&` or `'` takes five bytes.
    mapRows(entries, ({ uri }) => uri.length + 5 * uri.split(/[&']/).length + ROW_BYTES),
    DOCUMENT_LIMITS,
  );
  if (cuts.length < 2) return [make(file, 'urlset', entries)];
  const parts = cuts.map(({ start, end }, index) => {
    const some = entries.slice(start, end);
    return { file: make(pathOfPart(file, numberPart(index)), 'urlset', some), lastmod: findNewest(some) };
  });
  const index = parts.map(({ file: { uri }, lastmod }) => ({ uri, lastmod }));
  return [...parts.map((part) => part.file), make(file, 'sitemapindex', index)];
}

function findNewest(entries: Iterable<SitemapEntry>): Date | undefined {
  let newest: Date | undefined;
  for (const { lastmod } of entries) {
    if (lastmod !== undefined && (newest === undefined || lastmod > newest)) newest = lastmod;
  }
  return newest;
}

/**
 * Puts known dates of pages into the sitemaps of a generator.
 * @param paths sitemaps, parts before their index
 * @param from if a page has no known date, the generator's date is kept if it is from before this moment
 */
async function dateExisting(
  { site, config: { url } }: PlannedRun,
  paths: readonly string[],
  pages: Rows<SitemapEntry>,
  from: Date,
): Promise<Contribution> {
  const byAddress = new Map(
    pages.map(({ uri, lastmod = 'unknown' as const }) => [addressOf(uri), lastmod] as const),
  );
  const parts = new Map<string, Date | 'unknown'>();
  const before = new Date(from.getTime() - BUILD_TIME);
  const documents: NewDocument[] = [];
  const unread: string[] = [];
  const unlisted = new Set<string>();
  for (const path of paths) {
    const state = stateOfFile(join(site, path));
    const sitemap = isForeign(join(site, path)) ? undefined : await loadSitemap(site, path);
    if (sitemap === undefined) {
      unread.push(path);
      continue;
    }
    const { isIndex, entries, text } = sitemap;
    const all = isIndex ? parts : byAddress;
    const dateOf = (uri: string) => all.get(addressOf(uri)) ?? 'foreign';
    if (!isIndex) for (const { loc } of entries) if (dateOf(loc) === 'foreign') unlisted.add(loc);
    const { pieces, newest } = dateSitemap(sitemap, { dateOf, before, comment: DATED_MARK });
    const dated = pieces.join('');
    const read = dated === text ? sitemap : await parseSitemap(Buffer.from(dated));
    // A sitemap is left as it is if more than dates would change.
    if (read === undefined || !differInDates(sitemap, read, DATED_MARK)) {
      unread.push(path);
      continue;
    }
    const uri = url + encodePath(path);
    parts.set(addressOf(uri), newest ?? 'unknown');
    const what = { kind: 'sitemap', entries: entries.length, owned: true, state } as const;
    documents.push({ path, uri, ...what, ...(await pack(path, dated, text)) });
  }
  return {
    documents,
    notices: [
      ...noticeSome(unread, (example, count) => ({ code: 'sitemap-not-dated', count, example })),
      ...noticeSome([...unlisted], (example, count) => ({ code: 'sitemap-pages-unlisted', count, example })),
    ],
  };
}

/** Tests if a file belongs to another user: a file in its place would belong to the user of this process. */
function isForeign(file: string): boolean {
  const user = process.getuid?.() ?? 0;
  return user !== 0 && lstatSync(file, { throwIfNoEntry: false })?.uid !== user;
}

/** Returns the content of a sitemap to write. A compressed file keeps its bytes if its text is the same. */
async function pack(
  path: string,
  text: string,
  previous: string,
): Promise<{ readonly content: Iterable<string | Uint8Array> } | { readonly file: undefined }> {
  if (!path.endsWith('.gz')) return { content: [text] };
  if (text === previous) return { file: undefined };
  return { content: [await gzipText(text)] };
}
