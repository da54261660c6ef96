/** A host for the tests: serves a folder as it is, or what a test wants to have gone wrong. */

import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { UserConfig } from '../../src/config/options.js';
import type { UrlStyle } from '../../src/paths/urls.js';
import { describeAt } from './changes.js';
import { listen } from './server.js';
import { makeSite } from './site.js';
import { serveAll } from './versions.js';

export interface Host {
  /** URL of the site's root. */
  readonly url: string;
  /** The folder that is served; may be put in another's place. */
  folder: string;
  /** Answers instead, when it says that it did. */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Ends what is served: connections are refused from now on. */
  readonly stop: () => void;
  /** The paths that were asked for. */
  readonly asked: string[];
}

/** Serves a folder until the test is over. */
export async function startHost(folder: string): Promise<Host> {
  const asked: string[] = [];
  const { url, stop } = await listen((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    asked.push(path);
    if (host.intercept(request, response)) return;
    const file = join(host.folder, path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) response.end(readFileSync(file));
    else response.writeHead(404).end('not found');
  });
  const host: Host = { url, folder, intercept: () => false, stop, asked };
  return host;
}

/** Builds a site, describes it against what is live, and serves it in its place. */
export async function publishLive(
  host: Host,
  seconds: number,
  files: Readonly<Record<string, string | Uint8Array>>,
  config: Partial<UserConfig> = {},
) {
  const site = makeSite(files);
  const { notices } = await describeAt(seconds, { url: host.url, history: 'published', ...config, site });
  host.folder = site;
  return { site, notices: notices.map(({ code }) => code) };
}

/** Serves a site as a host of its style would, as it is now; undefined for nothing. */
export function deploy(host: Host, site: string | undefined, urls: UrlStyle): void {
  const served = site === undefined ? new Map<string, Buffer>() : serveAll(site, host.url, urls);
  host.intercept = (request, response) => {
    const bytes = served.get(new URL(request.url ?? '', host.url).href);
    if (bytes === undefined) response.writeHead(404).end();
    else response.end(bytes);
    return true;
  };
}
