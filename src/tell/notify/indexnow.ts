/** Tells search engines which pages changed, by the protocol of IndexNow. */

import { judgeType } from '../../diff/content.js';
import { lastOfEach } from '../../mirror/plan/history.js';
import { guessPath } from '../../paths/urls.js';
import { judgeNoindex, tagSaysNoindex } from '../../site/page/facts/noindex.js';
import { loadTypes } from '../../site/types.js';
import { fetchFrom, readDatedSitemaps } from '../../source/dated.js';
import { readStart } from '../../source/document.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import type { Event } from '../../source/sets/entry.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { formatDatetime } from '../../standard/model.js';
import { keyOfAddress } from '../../standard/xml/sitemap.js';
import type { NotifiedTarget, ResolvedNotify } from './options.js';
import { nameTarget, send, type Telling } from './send.js';

/** So many URLs may be in one request. */
const MOST_URLS = 10_000;

export async function tellIndexNow(
  telling: Telling,
  { key, endpoint }: NonNullable<ResolvedNotify['indexnow']>,
): Promise<NotifiedTarget[]> {
  const { place, live, http, observe } = telling;
  const { base, news } = live;
  const about = { kind: 'indexnow', target: nameTarget(endpoint) } as const;
  const fail = (found: string): NotifiedTarget[] => [{ ...about, done: false, found }];
  const keyLocation = `${base}${key}.txt`;
  if (!(await hasKey(telling, keyLocation, key)))
    return fail(
      `the key file is not at ${base}: a file that is called as the key, with .txt behind it, and holds the key`,
    );
  if (news === undefined) return fail('the site has no Change List, so nothing tells which pages changed');
  const changed = await findPages(news.events, base);
  const isText = await readTextTest(place, base, news.events);
  const pages = changed.filter((event) => event.change !== 'updated' || isText(event.entry.uri));
  const markup = changed.length - pages.length;
  const chosen = await choosePages(place, pages, http.connections, (done) =>
    observe({ stage: 'pages', done, total: pages.length }),
  );
  const { uris, noindex, absent } = chosen;
  const left =
    noindex + absent + markup === 0 ? {} : { left: { noindex, absent, ...(markup > 0 && { markup }) } };
  if (uris.length === 0) return [{ ...about, done: true, urls: 0, ...left }];
  const told: NotifiedTarget[] = [];
  for (let start = 0; start < uris.length; start += MOST_URLS) {
    const urlList = uris.slice(start, start + MOST_URLS);
    const text = JSON.stringify({ host: new URL(base).host, key, keyLocation, urlList });
    const sent = await send(telling, endpoint, { type: 'application/json; charset=utf-8', text });
    told.push({ ...about, ...sent, urls: urlList.length, ...(start === 0 && left) });
  }
  return told;
}

/** Only who can put a file on the site may speak for it. */
async function hasKey({ place }: Telling, uri: string, key: string): Promise<boolean> {
  const opened = await place.open(uri, { fresh: true });
  return !isAbsent(opened) && (await readStart(opened.body))?.trim() === key;
}

/** The pages below a URL that changed, each with the last thing that happened to it. */
async function findPages(events: readonly Event[], base: string): Promise<Event[]> {
  const typeOf = await loadTypes();
  return lastOfEach(events).filter(
    ({ entry: { uri, type } }) =>
      uri.startsWith(base) && judgeType(type ?? typeOf(guessPath(uri, base))) === 'page',
  );
}

/**
 * Leaves out what search engines are asked not to show. What is deleted is told: they are to forget it.
 *
 * @param each is called after each look
 */
async function choosePages(
  place: Origin,
  pages: readonly Event[],
  connections: number,
  each: (done: number) => void,
) {
  const verdicts: ('told' | 'noindex' | 'absent')[] = [];
  let done = 0;
  await workSideBySide([...pages.entries()], connections, async ([index, { change, entry }]) => {
    verdicts[index] = change === 'deleted' ? 'told' : await judgePage(place, entry.uri);
    each(++done);
  });
  const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    uris: pages.flatMap(({ entry: { uri } }, index) => (verdicts[index] === 'told' ? [uri] : [])),
    noindex: count('noindex'),
    absent: count('absent'),
  };
}

async function judgePage(place: Origin, uri: string) {
  const opened = await place.open(uri, { fresh: true });
  if (isAbsent(opened)) return 'absent';
  const text = await readStart(opened.body);
  if (text === undefined) return 'absent';
  if (tagSaysNoindex(opened.robots ?? '')) return 'noindex';
  return (await judgeNoindex(Buffer.from(text))) ? 'noindex' : 'told';
}

/**
 * Makes a test whether the text of a page changed in what is told, as the sitemap of the site says. Without one that has
 * our dates, all that changed counts.
 */
async function readTextTest(
  place: Origin,
  base: string,
  events: readonly Event[],
): Promise<(uri: string) => boolean> {
  const sitemaps = (await readDatedSitemaps(base, fetchFrom(place))).filter(({ isIndex }) => !isIndex);
  if (sitemaps.length === 0) return () => true;
  const dates = new Map(
    sitemaps.flatMap(({ entries }) =>
      entries.map(({ loc, lastmods }) => [keyOfAddress(loc), lastmods[0]?.said ?? '']),
    ),
  );
  const first = events.reduce((one, { time = one }) => Math.min(one, time), Number.POSITIVE_INFINITY);
  const since = Number.isFinite(first) ? formatDatetime(new Date(first)) : '';
  return (uri) => {
    const said = dates.get(keyOfAddress(uri)) ?? '';
    // A day begins before all that happens on it.
    return said !== '' && said >= since.slice(0, said.length);
  };
}
