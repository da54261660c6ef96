/** One fault at a time in a described site: each is found, by a check that is about it, and nothing else is. */

import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type AuditReport, audit } from '../../../src/index.js';
import { makeDescribedSite, URL_OF_SITE } from '../../support/described.js';
import { makeRandom } from '../../support/random.js';
import { fewer } from '../../support/seed.js';

const FAULTS = fewer(250, 40);
const random = makeRandom();
const pick = <T>(values: readonly T[]): T => {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
};

interface Fault {
  readonly what: string;
  readonly file: string;
  /** Undefined to remove the file. */
  readonly content: Buffer | string | undefined;
  /** One of these has to tell of it; any one when there are none. */
  readonly checks: readonly string[];
  /** These may tell of what follows from it, beside those of its file. */
  readonly consequences?: readonly string[];
}

/** What may be wrong elsewhere when a file does not say any more what it said. */
const CONSEQUENCES: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /changelist/,
    [
      'change-differs-from-dump',
      'change-differs-from-list',
      'change-not-in-dump',
      'change-only-in-dump',
      'changed-but-not-listed',
      'deleted-but-listed',
      'hash-differs',
      'lastmod-without-change',
      'length-differs',
      'resource-missing',
      'resource-unlisted',
    ],
  ],
  [
    /resourcelist/,
    [
      'changed-but-not-listed',
      'change-differs-from-list',
      'dump-differs-from-list',
      'hash-differs',
      'lastmod-without-change',
      'resource-missing',
      'resource-not-in-dump',
      'resource-only-in-dump',
      'resource-unlisted',
    ],
  ],
  [/resourcedump\.xml$/, ['resource-not-in-dump']],
  [/changedump\.xml$/, ['change-not-in-dump']],
  [/about/, ['link-broken']],
  [
    /\.zip$/,
    [
      'bitstream-missing',
      'bitstream-unlisted',
      'manifest-missing',
      'package-excessive',
      'package-unreadable',
      'package-unsafe',
    ],
  ],
  [
    /\/changelist\.xml$|\/resourcelist\.xml$|dump\.xml$|capabilitylist|\.well-known/,
    ['archives-link-missing', 'archives-link-wrong', 'document-unlisted', 'nothing-checked'],
  ],
];

/** A fault in a document; undefined where the document has no place for it. */
type Corrupt = (file: string, text: string) => Omit<Fault, 'file'> | undefined;

const TIMES = [
  'changes-out-of-order',
  'change-outside-interval',
  'change-only-in-dump',
  'part-time-differs',
  'package-time-differs',
  'part-at-before-index',
  'index-interval-differs',
  'interval-gap',
  'interval-overlap',
  'moments-differ',
  'lastmod-after-snapshot',
  'dump-differs-from-list',
  'change-differs-from-dump',
  'change-differs-from-list',
  'time-reversed',
  'time-in-future',
];
/** A copy that is not the manifest any more, whatever is wrong with it. */
const COPY = ['manifest-differs'];
const isCopy = (file: string) => /dump-.*\.xml$/.test(file);

/** A link that is none any more is missed where it has to be. */
const UNLINKED = ['archives-link-missing', 'describedby-missing', 'index-link-missing', 'up-missing'];
/** A time that is not known, or another entry after it, breaks the chain, and is not what an index says. */
const UNCHAINED = [
  'index-interval-differs',
  'interval-gap',
  'interval-overlap',
  'package-time-differs',
  'part-time-differs',
];

const DROPPED: Readonly<Record<string, readonly string[]>> = {
  rel: ['link-incomplete'],
  href: ['link-incomplete'],
  capability: ['capability-missing', 'entry-capability-missing', 'archives-link-wrong'],
  at: ['time-missing', 'time-not-said'],
  from: ['time-missing', 'time-not-said-though-recommended'],
  until: ['part-time-differs', 'package-time-differs', 'open-part-not-last'],
  change: ['change-missing'],
  datetime: ['datetime-missing'],
  hash: ['hash-missing', 'said-only-once'],
  length: ['package-undescribed', 'said-only-once'],
  type: ['package-undescribed', 'said-only-once'],
};

/** Every match of an expression but those that say the type of a copy, which nothing else says again. */
function matchesOf(text: string, expression: RegExp): RegExpExecArray[] {
  return [...text.matchAll(expression)].filter(
    (match) =>
      !text.slice(text.lastIndexOf('<', match.index), match.index).includes('rel="contents"') ||
      !match[0].includes('type='),
  );
}

function replaceAt(text: string, { index, 0: found }: RegExpExecArray, by: string): string {
  return text.slice(0, index) + by + text.slice(index + found.length);
}

const dropAttribute: Corrupt = (file, text) => {
  const match = pick(matchesOf(text, /(?<=<rs:(?:md|ln)[^<>]*) (\w+)="[^"]*"/g));
  const name = match[1] ?? '';
  return {
    what: `no ${name}`,
    content: replaceAt(text, match, ''),
    checks: isCopy(file) ? COPY : (DROPPED[name] ?? []),
    consequences: [...UNLINKED, ...UNCHAINED],
  };
};

const moveTime: Corrupt = (file, text) => {
  const times = [...text.matchAll(/(?<=[">])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ(?=[<"])/g)];
  if (times.length === 0) return undefined;
  const match = pick(times);
  const seconds = Math.ceil(10 ** (random() * 7)) * pick([-1, 1]);
  const moved = `${new Date(Date.parse(match[0]) + seconds * 1000).toISOString().slice(0, 19)}Z`;
  return {
    what: `${match[0]} is ${moved}`,
    content: replaceAt(text, match, moved),
    checks: isCopy(file) ? COPY : TIMES,
    consequences: ['packages-out-of-order', 'parts-out-of-order'],
  };
};

const BENT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/capabilitylist\.xml$/, ['document-unreachable', 'up-wrong']],
  [/\.well-known\/resourcesync$/, ['up-wrong']],
  [/resourcesync\/[\w-]+\.xml$/, ['document-unreachable', 'index-link-wrong', 'archives-link-wrong']],
  [/\.zip$/, ['package-missing']],
  [/about\/$/, ['link-broken', 'resource-missing']],
  [/./, ['resource-missing', 'changed-but-not-listed', 'change-only-in-dump']],
];

const bendLink: Corrupt = (file, text) => {
  const match = pick([...text.matchAll(/(?<=<loc>|href=")https:[^<"]*/g)]);
  const [, checks = []] = BENT.find(([pattern]) => pattern.test(match[0])) ?? [];
  const bent = `${match[0].replace(/\/$/, '')}-x${match[0].endsWith('/') ? '/' : ''}`;
  return {
    what: `${match[0]} is bent`,
    content: replaceAt(text, match, bent),
    checks: isCopy(file) ? COPY : checks,
    consequences: ['loc-off-host', 'not-checked'],
  };
};

const ORDERED: readonly (readonly [RegExp, string])[] = [
  [/changelist\.xml$/, 'parts-out-of-order'],
  [/changedump\.xml$/, 'packages-out-of-order'],
  [/changelist-.*\.xml$/, 'changes-out-of-order'],
  [/changedump-.*\.xml$/, 'manifest-differs'],
];

const reorderEntry: Corrupt = (file, text) => {
  const [, check] = ORDERED.find(([pattern]) => pattern.test(file)) ?? [];
  const lines = text.split('\n');
  const timeOf = (line = '') => /(?:datetime|from)="([^"]+)"/.exec(line)?.[1];
  const isEntry = (line = '') => /^ {2}<(?:url|sitemap)>/.test(line);
  const places = [...lines.keys()].filter(
    (index) =>
      isEntry(lines[index]) && isEntry(lines[index + 1]) && timeOf(lines[index]) !== timeOf(lines[index + 1]),
  );
  if (check === undefined || places.length === 0) return undefined;
  const place = pick(places);
  lines.splice(place, 2, lines[place + 1] ?? '', lines[place] ?? '');
  return {
    what: `lines ${place + 1} and ${place + 2} change places`,
    content: lines.join('\n'),
    checks: [check],
    consequences: UNCHAINED,
  };
};

const REMOVED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.well-known|capabilitylist/, ['document-unlisted']],
  [/resourcelist\.xml$/, ['document-unlisted']],
  [/resourcelist-/, ['resource-only-in-dump']],
  [/changelist\.xml$/, ['document-unlisted']],
  [/changelist-/, ['change-only-in-dump']],
  [/(?:resource|change)dump\.xml$/, ['document-unlisted']],
  [/dump-/, ['manifest-differs']],
];

const removeEntry: Corrupt = (file, text) => {
  const [, checks = []] = REMOVED.find(([pattern]) => pattern.test(file)) ?? [];
  const match = pick([...text.matchAll(/\n {2}<(url|sitemap)>.*?<\/\1>/gs)]);
  return {
    what: `no ${/<loc>(.*)<\/loc>/.exec(match[0])?.[1]}`,
    content: replaceAt(text, match, ''),
    checks,
    consequences: UNCHAINED,
  };
};

/** What may follow where a URL, a time, a digest or a kind is another one. */
const MISREAD = [
  ...TIMES,
  ...BENT.flatMap(([, checks]) => checks),
  'archives-link-missing',
  'document-of-other-kind',
  'document-unlisted',
  'entry-repeated',
  'hash-differs',
  'length-differs',
  'loc-off-host',
  'not-checked',
  'said-only-once',
];

const flipByte: Corrupt = (file, text) => {
  const begin = text.indexOf('-->') + 3;
  const bytes = Buffer.from(text);
  const place = begin + Math.floor(random() * (bytes.length - 1 - begin));
  // The type of a copy is said nowhere else.
  if (
    /rel="contents"[^>]*$/.test(text.slice(text.lastIndexOf('<', place), place)) &&
    / type=[^>]*$/.test(text.slice(place - 24, place))
  )
    return undefined;
  bytes[place] = (bytes[place] ?? 0) ^ 1;
  return {
    what: `byte ${place} is ${JSON.stringify(String.fromCharCode(bytes[place] ?? 0))}`,
    content: bytes,
    checks: [],
    consequences: isCopy(file) ? COPY : MISREAD,
  };
};

function makeFault(site: string, documents: readonly string[], others: readonly string[]): Fault {
  const kind = random();
  if (kind < 0.1) {
    const file = pick(others);
    const bytes = readFileSync(join(site, file));
    const place = Math.floor(random() * bytes.length);
    bytes[place] = (bytes[place] ?? 0) ^ (1 << Math.floor(random() * 8));
    return { what: `byte ${place}`, file, content: bytes, checks: ['hash-differs'] };
  }
  if (kind < 0.2) {
    const file = pick([...documents, ...others]);
    const checks = file.endsWith('.zip')
      ? ['package-missing']
      : file.startsWith('.well-known')
        ? ['description-missing']
        : documents.includes(file)
          ? ['document-unreachable']
          : ['resource-missing'];
    return { what: 'removed', file, content: undefined, checks };
  }
  for (;;) {
    const file = pick(documents);
    const corrupt = pick([dropAttribute, moveTime, bendLink, reorderEntry, removeEntry, flipByte]);
    const fault = corrupt(file, readFileSync(join(site, file), 'utf8'));
    if (fault !== undefined) return { file, ...fault };
  }
}

/** What tells of something else than the fault and what follows from it. */
function findUnrelated({ file, checks, consequences = [] }: Fault, { findings }: AuditReport): string[] {
  const known = CONSEQUENCES.filter(([pattern]) => pattern.test(file)).flatMap(([, codes]) => codes);
  const related = new Set([...checks, ...consequences, ...known]);
  // A copy is read by itself, too, and what a byte means is not known: whatever is said is said of that document.
  const isAnywhere = isCopy(file) || checks.length === 0;
  const others = findings.filter(({ code }) => !related.has(code));
  return others.flatMap(({ code, findings: found }) =>
    isAnywhere && found.every(({ document }) => document === URL_OF_SITE + file) ? [] : [code],
  );
}

test(`${FAULTS} faults`, { timeout: 900_000 }, async () => {
  const site = await makeDescribedSite();
  const files = readdirSync(site, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.\w+$|\/resourcesync$/.test(file));
  const ours = files.filter((file) => /^resourcesync\/.*\.xml$|^\.well-known\//.test(file));
  // What is archived is compared with what else is archived, and says some of it nowhere else.
  const documents = ours.filter((file) => !file.includes('archive'));
  const others = files.filter((file) => !ours.includes(file));
  expect(await audit({ source: site })).toMatchObject({ findings: [], errors: 0 });

  for (let count = 0; count < FAULTS; count++) {
    const fault = makeFault(site, documents, others);
    const { what, file, content, checks } = fault;
    const path = join(site, file);
    const before = readFileSync(path);
    if (content === undefined) rmSync(path);
    else writeFileSync(path, content);
    const report = await audit({ source: site, url: URL_OF_SITE });
    writeFileSync(path, before);
    const found = report.findings.map(({ code }) => code);
    const right = checks.length === 0 ? found : found.filter((code) => checks.includes(code));
    const message = `fault ${count}, ${file}: ${what}; expected ${checks.join(' or ')}, found ${found.join(', ') || 'nothing'}`;
    expect(right, message).not.toEqual([]);
    expect(findUnrelated(fault, report), message).toEqual([]);
  }
  expect(existsSync(join(site, 'resourcesync', 'resourcelist-0001.xml'))).toBe(true);
  expect((await audit({ source: site })).findings).toEqual([]);
});
