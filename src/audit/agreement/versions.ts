/** Checks the versions and patches that changes link to (§14.4, §14.6, RFC 7089 §5). Pure. */

import { copyText, type ListedResource, makeListed, readLastmod, toFacts } from '../../source/listed.js';
import { readLinkHeader } from '../../source/web/link-header.js';
import { PATCH } from '../../standard/namespaces.js';
import type { CheckCode, Flag } from '../../standard/rules/checks.js';
import { timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { compareFacts, withoutTimeOfSame } from './differences.js';

export interface LinkedBytes extends ListedResource {
  /** Code of the finding if the version or patch is missing. */
  readonly missing: Extract<CheckCode, 'version-missing' | 'patch-missing'>;
}

interface LinkedTimeMap {
  readonly uri: string;
  readonly line: number;
  /** Version that the change links to beside the TimeMap; undefined if its URL, resource or time is missing. */
  readonly version: NamedVersion | undefined;
}

/** Lists the versions, patches and TimeMaps that changes link to. Reports versions that contradict their changes. */
export function listChangeLinks(
  document: string,
  { entries }: ReadDocument,
  flag: Flag,
): { readonly bytes: readonly LinkedBytes[]; readonly timeMaps: readonly LinkedTimeMap[] } {
  const bytes: LinkedBytes[] = [];
  const timeMaps: LinkedTimeMap[] = [];
  for (const entry of entries) {
    for (const link of entry.links) {
      const { line, attributes } = link;
      const { rel, href, modified: lastmod } = attributes;
      const own = makeListed({ loc: href, line, lastmod, md: link }, document);
      if (href === undefined || own === undefined) continue;
      if (rel === 'timemap') timeMaps.push({ uri: copyText(href), line, version: readVersion(entry) });
      if (rel === 'memento') checkVersion(entry, own, flag);
      // Linked bytes without a digest are left out: there is nothing to compare.
      if (own.hash === undefined) continue;
      if (rel === 'memento') bytes.push({ ...structuredClone(own), missing: 'version-missing' });
      // The media type of a patch is not compared: hosts have none for most kinds of patches.
      if (rel === PATCH) bytes.push({ ...structuredClone(own), type: undefined, missing: 'patch-missing' });
    }
  }
  return { bytes, timeMaps };
}

/** Reads the version that a change links to; undefined if its URL, resource or time is missing. */
function readVersion(entry: ReadEntry): NamedVersion | undefined {
  const memento = entry.links.find(({ attributes }) => attributes.rel === 'memento')?.attributes;
  const time = timeOf(entry, 'datetime') ?? readLastmod(entry.lastmod);
  if (memento?.href === undefined || entry.loc === undefined || time === undefined) return undefined;
  const { href, hash, length } = memento;
  return structuredClone({ resource: entry.loc, href, time: time.getTime(), hash, length });
}

/** Reports a version that contradicts its change (§14.6). A version with the same bytes may be older (example 29). */
function checkVersion(entry: ReadEntry, version: ListedResource, flag: Flag): void {
  const change = { ...toFacts(entry), lastmod: entry.lastmod };
  const difference = compareFacts(...withoutTimeOfSame(version, change));
  if (difference?.contradiction !== true) return;
  const { document, line } = version;
  flag('version-differs', { document, line, entry: entry.loc, ...difference });
}

export interface NamedVersion {
  /** URI of the resource that changed. */
  readonly resource: string;
  readonly href: string;
  /** Datetime of the change, or else its `lastmod`, in milliseconds since 1970. */
  readonly time: number;
  readonly hash: string | undefined;
  readonly length: string | undefined;
}

/**
 * Compares a TimeMap with the changes that link to it: versions dated between two changes must have the bytes of the former;
 * if there are none, the last version before must. Versions that no change links to are ignored.
 */
export function compareTimeMap(
  document: string,
  text: string,
  versions: readonly NamedVersion[],
  flag: Flag,
): void {
  const links = readLinkHeader(text, document);
  // A TimeMap in parts is not compared.
  if (links.some(({ href, rels }) => rels.includes('timemap') && href !== document)) return;
  const known = new Map(versions.map((version) => [version.href, version]));
  const named = links.flatMap(({ href, rels, datetime = '' }) => {
    const version = known.get(href);
    const time = Date.parse(datetime);
    return version === undefined || !rels.includes('memento') || Number.isNaN(time)
      ? []
      : [{ version, time, datetime }];
  });
  named.sort((a, b) => a.time - b.time);
  const changes = [...new Map(versions.map((version) => [version.time, version])).entries()].sort(
    ([a], [b]) => a - b,
  );
  let next = 0;
  for (const [index, [time, version]] of changes.entries()) {
    const until = changes[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const begin = next;
    while ((named[next]?.time ?? Number.POSITIVE_INFINITY) < until) next++;
    const within = named.slice(begin, next).filter((one) => one.time >= time);
    const isOther = (one: { readonly version: NamedVersion }) =>
      compareFacts(bytesOf(one.version), bytesOf(version))?.contradiction === true;
    const wrong = (within.length === 0 ? named.slice(0, next).slice(-1) : within).find(isOther);
    if (wrong === undefined) continue;
    flag('timemap-differs', {
      document,
      entry: version.resource,
      found: `${wrong.version.href} of ${wrong.datetime}`,
      expected: `${version.href} of ${new Date(time).toUTCString()}`,
    });
  }
}

function bytesOf({ hash, length }: NamedVersion) {
  return { hash, length, type: undefined, encoding: undefined };
}
