/** Versions and patches that changes link to besides their resources (§14.4, §14.6, RFC 7089 §5). Pure. */

import { parseDatetime } from '../../base/datetime.js';
import { copyText, type ListedResource, ResourceCopier, toFacts } from '../../source/listed.js';
import { readLinkHeader } from '../../source/web/link-header.js';
import { PATCH } from '../../standard/namespaces.js';
import type { CheckCode, Flag } from '../../standard/rules/checks.js';
import { timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { compareFacts, withoutTimeOfSame } from './differences.js';

/** Bytes at an address of their own that a change links to. */
export interface LinkedBytes extends ListedResource {
  /** The code for one that is not there. */
  readonly missing: Extract<CheckCode, 'version-missing' | 'patch-missing'>;
}

/** Lists what the changes of a document link to, and tells of versions that are not those of their changes. */
export function listChangeLinks(document: string, { entries }: ReadDocument, flag: Flag) {
  const copier = new ResourceCopier();
  const bytes: LinkedBytes[] = [];
  /** Lists of versions, where they are linked, and what the change says, if it says enough. */
  const timeMaps: { uri: string; line: number; told: ToldVersion | undefined }[] = [];
  for (const entry of entries) {
    for (const link of entry.links) {
      const { line, attributes } = link;
      const { rel, href, modified: lastmod } = attributes;
      if (href === undefined) continue;
      const own = { uri: href, document, line, lastmod, ...toFacts({ md: link }) };
      if (rel === 'timemap') timeMaps.push({ uri: copyText(href), line, told: readTold(entry) });
      if (rel === 'memento') checkVersion(entry, own, flag);
      // Without a digest there is nothing to compare.
      if (own.hash === undefined) continue;
      if (rel === 'memento') bytes.push({ ...copier.copy(own), missing: 'version-missing' });
      // Hosts have no media type for most kinds of patches.
      if (rel === PATCH)
        bytes.push({ ...copier.copy({ ...own, type: undefined }), missing: 'patch-missing' });
    }
  }
  return { bytes, timeMaps };
}

/** The version that a change links to, and when it was published. */
function readTold(entry: ReadEntry): ToldVersion | undefined {
  const memento = entry.links.find(({ attributes }) => attributes.rel === 'memento')?.attributes;
  const time = timeOf(entry, 'datetime') ?? parseDatetime(entry.lastmod ?? '');
  if (memento?.href === undefined || entry.loc === undefined || time === undefined) return undefined;
  const { href, hash, length } = memento;
  return {
    resource: copyText(entry.loc),
    href: copyText(href),
    time: time.getTime(),
    hash: hash && copyText(hash),
    length: length && copyText(length),
  };
}

/** §14.6: it is the version that corresponds with the time of last modification; its bytes may be older (example 29). */
function checkVersion(entry: ReadEntry, version: ListedResource, flag: Flag): void {
  const change = { ...toFacts(entry), lastmod: entry.lastmod };
  const difference = compareFacts(...withoutTimeOfSame(version, change));
  if (difference?.contradiction !== true) return;
  const { document, line } = version;
  flag('version-differs', { document, line, entry: entry.loc, ...difference });
}

/** A version that a change links to. */
export interface ToldVersion {
  /** URI of what was changed. */
  readonly resource: string;
  readonly href: string;
  /** When it was published, in milliseconds since 1970. */
  readonly time: number;
  readonly hash: string | undefined;
  readonly length: string | undefined;
}

/**
 * Compares a TimeMap with the changes that link to it: from a change to the next one, it must not lead to other bytes. What it
 * names of before counts where it names nothing in between.
 *
 * Only of versions that changes link to is it known which bytes they have; of what an archive elsewhere has captured,
 * nothing is said.
 */
export function compareTimeMap(
  document: string,
  text: string,
  told: readonly ToldVersion[],
  flag: Flag,
): void {
  const links = readLinkHeader(text, document);
  // The rest is in others.
  if (links.some(({ href, rels }) => rels.includes('timemap') && href !== document)) return;
  const known = new Map(told.map((version) => [version.href, version]));
  const named = links.flatMap(({ href, rels, datetime = '' }) => {
    const version = known.get(href);
    const time = Date.parse(datetime);
    return version === undefined || !rels.includes('memento') || Number.isNaN(time)
      ? []
      : [{ version, time, datetime }];
  });
  named.sort((a, b) => a.time - b.time);
  const changes = [...new Map(told.map((version) => [version.time, version])).entries()].sort(
    ([a], [b]) => a - b,
  );
  let next = 0;
  for (const [index, [time, version]] of changes.entries()) {
    const until = changes[index + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const begin = next;
    while ((named[next]?.time ?? Number.POSITIVE_INFINITY) < until) next++;
    const within = named.slice(begin, next).filter((one) => one.time >= time);
    const isOther = (one: { readonly version: ToldVersion }) =>
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

function bytesOf({ hash, length }: ToldVersion) {
  return { hash, length, type: undefined, encoding: undefined };
}
