/** A hub and a subscriber of WebSub, written from the text of the W3C Recommendation (23 January 2018) and nothing else. */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens until the end of the test; returns the URL. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** What was sent to a server. */
export interface Seen {
  readonly path: string;
  readonly type: string | undefined;
  readonly body: string;
}

/** A server that takes what it is sent, and answers with these statuses first. */
export async function startTaker(statuses: readonly number[] = [], said = '') {
  const seen: Seen[] = [];
  const rest = [...statuses];
  const url = await listen(async (request, response) => {
    const body = (await readAll(request)).toString();
    seen.push({ path: `${request.method} ${request.url}`, type: request.headers['content-type'], body });
    response.writeHead(rest.shift() ?? 202, { location: '/elsewhere' }).end(said);
  });
  return { url, seen };
}

export interface Hub {
  readonly url: string;
  /** The forms that were sent to publish. */
  readonly published: URLSearchParams[];
  /** Statuses to answer with first. */
  readonly refusals: number[];
}

interface Subscription {
  readonly callback: string;
  readonly topic: string;
  readonly secret: string | null;
}

/** A hub: it verifies the intent of subscribers (§5.3), and distributes what the topic has now (§7), signed (§7.1). */
export async function startHub(): Promise<Hub> {
  const subscriptions = new Map<string, Subscription>();
  const published: URLSearchParams[] = [];
  const refusals: number[] = [];
  const verify = async (form: URLSearchParams) => {
    const topic = form.get('hub.topic') ?? '';
    const callback = form.get('hub.callback') ?? '';
    const challenge = randomBytes(16).toString('hex');
    const asked = new URL(callback);
    asked.searchParams.set('hub.mode', 'subscribe');
    asked.searchParams.set('hub.topic', topic);
    asked.searchParams.set('hub.challenge', challenge);
    asked.searchParams.set('hub.lease_seconds', form.get('hub.lease_seconds') ?? '864000');
    const answer = await fetch(asked);
    if (answer.ok && (await answer.text()) === challenge)
      subscriptions.set(`${callback} ${topic}`, { callback, topic, secret: form.get('hub.secret') });
  };
  const distribute = async (topic: string) => {
    const content = await fetch(topic);
    const body = Buffer.from(await content.arrayBuffer());
    for (const { callback, secret } of [...subscriptions.values()].filter((one) => one.topic === topic)) {
      const signature = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      await fetch(callback, {
        method: 'POST',
        body,
        headers: {
          'content-type': content.headers.get('content-type') ?? '',
          link: `<${url}>; rel="hub", <${topic}>; rel="self"`,
          ...(signature && { 'x-hub-signature': signature }),
        },
      });
    }
  };
  const url = await listen(async (request, response) => {
    const form = new URLSearchParams((await readAll(request)).toString());
    const isForm = /^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '');
    const status = refusals.shift();
    if (status !== undefined) response.writeHead(status).end('not now');
    else if (request.method !== 'POST' || !isForm) response.writeHead(400).end();
    else if (form.get('hub.mode') === 'subscribe') {
      response.writeHead(202).end();
      await verify(form);
    } else {
      published.push(form);
      response.writeHead(204).end();
      await distribute(form.get('hub.url') ?? '');
    }
  });
  return { url, published, refusals };
}

/** What a subscriber got, and whether the signature is that of its secret. */
export interface Delivery {
  readonly type: string | undefined;
  readonly link: string | undefined;
  readonly body: string;
  readonly isSigned: boolean;
}

export interface Subscriber {
  /** Finds the hub of a topic (§4) and subscribes there; resolved once the hub has verified it. */
  readonly subscribe: (topic: string) => Promise<void>;
  readonly next: () => Promise<Delivery>;
}

export async function startSubscriber(): Promise<Subscriber> {
  const secret = randomBytes(20).toString('hex');
  const deliveries: Delivery[] = [];
  const wanted = new Set<string>();
  let wake: () => void = () => undefined;
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });
  let verified = 0;
  const callback = await listen(async (request, response) => {
    if (request.method === 'GET') {
      const { searchParams } = new URL(request.url ?? '', callback);
      const isWanted =
        searchParams.get('hub.mode') === 'subscribe' && wanted.has(searchParams.get('hub.topic') ?? '');
      response.writeHead(isWanted ? 200 : 404).end(isWanted ? searchParams.get('hub.challenge') : '');
      if (isWanted) verified++;
      return wake();
    }
    const body = await readAll(request);
    response.writeHead(202).end();
    const own = createHmac('sha256', secret).update(body).digest();
    const [, hex = ''] = /^sha256=([\da-f]{64})$/.exec(String(request.headers['x-hub-signature'])) ?? [];
    const given = Buffer.from(hex, 'hex');
    deliveries.push({
      type: request.headers['content-type'],
      link: request.headers['link'] as string | undefined,
      body: body.toString(),
      isSigned: given.length === own.length && timingSafeEqual(given, own),
    });
    wake();
  });
  return {
    async subscribe(topic) {
      const { hub, self } = await discover(topic);
      wanted.add(self);
      const before = verified;
      const form = {
        'hub.mode': 'subscribe',
        'hub.topic': self,
        'hub.callback': callback,
        'hub.secret': secret,
      };
      const answer = await fetch(hub, { method: 'POST', body: new URLSearchParams(form) });
      if (answer.status !== 202) throw new Error(`the hub answered ${answer.status}`);
      while (verified === before) await changed();
    },
    async next() {
      while (deliveries.length === 0) await changed();
      return deliveries.shift() as Delivery;
    },
  };
}

/** §4: headers first, then links within. */
async function discover(topic: string): Promise<{ hub: string; self: string }> {
  const answer = await fetch(topic);
  const header = answer.headers.get('link') ?? '';
  const body = await answer.text();
  const find = (rel: string) =>
    new RegExp(`<([^>]*)>\\s*;\\s*rel="?${rel}"?`).exec(header)?.[1] ??
    new RegExp(`<link rel="${rel}"[^>]*href="([^"]*)"`).exec(body)?.[1];
  const [hub, self] = [find('hub'), find('self')];
  if (hub === undefined || self === undefined) throw new Error(`${topic} names no hub, or not itself`);
  return { hub, self };
}
