/** Reads the dates on which pages changed last, for the sitemap, from any kind of history. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import { PAGE_FILE } from '../../files/page/facts/seen.js';
import { RULE } from '../../files/page/record.js';
import type { Timeline } from '../../history/history.js';
import type { PublishedHistory } from '../../history/live/published.js';
import type { FoundFile, ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import type { ChangedResource } from '../model.js';
import type { MovedDates } from '../report.js';
import type { SiteWithHistory } from './past.js';
import { type PageDates, readTextDates } from './text-dates.js';

export interface ShownPages {
  /** Pages that a search engine may show, in the order of URLs. */
  readonly pages: Rows<FoundFile>;
  /** When these pages were created and changed; undefined if there is no history. */
  readonly dates: PageDates | undefined;
}

/** Lists the pages that a search engine may show, with their dates. @throws ResyncError `git-failed`, `file-changing`, `live-foreign` */
export async function readShownPages(place: SiteWithHistory): Promise<ShownPages> {
  const pages = listShownPages(place.scanned);
  return { pages, dates: await readDates(place, pages) };
}

/** Lists the pages that a search engine may show, in order of URL. */
function listShownPages({ files, sets, facts, typeAt }: ScannedSite): Rows<FoundFile> {
  const isAll = sets.some((set) => set.files.length === files.length);
  const listed = isAll ? undefined : new Set(sets.flatMap((set) => set.files.map(({ uri }) => uri)));
  return files.filter((file, place) => {
    if (!PAGE_FILE.test(file.path) || listed?.has(file.uri) === false) return false;
    if (judgeType(typeAt(place)) !== 'page' || facts?.saysNoindex(file) === true) return false;
    const { canonical, leads } = facts?.of(file) ?? {};
    return canonical === undefined && leads === undefined;
  });
}

async function readDates(
  { site, scanned, history, timeline, records, readFile }: SiteWithHistory,
  shown: Rows<FoundFile>,
): Promise<PageDates | undefined> {
  if (history === undefined || timeline === undefined) return undefined;
  const pages = new Set(mapRows(shown, ({ uri }) => uri));
  const created = findCreated(timeline);
  if (history.kind === 'published') return readLiveDates(scanned, timeline, history, { pages, created });
  if (timeline.committed === undefined) return undefined;
  const place = { site, scanned, history, readFile, records };
  return { ...(await readTextDates(place, timeline.committed, pages)), created };
}

export async function findMovedDates(
  place: SiteWithHistory,
  changes: readonly ChangedResource[],
): Promise<MovedDates> {
  const changed = new Set(changes.map(({ uri }) => uri));
  const pages = listShownPages(place.scanned).filter(({ uri }) => changed.has(uri));
  const read = pages.length === 0 ? undefined : await readDates(place, pages);
  if (read === undefined) return { moved: [], unread: 0 };
  const at = place.timeline?.at.getTime();
  const moved = pages.filter(({ uri }) => read.dates.get(uri)?.getTime() === at);
  return { moved: moved.map(({ uri }) => uri), unread: read.unread };
}

/** Takes dates from the live `pages.json`. A page whose text has another digest there changes with this publication. */
function readLiveDates(
  { files, facts, sets }: ScannedSite,
  timeline: Timeline,
  { pages: live, sets: published }: PublishedHistory,
  { pages, created }: { readonly pages: ReadonlySet<string>; readonly created: Map<string, Date> },
): PageDates {
  const dates = new Map<string, Date>();
  // The lists that `diff` plans do not name the pages that this publication creates.
  for (const set of timeline.pending ? sets : []) {
    const before = published.get(set.name)?.resources;
    for (const { uri } of before === undefined ? [] : set.files)
      if (before?.get(uri) === undefined) created.set(uri, timeline.at);
  }
  for (const file of files) {
    if (!pages.has(file.uri)) continue;
    const begun = created.get(file.uri);
    const said = live?.byUrl.get(file.uri);
    const text = facts?.recordOf(file)?.text;
    const isNew = live === undefined || said === undefined || (begun !== undefined && begun > live.at);
    const isOther = timeline.pending && live?.rule === RULE && said?.text !== text;
    const date = isNew ? begun : isOther ? timeline.at : (said.changed ?? said.created);
    if (date !== undefined) dates.set(file.uri, date);
    if (begun === undefined && said?.created !== undefined) created.set(file.uri, said.created);
  }
  return { dates, created, unread: 0 };
}

/** Returns the date on which each resource was created last, by URL, as far as the history goes back. */
function findCreated({ committed, sets }: Timeline): Map<string, Date> {
  const created = new Map<string, Date>();
  const lists =
    committed?.sets.map(({ past }) => past) ??
    sets.map(({ lists }) => lists.flatMap(({ changes }) => changes));
  for (const { change, uri, datetime } of lists.flat())
    if (change === 'created' && !(datetime < (created.get(uri) ?? datetime))) created.set(uri, datetime);
  return created;
}
