/** Reading documents: what stands in them, and what is refused. */

import { describe, expect, test } from 'vitest';
import { formatDatetime, parseDatetime } from '../../../src/base/datetime.js';
import { DocumentError } from '../../../src/standard/make.js';
import { ParseError } from '../../../src/standard/xml/as-read.js';
import { makeDocument } from '../../../src/standard/xml/parse.js';
import { parseDocument } from '../../../src/standard/xml/read.js';

const NAMESPACES =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const list = (body: string) => `<urlset ${NAMESPACES}>${body}</urlset>`;
const HEAD = '<rs:ln rel="up" href="http://a.test/c"/><rs:md capability="resourcelist" at="2026"/>';
const read = (text: string) => parseDocument([text]);

function* repeat(text: string, times: number, around: readonly [string, string]): Generator<string> {
  yield around[0];
  for (let count = 0; count < times; count++) yield text;
  yield around[1];
}

describe('parseDocument', () => {
  test('reads what stands in a document, with lines', async () => {
    const document = await read(`<?xml version="1.0" encoding="utf-8"?>
<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9">
  <ln xmlns="http://www.openarchives.org/rs/terms/" rel="up" href="http://a.test/c"/>
  <r:md xmlns:r="http://www.openarchives.org/rs/terms/"
        capability="resourcelist"/>
  <s:url>
    <s:loc>
      http://a.test/?a=1&amp;b=&#x32;<![CDATA[&c]]>
    </s:loc>
    <s:priority>1.0</s:priority>
    <r:md xmlns:r="http://www.openarchives.org/rs/terms/" hash="md5:1
      sha-256:2"/>
  </s:url>
</s:urlset>`);
    expect(document).toEqual({
      root: 'urlset',
      head: {
        md: { line: 4, attributes: { capability: 'resourcelist' } },
        links: [{ line: 3, attributes: { rel: 'up', href: 'http://a.test/c' } }],
      },
      entries: [
        {
          line: 6,
          loc: 'http://a.test/?a=1&b=2&c',
          md: { line: 11, attributes: { hash: 'md5:1       sha-256:2' } },
          links: [],
        },
      ],
      oddities: [],
    });
  });

  test.each([
    ['<priority>1</priority>', { what: 'element', name: 'priority', parent: 'urlset' }],
    ['<rs:nd/>', { what: 'element', name: 'rs:nd', namespace: 'http://www.openarchives.org/rs/terms/' }],
    ['<x:y xmlns:x="urn:x"><x:url/></x:y>', { what: 'element', name: 'x:y', namespace: 'urn:x' }],
    ['<url><loc>a</loc><loc>b</loc></url>', { what: 'repeated', name: 'loc', parent: 'url' }],
    ['<url><rs:md/><rs:md/></url>', { what: 'repeated', name: 'rs:md', parent: 'url' }],
    ['<url><loc>a<b/></loc></url>', { what: 'element', name: 'b', parent: 'loc' }],
    ['<url id="1"/>', { what: 'attribute', name: 'id', namespace: '', parent: 'url' }],
    ['<rs:ln rs:rel="up"/>', { what: 'attribute', name: 'rs:rel', parent: 'rs:ln' }],
    ['<rs:ln hreflang="en"/>', { what: 'attribute', name: 'hreflang', namespace: '', parent: 'rs:ln' }],
    ['<rs:ln x:y="" xmlns:x="urn:x"/>', { what: 'attribute', name: 'x:y', namespace: 'urn:x' }],
    ['<url>text</url>', { what: 'text', name: 'url' }],
    ['<rs:md capability="resourcelist" at="2026">text</rs:md>', { what: 'text', name: 'rs:md' }],
  ])('keeps %s apart', async (body, oddity) => {
    const { oddities, entries } = await read(list(`\n${body}`));
    expect(oddities).toEqual([expect.objectContaining({ line: 2, ...oddity })]);
    expect(entries.length).toBe(body.startsWith('<url') ? 1 : 0);
  });

  test.each([
    ['nothing', '', 'document-not-well-formed'],
    ['another root', '<html/>', 'document-not-a-sitemap'],
    ['a root without a namespace', '<urlset/>', 'document-not-a-sitemap'],
    ['an unclosed element', `<urlset ${NAMESPACES}><url>`, 'document-not-well-formed'],
    ['an unbound prefix', list('<x:y/>'), 'document-not-well-formed'],
    ['an attribute twice', list('<rs:md at="1" at="2"/>'), 'document-not-well-formed'],
    ['two roots', list('') + list(''), 'document-not-well-formed'],
    ['an entity that XML does not have', list('&nbsp;'), 'document-not-well-formed'],
    ['a character that XML does not have', list('&#0;'), 'document-not-well-formed'],
    ['XML 1.1', `<?xml version="1.1"?>${list('')}`, 'document-not-well-formed'],
    ['another encoding', `<?xml version="1.0" encoding="latin1"?>${list('')}`, 'document-not-utf-8'],
    [
      'an external entity',
      `<!DOCTYPE u [<!ENTITY x SYSTEM "file:///etc/passwd">]>${list('&x;')}`,
      'document-with-doctype',
    ],
    ['a tab in an address', list('<url><loc>http://a/b&#9;c</loc></url>'), 'loc-invalid'],
    ['a line break in an address', list('<url><loc>http://a/b&#10;http://c/</loc></url>'), 'loc-invalid'],
    ['a separator of lines in an address', list('<url><loc>http://a/\u2028b</loc></url>'), 'loc-invalid'],
    ['a line break in a link', list('<rs:ln rel="up" href="http://a/b&#10;http://c/"/>'), 'link-invalid'],
    ['a tab before a link', list('<rs:ln rel="up" href="&#9;http://a/"/>'), 'link-invalid'],
    ['a control in a link', list('<url><rs:ln rel="x" href="http://a/&#x85;"/></url>'), 'link-invalid'],
    [
      'a billion laughs',
      `<!DOCTYPE u [<!ENTITY a "ha"><!ENTITY b "&a;&a;"><!ENTITY c "&b;&b;">]>${list('&c;')}`,
      'document-with-doctype',
    ],
  ])('refuses %s', async (_, text, code) => {
    await expect(read(text)).rejects.toMatchObject({ name: 'ParseError', code });
  });

  test('refuses what is not UTF-8, wherever the pieces are cut', async () => {
    const bytes = Buffer.from(list('<url><loc>é</loc></url>'));
    const at = bytes.indexOf('é');
    const { entries } = await parseDocument([bytes.subarray(0, at + 1), bytes.subarray(at + 1)]);
    expect(entries[0]?.loc).toBe('é');
    const pieces = [bytes.subarray(0, at + 1), bytes.subarray(at + 2)];
    await expect(parseDocument(pieces)).rejects.toMatchObject({ code: 'document-not-utf-8' });
    await expect(parseDocument([bytes.subarray(0, at + 1)])).rejects.toMatchObject({
      code: 'document-not-utf-8',
    });
  });

  const START = `<urlset ${NAMESPACES}`;

  test.each([
    [
      '10 GB of spaces',
      repeat(' '.repeat(1 << 20), 10_000, [`${START}>`, '</urlset>']),
      'document-excessive',
    ],
    [
      'a name that does not end',
      repeat('a'.repeat(1 << 20), 10_000, [`${START}><`, '']),
      'document-excessive',
    ],
    ['50,001 entries', repeat('<url/>', 50_001, [`${START}>`, '</urlset>']), 'document-too-large'],
    ['a million attributes', repeat(' a=""', 1_000_000, [START, '/>']), 'document-excessive'],
    ['deep nesting', repeat('<a>', 1_000_000, [`${START}>`, '']), 'document-excessive'],
  ])('does not read %s to its end', async (_, chunks, code) => {
    await expect(parseDocument(chunks)).rejects.toMatchObject({ code });
    expect(chunks.next().done).toBe(true);
  });

  test('tells the line of what is wrong, and no more than once', async () => {
    const error = await read(list('\n\n<url></loc>')).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ParseError);
    expect(error).toMatchObject({ line: 3, message: 'unexpected close tag' });
  });
});

describe('makeDocument', () => {
  test.each([
    ['<rs:md capability="resourcelist-copy" at="2026"/>', '§7: the capability resourcelist-copy'],
    ['<rs:md capability="resourcelist" at="2026"/>', '§7: there is no link rel="up" (line 1)'],
    ['<rs:ln rel="up" href="http://a.test/c"/><rs:md capability="resourcelist"/>', '§7: <rs:md> has no at'],
    [HEAD.replace('2026', '2026-02-29'), '§7: at is not a W3C Datetime: 2026-02-29'],
    [`${HEAD}<url/>`, '§7: an entry has a <loc>'],
    [`${HEAD}<url><loc>x</loc><rs:md hash="md5:1" length="-1"/></url>`, '§7: not a number: -1'],
    [
      `${HEAD}<url><loc>x</loc><changefreq>often</changefreq><rs:md hash="" length="1"/></url>`,
      '§7: not a defined value: often',
    ],
    [
      '<rs:ln rel="up" href="c"/><rs:md capability="changelist" from="2026"/><url><loc>x</loc><rs:md change="created" datetime="2025"/></url>',
      '§12.1, §12.2: entries stand in forward chronological order',
    ],
  ])('refuses %s', async (body, message) => {
    const document = await read(list(body));
    expect(() => makeDocument(document)).toThrow(DocumentError);
    expect(() => makeDocument(document)).toThrow(message);
  });
});

describe('parseDatetime', () => {
  test.each([
    ['2026', '2026-01-01T00:00:00Z'],
    ['2026-11', '2026-11-01T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['2026-11-20T10:15Z', '2026-11-20T10:15:00Z'],
    ['2026-11-20T10:15:07Z', '2026-11-20T10:15:07Z'],
    ['2026-11-20T10:15:07.999999Z', '2026-11-20T10:15:07Z'],
    ['2026-11-20T00:15:07.5+01:00', '2026-11-19T23:15:07Z'],
    ['2026-12-31T23:15-05:30', '2027-01-01T04:45:00Z'],
    ['0026-11-20T10:15:07Z', '0026-11-20T10:15:07Z'],
  ])('%s is %s', (text, expected) => {
    const date = parseDatetime(text);
    expect(date && formatDatetime(date)).toBe(expected);
  });

  test.each([
    ...['', '26', '2026-1', '2026-13', '2026-02-29', '2026-11-31', '2026-11-00', ' 2026'],
    ...['2026-11-20T10Z', '2026-11-20T10:15', '2026-11-20 10:15Z', '2026-11-20T10:15:60Z'],
    ...['2026-11-20T24:00:00Z', '2026-11-20T10:15:00.Z', '2026-11-20T10:15:00z'],
    ...['2026-11-20T10:15:00+0100', '2026-11-20T10:15:00+24:00', '+002026-11-20T10:15:00Z'],
    // In UTC, of years that the format does not have.
    ...['9999-12-31T23:59:59-00:01', '0000-01-01T00:00:00+00:01'],
  ])('%j is none', (text) => {
    expect(parseDatetime(text)).toBeUndefined();
  });
});
