/** When the pages of a site changed, as its sitemap says, wherever history is kept. */

import { takeSample } from '../../base/sample.js';
import type { KnownHistory } from '../../history/known.js';
import type { PublishedHistory } from '../../history/live/published.js';
import { addressOf } from '../../paths/address.js';
import { PAGE_FILE } from '../../site/page/facts/seen.js';
import { PAGE_LIMIT } from '../../site/page/page.js';
import type { PageRecords, PageVersion } from '../../site/page/records.js';
import { readUnchanged } from '../../site/scan/beginning.js';
import type { ScannedSite } from '../../site/scanned.js';
import { judgeType } from '../../standard/content.js';
import type { ChangedResource } from '../model.js';
import type { MovedDates } from '../report.js';
import type { KnownSite, Past, ReadPresent } from './past.js';
import { type PageDates, readTextDates } from './text-dates.js';

/**
 * The URLs of pages that a search engine may show, sorted.
 *
 * @param noteOther is told of those that would be among them, if they did not name another URL as canonical
 */
export function listShownPages(
  { files, sets, facts, typeAt }: ScannedSite,
  noteOther: (uri: string, canonical: string) => void = () => undefined,
): string[] {
  const isAll = sets.some((set) => set.files.length === files.length);
  const listed = isAll ? undefined : new Set(sets.flatMap((set) => set.files.map(({ uri }) => uri)));
  const pages: string[] = [];
  for (const [place, file] of files.entries()) {
    if (!PAGE_FILE.test(file.path) || listed?.has(file.uri) === false) continue;
    if (judgeType(typeAt(place)) !== 'page' || facts?.saysNoindex(file) === true) continue;
    const { canonical, leads } = facts?.of(file) ?? {};
    if (leads === true) continue;
    if (canonical === undefined) pages.push(file.uri);
    else noteOther(file.uri, canonical);
  }
  return pages;
}

/**
 * Finds out when pages changed; undefined where there is no history that says.
 *
 * @param pages URLs
 * @throws ResyncError `git-failed`, `file-changing`, `live-foreign`
 */
export async function readDates(
  { site, config, scanned, history, known, records, readFile }: KnownSite,
  pages: ReadonlySet<string>,
): Promise<PageDates | undefined> {
  if (history === undefined || known === undefined) return undefined;
  if (history.kind === 'published') {
    const { findPastOnline } = await import('./past-online.js');
    const past = findPastOnline(config, scanned, history);
    const read: ReadPresent = ({ path, length }) => readUnchanged(site, path, length);
    return readLiveDates(readFile ?? read, { past, known, history, records, pages });
  }
  if (known.committed === undefined) return undefined;
  return await readTextDates({ site, scanned, history, readFile, records }, known.committed, pages);
}

/** Finds out which dates a publication would move that is not there yet. */
export async function findMovedDates(
  place: KnownSite,
  changes: readonly ChangedResource[],
): Promise<MovedDates> {
  const changed = new Set(changes.map(({ uri }) => uri));
  const pages = listShownPages(place.scanned).filter((uri) => changed.has(uri));
  const read = pages.length === 0 ? undefined : await readDates(place, new Set(pages));
  const at = place.known?.at.getTime();
  return {
    moved: pages.filter((uri) => read?.dates.get(uri)?.getTime() === at),
    unread: read?.unread ?? 0,
  };
}

/** What there was before is as the live sitemap says; of what differs now, the records are compared. */
async function readLiveDates(
  readFile: ReadPresent,
  {
    past,
    known,
    history,
    records,
    pages,
  }: {
    readonly past: Past;
    readonly known: KnownHistory;
    readonly history: PublishedHistory;
    readonly records: PageRecords;
    readonly pages: ReadonlySet<string>;
  },
): Promise<PageDates> {
  const dates = readFormerDates(known, history, pages);
  const changes = past.changes.filter(({ uri, change }) => change !== 'deleted' && pages.has(uri));
  const updated = changes.filter(({ change }) => change === 'updated');
  const moved = await findMoved(readFile, past, { updated, records, history });
  for (const { uri, change } of changes)
    if (change === 'created' || moved.uris.has(uri)) dates.set(uri, known.at);
  return { dates, unread: moved.unread };
}

/** The live sitemap knows, but for what was created since it was made, such as when there was none. */
function readFormerDates(
  { sets }: KnownHistory,
  { dates: said }: PublishedHistory,
  pages: ReadonlySet<string>,
): Map<string, Date> {
  const dates = new Map<string, Date>();
  for (const uri of pages) {
    const date = said?.get(addressOf(uri));
    if (date !== undefined) dates.set(uri, date);
  }
  for (const { uri, change, datetime } of sets.flatMap(({ lists }) =>
    lists.flatMap((list) => list.changes),
  )) {
    if (!pages.has(uri) || change === 'deleted') continue;
    const before = dates.get(uri);
    const counts = change === 'created';
    if (counts && (before === undefined || !isAfter(before, datetime))) dates.set(uri, datetime);
    // Nobody compared the texts.
    else if (!counts && said?.get(addressOf(uri)) === undefined) dates.delete(uri);
  }
  return dates;
}

/** A day is not over until it is. */
function isAfter(date: Date, datetime: Date): boolean {
  return date >= datetime || date.toISOString().slice(0, 10) === datetime.toISOString().slice(0, 10);
}

/** Compares as many pages with their live versions as `diff` does, and fetches those whose records are not known. */
async function findMoved(
  readFile: ReadPresent,
  past: Past,
  {
    updated,
    records,
    history,
  }: {
    readonly updated: readonly ChangedResource[];
    readonly records: PageRecords;
    readonly history: PublishedHistory;
  },
) {
  const isShort = ({ uri, length }: ChangedResource) =>
    Math.max(length, past.formerLength(uri) ?? Number.POSITIVE_INFINITY) <= PAGE_LIMIT;
  const formerOf = ({ uri }: ChangedResource): PageVersion => {
    const [former] = [...history.sets.values()].flatMap(({ resources }) => resources.get(uri) ?? []);
    return { uri, content: former?.hash ?? '' };
  };
  const asked = takeSample(updated.filter(isShort), past.readLimit);
  const fetched = asked.filter((file) => records.find(formerOf(file)) === undefined);
  const uris = new Set<string>();
  let compared = 0;
  if (asked.length === 0) return { uris, unread: updated.length };
  const reader = past.startReading(fetched.map(({ uri }) => uri));
  try {
    for (const file of fetched) {
      const bytes = await reader.readNext();
      if (bytes !== undefined) records.read(formerOf(file), bytes);
    }
  } finally {
    reader.close();
  }
  for (const file of asked) {
    const { uri, digest: content = '' } = file;
    const former = records.find(formerOf(file));
    if (former === undefined) continue;
    compared++;
    const present = records.find({ uri, content }) ?? records.read({ uri, content }, readFile(file));
    if (former.text !== present?.text) uris.add(uri);
  }
  return { uris, unread: updated.length - compared };
}
