/** Whether a site gives its own pages the URLs that are listed: in its sitemap, and in `<link rel="canonical">`. */

import { findFirst } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';
import { chooseSaidPages, isVariant, matchSaid } from '../../paths/said-urls.js';
import {
  guessCanonical,
  PAGE_HEAD_BYTES,
  readCanonical,
  readLocations,
  SITEMAP_BYTES,
} from '../../site/page/canonical.js';
import { collectBytes } from '../../source/document.js';
import type { ListedResource } from '../../source/listed.js';
import { isAbsent } from '../../source/origin/origin.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { isUrl } from '../../standard/model.js';
import type { Run } from '../read.js';

/** Pages are asked for by so many at a time. */
const WORKERS = 4;

/** At most 50 pages to look at, always the same ones of those whose bytes are compared. */
export function choosePagesOf({ values, uris }: TableRows<ListedResource>): Set<ListedResource> {
  const pageAt = (place: number) => {
    const one = values.at(place);
    return one !== undefined && isPage(one) ? one : undefined;
  };
  return new Set(chooseSaidPages(uris, pageAt));
}

/**
 * Compares the listed URLs of pages with those that the site itself uses.
 *
 * @param pages that can be read
 */
export async function checkCanonicals(run: Run, pages: ReadonlySet<ListedResource>): Promise<void> {
  const { values, uris } = run.listed.kept();
  const sitemap = findFirst(uris, (uri) => /^https?:\/\/[^/]+(?:\/[^?#]*)?\/sitemap(?:-0)?\.xml$/.test(uri));
  if (sitemap !== undefined && pages.size > 0) {
    const said = readLocations(await readBeginning(run, sitemap, SITEMAP_BYTES));
    for (const { page, said: found } of matchSaid(said, uris, (place) => values.at(place))) {
      if (!isSame(page.uri, found)) flagPage(run, page, `${found} in ${sitemap}`);
    }
  }
  await workSideBySide(pages, WORKERS, (page) => checkPage(run, page));
}

async function checkPage(run: Run, page: ListedResource): Promise<void> {
  const markup = await readBeginning(run, page.uri, PAGE_HEAD_BYTES);
  const guessed = guessCanonical(markup, page.uri);
  if (guessed === undefined || isSame(page.uri, guessed) || !isVariant(page.uri, guessed)) return;
  // Only what parses HTML knows for sure.
  const found = await readCanonical(markup, page.uri);
  if (found === guessed) flagPage(run, page, `${found} in rel="canonical"`);
}

function flagPage({ flag }: Run, { document, line, uri }: ListedResource, found: string): void {
  flag('canonical-differs', { document, line, entry: uri, found });
}

/** Of one URL there are several spellings. */
function isSame(listed: string, said: string): boolean {
  return listed === said || (isUrl(listed) && new URL(listed).href === said);
}

function isPage({ type, uri }: ListedResource): boolean {
  if (type !== undefined) return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(type);
  return /(?:\/|\.html)$/.test(uri);
}

/** What cannot be read is told elsewhere. */
async function readBeginning({ origin }: Run, uri: string, most: number): Promise<string> {
  const opened = await origin.open(uri);
  if (isAbsent(opened)) return '';
  const { bytes } = await collectBytes(opened.body, most);
  return bytes.toString('utf8', 0, most);
}
