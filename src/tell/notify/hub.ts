/** Tells a hub of WebSub which of the site's documents have changed. */

import { isAbsent } from '../../source/origin/origin.js';
import { readLinkHeader } from '../../source/web/link-header.js';
import { isUrl } from '../../standard/model.js';
import type { NotifiedTarget } from './report.js';
import { nameTarget, send, type Telling } from './send.js';

/**
 * Tells a hub of every topic that names it: the feed, which has its links within, and Change Lists that come with `Link`
 * headers. Nobody could have subscribed to anything else.
 */
export async function tellHub(telling: Telling, hub: string): Promise<NotifiedTarget[]> {
  const topics = await findTopics(telling, hub);
  if (topics.length === 0) {
    const found =
      'neither the feed nor a Change List names this hub. Put `hub` into the configuration, with `feed` or `headers`, and deploy the site again';
    return [{ kind: 'hub', target: nameTarget(hub), done: false, found }];
  }
  return Promise.all(
    topics.map(async (topic) => {
      const text = new URLSearchParams({ 'hub.mode': 'publish', 'hub.url': topic }).toString();
      const sent = await send(telling, hub, { type: 'application/x-www-form-urlencoded', text });
      return { kind: 'hub', topic, ...sent } as const;
    }),
  );
}

async function findTopics({ live: { feed, changeLists }, place }: Telling, hub: string): Promise<string[]> {
  const topics: string[] = [];
  if (feed !== undefined && feed.self === feed.uri && feed.hubs.some((one) => isSame(one, hub)))
    topics.push(feed.uri);
  for (const uri of changeLists) {
    const opened = await place.open(uri, { fresh: true });
    if (isAbsent(opened)) continue;
    for await (const _ of opened.body) break;
    const links = readLinkHeader(opened.link ?? '', uri);
    const isSaid = (rel: string, target: string) =>
      links.some(({ rels, href }) => rels.includes(rel) && isSame(href, target));
    if (isSaid('hub', hub) && isSaid('self', uri)) topics.push(uri);
  }
  return topics;
}

function isSame(one: string, other: string): boolean {
  return isUrl(one) && new URL(one).href === new URL(other).href;
}
