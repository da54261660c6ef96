/** Sources that a test writes by hand: lists of any kind, and a server that counts what it is asked. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { write } from './mirror.js';
import { type Answer, serve } from './server.js';
import { makeFolder } from './site.js';

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';

export const md5 = (text: string) => `md5:${createHash('md5').update(text).digest('hex')}`;
/** Days after the first of January 2026, as a datetime. */
export const day = (days: number) => new Date(Date.UTC(2026, 0, 1) + days * 86_400_000).toISOString();

export interface Told {
  readonly path: string;
  /** Undefined for a deletion. */
  readonly text?: string | undefined;
  readonly change: 'created' | 'updated' | 'deleted';
  /** As `day` takes it; undefined for an entry without datetime. */
  readonly at: number | undefined;
}

const HASHED = (text: string) => `hash="${md5(text)}" length="${text.length}"`;

const document = (root: string, md: string, rows: readonly string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${root} ${NAMESPACES}><rs:md ${md}/>${rows.join('')}</${root}>`;
const entry = (uri: string, md: string, name = 'url') => `<${name}><loc>${uri}</loc><rs:md ${md}/></${name}>`;

const span = (from: number, until: number | undefined) =>
  `from="${day(from)}"${until === undefined ? '' : ` until="${day(until)}"`}`;

/** Writers of lists for the Source at a URL. */
export function startLists(url: string, describe: (text: string) => string = HASHED) {
  return {
    resources: (at: number, files: Readonly<Record<string, string>>) =>
      document(
        'urlset',
        `capability="resourcelist" at="${day(at)}"`,
        Object.entries(files).map(([path, text]) => entry(url + path, describe(text))),
      ),
    resourceIndex: (at: number, parts: readonly string[]) =>
      document(
        'sitemapindex',
        `capability="resourcelist" at="${day(at)}"`,
        parts.map((path) => entry(url + path, `at="${day(at)}"`, 'sitemap')),
      ),
    changeIndex: (parts: Readonly<Record<string, readonly [from: number, until?: number]>>) =>
      document(
        'sitemapindex',
        'capability="changelist" from="2026-01-01T00:00:00Z"',
        Object.entries(parts).map(([path, [from, until]]) => entry(url + path, span(from, until), 'sitemap')),
      ),
    changes: (from: number, told: readonly Told[], until?: number) =>
      document(
        'urlset',
        `capability="changelist" ${span(from, until)}`,
        told.map(({ path, text, change, at }) => {
          const time = at === undefined ? '' : ` datetime="${day(at)}"`;
          const facts = text === undefined ? '' : ` ${describe(text)}`;
          return entry(url + path, `change="${change}"${time}${facts}`);
        }),
      ),
    capabilities: (listed: Readonly<Record<string, string>>) =>
      document(
        'urlset',
        'capability="capabilitylist"',
        Object.entries(listed).map(([path, capability]) => entry(url + path, `capability="${capability}"`)),
      ),
  };
}

export interface HandMade {
  readonly site: string;
  readonly url: string;
  /** The Capability List. */
  readonly source: string;
  /** Paths that were asked for. */
  readonly asked: string[];
  readonly lists: ReturnType<typeof startLists>;
  readonly put: (files: Readonly<Record<string, string>>) => void;
}

/** A Source with one Resource List and one Change List. */
export async function startHandMade({
  answer = () => false,
  describe,
}: {
  readonly answer?: Answer;
  readonly describe?: (text: string) => string;
} = {}): Promise<HandMade> {
  const site = makeFolder();
  const asked: string[] = [];
  const url = await serve(site, (path, response, request) => {
    asked.push(path);
    return answer(path, response, request);
  });
  const lists = startLists(url, describe);
  const put: HandMade['put'] = (files) => {
    for (const [path, text] of Object.entries(files)) write(site, path, text);
  };
  put({
    'capabilitylist.xml': lists.capabilities({
      'resourcelist.xml': 'resourcelist',
      'changelist.xml': 'changelist',
    }),
  });
  return { site, url, source: `${url}capabilitylist.xml`, asked, lists, put };
}

/**
 * Answers with an `ETag` made of the bytes, and with 304 where the condition says so.
 *
 * @param isBlind whether it answers 304 to every condition
 */
export function answerConditions(
  site: () => string,
  isBlind: () => boolean = () => false,
  note: (path: string, status: number) => void = () => undefined,
): Answer {
  return (path, response, { headers }) => {
    const file = join(site(), path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file)) return false;
    const bytes = readFileSync(file);
    const etag = `"${md5(bytes.toString('latin1'))}"`;
    const isAsked = headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
    const isSame = headers['if-none-match'] === etag || (isAsked && isBlind());
    note(path, isSame ? 304 : 200);
    if (isSame) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-length': bytes.length }).end(bytes);
    return true;
  };
}
