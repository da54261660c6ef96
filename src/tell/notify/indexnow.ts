/** Submits changed pages to search engines by IndexNow. */

import { loadTypes } from '../../files/types.js';
import { addressOf } from '../../paths/address.js';
import { PAGES } from '../../paths/ours.js';
import { guessPath } from '../../paths/urls.js';
import { readStart } from '../../source/document.js';
import { isAbsent } from '../../source/origin/origin.js';
import { type Event, lastOfEach } from '../../source/sets/entry.js';
import { judgeType } from '../../standard/content.js';
import type { SitePages } from '../../standard/pages.js';
import type { ResolvedNotify } from './config.js';
import type { NotifiedTarget } from './options.js';
import { type Notification, nameTarget, send } from './send.js';

/** Limit of URLs in one request of IndexNow. */
const MOST_URLS = 10_000;

export async function notifyIndexNow(
  notification: Notification,
  { key, endpoint }: NonNullable<ResolvedNotify['indexnow']>,
): Promise<NotifiedTarget[]> {
  const { base, news, pages: listed } = notification.live;
  const about = { kind: 'indexnow', target: nameTarget(endpoint) } as const;
  const fail = (found: string): NotifiedTarget[] => [{ ...about, done: false, found }];
  const keyLocation = `${base}${key}.txt`;
  if (!(await hasKey(notification, keyLocation, key)))
    return fail(
      `the key file is not at ${base}: name the file after the key, with .txt at its end, and write the key into it`,
    );
  if (news === undefined) return fail('the site has no Change List, so it is not known which pages changed');
  if (listed === undefined)
    return fail(
      `${base}${PAGES} is missing, which says whose text changed: --sitemap, --feed and --page write it`,
    );
  if (typeof listed === 'string') return fail(`${base}${PAGES} is not valid: ${listed}`);
  const { uris, unlisted, markup } = choosePages(await findPages(news.events, base), news.events, listed);
  const skipped = unlisted + markup === 0 ? {} : { skipped: { unlisted, markup } };
  if (uris.length === 0) return [{ ...about, done: true, urls: 0, ...skipped }];
  const notified: NotifiedTarget[] = [];
  for (let start = 0; start < uris.length; start += MOST_URLS) {
    const urlList = uris.slice(start, start + MOST_URLS);
    const text = JSON.stringify({ host: new URL(base).host, key, keyLocation, urlList });
    const sent = await send(notification, endpoint, { type: 'application/json; charset=utf-8', text });
    notified.push({ ...about, ...sent, urls: urlList.length, ...(start === 0 && skipped) });
  }
  return notified;
}

/** Returns whether the site has the key file of IndexNow, which proves control over it. */
async function hasKey({ place }: Notification, uri: string, key: string): Promise<boolean> {
  const opened = await place.open(uri, { fresh: true });
  return !isAbsent(opened) && (await readStart(opened.body))?.trim() === key;
}

/** Finds the changed pages below a URL, each with its last change. */
async function findPages(events: readonly Event[], base: string): Promise<Event[]> {
  const typeOf = await loadTypes();
  return lastOfEach(events).filter(
    ({ entry: { uri, type } }) =>
      uri.startsWith(addressOf(base)) && judgeType(type ?? typeOf(guessPath(uri, base))) === 'page',
  );
}

/**
 * Chooses the pages to submit. Leaves out those that `pages.json` does not list, such as for `noindex`, and those whose main
 * text is as it was. Deleted pages are submitted, so that search engines forget them.
 */
function choosePages(changed: readonly Event[], events: readonly Event[], { pages }: SitePages) {
  const since = events.reduce((one, { time = one }) => Math.min(one, time), Number.POSITIVE_INFINITY);
  const dates = new Map(pages.map(({ url, created, changed }) => [addressOf(url), changed ?? created]));
  const uris: string[] = [];
  let [unlisted, markup] = [0, 0];
  for (const { change, entry } of changed) {
    const { uri } = entry;
    const date = dates.get(uri);
    if (change !== 'deleted' && !dates.has(uri)) unlisted++;
    else if (change === 'updated' && !(date !== undefined && date.getTime() >= since)) markup++;
    else uris.push(uri);
  }
  return { uris, unlisted, markup };
}
