/** Whether a TimeMap tells of the versions that changes link to what the changes tell (§14.6, RFC 7089 §5). Pure. */

import { readLinkHeader } from '../../source/web/link-header.js';
import type { Flag } from '../../standard/rules/checks.js';
import { compareFacts } from './differences.js';

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
 * Compares a TimeMap with the changes that link to it: until the next change, it must not lead to other bytes.
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
    while ((named[next]?.time ?? Number.POSITIVE_INFINITY) < until) next++;
    const last = named[next - 1];
    if (last === undefined || compareFacts(bytesOf(last.version), bytesOf(version))?.contradiction !== true)
      continue;
    flag('timemap-differs', {
      document,
      entry: version.resource,
      found: `${last.version.href} of ${last.datetime}`,
      expected: `${version.href} of ${new Date(time).toUTCString()}`,
    });
  }
}

function bytesOf({ hash, length }: ToldVersion) {
  return { hash, length, type: undefined, encoding: undefined };
}
