/** Plans the sitemap: ours, with dates that are true, or such dates in that of a generator. */

import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { Config, SitemapConfig } from '../../config/config.js';
import { DEFAULTS } from '../../config/options.js';
import { listShownPages, readDates } from '../../diff/run/dates.js';
import type { KnownSite } from '../../diff/run/past.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { readHistory, readKnownHistory } from '../../history/read.js';
import { isOurSitemap, unpackSitemap } from '../../paths/hold/ownership.js';
import { DATED_MARK, numberPart, OWNER_MARK, pathOfPart } from '../../paths/ours.js';
import { encodePath } from '../../paths/urls.js';
import { findSitemaps, loadSitemap, parseSitemap, type SiteSitemaps } from '../../site/discovery/sitemaps.js';
import { resolveSite } from '../../site/folder.js';
import { scanSite } from '../../site/scan/scan.js';
import { cutRows } from '../../standard/cuts/limits.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import {
  dateSitemap,
  keyOfAddress,
  type SitemapEntry,
  type StandingSitemap,
  serializeSitemap,
} from '../../standard/xml/sitemap.js';
import type { PlannedSitemap, SitemapFile } from '../report.js';

/** More than an entry has besides its address, in bytes. */
const ROW_BYTES = 100;
/** A build takes less, in milliseconds: a generator says its time of every page. */
const BUILD_TIME = 3_600_000;

/**
 * Plans what is to be written of sitemaps.
 *
 * @param standing what stands in the site
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function planSitemap(
  place: KnownSite,
  standing: SiteSitemaps,
  rules: SitemapConfig,
): Promise<PlannedSitemap> {
  const pages = listShownPages(place.scanned);
  const known = await readDates(place, rules.lastmod, new Set(pages));
  const { dates, unread } = known ?? { dates: new Map<string, Date>(), unread: 0 };
  const notices: Notice[] = [
    ...(known === undefined ? [{ code: 'sitemap-without-history' } as const] : []),
    ...(unread > 0 ? [{ code: 'dates-not-moved', count: unread } as const] : []),
  ];
  if (standing.files.length === 0) {
    const files = makeOwn(pages, dates, place.config.url, rules.file);
    const present = new Set(files.map(({ path }) => path));
    return { files, removed: standing.own.filter((path) => !present.has(path)), notices };
  }
  const from = findOldest(place);
  const dated =
    known === undefined || from === undefined
      ? { files: [], notices: [] }
      : await dateStanding(place, standing.files, { pages, dates, from });
  return { files: dated.files, removed: standing.own, notices: [...notices, ...dated.notices] };
}

/**
 * The oldest moment that is known. Of pages that a live sitemap of ours gives no date, nothing older is to be believed
 * either: what it says stays as it is.
 */
function findOldest({ history, known }: KnownSite): Date | undefined {
  return history?.kind === 'published' && history.dates !== undefined ? new Date(0) : known?.from;
}

function makeOwn(
  pages: readonly string[],
  dates: ReadonlyMap<string, Date>,
  url: string,
  file: string,
): SitemapFile[] {
  const entries = pages.map((uri): SitemapEntry => ({ uri, lastmod: dates.get(uri) }));
  const make = (
    path: string,
    root: 'urlset' | 'sitemapindex',
    some: readonly SitemapEntry[],
  ): SitemapFile => ({
    path,
    uri: url + encodePath(path),
    kind: 'sitemap',
    entries: some.length,
    publishable: { path, content: [serializeSitemap(root, some, OWNER_MARK)] },
  });
  const cuts = cutRows(
    // URLs are ASCII, and an ampersand takes five characters.
    pages.map((uri) => uri.length + 5 * uri.split(/[&']/).length + ROW_BYTES),
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

function findNewest(entries: readonly SitemapEntry[]): Date | undefined {
  let newest: Date | undefined;
  for (const { lastmod } of entries) {
    if (lastmod !== undefined && (newest === undefined || lastmod > newest)) newest = lastmod;
  }
  return newest;
}

/** What is known of pages. */
interface KnownPages {
  /** URLs. */
  readonly pages: readonly string[];
  readonly dates: ReadonlyMap<string, Date>;
  /** The oldest moment that is known. */
  readonly from: Date;
}

/** Dates the sitemaps of a generator. @param paths parts before those that lead to them */
async function dateStanding(
  { site, config: { url } }: KnownSite,
  paths: readonly string[],
  { pages, dates, from }: KnownPages,
): Promise<{ readonly files: SitemapFile[]; readonly notices: Notice[] }> {
  const known = new Map(pages.map((uri) => [keyOfAddress(uri), dates.get(uri) ?? ('unknown' as const)]));
  const parts = new Map<string, Date | 'unknown'>();
  const before = new Date(from.getTime() - BUILD_TIME);
  const files: SitemapFile[] = [];
  const unread: string[] = [];
  const unlisted = new Set<string>();
  for (const path of paths) {
    const sitemap = await loadSitemap(site, path);
    if (sitemap === undefined) {
      unread.push(path);
      continue;
    }
    const { isIndex, entries, text } = sitemap;
    const all = isIndex ? parts : known;
    const dateOf = (uri: string) => all.get(keyOfAddress(uri)) ?? 'foreign';
    if (!isIndex) for (const { loc } of entries) if (dateOf(loc) === 'foreign') unlisted.add(loc);
    const { pieces, newest } = dateSitemap(sitemap, { dateOf, before, comment: DATED_MARK });
    const uri = url + encodePath(path);
    parts.set(keyOfAddress(uri), newest ?? 'unknown');
    const publishable = { path, owned: true, ...(await pack(path, pieces, text)) };
    files.push({ path, uri, kind: 'sitemap', entries: entries.length, publishable });
  }
  const [example] = unread;
  const [other] = unlisted;
  return {
    files,
    notices: [
      ...(example === undefined
        ? []
        : [{ code: 'sitemap-not-dated', count: unread.length, example } as const]),
      ...(other === undefined
        ? []
        : [{ code: 'sitemap-pages-unlisted', count: unlisted.size, example: other } as const]),
    ],
  };
}

/** What belongs into the file. What is compressed stays as it is where nothing in it changed. */
async function pack(
  path: string,
  pieces: readonly string[],
  former: string,
): Promise<{ readonly content: Iterable<string | Uint8Array> } | { readonly file: undefined }> {
  if (!path.endsWith('.gz')) return { content: pieces };
  const text = pieces.join('');
  if (text === former) return { file: undefined };
  const { gzip } = await import('pako');
  return { content: [gzip(text, { level: 6 })] };
}

/** What the sitemap of a generator says. */
export interface SeenSitemap {
  /** Its path; undefined where there is none. */
  readonly file: string | undefined;
  /** The date of each page as it is written, '' for none. By `keyOfAddress`. */
  readonly said: ReadonlyMap<string, string>;
  /**
   * What it, or ours, would say after a run; undefined where there is no publication yet, or very much to read.
   *
   * @throws ResyncError
   */
  readonly rehearse: (now: Date) => Promise<ReadonlyMap<string, string> | undefined>;
}

/** Of larger sites, nothing is read, or rehearsed. */
const MOST_SEEN_FILES = 20;
const MOST_REHEARSED = 10_000;

/**
 * Looks at the sitemap of a site, and writes nothing.
 *
 * @returns undefined where it is ours, has very many parts, or cannot be read
 */
export async function seeSitemap(asked: Config): Promise<SeenSitemap | undefined> {
  const site = resolveSite(asked.site);
  const standing = await findSitemaps(site, asked, MOST_SEEN_FILES);
  const { files, own, holds } = standing;
  const isDated = () => files.some((path) => isOurSitemap(join(site, path)));
  if (own.length > 0 || files.length > MOST_SEEN_FILES || isDated()) return undefined;
  const said = await listSaid(files.map((path) => loadSitemap(site, path)));
  if (files.length > 0 && said.size === 0) return undefined;
  return { file: files.at(-1), said, rehearse };

  async function rehearse(now: Date) {
    const { selection } = asked;
    const config: Config = {
      ...asked,
      selection: (path) => (holds(path) ? 'own-document' : selection(path)),
    };
    const place = said.size > MOST_REHEARSED ? undefined : await findHistory(config, site);
    if (place === undefined) return undefined;
    const [scanned, history] = await Promise.all([
      scanSite(site, config, { blobName: blobNameOf(place) }),
      readHistory(place, config),
    ]);
    const known = await readKnownHistory(config, scanned, history, now);
    if (known.newest === undefined) return undefined;
    const past = { config, site, scanned, history, known };
    const planned = await planSitemap(past, standing, DEFAULTS.sitemap);
    return listSaid(
      planned.files.map(({ path, publishable }) =>
        'content' in publishable ? parseSitemap(joinBytes(publishable.content)) : loadSitemap(site, path),
      ),
    );
  }
}

function joinBytes(content: Iterable<string | Uint8Array>): Buffer | undefined {
  const pieces = [...content].map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece));
  return unpackSitemap(Buffer.concat(pieces));
}

async function listSaid(read: readonly Promise<StandingSitemap | undefined>[]): Promise<Map<string, string>> {
  const sitemaps = await Promise.all(read);
  const pages = sitemaps.flatMap((one) => (one === undefined || one.isIndex ? [] : one.entries));
  return new Map(pages.map(({ loc, lastmods }) => [keyOfAddress(loc), lastmods[0]?.said ?? '']));
}
