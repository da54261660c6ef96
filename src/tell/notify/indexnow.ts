/** Tells search engines which pages changed, by the protocol of IndexNow. */

import { ignoring, ResyncError } from '../../base/errors.js';
import { addressOf } from '../../paths/address.js';
import { guessPath } from '../../paths/urls.js';
import { judgeNoindex, tagSaysNoindex } from '../../site/page/facts/noindex.js';
import { loadTypes } from '../../site/types.js';
import { fetchFrom, listDatedPages, readDatedSitemaps } from '../../source/dated.js';
import { readStart } from '../../source/document.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import { type Event, lastOfEach, newest } from '../../source/sets/entry.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { judgeType } from '../../standard/content.js';
import { formatDatetime } from '../../standard/model.js';
import type { ResolvedNotify } from './config.js';
import type { NotifiedTarget } from './options.js';
import { nameTarget, send, type Telling, type TextTest } from './send.js';

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
  const { pages, markup, unknown } = await keepBack(telling, await findPages(news.events, base), news.events);
  const chosen = await choosePages(place, pages, http.connections, (done) =>
    observe({ stage: 'pages', done, total: pages.length }),
  );
  const { uris, noindex, absent } = chosen;
  const kept = { noindex, absent, ...(markup > 0 && { markup }), ...(unknown > 0 && { unknown }) };
  const left = noindex + absent + markup + unknown === 0 ? {} : { left: kept };
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
      uri.startsWith(addressOf(base)) && judgeType(type ?? typeOf(guessPath(uri, base))) === 'page',
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
  return judgeNoindex(Buffer.from(text)) ? 'noindex' : 'told';
}

/**
 * Keeps back pages whose bytes changed, and not their text, and those of which nobody knows: what the history of the folder
 * says counts, then what the live sitemap does.
 */
async function keepBack(
  { place, live: { base, moments }, readTexts }: Telling,
  changed: readonly Event[],
  events: readonly Event[],
) {
  const updated = new Set(
    changed.flatMap(({ change, entry: { uri } }) => (change === 'updated' ? [uri] : [])),
  );
  const since = events.reduce((one, { time = one }) => Math.min(one, time), Number.POSITIVE_INFINITY);
  const verdicts = new Map<string, boolean | undefined>();
  const ask = async (read: () => Promise<TextTest | undefined>) => {
    const open = [...updated].filter((uri) => verdicts.get(uri) === undefined);
    const test = open.length === 0 ? undefined : await read();
    if (test !== undefined) for (const uri of open) verdicts.set(uri, test(uri));
  };
  const at = newest(moments.values());
  // Where it cannot be read, the sitemap may say it.
  if (readTexts !== undefined && at !== undefined && Number.isFinite(since))
    await ask(() => readTexts(updated, { since, at }).catch(ignoring(ResyncError)));
  await ask(() => readSitemapTest(place, base, since));
  const count = (wanted: boolean | undefined) =>
    [...updated].filter((uri) => verdicts.get(uri) === wanted).length;
  return {
    pages: changed.filter(({ change, entry: { uri } }) => change !== 'updated' || verdicts.get(uri) === true),
    markup: count(false),
    unknown: count(undefined),
  };
}

/** What a live sitemap says that has our dates; undefined where there is none. */
async function readSitemapTest(place: Origin, base: string, since: number): Promise<TextTest | undefined> {
  const sitemaps = await readDatedSitemaps(base, fetchFrom(place), ['sitemap.xml']);
  if (sitemaps.every(({ isIndex }) => isIndex)) return undefined;
  const dates = new Map(Array.from(listDatedPages(sitemaps), ({ key, said }) => [key, said]));
  const first = Number.isFinite(since) ? formatDatetime(new Date(since)) : '';
  return (uri) => {
    const said = dates.get(addressOf(uri));
    // A day begins before all that happens on it.
    return said === undefined ? undefined : said !== '' && said >= first.slice(0, said.length);
  };
}
