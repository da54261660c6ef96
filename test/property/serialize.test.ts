/** Written documents can be read back, whatever their values are. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { create } from 'xmlbuilder2';
import { formatDatetime } from '../../src/base/datetime.js';
import type { Document } from '../../src/standard/document.js';
import { checkDocument } from '../../src/standard/make.js';
import type { Link, Resource } from '../../src/standard/model.js';
import { escapeXml } from '../../src/standard/xml/elements.js';
import { serializeDocument } from '../../src/standard/xml/serialize.js';
import { child, parseXml } from '../support/documents.js';
import { checkLaw } from '../support/seed.js';

const serialize = (document: Document) => serializeDocument(document, 'Written for a test');

/** Anything that XML can hold, with a liking for what has to be escaped. */
const xmlText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'&|<|>|"|\'|\t|\n|\r| |&amp;|&#10;|]]>|--|\u0085|\u2028'.split('|')),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/.test(text));

const datetime = fc.date({ min: new Date(0), max: new Date(253_402_300_799_000), noInvalidDate: true });
const link: fc.Arbitrary<Link> = fc.record(
  {
    rel: xmlText,
    href: xmlText,
    pri: fc.integer({ min: 1, max: 999_999 }),
    modified: datetime,
    hash: xmlText,
    length: fc.nat(),
    type: xmlText,
    encoding: xmlText,
  },
  { requiredKeys: ['rel', 'href'] },
);
const resource: fc.Arbitrary<Resource> = fc.record(
  {
    uri: xmlText,
    path: fc.constant('x'),
    length: fc.nat(),
    hash: xmlText,
    type: xmlText,
    changefreq: fc.constantFrom('always' as const, 'never' as const),
    links: fc.array(link, { maxLength: 3 }),
  },
  { requiredKeys: ['uri', 'path', 'length', 'hash'] },
);

test('a Resource List reads back as it was', async () => {
  await checkLaw(
    'write → parse',
    fc.property(fc.array(resource, { maxLength: 5 }), datetime, (resources, at) => {
      const list = checkDocument({
        kind: 'resource-list',
        up: 'https://example.org/c',
        index: undefined,
        at,
        resources,
      });
      const root = parseXml([...serialize(list)].join(''));
      expect(child(root, 'rs:md').attributes).toEqual({ capability: 'resourcelist', at: formatDatetime(at) });
      const rows = root.children.filter(({ name }) => name === 'url');
      expect(rows.length).toBe(resources.length);
      for (const [index, { uri, length, hash, type, changefreq, links }] of resources.entries()) {
        const row = rows[index];
        if (row === undefined) throw new Error('a row is missing');
        expect(child(row, 'loc').text).toBe(uri);
        expect(child(row, 'rs:md').attributes).toEqual({
          hash,
          length: `${length}`,
          ...(type !== undefined && { type }),
        });
        expect(row.children.find(({ name }) => name === 'changefreq')?.text).toBe(changefreq);
        const written = row.children
          .filter(({ name }) => name === 'rs:ln')
          .map(({ attributes }) => attributes);
        const expected = (links ?? []).map(({ modified, pri, length: bytes, ...texts }) => ({
          ...texts,
          ...(modified !== undefined && { modified: formatDatetime(modified) }),
          ...(pri !== undefined && { pri: `${pri}` }),
          ...(bytes !== undefined && { length: `${bytes}` }),
        }));
        expect(written).toEqual(expected);
      }
    }),
  );
});

test('text is escaped as xmlbuilder2 does it, where it is right', async () => {
  await checkLaw(
    'escape',
    fc.property(xmlText, (text) => {
      fc.pre(!/[\t\n\r]|&(?:lt|gt|amp|apos|quot|#\w+);/.test(text));
      const theirs = create().ele('a', { b: text }).end({ headless: true });
      expect(`<a b="${escapeXml(text).replaceAll('&apos;', "'")}"/>`).toBe(theirs);
    }),
  );
});
