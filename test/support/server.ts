/** A web server for the tests: a folder, as a static host serves it, unless a test says otherwise. */

import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import mime from 'mime';
import { afterUse, makeFolder } from './site.js';

/** Is given what ends a server, to be called when nobody needs it any more. */
export type AtEnd = (stop: () => void) => void;

/** Listens until the end of the test; returns the URL of its root, and what ends it earlier. */
export async function listen(answer: RequestListener, atEnd: AtEnd = afterUse) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  atEnd(stop);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, stop };
}

/** Answers a request by itself; returns false to have it answered as usual. */
export type Answer = (path: string, response: ServerResponse, request: IncomingMessage) => boolean;

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Serves a folder until the end of the test; returns the URL of its root. */
export async function serve(
  site: string,
  answer: Answer = () => false,
  atEnd: AtEnd = afterUse,
): Promise<string> {
  const { url } = await listen((request, response) => {
    const path = decode(request.url ?? '/');
    if (answer(path, response, request)) return;
    const file = join(site, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end('not here');
      return;
    }
    const bytes = readFileSync(file);
    const type = path.endsWith('resourcesync')
      ? 'application/xml'
      : (mime.getType(file) ?? 'application/octet-stream');
    response
      .writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'content-length': bytes.length })
      .end(bytes);
  }, atEnd);
  return url;
}

/** A host that serves what is deployed below a path; pages without their ending, too, and folders without a slash. */
export async function serveDeployed(base = '') {
  const root = makeFolder();
  const live = join(root, base);
  const url = await serve(root, (path, response) => {
    const files = [`${path}.html`, `${path}/index.html`].map((name) => join(root, name));
    const file = path.endsWith('/') ? undefined : files.find((one) => existsSync(one));
    if (file === undefined) return false;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(readFileSync(file));
    return true;
  });
  return {
    url: base === '' ? url : `${url}${base}/`,
    deploy: (site: string) => {
      rmSync(live, { recursive: true, force: true });
      cpSync(site, live, { recursive: true });
    },
  };
}
