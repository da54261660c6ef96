/** Sends notifications; WebSub hubs get the URLs of changed documents of the site. */

import type { HttpLimits } from '../../base/http.js';
import { isUrl } from '../../base/url.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import { type Bounds, FetchError } from '../../source/web/bounds.js';
import { HttpClient } from '../../source/web/client.js';
import { readLinkHeader } from '../../source/web/link-header.js';
import type { RequestContent } from '../../source/web/request.js';
import type { ResolvedNotify } from './config.js';
import type { NotifiedTarget } from './options.js';
import type { PublishedSite } from './published.js';

export interface Notification {
  /** The live site, to be read from. */
  readonly place: Origin;
  readonly live: PublishedSite;
  readonly http: HttpLimits;
  readonly bounds: Bounds;
  /** Texts that are never passed on, even if a server repeats them. */
  readonly secrets: readonly string[];
}

/** Limit of characters of a server's answer that are reported. */
const MOST_TOLD = 300;

/** Sends content to a server that the user named, and to no other. Tries again if the server is busy. */
export async function send(
  { http, bounds, secrets }: Notification,
  uri: string,
  content: RequestContent,
): Promise<Pick<NotifiedTarget, 'target' | 'done' | 'status' | 'found'>> {
  const target = nameTarget(uri);
  const client = new HttpClient(uri, http, { agent: AGENT, bounds, staysHome: true });
  try {
    const { status, text } = await client.send(uri, content);
    const done = status >= 200 && status < 300;
    const answer = hide(text, secrets).replace(/\s+/g, ' ').trim().slice(0, MOST_TOLD);
    return { target, done, status, ...(!done && answer !== '' && { found: answer }) };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { target, done: false, found: hide(error.message, secrets) };
  } finally {
    client.close();
  }
}

export const AGENT = 'resync-static notify';

/** Names a target by the origin of its URL: the part after the host may be a secret. */
export function nameTarget(uri: string): string {
  return new URL(uri).origin;
}

/** Lists secrets to hide in reports: the key of IndexNow, queries of URLs. Not short texts, which occur anywhere. */
export function listSecrets({ indexnow, channels, hubs }: ResolvedNotify): string[] {
  const uris = [...channels, ...hubs, ...(indexnow === undefined ? [] : [indexnow.endpoint])];
  const said = uris.flatMap((uri) => {
    const { search, searchParams } = new URL(uri);
    return [search.slice(1), ...searchParams.values()];
  });
  return [...(indexnow === undefined ? [] : [indexnow.key]), ...said].filter((secret) => secret.length > 3);
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, '…'), text);
}

/**
 * Notifies a hub of every topic that names it: the feed, by its own links, and Change Lists, by their `Link` headers. Nobody could
 * have subscribed to anything else.
 */
export async function notifyHub(notification: Notification, hub: string): Promise<NotifiedTarget[]> {
  const topics = await findTopics(notification, hub);
  if (topics.length === 0) {
    const found =
      'neither the feed nor a Change List names this hub. Put `hub` into the configuration, with `feed` or `headers`, and deploy the site again';
    return [{ kind: 'hub', target: nameTarget(hub), done: false, found }];
  }
  return Promise.all(
    topics.map(async (topic) => {
      const text = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': topic }).toString();
      const sent = await send(notification, hub, { type: 'application/x-www-form-urlencoded', text });
      return { kind: 'hub', topic, ...sent } as const;
    }),
  );
}

async function findTopics(
  { live: { feed, changeLists }, place }: Notification,
  hub: string,
): Promise<string[]> {
  const topics: string[] = [];
  if (feed !== undefined && feed.self === feed.uri && feed.hubs.some((one) => isSame(one, hub)))
    topics.push(feed.uri);
  for (const uri of changeLists) {
    const opened = await place.open(uri, { fresh: true });
    if (isAbsent(opened)) continue;
    for await (const _ of opened.body) break;
    const links = readLinkHeader(opened.link, uri);
    const isSaid = (rel: string, target: string) =>
      links.some(({ rels, href }) => rels.includes(rel) && isSame(href, target));
    if (isSaid('hub', hub) && isSaid('self', uri)) topics.push(uri);
  }
  return topics;
}

function isSame(one: string, other: string): boolean {
  return isUrl(one) && new URL(one).href === new URL(other).href;
}
