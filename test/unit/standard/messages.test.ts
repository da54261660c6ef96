/** Messages of channels: as text, and back. */

import { describe, expect, test } from 'vitest';
import type {
  ChangeNotification,
  DocumentChange,
  FrameworkNotification,
  Message,
} from '../../../src/standard/document.js';
import { checkDocument, DocumentError } from '../../../src/standard/make.js';
import type { ChangeEvent } from '../../../src/standard/model.js';
import { makeDocument } from '../../../src/standard/xml/parse.js';
import { parseDocument } from '../../../src/standard/xml/read.js';
import { serializeDocument } from '../../../src/standard/xml/serialize.js';
import { makeMessage } from '../../support/messages.js';

const up = 'https://example.org/resourcesync/capabilitylist.xml';
const at = new Date('2026-11-20T10:15:00Z');
const later = new Date('2026-11-20T10:15:01Z');

const CHANGES: ChangeNotification = checkDocument({
  kind: 'change-notification',
  up,
  changes: [
    { change: 'created', uri: 'https://example.org/a?b&c', datetime: at, representation: { hash: 'md5:00' } },
    {
      change: 'updated',
      uri: 'https://example.org/b',
      datetime: at,
      representation: { hash: 'md5:00', length: 3, type: 'text/html' },
    },
    { change: 'deleted', uri: 'https://example.org/c', datetime: later },
  ],
});
const NEWS: FrameworkNotification = checkDocument({
  kind: 'framework-notification',
  up,
  changes: [
    {
      change: 'updated',
      capability: 'changelist',
      uri: 'https://example.org/resourcesync/changelist-1.xml',
      index: 'https://example.org/resourcesync/changelist.xml',
    },
    {
      change: 'deleted',
      capability: 'capabilitylist',
      uri: 'https://example.org/resourcesync/x/capabilitylist.xml',
      index: undefined,
    },
  ],
});

const textOf = (message: Message) => [...serializeDocument(message, 'Written for a test')].join('');
const read = async (text: string, kind: Message['kind']) => makeMessage(await parseDocument([text]), kind);

describe('messages', () => {
  test('of resources have entries as in a Change List', () => {
    expect(textOf(CHANGES)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!-- Written for a test -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="${up}"/>
  <rs:md capability="change-notification"/>
  <url><loc>https://example.org/a?b&amp;c</loc><lastmod>2026-11-20T10:15:00Z</lastmod><rs:md change="created" datetime="2026-11-20T10:15:00Z" hash="md5:00"/></url>
  <url><loc>https://example.org/b</loc><lastmod>2026-11-20T10:15:00Z</lastmod><rs:md change="updated" datetime="2026-11-20T10:15:00Z" hash="md5:00" length="3" type="text/html"/></url>
  <url><loc>https://example.org/c</loc><rs:md change="deleted" datetime="2026-11-20T10:15:01Z"/></url>
</urlset>
`);
  });

  test('of documents name the index above', () => {
    expect(textOf(NEWS)).toContain(
      '<url><loc>https://example.org/resourcesync/changelist-1.xml</loc><rs:md change="updated" capability="changelist"/><rs:ln rel="index" href="https://example.org/resourcesync/changelist.xml"/></url>',
    );
    expect(textOf(NEWS)).toContain('<rs:md capability="framework-notification"/>');
  });

  test.each([
    ['change-notification', CHANGES],
    ['framework-notification', NEWS],
  ] as const)('are read back: %s', async (kind, message) => {
    expect(await read(textOf(message), kind)).toEqual(message);
  });

  test('need not say what they are, and may say when in lastmod alone', async () => {
    const bare = textOf(CHANGES)
      .replace(/<rs:md capability="[^"]*"\/>/, '')
      .replace(/(<lastmod>.*?) datetime="[^"]*"/g, '$1');
    expect(await read(bare, 'change-notification')).toEqual(CHANGES);
  });

  test.each([
    ['the message of another channel', textOf(NEWS), 'change-notification'],
    ['a message without entries', textOf(NEWS).replace(/<url>.*<\/url>/g, ''), 'framework-notification'],
    ['a message that leads nowhere up', textOf(CHANGES).replace(/<rs:ln rel="up".*?>/, ''), CHANGES.kind],
    ['another capability', textOf(NEWS).replace('"changelist"', '"changes"'), 'framework-notification'],
    ['a change that is none', textOf(NEWS).replace('updated', 'moved'), 'framework-notification'],
    ['an index', textOf(NEWS).replaceAll('urlset', 'sitemapindex'), 'framework-notification'],
  ] as const)('are not: %s', async (_, text, kind) => {
    await expect(read(text, kind)).rejects.toThrow(DocumentError);
  });

  test('are no documents', async () => {
    const document = await parseDocument([textOf(NEWS)]);
    expect(() => makeDocument(document)).toThrow('is a message');
  });

  test('tell of something, in order, and of each document once', () => {
    const [first, , last] = CHANGES.changes as readonly [ChangeEvent, ChangeEvent, ChangeEvent];
    const [news] = NEWS.changes as readonly [DocumentChange, ...DocumentChange[]];
    expect(() => checkDocument({ kind: 'change-notification', up, changes: [] })).toThrow(DocumentError);
    expect(() => checkDocument({ kind: 'change-notification', up, changes: [last, first] })).toThrow(
      'chronological',
    );
    expect(() => checkDocument({ kind: 'framework-notification', up, changes: [] })).toThrow(DocumentError);
    expect(() => checkDocument({ kind: 'framework-notification', up, changes: [news, news] })).toThrow(
      'twice',
    );
  });
});
