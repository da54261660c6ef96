/** Documents as text. */

import { describe, expect, test } from 'vitest';
import type { Document } from '../../../src/standard/document.js';
import { checkDocument } from '../../../src/standard/make.js';
import { escapeXml } from '../../../src/standard/xml/elements.js';
import { serializeDocument, serializeResource } from '../../../src/standard/xml/serialize.js';

const serialize = (document: Document) => serializeDocument(document, 'Written for a test');
const textOf = (document: Document) => [...serialize(document)].join('');

describe('serializeDocument', () => {
  test('writes a Resource List', () => {
    const document = checkDocument({
      kind: 'resource-list',
      up: 'https://example.org/resourcesync/capabilitylist.xml',
      index: 'https://example.org/resourcesync/resourcelist.xml',
      at: new Date('2026-11-20T10:15:00.999Z'),
      resources: [
        {
          uri: "https://example.org/it's&more",
          path: "it's&more",
          length: 7,
          hash: 'md5:0123 sha-256:4567',
          type: 'text/html',
          changefreq: 'weekly',
          links: [
            {
              rel: 'duplicate',
              href: 'https://mirror.example/?a=1&b=2',
              pri: 1,
              modified: new Date(0),
              hash: 'md5:89',
              length: 8,
              type: 'text/html',
              encoding: 'gzip',
            },
          ],
        },
        { uri: 'https://example.org/x', path: 'x', length: 0, hash: 'md5:ab' },
      ],
    });
    expect(textOf(document)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!-- Written for a test -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.org/resourcesync/capabilitylist.xml"/>
  <rs:ln rel="index" href="https://example.org/resourcesync/resourcelist.xml"/>
  <rs:md capability="resourcelist" at="2026-11-20T10:15:00Z"/>
  <url><loc>https://example.org/it&apos;s&amp;more</loc><changefreq>weekly</changefreq><rs:md hash="md5:0123 sha-256:4567" length="7" type="text/html"/><rs:ln rel="duplicate" pri="1" href="https://mirror.example/?a=1&amp;b=2" modified="1970-01-01T00:00:00Z" hash="md5:89" length="8" type="text/html" encoding="gzip"/></url>
  <url><loc>https://example.org/x</loc><rs:md hash="md5:ab" length="0"/></url>
</urlset>
`);
  });

  test.each([
    ['a character', { up: 'https://example.org/\u0000' }, RangeError],
    ['a lone surrogate', { up: 'https://example.org/\ud800' }, RangeError],
    ['a year of five digits', { at: new Date(253_402_300_800_000) }, 'the year must have four digits'],
  ])('refuses in a head %s that a document cannot hold', (_, head, error) => {
    const empty = { index: undefined, at: new Date(0), resources: [] };
    const list = { kind: 'resource-list', up: 'https://example.org/c', ...empty } as const;
    expect(() => textOf(checkDocument({ ...list, ...head }))).toThrow(error);
  });
});

describe('escapeXml', () => {
  test.each(['\u0000', '\u000b', '\u001f', '\ufffe', '\uffff', '\ud800', '\udc00x', '\ud800\ud800\udc00'])(
    'refuses %j',
    (text) => {
      expect(() => escapeXml(text)).toThrow(/U\+[0-9A-F]{4} cannot stand in XML/);
      expect(() => serializeResource({ uri: text, path: '', length: 0, hash: '' })).toThrow(RangeError);
    },
  );
});
