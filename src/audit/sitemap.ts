/** Checks the sitemap of a Source, if we wrote or dated it: the pages that it names, and their dates. */

import { takeSample } from '../base/sample.js';
import { readPageFacts } from '../files/page/facts/facts.js';
import { tagSaysNoindex } from '../files/page/facts/noindex.js';
import { PAGE_FILE } from '../files/page/facts/seen.js';
import { BEGINNING_BYTES } from '../files/page/page-head.js';
import type { Address } from '../paths/address.js';
import { isOwnText } from '../paths/ours.js';
import { listDatedPages, readDatedSitemaps } from '../source/dated.js';
import { readStart } from '../source/document.js';
import { copyText, type ListedResource } from '../source/listed.js';
import { isAbsent } from '../source/origin/origin.js';
import type { AuditedSet } from './agreement/set.js';
import { openBeginning, readTagsOf } from './bytes/beginning.js';
import { asExact, type PageMoments, readDay, wordMoments } from './page-dates.js';
import { trustedPages } from './pages.js';
import type { AuditedSitemap, Picture, Problem, Run } from './picture.js';
import { URI_BYTES } from './read.js';

/** Limit of the pages that are read on the web: this many that the sitemap names, and as many that it lacks. */
const LOOKED_PAGES = 25;
/** Matches the path, below the URL of a site, of a Source Description or Capability List of ours. */
const BELOW_ROOT = /(?:\.well-known\/resourcesync|resourcesync\/(?:[^/]+\/)?capabilitylist\.xml)$/;

/** Reads the sitemap that we wrote or put dates into, beside a Source Description or Capability List of ours. */
export async function readSitemapBeside(
  { origin, bounds }: Pick<Run, 'origin' | 'bounds'>,
  description: string,
): Promise<AuditedSitemap | undefined> {
  const base = description.replace(BELOW_ROOT, '');
  const opened = base.endsWith('/') ? await origin.open(description) : undefined;
  if (opened === undefined || isAbsent(opened)) return undefined;
  const start = await readStart(opened.body);
  if (start === undefined || !isOwnText(start)) return undefined;
  const sitemaps = await readDatedSitemaps(origin, base);
  const pages = new Map<Address, { readonly document: string; readonly said: string }>();
  for (const { key, document, said } of listDatedPages(sitemaps)) {
    bounds.keep(URI_BYTES + key.length);
    pages.set(key, { document, said });
  }
  const [first] = sitemaps;
  return first && { uri: first.uri, isOwn: sitemaps.every(({ isOwn }) => isOwn), pages };
}

/**
 * Notes whether a set agrees with the dates of its pages in the sitemap: each must be that of a change, or before the Change
 * List begins, and never before the creation. One agreeing set is enough, since sets may reach back to different moments.
 */
export function noteSitemapDates(
  { sitemap }: Picture,
  { resources, changes }: AuditedSet,
  moments: ReadonlyMap<Address, PageMoments>,
): void {
  const from = changes?.interval.from;
  if (sitemap === undefined || resources === undefined || from === undefined) return;
  for (const { uri } of resources.values()) {
    const page = sitemap.pages.get(uri);
    const { said = '' } = page ?? {};
    const date = readDay(said);
    if (page === undefined || date === undefined || page.verdict === 'true') continue;
    const known = moments.get(uri);
    const like = (time: number) => asExact(time, said);
    const isTrue = date > like(from.getTime()) ? known?.changed.some((time) => like(time) === date) : true;
    const isBefore = known?.created !== undefined && date < like(known.created);
    if (isTrue === true && !isBefore) page.verdict = 'true';
    else page.verdict ??= { entry: copyText(uri), expected: wordMoments(known, from) };
  }
}

/** Reports wrong dates in the sitemap, and deleted pages that it still names. */
export function* checkSitemap({ sitemap, deleted }: Picture): Generator<Problem> {
  if (sitemap === undefined) return;
  for (const { document, said, verdict } of sitemap.pages.values())
    if (typeof verdict === 'object')
      yield ['sitemap-date-wrong', { document, ...verdict, found: `lastmod ${said}` }];
  for (const { entry, found } of deleted) {
    const document = sitemap.pages.get(entry)?.document;
    if (document !== undefined) yield ['sitemap-page-hidden', { document, entry, found: `deleted ${found}` }];
  }
}

/** Reads listed pages. Reports those with `noindex` that the sitemap names, and others that a sitemap of ours lacks. */
export async function checkSitemapPages(picture: Picture): Promise<void> {
  const { run, sitemap, listed } = picture;
  const { config, flag, bounds } = run;
  if (sitemap === undefined) return;
  const pages = trustedPages(picture);
  const isHere = config.source.kind === 'folder';
  const [named, lacking]: [Address[], Address[]] = [[], []];
  for (const resource of listed.chosen()) {
    const some = sitemap.pages.has(resource.uri) ? named : lacking;
    if (isListedPage(resource)) some.push(resource.uri);
  }
  const choose = (pages: readonly Address[]) => (isHere ? pages : takeSample(pages, LOOKED_PAGES));
  const judge = createPageJudge(run, sitemap.uri);
  for (const uri of choose(named)) {
    bounds.check();
    const document = sitemap.pages.get(uri)?.document ?? sitemap.uri;
    if ((await judge(uri)) === 'noindex')
      flag('sitemap-page-hidden', { document, entry: uri, found: 'noindex' });
  }
  // A sitemap of a generator may be selective, and ours does not name pages of sets of other builds.
  const wanted = lacking.filter((uri) => pages?.pages.has(uri) ?? true);
  for (const uri of sitemap.isOwn ? choose(wanted) : []) {
    bounds.check();
    if ((await judge(uri)) === 'shown') flag('sitemap-page-missing', { document: sitemap.uri, entry: uri });
  }
}

/** Returns whether a resource is a page with such a name as sitemaps of ours have. */
function isListedPage({ uri, type }: ListedResource): boolean {
  const isOther = type !== undefined && !/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return !isOther && (!name.includes('.') || PAGE_FILE.test(name));
}

type Verdict = 'shown' | 'noindex' | 'elsewhere' | 'unknown';

/** Creates a function that decides, by the rules of `describe`, whether a search engine may show a page. */
function createPageJudge(run: Run, sitemap: string): (uri: string) => Promise<Verdict> {
  const hasTag = readTagsOf(run.folder, sitemap);
  return async (uri) => {
    const page = await openBeginning(run, uri, BEGINNING_BYTES);
    if (page === undefined) return 'unknown';
    const { noindex, canonical, leads } = readPageFacts(uri, page.bytes);
    if (noindex || hasTag?.(uri) === true || (page.robots !== undefined && tagSaysNoindex(page.robots)))
      return 'noindex';
    return canonical === undefined && leads === undefined ? 'shown' : 'elsewhere';
  };
}
