/** Compares the URL style with what the site itself says of its URLs. */

import { join } from 'node:path';
import { mapRows, type Rows } from '../base/columns/rows.js';
import type { Notice } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { chooseSaidPages, isVariant, matchSaid, type SaidUrl } from '../paths/said-urls.js';
import { makeUri, URL_STYLES, type UrlStyle } from '../paths/urls.js';
import {
  CANONICAL,
  guessCanonical,
  PAGE_HEAD_BYTES,
  readCanonical,
  readLocations,
  SITEMAP_BYTES,
} from '../site/page/canonical.js';
import { readBeginning } from '../site/scan/beginning.js';
import type { ScannedSite } from '../site/scanned.js';
import type { Resource } from '../standard/model.js';

type Page = Pick<Resource, 'uri' | 'path'>;

type StyleConfig = Pick<Config, 'url' | 'urls' | 'notices'>;

/** One that is an index names its parts, which have these names where generators write them. */
const SITEMAPS = ['sitemap.xml', 'sitemap-0.xml'];

/**
 * Says whether the sitemap of a site, or `<link rel="canonical">` in some of its pages, gives its pages the URLs of
 * another style. Only where that seems so is HTML parsed.
 *
 * @param site absolute path
 */
export async function noticeStyle(site: string, config: StyleConfig, files: Rows<Page>): Promise<Notice[]> {
  if (config.notices['urls-contradicted'] === false) return [];
  // All styles but one agree on the home page, which would tell nothing.
  const pages = files.filter(({ path }) => path.endsWith('.html') && path !== 'index.html');
  if (pages.length === 0) return [];
  const inSitemap = readSitemap(site, pages);
  // Where the two disagree, advice after one of them would only be followed by advice after the other.
  const notice =
    inSitemap.length > 0
      ? judge(config, 'sitemap', inSitemap)
      : judge(config, 'canonical', await readCanonicals(site, config, pages));
  return notice === undefined ? [] : [notice];
}

function readSitemap(site: string, pages: Rows<Page>): SaidUrl<Page>[] {
  const said = SITEMAPS.flatMap((name) => readLocations(readBeginning(join(site, name), SITEMAP_BYTES)));
  return said.length === 0 ? [] : matchSaid(said, urisOf(pages), (place) => pages.at(place));
}

async function readCanonicals(
  site: string,
  config: StyleConfig,
  pages: Rows<Page>,
): Promise<SaidUrl<Page>[]> {
  const heads = chooseSaidPages(urisOf(pages), (place) => pages.at(place)).map((page) => ({
    page,
    markup: readBeginning(join(site, page.path), PAGE_HEAD_BYTES, CANONICAL),
  }));
  const guessed = heads.flatMap(({ page, markup }) => {
    const said = guessCanonical(markup, page.uri);
    return said !== undefined && isVariant(page.uri, said) ? [{ page, said, markup }] : [];
  });
  if (judge(config, 'canonical', guessed) === undefined) return [];
  const read = guessed.map(async ({ page, markup }) => ({
    page,
    said: await readCanonical(markup, page.uri),
  }));
  return (await Promise.all(read)).flatMap(({ page, said }) =>
    said !== undefined && isVariant(page.uri, said) ? [{ page, said }] : [],
  );
}

function urisOf(pages: Rows<Page>): Rows<string> {
  return mapRows(pages, ({ uri }) => uri);
}

/** The style that most of the pages have by the site's own word, if that is another than the one that is used. */
function judge(
  { url, urls }: StyleConfig,
  source: 'sitemap' | 'canonical',
  evidence: readonly SaidUrl<Page>[],
): Notice | undefined {
  const follows = ({ page, said }: SaidUrl<Page>, style: UrlStyle) => makeUri(url, page.path, style) === said;
  const scores = URL_STYLES.map((style) => ({
    style,
    score: evidence.filter((one) => follows(one, style)).length,
  }));
  const scoreOf = (style: UrlStyle) => scores.find((one) => one.style === style)?.score ?? 0;
  const best = scores.reduce((one, other) => (other.score > one.score ? other : one));
  if (best.score <= scoreOf(urls)) return undefined;
  const cured = evidence.filter((one) => !follows(one, urls) && follows(one, best.style));
  const [example] = cured;
  if (example === undefined) return undefined;
  const { page, said } = example;
  const [count, checked] = [cured.length, evidence.length];
  return { code: 'urls-contradicted', source, count, checked, said, listed: page.uri, style: best.style };
}

/**
 * Says whether search engines, which `robots.txt` leads to the Resource Lists, would find pages there that are not meant
 * for them. Pages whose URL the site itself gives in another style are told of by `noticeStyle`.
 */
export function noticeListed(
  { robots }: Pick<Config, 'robots'>,
  { facts, files, sets }: ScannedSite,
): Notice[] {
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
  const [example] = hidden;
  const [other] = others;
  return [
    ...(example === undefined ? [] : [{ code: 'noindex-listed', count: hidden.length, example } as const]),
    ...(other === undefined
      ? []
      : [
          {
            code: 'canonical-elsewhere',
            count: others.length,
            example: other.path,
            canonical: other.canonical,
          } as const,
        ]),
  ];
}
