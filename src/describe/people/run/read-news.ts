/** Reads what the page and the feed tell, from where the history is kept, and what the site is called. */

import { existsSync } from 'node:fs';
import { DEFAULTS } from '../../../config/options.js';
import { decodeText } from '../../../diff/content.js';
import { type Excerpt, holdsExcerpt } from '../../../diff/page/read.js';
import { PAGE_BYTES } from '../../../diff/run/past-in-git.js';
import { HOST_RULES } from '../../../paths/host-rules.js';
import { makeUri } from '../../../paths/urls.js';
import { attributeOf } from '../../../site/page/elements.js';
import { judgeNoindex } from '../../../site/page/facts/noindex.js';
import { parseHead } from '../../../site/page/head.js';
import { RULES_BYTES, readTagRules } from '../../../site/page/robots-tag.js';
import { readUnchanged } from '../../../site/scan/beginning.js';
import { type News, type PageChange, withholdTitles } from '../log.js';
import { cleanText, cleanTitle } from '../markup.js';
import { readCommittedNews } from './committed.js';
import { readContinuedNews } from './continued.js';
import { type NewsPlace, readTitle } from './examine.js';

/**
 * Reads what changed by publication, and the titles of pages.
 *
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readNews(place: NewsPlace): Promise<News> {
  const { withdrawals, withdrawn } = place.config;
  const news = await keepExcerpts(place, await readAllNews(place));
  return withdrawals.length === 0 ? news : withholdTitles(news, withdrawn);
}

async function readAllNews({ config, site, scanned, history, known }: NewsPlace): Promise<News> {
  const { changes, limit } = config.feed ?? DEFAULTS.feed;
  const excerpts = changes === 'text' && config.page !== undefined && config.page.excerpts !== false;
  const rules = { changes, limit, titles: true, excerpts };
  if (history?.kind === 'git' && known?.committed !== undefined) {
    return await readCommittedNews({ site, scanned, history }, known.committed, rules);
  }
  if (history?.kind === 'published' && known !== undefined) {
    return await readContinuedNews({ site, config, scanned, history, known }, rules);
  }
  return { archives: [], recent: [], tombstones: [] };
}

/** Quotes of each page what it still says, and of what was there before only what is to be told. */
async function keepExcerpts(place: NewsPlace, news: News): Promise<News> {
  const quoted = news.recent.flatMap(({ pages }) => pages.filter(({ excerpt }) => excerpt !== undefined));
  const choice = place.config.page?.excerpts ?? false;
  const open = await readOpenPages(place, new Set(choice === false ? [] : quoted.map(({ uri }) => uri)));
  const texts = new Map([...open].map(([uri, page]) => [uri, cleanText(decodeText(page))]));
  const keep = ({ uri, excerpt }: PageChange): Excerpt | undefined => {
    const text = texts.get(uri);
    if (text === undefined || excerpt === undefined || !holdsExcerpt(text, excerpt)) return undefined;
    const kept = choice === 'both' ? excerpt : { ...excerpt, former: '' };
    return kept.former === '' && kept.present === '' ? undefined : kept;
  };
  const recent = news.recent.map((item) => ({
    ...item,
    pages: item.pages.map((page) => ({ ...page, excerpt: keep(page) })),
  }));
  return quoted.length === 0 ? news : { ...news, recent };
}

/**
 * Finds out what the site is called: by its configuration, by the page that it starts with, or by its place.
 *
 * @throws ResyncError `file-changing`
 */
export async function readSiteName(place: NewsPlace): Promise<string> {
  const { page, url, urls } = place.config;
  if (page === undefined) return '';
  if (page.title !== undefined) return page.title;
  const uri = makeUri(url, 'index.html', urls);
  const start = (await readOpenPages(place, new Set([uri]))).get(uri);
  if (start === undefined) return page.place;
  const meta = parseHead(decodeText(start)).elements.find(
    (element) => attributeOf(element, 'property')?.trim().toLowerCase() === 'og:site_name',
  );
  const said = meta && cleanTitle(attributeOf(meta, 'content') ?? '');
  return said ?? readTitle(start) ?? page.place;
}

/**
 * Reads pages that may be quoted: those that are in a set of this build, that are not withdrawn, and of which neither they nor
 * `_headers` say `noindex`.
 */
async function readOpenPages(
  { config, site, scanned }: NewsPlace,
  uris: ReadonlySet<string>,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const pages = new Map<string, Uint8Array>();
  if (uris.size === 0) return pages;
  const rules = existsSync(`${site}/${HOST_RULES}`)
    ? Buffer.from(readUnchanged(site, HOST_RULES))
    : undefined;
  const hasTag = rules && readTagRules(rules.toString('latin1', 0, RULES_BYTES), config.url);
  for (const [index, { uri, path }] of scanned.files.entries()) {
    if (!uris.has(uri) || config.withdrawn(uri) || hasTag?.(uri) === true) continue;
    if (!config.sets.some(({ name, holds }) => name === undefined || holds(path))) continue;
    const length = scanned.resources.at(index)?.length ?? 0;
    const page = length <= PAGE_BYTES ? readUnchanged(site, path, length) : undefined;
    if (page !== undefined && !(await judgeNoindex(Buffer.from(page)))) pages.set(uri, page);
  }
  return pages;
}
