/** Whom `notify` tells: servers that take what they are sent, and a hub of WebSub (W3C Recommendation, 23 January 2018). */

import type { IncomingMessage } from 'node:http';
import { listen } from './server.js';

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A request that a server received. */
export interface Seen {
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string;
}

/** A server that takes what it is sent, and answers with these statuses first. */
export async function startTaker(statuses: readonly number[] = [], said = '') {
  const seen: Seen[] = [];
  const rest = [...statuses];
  const { url } = await listen(async (request, response) => {
    const body = await readAll(request);
    seen.push({ path: `${request.method} ${request.url}`, type: request.headers['content-type'], body });
    response.writeHead(rest.shift() ?? 202, { location: '/elsewhere' }).end(said);
  });
  return { url, seen };
}

/** The content of a topic, which a hub sends to its subscribers (§7). */
export interface Delivery {
  readonly topic: string;
  readonly type: string | null;
  readonly body: string;
}

export interface Hub {
  readonly url: string;
  readonly delivered: Delivery[];
  /** Statuses to answer with first. */
  readonly refusals: number[];
}

/** A hub, as far as publishers see it. Subscribers find it by its topics, so each has to name it, and itself (§4). */
export async function startHub(): Promise<Hub> {
  const delivered: Delivery[] = [];
  const refusals: number[] = [];
  const deliver = async (topic: string) => {
    const content = await fetch(topic);
    const body = await content.text();
    const find = (rel: string) =>
      new RegExp(`<([^>]*)>\\s*;\\s*rel="?${rel}"?`).exec(content.headers.get('link') ?? '')?.[1] ??
      new RegExp(`<link rel="${rel}"[^>]*href="([^"]*)"`).exec(body)?.[1];
    if (find('hub') !== url || find('self') !== topic) return 400;
    delivered.push({ topic, type: content.headers.get('content-type'), body });
    return 204;
  };
  const { url } = await listen(async (request, response) => {
    const form = new URLSearchParams(await readAll(request));
    const isForm = /^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '');
    const isPublish = request.method === 'POST' && isForm && form.get('hub.mode') === 'publish';
    const status = refusals.shift();
    if (status !== undefined) response.writeHead(status).end('not now');
    else response.writeHead(isPublish ? await deliver(form.get('hub.url') ?? '') : 400).end();
  });
  return { url, delivered, refusals };
}
