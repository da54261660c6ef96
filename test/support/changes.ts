/** Change Lists, as a Destination reads them. */

import { createHash } from 'node:crypto';
import type { Observer } from '../../src/base/progress.js';
import type { UserConfig } from '../../src/config/options.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { describeSite } from '../../src/describe/describe.js';
import type { Report } from '../../src/describe/report.js';
import { child, type ListedResource, readSource } from './documents.js';
import { BEGIN } from './git.js';
import { readTree } from './site.js';

export const SITE_URL = 'https://example.org/';

type Source = ReturnType<typeof readSource>;

/** The hash of every URI in a set's Resource List. */
export function hashesOf(source: Source, set = 0): Map<string, string> {
  return new Map(source.sets[set]?.resources.map(({ uri, md }) => [uri, md['hash'] ?? '']));
}

/** A change in one line: the kind, the URI, the datetime and the hash. */
export function lineOf({ uri, md }: ListedResource): string {
  return [md['change'], uri, md['datetime'], md['hash'] ?? '-'].join(' ');
}

/** Applies changes as a Destination would, and refuses those that cannot be: a creation of what is there already. */
export function applyChanges(state: ReadonlyMap<string, string>, changes: readonly ListedResource[]) {
  const result = new Map(state);
  for (const entry of changes) {
    const { uri, md } = entry;
    if ((md['change'] === 'created') === result.has(uri)) throw new Error(`cannot be: ${lineOf(entry)}`);
    if (md['change'] === 'deleted') result.delete(uri);
    else result.set(uri, md['hash'] ?? '');
  }
  return result;
}

/** The datetime of a list's own `<rs:md>`. */
export function moment(source: Source, attribute: 'at' | 'from' | 'until', set = 0): string | undefined {
  const found = source.sets[set];
  const root = attribute === 'at' ? found?.resourceList : found?.changeList;
  return root && child(root, 'rs:md').attributes[attribute];
}

/** Describes a site as a run does that begins so many seconds after the beginning of history. */
export function describeAt(
  seconds: number,
  config: Partial<UserConfig>,
  observe?: Observer,
): Promise<Report> {
  return describeSite(resolveConfig({ url: SITE_URL, ...config }), makeDate(seconds), observe);
}

const makeDate = (seconds: number) => new Date((BEGIN + seconds) * 1000);

/** The datetime so many seconds after the beginning. */
export function datetimeAt(seconds: number): string {
  return makeDate(seconds).toISOString().replace('.000', '');
}

/** A datetime as the seconds since the beginning, `+100`. */
function tellMoment(datetime: string | undefined): string {
  return datetime === undefined ? '-' : `+${Date.parse(datetime) / 1000 - BEGIN}`;
}

/** The bytes that the tests tell apart. */
const WORDS = new Map(
  ['one', 'two', 'three', 'four', 'five', ''].map((word) => [
    `md5:${createHash('md5').update(word).digest('hex')}`,
    word === '' ? '(empty)' : word,
  ]),
);

function tellBytes({ hash = '-' }: ListedResource['md']): string {
  return WORDS.get(hash.split(' ')[0] ?? '') ?? hash;
}

/** The Change List of a described site, each entry as `+100 updated /a.html two`. */
export function tellChanges(site: string, set = 0): string[] {
  const changes = readSource(site, SITE_URL).sets[set]?.changes ?? [];
  return changes.map(({ uri, md }) =>
    [
      tellMoment(md['datetime']),
      md['change'],
      uri.slice(SITE_URL.length - 1),
      ...(md['change'] === 'deleted' ? [] : [tellBytes(md)]),
    ].join(' '),
  );
}

/** The Resource List of a described site, each entry as `/a.html two +100`, the last being `lastmod`. */
export function tellResources(site: string, set = 0): string[] {
  const resources = readSource(site, SITE_URL).sets[set]?.resources ?? [];
  return resources.map(({ uri, md, element }) => {
    const lastmod = element.children.find(({ name }) => name === 'lastmod')?.text;
    return [uri.slice(SITE_URL.length - 1), tellBytes(md), tellMoment(lastmod)].join(' ');
  });
}

/** `at` of the Resource List and `from` of the Change List. */
export function tellMoments(site: string, set = 0): { at: string; from: string } {
  const source = readSource(site, SITE_URL);
  return { at: tellMoment(moment(source, 'at', set)), from: tellMoment(moment(source, 'from', set)) };
}

/** The bytes of all documents of ours, by path. */
export function readDocuments(site: string): Record<string, string> {
  const ours = ([path]: [string, string]) => /^(?:\.well-known\/resourcesync$|resourcesync\/)/.test(path);
  return Object.fromEntries(Object.entries(readTree(site)).filter(ours));
}

/** The lists that are closed, by path, and what they were written with. */
export interface ClosedLists {
  options: string;
  lists: Readonly<Record<string, string>>;
}

/** Throws if a closed list has changed while the options are the same. */
export function checkClosed(site: string, former: ClosedLists, options: string): void {
  const isClosed = ([path, text]: [string, string]) =>
    /\/changelist-\d[^/]*\.xml$/.test(path) && / until="/.test(text.split('<url>')[0] ?? '');
  const lists = Object.fromEntries(Object.entries(readDocuments(site)).filter(isClosed));
  for (const [path, text] of Object.entries(lists)) {
    const before = former.options === options ? former.lists[path] : undefined;
    if (before !== undefined && before !== text) throw new Error(`${path} was closed, and has changed`);
  }
  Object.assign(former, { options, lists });
}
