/** Opens a Source on the web as an origin. */

import type { IncomingMessage } from 'node:http';
import type { HttpLimits } from '../../base/http.js';
import { HttpClient, type HttpManners } from '../web/client.js';
import { decodeBody, readCodings } from './codings.js';
import {
  type Absent,
  type Opened,
  type OpenOptions,
  type Origin,
  toAbsent,
  type Validators,
} from './origin.js';

/**
 * Opens a Source on the web. All URLs are as its documents write them.
 * @param url that the user named; with a trailing slash if `servedAt` is another one
 * @param servedAt URL below which it is served now, such as that of a preview, with a trailing slash
 */
export function openWeb(url: string, limits: HttpLimits, manners: HttpManners, servedAt = url): Origin {
  const { bounds } = manners;
  const client = new HttpClient(servedAt, limits, manners);
  const move = (uri: string, from: string, to: string) =>
    uri.startsWith(from) ? to + uri.slice(from.length) : uri;
  const publish = (uri: string) => move(uri, servedAt, url);

  async function open(uri: string, options: OpenOptions = {}): Promise<Opened | Absent> {
    const { encoding, most, isFile } = options;
    try {
      const fetched = await client.fetch(move(uri, url, servedAt), most, toHeaders(options), isFile);
      const { redirects, headers, body, uri: last, status } = fetched;
      const said = codingOf(headers['content-encoding']);
      // A coding that is listed (§7, `encoding`) is not decoded: it is part of the described representation.
      const codings = said === codingOf(encoding) ? [] : readCodings(said);
      return {
        uri: publish(last),
        redirects: redirects.map(publish),
        type: typeOf(headers['content-type']),
        encoding: said,
        validators: readValidators(headers),
        date: readDate(headers.date),
        length: readNumber(headers['content-length']),
        unchanged: status === 304,
        link: joinHeader(headers['link']),
        robots: joinHeader(headers['x-robots-tag']),
        body: decodeBody(body, codings, bounds),
        ...(codings.length > 0 && {
          asReceived: () => open(uri, { ...options, encoding: said, validators: undefined }),
        }),
      };
    } catch (error) {
      return toAbsent(error);
    }
  }

  return {
    async ask(uri) {
      const { status, redirects } = await client.ask(move(uri, url, servedAt));
      return { status, redirects: redirects.map(publish) };
    },
    open,
    close: () => client.close(),
  };
}

function toHeaders({ validators, fresh }: OpenOptions): Record<string, string> | undefined {
  if (validators === undefined && fresh !== true) return undefined;
  return {
    ...(fresh === true && { 'cache-control': 'no-cache' }),
    ...(validators?.etag !== undefined && { 'if-none-match': validators.etag }),
    ...(validators?.modified !== undefined && { 'if-modified-since': validators.modified }),
  };
}

/** Reads validators, but no `Last-Modified` as new as the answer, which several versions may share (RFC 9110 §8.8.2.2). */
function readValidators({ etag, date, 'last-modified': modified }: IncomingMessage['headers']): Validators {
  const [served, changed] = [readDate(date), readDate(modified)];
  const isSure = served !== undefined && changed !== undefined && served - changed >= 1000;
  return {
    ...(etag !== undefined && { etag }),
    ...(isSure && { modified }),
  };
}

function joinHeader(said: string | readonly string[] | undefined): string | undefined {
  return said === undefined ? undefined : [said].flat().join(', ') || undefined;
}

function readDate(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function readNumber(text: string | undefined): number | undefined {
  const number = text === undefined ? Number.NaN : Number.parseInt(text, 10);
  return Number.isNaN(number) ? undefined : number;
}

function typeOf(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}

function codingOf(header: string | undefined): string | undefined {
  const coding = header
    ?.trim()
    .toLowerCase()
    .replace(/^x-gzip$/, 'gzip');
  return coding === '' || coding === 'identity' ? undefined : coding;
}
