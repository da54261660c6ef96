/** Gathers the notices of a run from its steps, and finds more by pages of the site and limits of its host. */

import { join } from 'node:path';
import { mapRows, type Rows } from '../base/columns/rows.js';
import { unlessRefused } from '../base/errors.js';
import { HOST_LIMITS, type Notice, noticeSome } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { readBeginning, readFirstBytes } from '../files/beginning.js';
import { readCanonical, readLocations, SITEMAP_BYTES } from '../files/page/canonical.js';
import { BEGINNING_BYTES } from '../files/page/page-head.js';
import type { History } from '../history/history.js';
import { addressOf, sameAddress } from '../paths/address.js';
import { isOwnText } from '../paths/ours.js';
import { chooseSaidPages, isElsewhere, isVariant, matchSaid, type SaidUrl } from '../paths/said-urls.js';
import { makeUri, URL_STYLES, type UrlStyle } from '../paths/urls.js';
import { uploadsDotFolders } from '../site/project.js';
import type { ScannedSite } from '../site/scanned.js';
import { judgeType } from '../standard/content.js';
import type { Resource } from '../standard/model.js';
import { dumpOf, type MadePackage } from './dumps/job.js';
import type { Plan } from './run/plan.js';
import type { PublishedState } from './run/published.js';
import type { SiteState, StateSet } from './state.js';
import { noticeWithdrawals } from './withdrawals.js';

/** Gathers all notices of a run. @param found notices about pages of the site and about its build */
export function gatherNotices(
  { config, site, scanned, edited, joined, history }: Plan,
  { state, draft, notices }: PublishedState,
  found: readonly Notice[],
): Notice[] {
  const { hostFiles, idleIncludes, bytes } = scanned;
  return [
    ...noticeHost(site, config, hostFiles),
    ...(edited?.notices ?? []),
    ...noticeLackOfPages(config, scanned),
    ...noticeIdle(config, scanned, history),
    ...idleIncludes.map((glob): Notice => ({ code: 'include-without-effect', glob })),
    ...noticeSets(scanned, state.sets),
    ...noticeWithdrawals(config, state.sets),
    ...notices.filter(({ code }) => code !== 'sitemap-pages-unlisted' || !found.some(tellsOtherAddress)),
    ...noticePreview(config, process.env),
    ...joined.notices,
    ...noticeUnused(config, state.publication, scanned),
    ...found,
    ...noticeSizes(draft.packages, bytes),
  ];
}

/** Reports contradictions between pages of the site and its lists. */
export function noticePages(site: string, config: Config, scanned: ScannedSite): Notice[] {
  const urls = noticeUrls(site, config, scanned.files);
  const listed = noticeListed(config, scanned);
  return [
    ...urls,
    ...listed.filter(({ code }) => code !== 'canonical-elsewhere' || !urls.some(tellsOtherAddress)),
  ];
}

/** Tests if a notice says that sitemap or canonical links have another address of the site, so that all their URLs differ. */
const tellsOtherAddress = (notice: Notice) =>
  notice.code === 'urls-contradicted' && notice.style === undefined;

/** Reports globs of the configuration that match neither the site nor its history. */
function noticeIdle(
  { globs: configured }: Config,
  { idleGlobs }: ScannedSite,
  history: History | undefined,
): Notice[] {
  const publications = idleGlobs.length > 0 && history?.kind === 'git' ? history.publications : [];
  const previous = new Set(publications.flatMap(({ changes }) => changes.map(({ path }) => path)));
  const globs = idleGlobs.filter(({ option, glob }) => {
    const found = configured.find((one) => one.option === option && one.glob === glob);
    return found === undefined || ![...previous].some(found.matches);
  });
  return globs.length === 0 ? [] : [{ code: 'globs-match-nothing', globs }];
}

function noticeHost(
  site: string,
  { url, description, isJoined }: Config,
  files: ReadonlySet<string>,
): Notice[] {
  // Another build writes the Source Description, so nothing has to be discovered here.
  if (isJoined) return [];
  const { pathname, hostname } = new URL(url);
  const notices: Notice[] = [];
  if (pathname !== '/') notices.push({ code: 'well-known-under-path', description });
  const isOnGitHubPages = hostname.endsWith('.github.io') || files.has('CNAME');
  if (isOnGitHubPages && !uploadsDotFolders(site)) {
    notices.push({ code: 'github-pages-dot-folders', nojekyll: files.has('.nojekyll') });
  }
  return notices;
}

/** Reports if a host builds a preview, by its environment variables. Cloudflare does not say which branch is live. */
function noticePreview(
  { history, url }: Config,
  env: Readonly<Record<string, string | undefined>>,
): Notice[] {
  if (history.kind !== 'published') return [];
  const { NETLIFY, CONTEXT, CF_PAGES, CF_PAGES_BRANCH, VERCEL, VERCEL_ENV } = env;
  const preview = (host: string, what: string): Notice[] => [{ code: 'preview-deploy', host, what, url }];
  if (NETLIFY === 'true' && CONTEXT !== undefined && CONTEXT !== 'production') {
    return preview('Netlify', `a ${CONTEXT}`);
  }
  if (VERCEL === '1' && VERCEL_ENV !== undefined && VERCEL_ENV !== 'production') {
    return preview('Vercel', `a ${VERCEL_ENV} deployment`);
  }
  if (CF_PAGES === '1' && CF_PAGES_BRANCH !== undefined && !/^(?:main|master)$/.test(CF_PAGES_BRANCH)) {
    return preview('Cloudflare Pages', `the branch ${CF_PAGES_BRANCH}`);
  }
  return [];
}

/** Reports a site without pages, unless `include` is set or another build writes the Source Description. */
function noticeLackOfPages({ include, isJoined }: Config, scanned: ScannedSite): Notice[] {
  if (isJoined || include.length > 0 || scanned.files.length === 0 || hasPages(scanned)) return [];
  return [{ code: 'no-pages' }];
}

/** Suggests to a first run what else it could write for search engines and readers. */
function noticeUnused(config: Config, publication: SiteState['publication'], scanned: ScannedSite): Notice[] {
  if (config.isJoined || publication === undefined || publication.newest !== undefined) return [];
  const missing = (['sitemap', 'feed', 'page'] as const).filter((name) => config[name] === undefined);
  return missing.length === 0 || !hasPages(scanned) ? [] : [{ code: 'sitemap-feed-page', missing }];
}

function hasPages({ files, typeAt }: ScannedSite): boolean {
  for (let place = 0; place < files.length; place++) if (judgeType(typeAt(place)) === 'page') return true;
  return false;
}

function noticeSizes(packages: readonly MadePackage[], siteBytes: number): Notice[] {
  const notices = (['resource-dump', 'change-dump'] as const).flatMap((dump): Notice[] => {
    const own = packages.filter((one) => dumpOf(one) === dump);
    const large = own.filter(({ length }) => length > HOST_LIMITS.file);
    return noticeSome(large, ({ path: example }, count) => ({
      code: 'packages-large',
      dump,
      count,
      example,
    }));
  });
  const bytes = packages.reduce((sum, { length }) => sum + length, siteBytes);
  if (packages.length > 0 && bytes > HOST_LIMITS.site) notices.push({ code: 'site-large', bytes });
  return notices;
}

function noticeSets({ files, unlisted }: ScannedSite, sets: readonly StateSet[]): Notice[] {
  if (sets.some(({ name }) => name === undefined)) return [];
  const notices: Notice[] = [];
  for (const { name, resources: held } of sets) {
    if (name !== undefined && held.length === 0) notices.push({ code: 'set-empty', set: name });
  }
  const covered = new Set(sets.flatMap((set) => set.resources.map(({ uri }) => uri)));
  const uncovered = [...files.filter(({ uri, path }) => !unlisted.has(path) && !covered.has(uri))];
  return [
    ...notices,
    ...noticeSome(uncovered, ({ path: example }, count) => ({ code: 'in-no-set', count, example })),
  ];
}

type Page = Pick<Resource, 'uri' | 'path'>;

/** Usual names of sitemaps, and of the first part of an index. */
const SITEMAPS = ['sitemap.xml', 'sitemap-0.xml'];

/** Reports if sitemap or `<link rel="canonical">` give pages another address or style of URLs. @param site absolute path */
function noticeUrls(site: string, config: Config, files: Rows<Page>): Notice[] {
  if (config.notices['urls-contradicted'] === false) return [];
  const pages = files.filter(({ path }) => path.endsWith('.html'));
  if (pages.length === 0) return [];
  const inSitemap = readSitemap(site);
  const chosen = chooseSaidPages(urisOf(pages), (place) => pages.at(place));
  const inPages = readCanonicals(site, chosen);
  // The shortest URL in the sitemap is that of the home page, which is also the first of the listed pages.
  const named = inSitemap.filter((uri) => !/\.xml(?:\.gz)?$/.test(uri)).sort((a, b) => a.length - b.length);
  // A sitemap with URLs below the configured one is outdated, or names its parts, but is not that of another address.
  const isBelow = named.some((uri) => addressOf(uri).startsWith(addressOf(config.url)));
  if (!isBelow && isElsewhere(named, urisOf(files))) return noticeAddress('sitemap', named, pages.at(0));
  const said = inPages.map((one) => one.said);
  // Canonical links in a few pages prove nothing: these pages may be copies of pages on other sites.
  if (2 * said.length > chosen.length && isElsewhere(said, urisOf(files)))
    return noticeAddress('canonical', said, inPages[0]?.page);
  // The home page shows no style of URLs, because nearly all styles agree on it.
  const inner = pages.filter(({ path }) => path !== 'index.html');
  const matched = matchSaid(inSitemap, urisOf(inner), (place) => inner.at(place));
  // Canonical links count only without a sitemap: if both counted and disagreed, each notice would contradict the last one.
  if (matched.length > 0) return judge(config, 'sitemap', matched);
  const styled = inPages.filter(({ page, said }) => page.path !== 'index.html' && isVariant(page.uri, said));
  return judge(config, 'canonical', styled);
}

function readSitemap(site: string): readonly string[] {
  const sitemaps = SITEMAPS.map((name) => readBeginning(join(site, name), SITEMAP_BYTES));
  // Leaves out a sitemap of ours, whose URLs follow from our lists.
  return sitemaps.filter((text) => !isOwnText(text)).flatMap(readLocations);
}

function readCanonicals(site: string, pages: readonly Page[]): readonly SaidUrl<Page>[] {
  return pages.flatMap((page) => {
    const bytes = unlessRefused(() => readFirstBytes(join(site, page.path), BEGINNING_BYTES));
    const said = bytes && readCanonical(bytes, page.uri);
    return said === undefined ? [] : [{ page, said }];
  });
}

function noticeAddress(source: 'sitemap' | 'canonical', said: readonly string[], page?: Page): Notice[] {
  const checked = said.length;
  return noticeSome(said, (example, count) => ({
    ...{ code: 'urls-contradicted', source, count, checked, said: example, listed: page?.uri ?? '' },
  }));
}

function urisOf(pages: Rows<Page>): Rows<string> {
  return mapRows(pages, ({ uri }) => uri);
}

/** Reports if another style of URLs than the configured one fits more of the URLs in the site's sitemap or canonical links. */
function judge(
  { url, urls }: Config,
  source: 'sitemap' | 'canonical',
  evidence: readonly SaidUrl<Page>[],
): Notice[] {
  const follows = ({ page, said }: SaidUrl<Page>, style: UrlStyle) =>
    sameAddress(makeUri(url, page.path, style), said);
  // The configured style comes first, so that only a better one is reported.
  const scores = [urls, ...URL_STYLES].map((style) => ({
    style,
    score: evidence.filter((one) => follows(one, style)).length,
  }));
  const { style: best } = scores.reduce((one, other) => (other.score > one.score ? other : one));
  const cured = evidence.filter((one) => !follows(one, urls) && follows(one, best));
  return noticeSome(cured, ({ page, said }, count) => {
    const checked = evidence.length;
    return { code: 'urls-contradicted', source, count, checked, said, listed: page.uri, style: best };
  });
}

/** Reports listed pages that search engines should not find. `noticeUrls` handles URLs in another style. */
function noticeListed({ robots }: Config, { facts, files, sets }: ScannedSite): Notice[] {
  if (!robots || facts === undefined) return [];
  const listed = new Set(sets.flatMap(({ resources }) => resources.map(({ uri }) => uri)));
  const hidden: string[] = [];
  const others: { readonly path: string; readonly canonical: string }[] = [];
  for (const file of files) {
    const { uri, path } = file;
    if (!listed.has(uri)) continue;
    if (facts.saysNoindex(file)) hidden.push(path);
    const { canonical } = facts.of(file);
    if (canonical !== undefined && !isVariant(uri, canonical)) others.push({ path, canonical });
  }
  return [
    ...noticeSome(hidden, (example, count) => ({ code: 'noindex-listed', count, example })),
    ...noticeSome(others, ({ path: example, canonical }, count) => ({
      code: 'canonical-elsewhere',
      count,
      example,
      canonical,
    })),
  ];
}
