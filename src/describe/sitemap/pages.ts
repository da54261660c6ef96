/** Reads the dates of pages that a search engine may show, and plans `pages.json`. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { listShownPages, readDates } from '../../diff/run/dates.js';
import type { SiteWithHistory } from '../../diff/run/past.js';
import type { PageDates } from '../../diff/run/text-dates.js';
import { RULE } from '../../files/page/record.js';
import { PAGES } from '../../paths/ours.js';
import type { FoundFile, ScannedSite } from '../../site/scanned.js';
import { type SitePage, serializePages } from '../../standard/pages.js';
import type { NewDocument } from '../document.js';

export interface ShownPages {
  /** Pages that a search engine may show, in the order of URLs. */
  readonly pages: Rows<FoundFile>;
  /** When the shown pages were created and changed; undefined if there is no history. */
  readonly dates: PageDates | undefined;
}

export async function readShownPages(place: SiteWithHistory): Promise<ShownPages> {
  const pages = listShownPages(place.scanned);
  return { pages, dates: await readDates(place, pages) };
}

interface PagesInput {
  readonly url: string;
  readonly facts: ScannedSite['facts'];
  readonly withdrawn: (uri: string) => boolean;
  /** Quotations from changed pages, by URL. */
  readonly excerpts: ReadonlyMap<string, string>;
  /** The moment of the publication. */
  readonly at: Date;
}

export function planPages(
  shown: ShownPages,
  { url, facts, withdrawn, excerpts, at }: PagesInput,
): NewDocument {
  const wanted = shown.pages.filter(({ uri }) => !withdrawn(uri));
  const pages = mapRows(wanted, (file): SitePage => {
    const { title, lang, text } = facts?.recordOf(file) ?? {};
    const created = shown.dates?.created.get(file.uri);
    const date = shown.dates?.dates.get(file.uri);
    const changed = date?.getTime() === created?.getTime() ? undefined : date;
    return { url: file.uri, title, lang, created, changed, text, excerpt: excerpts.get(file.uri) };
  });
  return {
    path: PAGES,
    uri: url + PAGES,
    kind: 'pages',
    entries: pages.length,
    content: serializePages({ rule: RULE, at, pages }),
  };
}
