/** Reads single documents of the live site, and those that come in parts. */

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { isOwnText, isOwnUri } from '../../paths/ours.js';
import type { Bounds } from '../../source/web/bounds.js';
import { FetchError } from '../../source/web/failure.js';
import type { HttpClient } from '../../source/web/request.js';
import { formatDigests, startDigests } from '../../standard/digests.js';
import type { Archive, Document } from '../../standard/document.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { DocumentError } from '../../standard/make.js';
import { parseDigests, type Resource } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { makeDocument, makeResource } from '../../standard/xml/parse.js';
import { parseDocument } from '../../standard/xml/read.js';

import { foreign, refuseUnreadable } from './refusals.js';

/** Of all documents together: some four million resources. */
const TOTAL_BYTES = 1024 ** 3;

/** What a resource takes in memory beside its texts, in bytes. */
export const RESOURCE_BYTES = 200;

/** A package may be as large as is listed, and no larger than any ZIP without extensions. */
const PACKAGE_BYTES = 4 * 1024 ** 3;

/** A cache on the way may still have the publication before, and what was told since would be lost. */
const FRESH = { 'cache-control': 'no-cache' };

interface ReadBack {
  readonly path: string;
  readonly document: Document;
  /** As it came. */
  readonly text: () => string;
}

export interface LiveReader {
  /** Reads one document; undefined where there is none. */
  readonly find: (path: string) => Promise<ReadBack | undefined>;
  readonly read: (path: string) => Promise<ReadBack>;
  /** The text of a file; undefined where there is none of ours. */
  readonly findText: (path: string, most?: number) => Promise<string | undefined>;
  /** Reads a document, or all parts where it is their index. */
  readonly readParts: (path: string, kind: PartKind, take?: TakeResource) => AsyncGenerator<ReadBack, void>;
  /** Writes a file that has to be what is said of it. */
  readonly save: (path: string, file: string, facts: { length: number; hash: string }) => Promise<void>;
  /** Counts bytes that are remembered. */
  readonly keep: Bounds['keep'];
  /** The path of a document of ours. */
  readonly pathOf: (uri: string, from: string) => string;
}

/** Gets the resources of a Resource List one by one; the document then has none. */
export type TakeResource = (resource: Resource, path: string) => void;

type PartKind = 'resource-list' | 'change-list' | 'resource-dump' | 'change-dump' | Archive['kind'];

export function makeDocumentReader(client: HttpClient, url: string, { keep }: Bounds): LiveReader {
  let rest = TOTAL_BYTES;

  async function fetchPieces(path: string, most = READ_LIMITS.bytes): Promise<Buffer[] | undefined> {
    const pieces: Buffer[] = [];
    try {
      const { body } = await client.fetch(url + path, Math.min(most, READ_LIMITS.bytes), FRESH);
      for await (const piece of body) {
        rest -= piece.length;
        if (rest < 0)
          refuseUnreadable(url + path, `all documents together have more than ${TOTAL_BYTES} bytes`);
        pieces.push(piece);
      }
    } catch (error) {
      if (!(error instanceof FetchError)) throw error;
      if (error.failure === 'missing') return undefined;
      if (error.failure === 'refused') foreign(url + path, `cannot be had: ${error.message}`);
      refuseUnreadable(url + path, error.message, error);
    }
    return pieces;
  }

  async function find(path: string): Promise<ReadBack | undefined> {
    const pieces = await fetchPieces(path);
    return pieces && (await parseOwn(url, path, pieces));
  }

  const pathOf = (uri: string, from: string) => pathOfOwn(url, uri, from);

  return {
    find,
    pathOf,
    keep,
    findText: async (path, most) => {
      const pieces = await fetchPieces(path, most);
      const text = pieces && Buffer.concat(pieces).toString();
      keep(text?.length ?? 0);
      // A host may serve a page in the place of what is missing.
      return text !== undefined && isOwnText(text) ? text : undefined;
    },
    read: async (path) => (await find(path)) ?? refuseUnreadable(url + path, 'it is missing'),
    async *readParts(path, kind, take) {
      const pieces = (await fetchPieces(path)) ?? refuseUnreadable(url + path, 'it is missing');
      const whole = await parseOwn(url, path, pieces, take);
      if (whole.document.kind === kind) return yield whole;
      if (whole.document.kind !== `${kind}-index` || !('parts' in whole.document)) {
        return refuseUnreadable(url + path, `it is a ${whole.document.kind}`);
      }
      const parts = whole.document.parts.map(({ uri }) => pathOf(uri, path));
      // Parts of a Resource List are large, and few.
      const step = kind === 'resource-list' ? 1 : CONNECTIONS;
      for (let start = 0; start < parts.length; start += step) {
        const some = parts.slice(start, start + step);
        const contents = await Promise.all(some.map((part) => fetchPieces(part)));
        // One after another: what a parser makes is many times as large.
        for (const [index, part] of some.entries()) {
          const content = contents[index] ?? refuseUnreadable(url + part, 'it is missing');
          const read = await parseOwn(url, part, content, take);
          if (read.document.kind !== kind) refuseUnreadable(url + part, `it is a ${read.document.kind}`);
          yield read;
        }
      }
    },
    save: (path, file, facts) => saveAs(client, url + path, file, facts),
  };
}

export const CONNECTIONS = 4;

function pathOfOwn(url: string, uri: string, from: string): string {
  if (!isOwnUri(uri, url)) foreign(url + from, `names ${uri}, which is not one of the documents of ${url}`);
  return uri.slice(url.length);
}

/** Reads a document of ours. */
async function parseOwn(url: string, path: string, pieces: Buffer[], take?: TakeResource): Promise<ReadBack> {
  const text = () => Buffer.concat(pieces).toString();
  const top = pieces[0]?.toString('latin1', 0, 512) ?? '';
  if (!isOwnText(top)) {
    const html = /^\s*<(?:!doctype html|html)/i.test(top);
    foreign(
      url + path,
      html
        ? 'is an HTML page. It may stand for what is missing, as on hosts where a site has no 404.html'
        : 'was not written by resync-static',
    );
  }
  try {
    return {
      path,
      text,
      document: makeDocument(
        await parseDocument(pieces, {}, (entry, soFar) => {
          if (take === undefined || kindOfDocument(soFar) !== 'resource-list') return false;
          take(makeResource(entry), path);
          return true;
        }),
      ),
    };
  } catch (error) {
    if (error instanceof ParseError) refuseUnreadable(url + path, `${error.message} (line ${error.line})`);
    if (error instanceof DocumentError) refuseUnreadable(url + path, error.message);
    throw error;
  }
}

/** Writes a file that has to be what is said of it. */
async function saveAs(
  client: HttpClient,
  uri: string,
  file: string,
  { length, hash }: { readonly length: number; readonly hash: string },
): Promise<void> {
  const listed = parseDigests(hash);
  const digests = startDigests(listed.map(([name]) => name));
  if (listed.length === 0) refuseUnreadable(uri, 'its digests are of kinds that are not known here');
  const handle = openSync(file, 'w');
  let received = 0;
  try {
    const { body } = await client.fetch(uri, Math.min(length, PACKAGE_BYTES));
    for await (const piece of body) {
      received += piece.length;
      digests.update(piece);
      for (let offset = 0; offset < piece.length; ) offset += writeSync(handle, piece, offset);
    }
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    refuseUnreadable(uri, error.message, error);
  } finally {
    closeSync(handle);
  }
  if (received === length && formatDigests(digests.finish()) === formatDigests(listed)) return;
  rmSync(file);
  refuseUnreadable(uri, 'it is not what the Change Dump says of it');
}
