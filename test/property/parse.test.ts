/** Written documents are read back as the same value, which writes the same bytes again. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CAPABILITIES } from '../../src/standard/capabilities.js';
import type { Document } from '../../src/standard/document.js';
import { checkDocument } from '../../src/standard/make.js';
import type { ChangeEvent, Link, Resource } from '../../src/standard/model.js';
import { kindOfDocument } from '../../src/standard/rules/kinds.js';
import { makeDocument } from '../../src/standard/xml/parse.js';
import { parseDocument } from '../../src/standard/xml/read.js';
import { serializeDocument } from '../../src/standard/xml/serialize.js';
import { checkLaw, fewer } from '../support/seed.js';

const serialize = (document: Document) => serializeDocument(document, 'Written for a test');

const uri = fc
  .string({ unit: fc.constantFrom(...'az09/%&<>"\';=é🙂'), maxLength: 12 })
  .map((text) => `https://example.org/${text}`);
const text = fc.string({ unit: fc.constantFrom(...'az &<>"\'\t\n\ré'), minLength: 1, maxLength: 8 });
const seconds = fc.integer({ min: 0, max: 253_402_300_799 });
const datetime = seconds.map((value) => new Date(value * 1000));
const length = fc.nat();
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const link: fc.Arbitrary<Link> = fc.record(
  {
    rel: text,
    href: uri,
    pri: fc.integer({ min: 1, max: 999_999 }),
    modified: datetime,
    hash: text,
    length,
    type: text,
    encoding: text,
  },
  { requiredKeys: ['rel', 'href'] },
);
const resource: fc.Arbitrary<Resource> = fc.record(
  {
    uri,
    path: fc.constant(''),
    length,
    hash: text,
    type: text,
    lastmod: datetime,
    changefreq: fc.constantFrom('always' as const, 'never' as const),
    links: fc.array(link, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['uri', 'path', 'length', 'hash'] },
);
const representation = fc.record({ length, hash: text, type: text }, { requiredKeys: [] });
const event: fc.Arbitrary<ChangeEvent> = fc.oneof(
  fc.record({ change: fc.constant('deleted' as const), uri, datetime }),
  fc.record({
    change: fc.constantFrom('created' as const, 'updated' as const),
    uri,
    datetime,
    representation,
  }),
);
/** Moments in their order. */
const moments = (count: number) =>
  fc
    .array(seconds, { minLength: count, maxLength: count })
    .map((values) => values.sort((a, b) => a - b).map((value) => new Date(value * 1000)));
const last = new Date(253_402_300_799_000);
const first = new Date(0);
const inOrder = (events: readonly ChangeEvent[]) =>
  [...events].sort((a, b) => a.datetime.getTime() - b.datetime.getTime());
const links = { up: uri, index: optional(uri), archives: optional(uri) };
const distinct = { selector: (entry: { uri: string }) => entry.uri, maxLength: 4 };
const entry = { uri, length, hash: fc.string({ unit: fc.constantFrom(...'a <&"') }), contents: uri };

/** The entries of archives, in order. */
const archived = fc
  .tuple(fc.uniqueArray(fc.record({ uri, dated: fc.boolean() }), distinct), moments(5))
  .map(([entries, times]) =>
    entries.map(({ uri, dated }, index) => ({
      uri,
      ...(dated && { lastmod: last }),
      at: times[index] ?? first,
      from: times[index] ?? first,
      until: times[index + 1] ?? last,
    })),
  );
const archives: fc.Arbitrary<Document>[] = (['resource-list-archive', 'resource-dump-archive'] as const)
  .map(
    (kind): fc.Arbitrary<Document> =>
      fc
        .tuple(uri, optional(uri), archived)
        .map(([up, index, all]) =>
          checkDocument({ kind, up, index, entries: all.map(({ from: _, until: __, ...one }) => one) }),
        ),
  )
  .concat(
    (['change-list-archive', 'change-dump-archive'] as const).map((kind) =>
      fc
        .tuple(uri, optional(uri), archived)
        .map(([up, index, all]) =>
          checkDocument({ kind, up, index, entries: all.map(({ at: _, ...one }) => one) }),
        ),
    ),
    (
      [
        'resource-list-archive-index',
        'resource-dump-archive-index',
        'change-list-archive-index',
        'change-dump-archive-index',
      ] as const
    ).map((kind) =>
      fc
        .record({ up: uri, parts: fc.uniqueArray(fc.record({ uri }), distinct) })
        .map((fields) => checkDocument({ kind, ...fields })),
    ),
  );

const document: fc.Arbitrary<Document> = fc.oneof(
  ...archives,
  fc
    .record({
      describedby: optional(uri),
      capabilityLists: fc.uniqueArray(fc.record({ uri, describedby: optional(uri) }), distinct),
    })
    .map((fields) => checkDocument({ kind: 'source-description', ...fields })),
  fc
    .record({
      up: uri,
      describedby: optional(uri),
      sums: optional(uri.map((text) => `${text}/SHA256SUMS`)),
      capabilities: fc.uniqueArray(
        fc.record({
          uri,
          capability: fc.constantFrom(...CAPABILITIES),
        }),
        { selector: ({ capability }) => capability },
      ),
    })
    .map((fields) => checkDocument({ kind: 'capability-list', ...fields })),
  fc
    .record({ ...links, at: datetime, resources: fc.array(resource, { maxLength: 4 }) })
    .map((fields) => checkDocument({ kind: 'resource-list', ...fields })),
  fc
    .record({ ...links, until: fc.constantFrom(undefined, last), changes: fc.array(event, { maxLength: 4 }) })
    .map((fields) =>
      checkDocument({ kind: 'change-list', ...fields, from: first, changes: inOrder(fields.changes) }),
    ),
  fc
    .record({
      ...links,
      at: datetime,
      packages: fc.uniqueArray(fc.record({ ...entry, at: datetime }), distinct),
    })
    .map((fields) => checkDocument({ kind: 'resource-dump', ...fields })),
  fc
    .tuple(fc.record(links), fc.uniqueArray(fc.record(entry), distinct), moments(5), fc.boolean())
    .map(([fields, packages, times, open]) =>
      checkDocument({
        kind: 'change-dump',
        ...fields,
        from: first,
        until: open ? undefined : last,
        packages: packages.map((known, index) => ({
          ...known,
          from: times[index] ?? first,
          until: times[index + 1] ?? last,
        })),
      }),
    ),
  fc
    .record({ up: uri, at: datetime, bitstreams: fc.array(resource, { maxLength: 4 }) })
    .map(({ bitstreams, ...fields }) =>
      checkDocument({
        kind: 'resource-dump-manifest',
        ...fields,
        bitstreams: bitstreams.map((known, index) => ({ resource: known, path: `/resources/<${index}>` })),
      }),
    ),
  fc.record({ up: uri, bitstreams: fc.array(event, { maxLength: 4 }) }).map(({ bitstreams, up }) =>
    checkDocument({
      kind: 'change-dump-manifest',
      up,
      from: first,
      until: last,
      bitstreams: inOrder(bitstreams).map((known, index) => ({
        event: known,
        path: known.change === 'deleted' ? undefined : `/changes/${index}`,
      })),
    }),
  ),
  fc
    .record({
      kind: fc.constantFrom('resource-list-index' as const, 'resource-dump-index' as const),
      up: uri,
      archives: optional(uri),
      at: datetime,
      parts: fc.uniqueArray(fc.record({ uri }), distinct),
    })
    .map(checkDocument),
  fc
    .tuple(
      fc.constantFrom('change-list-index' as const, 'change-dump-index' as const),
      uri,
      fc.uniqueArray(fc.record({ uri }), { ...distinct, minLength: 1 }),
      moments(5),
      fc.boolean(),
    )
    .map(([kind, up, parts, times, open]) =>
      checkDocument({
        kind,
        up,
        parts: parts.map((part, index) => ({
          ...part,
          from: times[index] ?? first,
          until: open && index === parts.length - 1 ? undefined : (times[index + 1] ?? last),
        })),
      }),
    ),
);

test('write → read → write gives the same value and the same bytes', async () => {
  const kinds = new Set<string>();
  await checkLaw(
    'round trip',
    fc.asyncProperty(document, fc.integer({ min: 1, max: 200 }), async (value, size) => {
      const written = Buffer.from([...serialize(value)].join(''));
      const chunks = [];
      for (let at = 0; at < written.length; at += size) chunks.push(written.subarray(at, at + size));
      const read = await parseDocument(chunks);
      expect(read.oddities).toEqual([]);
      expect(kindOfDocument(read)).toBe(value.kind);
      const again = makeDocument(read);
      expect(again).toEqual(value);
      expect([...serialize(again)].join('')).toBe(written.toString());
      kinds.add(value.kind);
    }),
    fewer(900, 300),
  );
  expect(kinds.size).toBe(20);
});
