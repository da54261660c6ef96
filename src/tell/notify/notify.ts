/** Waits until a deployed publication is live, and notifies channels, hubs and search engines, once. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { SYSTEM_CLOCK } from '../../base/time.js';
import { PAGES } from '../../paths/ours.js';
import type { Origin } from '../../source/origin/origin.js';
import { openWeb } from '../../source/origin/web.js';
import { newest } from '../../source/sets/entry.js';
import { Bounds } from '../../source/web/bounds.js';
import type { ResolvedNotify } from './config.js';
import { notifyIndexNow } from './indexnow.js';
import type { NotifiedTarget, NotifyOptions, NotifyReport } from './options.js';
import {
  type Expected,
  isAnythingExpected,
  isLive,
  type PublishedSite,
  readExpected,
  readPublished,
} from './published.js';
import { AGENT, listSecrets, type Notification, notifyHub, send } from './send.js';

export async function notifyAll(
  config: ResolvedNotify,
  { observe = () => undefined, clock = SYSTEM_CLOCK }: NotifyOptions = {},
): Promise<NotifyReport> {
  const bounds = new Bounds({});
  try {
    const expected = await readExpected(config, bounds);
    const { url } = expected;
    const { http } = config;
    const place = openWeb(url, http, { agent: AGENT, bounds, staysHome: true });
    try {
      const begin = clock.now();
      const live = await waitUntilLive(place, config, expected, { observe, clock });
      const waited = Math.round(clock.now() - begin);
      const secrets = listSecrets(config);
      const notified = await notifyTargets(config, { place, live, http, bounds, secrets });
      return makeReport(config, live, { source: url, waited, notified });
    } finally {
      place.close();
    }
  } finally {
    // Stops the timer of the limits, also if something fails before the first request.
    bounds.stop();
  }
}

/** Notifies all targets in parallel, so that a target that does not answer delays no other. */
async function notifyTargets(
  { channels, hubs, indexnow }: ResolvedNotify,
  notification: Notification,
): Promise<NotifiedTarget[]> {
  const targets = await Promise.all([
    ...channels.map((channel) => notifyChannel(notification, channel)),
    ...hubs.map((hub) => notifyHub(notification, hub)),
    ...(indexnow === undefined ? [] : [notifyIndexNow(notification, indexnow)]),
  ]);
  return targets.flat();
}

function makeReport(
  { since }: ResolvedNotify,
  { moments, news }: PublishedSite,
  { source, waited, notified }: Pick<NotifyReport, 'source' | 'waited' | 'notified'>,
): NotifyReport {
  const at = newest(moments.values());
  const from = news?.from;
  const format = (moment: number) => formatDatetime(new Date(moment));
  return {
    source,
    ...(at !== undefined && { at: format(at) }),
    ...(since !== undefined && { since: format(since) }),
    waited,
    ...(since !== undefined && from !== undefined && from > since && { from: format(from) }),
    changes: news?.events.length ?? 0,
    notified,
  };
}

/** Content of a message to a channel: it is empty, because the channel reads the site itself. */
const NOTHING = { type: 'text/plain', text: '' } as const;

async function notifyChannel(notification: Notification, channel: string): Promise<NotifiedTarget> {
  return { kind: 'channel', ...(await send(notification, nameHook(channel), NOTHING)) };
}

/** Returns the URL to which deploys are reported: `https://push.example.org/` → `https://push.example.org/deployed`. */
function nameHook(channel: string): string {
  const url = new URL(channel);
  if (!url.pathname.endsWith('/deployed')) url.pathname = url.pathname.replace(/\/?$/, '/deployed');
  return url.href;
}

/** Milliseconds between two readings of the live site: doubled each time, up to the longest. */
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 15_000;

/** Waits until the expected publication is live. @throws ResyncError `not-live`, `source-unreadable` */
async function waitUntilLive(
  place: Origin,
  config: ResolvedNotify,
  expected: Expected,
  { clock, observe }: Required<NotifyOptions>,
): Promise<PublishedSite> {
  const { url } = expected;
  const { wait } = config;
  const begin = clock.now();
  let found: PublishedSite | ResyncError;
  for (let look = 0; ; look++) {
    found = await readPublished(place, url, config).catch(toProblem);
    if (found instanceof ResyncError && !isAnythingExpected(expected)) throw found;
    if (!(found instanceof ResyncError) && isLive(found, expected)) return found;
    const waited = clock.now() - begin;
    const rest = wait - waited;
    if (rest <= 0) throw makeFailure(found, expected, waited);
    observe({ stage: 'waiting', done: waited, total: wait });
    await clock.sleep(Math.min(rest, FIRST_PAUSE * 2 ** look, LONGEST_PAUSE));
  }
}

/** Returns the error that a site has no documents, as before its first deploy; throws other errors again. */
function toProblem(error: unknown): ResyncError {
  if (error instanceof ResyncError && error.code === 'source-unreadable') return error;
  throw error;
}

function makeFailure(found: PublishedSite | ResyncError, expected: Expected, waited: number): ResyncError {
  const { url, at, moments } = expected;
  if (found instanceof ResyncError) return found;
  const live = newest(found.moments.values());
  const wanted = at ?? newest(moments.values()) ?? live;
  if (typeof found.pages === 'object' && isLive({ ...found, pages: undefined }, expected))
    return new ResyncError(
      'not-live',
      say`${url}${PAGES} is older than the Change List after ${Math.round(waited / 1000)} s.\nNobody was notified. Check the deploy, and run this again; --wait waits longer.`,
    );
  const format = (moment: number | undefined) =>
    moment === undefined ? 'an unknown time' : formatDatetime(new Date(moment));
  return new ResyncError(
    'not-live',
    say`The publication of ${format(wanted)} was not live at ${url} after ${Math.round(waited / 1000)} s; the newest there was of ${format(live)}.\nNobody was notified. Check the deploy, and run this again; --wait waits longer.`,
  );
}
