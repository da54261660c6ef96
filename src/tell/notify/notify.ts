/** Tells channels, hubs and search engines what is live, once, after a deploy. */

import { type Clock, SYSTEM_CLOCK } from '../../base/time.js';
import { openWeb } from '../../source/origin/web.js';
import { type Bounds, startBounds } from '../../source/web/bounds.js';
import { formatDatetime } from '../../standard/model.js';
import { resolveNotify } from './config.js';
import { type Expected, readExpected } from './expected.js';
import { tellIndexNow } from './indexnow.js';
import type {
  NotifiedTarget,
  NotifyConfig,
  NotifyObserver,
  NotifyReport,
  ResolvedNotify,
} from './options.js';
import { newest, type PublishedSite } from './published.js';
import { AGENT, listSecrets, send, type Telling, tellHub } from './send.js';
import { waitUntilLive } from './wait.js';

export interface NotifyOptions {
  /** Is told while the publication is waited for. */
  readonly observe?: NotifyObserver;
  /** What the waiting goes by. @default the clock of the system */
  readonly clock?: Clock;
}

/**
 * Waits until what was deployed is live, and tells channels, WebSub hubs and IndexNow of it.
 *
 * Prints nothing. Who could not be told is in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `source-unreadable`, `not-live`
 */
export async function notify(config: NotifyConfig, options: NotifyOptions = {}): Promise<NotifyReport> {
  return notifyAll(resolveNotify(config), options);
}

/** `notify` with a configuration that is resolved already. */
export async function notifyAll(
  config: ResolvedNotify,
  { observe = () => undefined, clock = SYSTEM_CLOCK }: NotifyOptions = {},
): Promise<NotifyReport> {
  const endless = Number.POSITIVE_INFINITY;
  const bounds = startBounds({ bytes: endless, time: endless, memory: endless });
  try {
    return await tellBounded(config, { observe, clock, bounds });
  } finally {
    // What fails before anything is asked ends, too.
    bounds.stop();
  }
}

async function tellBounded(
  config: ResolvedNotify,
  { observe, clock, bounds }: Required<NotifyOptions> & { readonly bounds: Bounds },
): Promise<NotifyReport> {
  const expected = await readExpected(config, bounds);
  const { url } = expected;
  const { http } = config;
  const place = openWeb(url, url, http, { agent: AGENT, bounds, staysHome: true });
  try {
    const begin = clock.now();
    const live = await waitUntilLive({ place, config, expected, clock, observe });
    const waited = Math.round(clock.now() - begin);
    const told = await tellAll(config, {
      place,
      live,
      http,
      bounds,
      observe,
      secrets: collectSecrets(config),
    });
    return makeReport(config, expected, { live, waited, told });
  } finally {
    place.close();
  }
}

function collectSecrets({ indexnow, channels, hubs }: ResolvedNotify): string[] {
  const endpoints = indexnow === undefined ? [] : [indexnow.endpoint];
  return listSecrets(indexnow?.key, [...channels, ...hubs, ...endpoints]);
}

/** All at once: nobody waits for one that does not answer. */
async function tellAll(
  { channels, hubs, indexnow }: ResolvedNotify,
  telling: Telling,
): Promise<NotifiedTarget[]> {
  const told = await Promise.all([
    ...channels.map((channel) => tellChannel(telling, channel)),
    ...hubs.map((hub) => tellHub(telling, hub)),
    ...(indexnow === undefined ? [] : [tellIndexNow(telling, indexnow)]),
  ]);
  return told.flat();
}

interface Done {
  readonly live: PublishedSite;
  readonly waited: number;
  readonly told: readonly NotifiedTarget[];
}

function makeReport(
  { since }: ResolvedNotify,
  { url }: Expected,
  { live, waited, told }: Done,
): NotifyReport {
  const at = newest(live.moments.values());
  const from = live.news?.from;
  const format = (moment: number) => formatDatetime(new Date(moment));
  return {
    source: url,
    ...(at !== undefined && { at: format(at) }),
    ...(since !== undefined && { since: format(since) }),
    waited,
    ...(since !== undefined && from !== undefined && from > since && { from: format(from) }),
    changes: live.news?.events.length ?? 0,
    told,
  };
}

/** Nothing is said but that: what the site says is for the channel to read. */
const NOTHING = { type: 'text/plain', text: '' } as const;

async function tellChannel(telling: Telling, channel: string): Promise<NotifiedTarget> {
  return { kind: 'channel', ...(await send(telling, nameHook(channel), NOTHING)) };
}

/** `https://push.example.org/` → `https://push.example.org/deployed`; what ends so already stays as it is. */
function nameHook(channel: string): string {
  const url = new URL(channel);
  if (!url.pathname.endsWith('/deployed')) url.pathname = url.pathname.replace(/\/?$/, '/deployed');
  return url.href;
}
