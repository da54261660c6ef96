/** Tells channels, hubs and search engines what is live, once, after a deploy. */

import { SYSTEM_CLOCK } from '../../base/time.js';
import { openWeb } from '../../source/origin/web.js';
import { startBounds } from '../../source/web/bounds.js';
import { formatDatetime } from '../../standard/model.js';
import { resolveNotify } from './config.js';
import { readExpected } from './expected.js';
import { tellIndexNow } from './indexnow.js';
import type { NotifiedTarget, NotifyConfig, NotifyOptions, NotifyReport, ResolvedNotify } from './options.js';
import { newest, type PublishedSite } from './published.js';
import { AGENT, listSecrets, send, type Telling, tellHub } from './send.js';
import { waitUntilLive } from './wait.js';

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
    const expected = await readExpected(config, bounds);
    const { url } = expected;
    const { http } = config;
    const place = openWeb(url, url, http, { agent: AGENT, bounds, staysHome: true });
    try {
      const begin = clock.now();
      const live = await waitUntilLive(place, config, expected, { observe, clock });
      const waited = Math.round(clock.now() - begin);
      const secrets = listSecrets(config);
      const told = await tellAll(config, { place, live, http, bounds, observe, secrets });
      return makeReport(config, live, { source: url, waited, told });
    } finally {
      place.close();
    }
  } finally {
    // What fails before anything is asked ends, too.
    bounds.stop();
  }
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

function makeReport(
  { since }: ResolvedNotify,
  { moments, news }: PublishedSite,
  { source, waited, told }: Pick<NotifyReport, 'source' | 'waited' | 'told'>,
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
