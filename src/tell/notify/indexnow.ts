/** Tells search engines which pages changed, by the protocol of IndexNow. */

import { readStart } from '../../source/find.js';
import { isAbsent } from '../../source/origin/origin.js';
import type { ResolvedNotify } from './options.js';
import { choosePages, findPages } from './pages.js';
import type { NotifiedTarget } from './report.js';
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
  const pages = await findPages(news.events, base);
  const chosen = await choosePages(place, pages, http.connections, (done) =>
    observe({ stage: 'pages', done, total: pages.length }),
  );
  const { uris, noindex, absent } = chosen;
  const left = noindex + absent === 0 ? {} : { left: { noindex, absent } };
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
