/** The demands of the standard on one document: for every rule, a document that keeps it and one that breaks only it. */

import { describe, expect, test } from 'vitest';
import { checkDocument, type DocumentContext } from '../../src/source/rules/document.js';
import { CHECKS, type CheckCode } from '../../src/standard/rules/checks.js';
import { parseDocument } from '../../src/standard/xml/read.js';
import {
  BROKEN_DOCUMENTS,
  type BrokenDocument,
  change,
  changeList,
  HOST,
  MD5,
  resource,
  resourceList,
  UP,
  url,
} from './broken/documents.js';
import { BROKEN_SERVERS, BROKEN_STARTS } from './broken/servers.js';
import { BROKEN_SOURCES } from './broken/sources.js';

const NOW = new Date('2026-06-01T00:00:00Z');

async function check(text: string, context: Partial<DocumentContext> = {}): Promise<CheckCode[]> {
  const found: CheckCode[] = [];
  checkDocument(await parseDocument([text]), { uri: `${HOST}/document.xml`, now: NOW, ...context }, (code) =>
    found.push(code),
  );
  return found;
}

describe('every rule', () => {
  test.each(BROKEN_DOCUMENTS.map((row, index) => [row[0], index] as const))(
    '%s (%i)',
    async (code, index) => {
      const [, keeps, breaks, context = {}] = BROKEN_DOCUMENTS[index] as BrokenDocument;
      const { up, index: _, ...rest } = context;
      const kept = code === 'up-wrong' ? { ...rest, up: `${HOST}/capabilitylist.xml` } : context;
      expect(await check(keeps, kept)).toEqual([]);
      expect([...new Set(await check(breaks, context))]).toEqual([code]);
    },
  );

  test('and every check of a whole Source has a row in a table of what is broken', () => {
    const rows = [
      BROKEN_DOCUMENTS.map(([code]) => code),
      BROKEN_SOURCES.map(([codes]) => codes),
      BROKEN_SERVERS.map(([, , codes]) => codes),
      BROKEN_STARTS.map(([, , , , codes]) => codes),
    ];
    // These depend on what the audit is asked for: e2e/audit-bounds, e2e/audit-nothing, e2e/gone-live.
    const codes = new Set<string>([...rows.flat(3), 'bound-reached', 'nothing-checked', 'address-gone']);
    expect([...codes].sort()).toEqual(Object.keys(CHECKS).sort());
  });

  test('has a section and a severity', () => {
    for (const [code, { section, severity }] of Object.entries(CHECKS)) {
      expect(code).toMatch(/^[a-z0-9-]+$/);
      expect(section).toMatch(/^(?:Archives )?§\d+(?:\.\d+)*$|^Appendix A$/);
      expect(severity).toMatch(/^error$|^warning$|^note$/);
    }
  });
});

describe('what the standard leaves open is left open', () => {
  test.each([
    [
      'a prefix of any name',
      resourceList(resource()).replaceAll(/rs:|:rs(?==)/g, (name) => name.replace('rs', 'sync')),
    ],
    ['a priority of the Sitemap protocol', resourceList(resource('', '<priority>1.0</priority>'))],
    [
      'a schema location',
      resourceList().replace(
        'xmlns:x="urn:x"',
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b"',
      ),
    ],
    ['an empty list', resourceList()],
    ['the same resource changed twice', changeList(change() + change())],
    ['a lastmod outside of the interval', changeList(change('', '<lastmod>2020-01-01T00:00:00Z</lastmod>'))],
    ['digests in capital letters', resourceList(url(`hash="md5:${MD5.slice(4).toUpperCase()}"`))],
    ['digests on several lines', resourceList(url(`hash="${MD5}\n   sha-512:${'0'.repeat(128)}"`))],
    ['a media type with parameters', resourceList(resource('type="text/html; charset=utf-8"'))],
    ['fractions of a second', resourceList('', 'at="2026-01-02T00:00:00.25Z"')],
    ['links that come last', resourceList('', undefined, '').replace('</urlset>', `${UP}</urlset>`)],
  ])('%s', async (_, text) => {
    expect(await check(text)).toEqual([]);
  });
});
