/** A list that is damaged in one place: either all that the whole list says is planned, or the run waits and says where. */

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, test } from 'vitest';
import { ResyncError } from '../../../src/base/errors.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import type { MirrorHead } from '../../../src/mirror/memory/format.js';
import { makePast } from '../../../src/mirror/memory/past.js';
import { FileTable } from '../../../src/mirror/plan/columns.js';
import { readSource } from '../../../src/mirror/run/read-source.js';
import { lookAtLists } from '../../../src/mirror/run/resource-lists.js';
import type { Session } from '../../../src/mirror/run/session.js';
import { holdFolder } from '../../../src/paths/held/folder.js';
import type { Origin } from '../../../src/source/origin/origin.js';
import { Bounds } from '../../../src/source/web/bounds.js';
import { strongestDigest } from '../../../src/standard/model.js';
import { startLists } from '../../support/lists.js';
import { checkLaw, fewer } from '../../support/seed.js';
import { afterUse, makeFolder, makeForFile } from '../../support/site.js';

const URL_OF_SITE = 'https://example.org/';
const NOTHING = () => undefined;
const digestOf = (text: string) => `md5:${createHash('md5').update(text).digest('hex')}`;

/** Documents and files by their paths. */
type Published = Readonly<Record<string, string>>;
type Files = Readonly<Record<string, string>>;

const lists = startLists(URL_OF_SITE);
const BEFORE: Files = { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd.txt': 'd' };
const AFTER: Files = { 'a.txt': 'a2', 'b.txt': 'b', 'd.txt': 'd', 'e.txt': 'e' };
const [FIRST, SECOND] = [
  { 'a.txt': 'a2', 'b.txt': 'b' },
  { 'd.txt': 'd', 'e.txt': 'e' },
];
const TOLD = [
  { path: 'a.txt', text: 'a2', change: 'updated', at: 2 },
  { path: 'c.txt', change: 'deleted', at: 3 },
  { path: 'e.txt', text: 'e', change: 'created', at: 4 },
] as const;
const ROOT = '.well-known/resourcesync';

const describeSets = (paths: readonly string[]) =>
  lists
    .capabilities(Object.fromEntries(paths.map((path) => [path, 'capabilitylist'])))
    .replace('capability="capabilitylist"', 'capability="description"');
const plain = (root: 'urlset' | 'sitemapindex', paths: readonly string[]) => {
  const name = root === 'urlset' ? 'url' : 'sitemap';
  const rows = paths.map((path) => `<${name}><loc>${URL_OF_SITE}${path}</loc></${name}>`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${rows.join('')}</${root}>`;
};

/** The documents of Sources before and after, by the way to read them. */
const SOURCES: Readonly<Record<string, readonly [before: Published, after: Published]>> = {
  'a Resource List': [
    {
      [ROOT]: describeSets(['caps.xml']),
      'caps.xml': lists.capabilities({ 'list.xml': 'resourcelist' }),
      'list.xml': lists.resources(1, BEFORE),
    },
    { 'list.xml': lists.resources(5, AFTER) },
  ],
  'a Change List': [
    {
      [ROOT]: describeSets(['caps.xml']),
      'caps.xml': lists.capabilities({ 'list.xml': 'resourcelist', 'changes.xml': 'changelist' }),
      'list.xml': lists.resources(1, BEFORE),
      'changes.xml': lists.changes(0, []),
    },
    { 'changes.xml': lists.changes(0, TOLD) },
  ],
  indexes: [
    {
      [ROOT]: describeSets(['caps.xml']),
      'caps.xml': lists.capabilities({ 'list.xml': 'resourcelist', 'changes.xml': 'changelist' }),
      'list.xml': lists.resourceIndex(1, ['l1.xml']),
      'l1.xml': lists.resources(1, BEFORE),
      'changes.xml': lists.changeIndex({ 'c1.xml': [0] }),
      'c1.xml': lists.changes(0, []),
    },
    {
      'list.xml': lists.resourceIndex(5, ['l1.xml', 'l2.xml']),
      'l1.xml': lists.resourceIndex(5, ['l3.xml']),
      'l3.xml': lists.resources(5, FIRST),
      'l2.xml': lists.resources(5, SECOND),
      'changes.xml': lists.changeIndex({ 'c1.xml': [0, 3], 'c2.xml': [3] }),
      'c1.xml': lists.changes(0, TOLD.slice(0, 2), 3),
      'c2.xml': lists.changes(3, TOLD.slice(2)),
    },
  ],
  Sitemaps: [
    {
      'sitemap.xml': plain('sitemapindex', ['s1.xml', 's2.xml']),
      's1.xml': plain('urlset', ['a.txt', 'b.txt']),
      's2.xml': plain('urlset', ['c.txt', 'd.txt']),
    },
    { 's1.xml': plain('urlset', Object.keys(FIRST)), 's2.xml': plain('urlset', Object.keys(SECOND)) },
  ],
};

const TAG = /<(?:[a-z]+:)?[A-Za-z]+(?: [^>]*)?>/g;
const ENTRY = /<(url|sitemap)>.*?<\/\1>/;

/** Damages: each changes the part of a document that begins with a tag, or with an entry. */
const DAMAGES: Readonly<Record<string, (rest: string, choose: (most: number) => number) => string>> = {
  'another name': (rest, choose) =>
    rename(rest, ['Url', 'url', 'sitemap', 'urlset', 'LOC', 'lastmod', 'rs:ln', 'x'][choose(8)] as string),
  'another namespace': (rest, choose) =>
    rest
      .replace(/^<([a-z:]+)/, `<$1 xmlns${choose(2) === 0 ? '' : ':rs'}="urn:x"`)
      .replace(/ (xmlns(?::rs)?="urn:x")(.*?) \1?xmlns(?::rs)?="[^"]*"/, ' $1$2'),
  'no prefix': (rest) => (rest.startsWith('<rs:') ? `<${rest.slice(4)}` : rest),
  'no attribute': (rest) => rest.replace(/^(<[a-z:]+(?: [a-z:]+="[^"]*")*?) [a-z]+="[^"]*"/, '$1'),
  'an attribute by another name': (rest, choose) =>
    editAttribute(rest, choose, ([name, value]) => `${name.toUpperCase()}="${value}"`),
  'another value': (rest, choose) => editAttribute(rest, choose, ([name]) => `${name}="?"`),
  'an address without its host': (rest) => rest.replace(/^<loc>https:\/\/[^/]*/, '<loc>'),
  'no address': (rest) => rest.replace(/^<loc>.*?<\/loc>/, ''),
  'an address in an element': (rest) => rest.replace(/^<loc>(.*?)<\/loc>/, '<loc><x>$1</x></loc>'),
  'another order': (rest) => rest.replace(/^(<loc>.*?<\/loc>)(<rs:md[^>]*>)/, '$2$1'),
  'metadata behind entries': (rest) =>
    rest.replace(/^(<rs:md[^>]*>)((?:<(?:url|sitemap)>.*?)*)(?=<\/(?:urlset|sitemapindex)>)/, '$2$1'),
  'an entry in an element': (rest, choose) => {
    const name = ['x', 'urlset', 'url', 'sitemapindex', 'rs:md'][choose(5)] as string;
    return rest.replace(new RegExp(`^${ENTRY.source}`), `<${name}>$&</${name}>`);
  },
  'an entry in the one before': (rest) =>
    rest.replace(/^(<(url|sitemap)>.*?)(<\/\2>)(<\2>.*?<\/\2>)/, '$1$4$3'),
  'two entries in one': (rest) => rest.replace(/^(<(url|sitemap)>.*?)<\/\2><\2>/, '$1'),
  'an entry as text': (rest) => rest.replace(new RegExp(`^${ENTRY.source}`), '<![CDATA[$&]]>'),
};

function rename(rest: string, to: string): string {
  const [, name = ''] = /^<([A-Za-z:]+)/.exec(rest) ?? [];
  const renamed = `<${to}${rest.slice(1 + name.length)}`;
  if (/^[^>]*\/>/.test(renamed)) return renamed;
  const end = renamed.indexOf(`</${name}>`);
  return `${renamed.slice(0, end)}</${to}>${renamed.slice(end + name.length + 3)}`;
}

function editAttribute(
  rest: string,
  choose: (most: number) => number,
  edit: (one: [string, string]) => string,
): string {
  const end = rest.indexOf('>');
  const attributes = [...rest.slice(0, end).matchAll(/([a-z:]+)="([^"]*)"/g)];
  if (attributes.length === 0) return rest;
  const one = attributes[choose(attributes.length)] as RegExpExecArray;
  const [whole, name = '', value = ''] = one;
  return rest.slice(0, one.index) + edit([name, value]) + rest.slice(one.index + whole.length);
}

interface Copied {
  readonly files: FileTable;
  readonly head: MirrorHead | undefined;
}

const bounds = new Bounds({ bytes: 2 ** 40, time: 3_600_000, memory: 2 ** 40 });
afterAll(() => bounds.stop());
const scratch = makeForFile(async () => {
  const held = holdFolder(makeFolder());
  afterUse(() => held.close());
  return held;
});

/** Reads what is published, as a run does that has a copy; its files are never asked for. */
async function read(published: Published, { files, head }: Copied, source: string) {
  const origin: Origin = {
    async open(uri) {
      const path = uri.slice(URL_OF_SITE.length);
      const text = published[path];
      if (text === undefined) return { failure: 'missing', found: '404' };
      const nothing = { redirects: [], type: undefined, encoding: undefined, link: undefined };
      return { ...nothing, uri, body: one(Buffer.from(text)) };
    },
    close: NOTHING,
  };
  const config = resolveMirror({ source, folder: '/nowhere' });
  const session = {
    ...{ config, now: Date.UTC(2026, 0, 10), observe: NOTHING, past: makePast(head, head, true) },
    ...{ web: { origin, bounds, received: { take: NOTHING } } },
    ...{ store: { scratch: scratch() }, trust: { keys: undefined, areNamed: false, past: undefined } },
    ...{ clock: { sleep: async () => undefined } },
  } as unknown as Session;
  const listsNow = await lookAtLists(origin, head?.sets ?? []);
  const remembered = { session, files, damaged: new Set<string>(), listsNow };
  const offered = await readSource(remembered, true);
  offered.packages.close();
  return { ...offered, plan: offered.planner.finish() };
}

async function* one(bytes: Buffer) {
  yield bytes;
}

/** The copy after a plan: the listed digests, or those of the served bytes. */
function carryOut(files: FileTable, plan: Awaited<ReturnType<typeof read>>['plan'], served: Files) {
  const after = new Map<string, string | undefined>();
  for (const [uri, { hash }] of files) if (plan.deletions.find(uri) === undefined) after.set(uri, hash);
  let isRight = true;
  for (const { entry } of plan.wants) {
    const text = served[entry.uri.slice(URL_OF_SITE.length)];
    const listed = strongestDigest(entry.hash);
    isRight &&= text !== undefined && (listed === undefined || listed === digestOf(text));
    after.set(entry.uri, text && digestOf(text));
  }
  return { after, isRight };
}

async function copyFirst(published: Published, source: string): Promise<Copied> {
  const { plan, states, beginning } = await read(
    published,
    { files: new FileTable(), head: undefined },
    source,
  );
  const files = new FileTable();
  for (const { entry, path, sets } of plan.wants) {
    const text = BEFORE[path] ?? '';
    files.set(entry.uri, { path, length: text.length, hash: digestOf(text), sets });
  }
  const head = { source, beginning, sets: states, missing: [], only: [], allow: [], held: 0, documents: [] };
  return { files, head: head as unknown as MirrorHead };
}

describe.each(Object.keys(SOURCES))('%s', (kind) => {
  test('damaged in one place', async () => {
    const [before, change] = SOURCES[kind] as (typeof SOURCES)[string];
    const source = URL_OF_SITE;
    const after = { ...before, ...change };
    const copied = await copyFirst(before, source);
    const whole = await read(after, copied, source);
    const expected = carryOut(copied.files, whole.plan, AFTER).after;
    const truth = new Map(Object.entries(AFTER).map(([path, text]) => [URL_OF_SITE + path, digestOf(text)]));
    if (JSON.stringify([...expected].sort()) !== JSON.stringify([...truth].sort()))
      throw new Error('the whole lists are wrong');
    const choice = fc.record({
      document: fc.constantFrom(...Object.keys(after)),
      damage: fc.constantFrom(...Object.keys(DAMAGES)),
      place: fc.nat(1000),
      seed: fc.nat(1000),
    });
    const law = fc.asyncProperty(choice, async ({ document, damage, place, seed }) => {
      const text = after[document] as string;
      const tags = [...text.matchAll(TAG)].map(({ index }) => index);
      const at = tags[place % tags.length] as number;
      const damaged = text.slice(0, at) + DAMAGES[damage]?.(text.slice(at), (most) => seed % most);
      fc.pre(damaged !== text);
      try {
        const reading = await read({ ...after, [document]: damaged }, copied, source);
        const { after: result, isRight } = carryOut(copied.files, reading.plan, AFTER);
        const waits = reading.skipped.length + reading.unread.length > 0 || !isRight;
        if (waits) return;
        // Without the Change List, the copy is of the moment of the Resource List.
        if (document === 'caps.xml' && reading.plan.deletions.size === 0) return;
        for (const [uri, hash] of truth)
          if (result.get(uri) !== hash) throw new Error(`${uri} is lost: ${damaged}`);
        if (result.size !== truth.size) throw new Error(`${[...result.keys()]} stay: ${damaged}`);
      } catch (error) {
        if (!(error instanceof ResyncError) || error.code !== 'source-unreadable') throw error;
      }
    });
    await checkLaw(`damaged ${kind}`, law, fewer(2000, 200));
  });
});
