/** A Source that nobody had to build: its documents are made as they are asked for, so that it changes fast and much. */

import type { ServerResponse } from 'node:http';
import type { Document } from '../../../src/standard/document.js';
import { checkDocument } from '../../../src/standard/make.js';
import type { ChangeEvent } from '../../../src/standard/model.js';
import { serializeDocument } from '../../../src/standard/xml/serialize.js';
import { serve } from '../../support/server.js';
import { makeFolder } from '../../support/site.js';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');

export interface TellingSource {
  readonly url: string;
  /** Publishes so many changes at the next second. */
  readonly publish: (count: number) => void;
}

/** @param length of each URL, so that messages are as large as a test wants them */
export async function startTelling(length = 40): Promise<TellingSource> {
  const documents = new Map<string, string>();
  const url = await serve(makeFolder(), (path, response) => send(response, documents.get(path)));
  const up = `${url}capabilitylist.xml`;
  const put = (path: string, document: Document) =>
    documents.set(`/${path}`, [...serializeDocument(document, 'Written for a test')].join(''));
  put(
    '.well-known/resourcesync',
    checkDocument({
      kind: 'source-description',
      describedby: undefined,
      capabilityLists: [{ uri: up, describedby: undefined }],
    }),
  );
  put(
    'capabilitylist.xml',
    checkDocument({
      kind: 'capability-list',
      up: `${url}.well-known/resourcesync`,
      describedby: undefined,
      capabilities: [{ capability: 'changelist', uri: `${url}changelist.xml` }],
    }),
  );
  let moment = BEGIN;
  let last: ChangeEvent[] = [];
  /** It holds the last two publications: older ones would only be in the way. */
  const publish = (count: number) => {
    const from = new Date(moment);
    moment += 1000;
    const datetime = new Date(moment);
    const changes = Array.from({ length: count }, (_, index): ChangeEvent => {
      const uri = `${url}${index}`.padEnd(length, 'x');
      return { change: 'updated', uri, datetime, representation: { hash: 'md5:00' } };
    });
    const begin = last[0]?.datetime ?? from;
    const all = [...last, ...changes];
    put(
      'changelist.xml',
      checkDocument({
        kind: 'change-list',
        up,
        index: undefined,
        from: begin,
        until: undefined,
        changes: all,
      }),
    );
    last = changes;
  };
  publish(0);
  return { url, publish };
}

function send(response: ServerResponse, text: string | undefined): boolean {
  if (text === undefined) return false;
  response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
  return true;
}
