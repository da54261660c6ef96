/** Every document that we write, held against the sentences of the standard that say must and should. */

import { describe, expect, test } from 'vitest';
import { planDocuments } from '../../src/describe/plan/documents.js';
import { cutChanges } from '../../src/standard/cuts/changes.js';
import type { Document } from '../../src/standard/document.js';
import type { ChangeEvent, Resource } from '../../src/standard/model.js';
import { serializeDocument } from '../../src/standard/xml/serialize.js';
import { child, linkOf, parseXml, type XmlElement } from '../support/documents.js';

const URL_BASE = 'https://example.org/';
const serialize = (document: Document) => serializeDocument(document, 'Written for a test');
const W3C_DATETIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

const at = new Date('2026-11-20T10:15:00Z');
const from = new Date('2026-11-01T00:00:00Z');

function makeResource(index: number): Resource {
  const path = `${index}.html`;
  return {
    uri: URL_BASE + path,
    path,
    length: index,
    hash: 'md5:00 sha-256:11',
    type: 'text/html',
    lastmod: from,
    changefreq: 'daily',
    links: [{ rel: 'duplicate', href: `https://mirror.example/${path}`, pri: 1 }],
  };
}

/** Five changes a day apart, of all three kinds. */
const changes: ChangeEvent[] = Array.from({ length: 5 }, (_, index) => {
  const datetime = new Date(from.getTime() + (index + 1) * 86_400_000 + 1000);
  const uri = `${URL_BASE}${index % 2}.html`;
  if (index === 3) return { change: 'deleted', uri, datetime };
  const representation = { length: 1, hash: 'md5:22', type: 'text/html' };
  return { change: index % 2 === 0 ? 'updated' : 'created', uri, datetime, representation };
});

/** All documents of a Source with two sets of resources, whose lists need an index each. */
function writeDocuments(period: 'day' | undefined, entries: number): Map<string, XmlElement> {
  const sets = ['pages', 'data'].map((name) => ({
    name,
    describedby: `${URL_BASE}about/${name}`,
    resources: Array.from({ length: 3 }, (_, index) => makeResource(index)),
    changes: cutChanges(changes, { from, at }, { window: 90, period }),
  }));
  const plan = planDocuments(
    { url: URL_BASE, describedby: `${URL_BASE}about`, sets, at },
    { entries, bytes: 50_000_000 },
  );
  return new Map(plan.map(({ uri, document }) => [uri, parseXml([...serialize(document)].join(''))]));
}

const whole = writeDocuments(undefined, 50_000);
const parted = writeDocuments('day', 2);
const all = [...whole, ...parted];
const capabilityOf = (root: XmlElement) => child(root, 'rs:md').attributes['capability'] ?? '';
const ofKind = (capability: string, root = 'urlset') =>
  all.filter(([, element]) => capabilityOf(element) === capability && element.name === root);
const entriesOf = (root: XmlElement) =>
  root.children.filter(({ name }) => name === 'url' || name === 'sitemap');
const mdOf = (entry: XmlElement) => entry.children.find(({ name }) => name === 'rs:md')?.attributes ?? {};
const description = `${URL_BASE}.well-known/resourcesync`;

test('the documents under test are of all kinds', () => {
  const kinds = all.map(([, root]) => `${capabilityOf(root)} ${root.name}`);
  expect([...new Set(kinds)].sort()).toEqual([
    'capabilitylist urlset',
    'changelist sitemapindex',
    'changelist urlset',
    'description urlset',
    'resourcelist sitemapindex',
    'resourcelist urlset',
  ]);
});

describe('§7, all documents', () => {
  test.each(all)('%s has one rs:md with a capability, and attributes without a prefix', (_, root) => {
    expect(root.children.filter(({ name }) => name === 'rs:md')).toHaveLength(1);
    expect(root.attributes).toEqual({
      xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9',
      'xmlns:rs': 'http://www.openarchives.org/rs/terms/',
    });
    const extensions = [root, ...entriesOf(root)].flatMap(({ children }) => children);
    for (const { name, attributes } of extensions.filter((element) => element.name.startsWith('rs:'))) {
      expect(Object.keys(attributes).filter((key) => key.includes(':'))).toEqual([]);
      if (name === 'rs:ln') expect(Object.keys(attributes)).toEqual(expect.arrayContaining(['rel', 'href']));
    }
  });

  test.each(all)('%s names in every entry one URI, and metadata at most once', (_, root) => {
    for (const entry of entriesOf(root)) {
      expect(entry.attributes).toEqual({});
      expect(entry.children.filter(({ name }) => name === 'loc')).toHaveLength(1);
      expect(URL.canParse(child(entry, 'loc').text)).toBe(true);
      expect(entry.children.filter(({ name }) => name === 'rs:md').length).toBeLessThanOrEqual(1);
      expect(entry.name).toBe(root.name === 'urlset' ? 'url' : 'sitemap');
    }
  });

  test.each(all)('%s writes datetimes in full and in UTC', (_, root) => {
    for (const { children } of [root, ...entriesOf(root)]) {
      for (const { name, attributes, text } of children) {
        if (name === 'lastmod') expect(text).toMatch(W3C_DATETIME);
        for (const key of ['at', 'from', 'until', 'datetime', 'modified']) {
          if (attributes[key] !== undefined) expect(attributes[key]).toMatch(W3C_DATETIME);
        }
      }
    }
  });
});

describe('Appendix A, Table 4', () => {
  test.each(all)('%s has at or from where they are mandatory, and nowhere else', (_, root) => {
    const { at: snapshot, from: since, until } = child(root, 'rs:md').attributes;
    const capability = capabilityOf(root);
    expect(snapshot !== undefined).toBe(capability === 'resourcelist');
    expect(since !== undefined).toBe(capability === 'changelist');
    if (until !== undefined) expect(capability).toBe('changelist');
    for (const entry of entriesOf(root)) {
      const md = mdOf(entry);
      expect('at' in md).toBe(capability === 'resourcelist' && root.name === 'sitemapindex');
      expect('from' in md).toBe(capability === 'changelist' && root.name === 'sitemapindex');
    }
  });
});

describe('§6.2, navigation', () => {
  test.each(all)('%s leads up, step by step, to the Source Description', (uri, root) => {
    const documents = whole.get(uri) === root ? whole : parted;
    if (uri === description) {
      expect(linkOf(root, 'up')).toBeUndefined();
      return;
    }
    const up = linkOf(root, 'up') ?? '';
    const parent = documents.get(up);
    expect(parent && capabilityOf(parent)).toBe(
      uri.includes('capabilitylist') ? 'description' : 'capabilitylist',
    );
  });

  test('parts and their index name each other', () => {
    for (const [uri, root] of parted) {
      if (root.name !== 'sitemapindex') continue;
      const parts = entriesOf(root).map((entry) => child(entry, 'loc').text);
      expect(parts.length).toBeGreaterThan(1);
      for (const part of parts) expect(linkOf(parted.get(part) ?? root, 'index')).toBe(uri);
    }
    for (const [, root] of whole) expect(linkOf(root, 'index')).toBeUndefined();
  });

  test.each(all)('%s links only to documents that are there', (uri, root) => {
    if (['resourcelist', 'changelist'].includes(capabilityOf(root)) && root.name === 'urlset') return;
    const documents = whole.get(uri) === root ? whole : parted;
    for (const entry of entriesOf(root)) expect(documents.has(child(entry, 'loc').text)).toBe(true);
  });
});

describe('§8, the Source Description', () => {
  test.each(ofKind('description'))('%s names each Capability List once, and what describes it', (_, root) => {
    expect(linkOf(root, 'describedby')).toBe(`${URL_BASE}about`);
    expect(
      entriesOf(root).map((entry) => [child(entry, 'loc').text, mdOf(entry), linkOf(entry, 'describedby')]),
    ).toEqual(
      ['pages', 'data'].map((name) => [
        `${URL_BASE}resourcesync/${name}/capabilitylist.xml`,
        { capability: 'capabilitylist' },
        `${URL_BASE}about/${name}`,
      ]),
    );
    // "should be omitted … unless the Source updates the Source Description every time".
    expect(
      entriesOf(root)
        .flatMap(({ children }) => children)
        .some(({ name }) => name === 'lastmod'),
    ).toBe(false);
  });
});

describe('§9, Capability Lists', () => {
  test.each(ofKind('capabilitylist'))(
    '%s has one entry for each capability, whose document says the same',
    (uri, root) => {
      expect(linkOf(root, 'describedby')).toMatch(/about\/(pages|data)$/);
      const capabilities = entriesOf(root).map((entry) => mdOf(entry)['capability']);
      expect(capabilities).toEqual(['resourcelist', 'changelist']);
      const documents = whole.get(uri) === root ? whole : parted;
      for (const entry of entriesOf(root)) {
        const document = documents.get(child(entry, 'loc').text);
        expect(document && capabilityOf(document)).toBe(mdOf(entry)['capability']);
      }
    },
  );
});

describe('§10, Resource Lists', () => {
  test('the union of the parts is the list', () => {
    const urisOf = (documents: Map<string, XmlElement>) =>
      [...documents]
        .filter(([uri, { name }]) => uri.includes('pages/resourcelist') && name === 'urlset')
        .flatMap(([, root]) => entriesOf(root))
        .map((entry) => child(entry, 'loc').text);
    expect(urisOf(parted)).toEqual(urisOf(whole));
  });

  test.each(ofKind('resourcelist'))(
    '%s describes resources with what §7 defines, and nothing of changes',
    (_, root) => {
      for (const entry of entriesOf(root)) {
        expect(Object.keys(mdOf(entry))).toEqual(['hash', 'length', 'type']);
        expect(entry.children.map(({ name }) => name)).toEqual([
          'loc',
          'lastmod',
          'changefreq',
          'rs:md',
          'rs:ln',
        ]);
      }
    },
  );
});

describe('§12, Change Lists', () => {
  test.each(ofKind('changelist'))(
    '%s tells each change in forward chronological order, within its interval',
    (_, root) => {
      const { from: since = '', until } = child(root, 'rs:md').attributes;
      const datetimes = entriesOf(root).map((entry) => mdOf(entry)['datetime'] ?? '');
      const moments = [since, ...datetimes, ...(until === undefined ? [] : [until])];
      expect(moments).toEqual([...moments].sort());
      for (const entry of entriesOf(root)) {
        expect(mdOf(entry)['change']).toMatch(/^(created|updated|deleted)$/);
        if (mdOf(entry)['change'] === 'deleted')
          expect(Object.keys(mdOf(entry))).toEqual(['change', 'datetime']);
      }
    },
  );

  test.each(ofKind('changelist'))(
    '%s says of what was created or updated that it was last modified then, as Example 19 does',
    (_, root) => {
      for (const entry of entriesOf(root)) {
        const { change, datetime } = mdOf(entry);
        const names = entry.children.map(({ name }) => name);
        if (change === 'deleted') expect(names).toEqual(['loc', 'rs:md']);
        else {
          expect(names).toEqual(['loc', 'lastmod', 'rs:md']);
          expect(child(entry, 'lastmod').text).toBe(datetime);
        }
      }
    },
  );
});
