/** Chooses samples, and compares received bytes with what is listed (§7). Pure, but for the choice of a sample. */

import type { Rows } from '../../base/columns/rows.js';
import { compareBytes, type ListedResource } from '../../source/listed.js';
import type { Bytes, Digested } from '../../source/origin/origin.js';
import type { Finding, Flag } from '../../standard/rules/checks.js';
import type { ListedFacts } from '../../standard/xml/as-read.js';
import type { ResolvedAudit } from '../options.js';

/** Chooses the items to check: all, those that changed since `since`, or a sample of either. */
export function choose<T>(
  { since, sample }: ResolvedAudit,
  all: readonly T[],
  timeOfOne: (one: T) => Date | undefined,
): readonly T[] {
  const recent = since === undefined ? all : all.filter((one) => isRecent(timeOfOne(one), since));
  if (sample === undefined) return recent;
  return chooseSome('count' in sample ? sample.count : Math.ceil(recent.length * sample.share), recent);
}

/** Returns whether a time is not before `since`; true for an unknown time. */
export function isRecent(time: Date | undefined, since: Date): boolean {
  return time === undefined || time >= since;
}

/** Chooses `count` items at random, and keeps their order. Later runs choose others, so that in time all are checked. */
export function chooseSome<T>(count: number, all: Rows<T>): readonly T[] {
  let wanted = Math.min(all.length, count);
  const chosen: T[] = [];
  for (let index = 0; index < all.length && wanted > 0; index++) {
    if (Math.random() * (all.length - index) >= wanted) continue;
    wanted--;
    chosen.push(all.at(index) as T);
  }
  return chosen;
}

/** Other names of media types, with the name that is compared (RFC 7303, RFC 8081, RFC 9239, and that of a favicon). */
const SAME_TYPES: ReadonlyMap<string, string> = new Map([
  ['text/xml', 'application/xml'],
  ['application/javascript', 'text/javascript'],
  ['application/x-javascript', 'text/javascript'],
  ['image/x-icon', 'image/vnd.microsoft.icon'],
  ['application/font-woff', 'font/woff'],
  ['application/x-font-woff', 'font/woff'],
  ['application/font-woff2', 'font/woff2'],
  ['application/x-font-ttf', 'font/ttf'],
  ['application/x-font-otf', 'font/otf'],
]);

function normalizeType(type: string): string {
  const [essence = ''] = type.toLowerCase().split(';');
  return SAME_TYPES.get(essence.trim()) ?? essence.trim();
}

/** Compares an answer with what is listed: its redirects, type, encoding and bytes. */
export function compareAnswer(listed: ListedResource, answer: Digested, flag: Flag): void {
  const { document, line, uri: entry, type, encoding } = listed;
  const place = { document, line, entry };
  const last = answer.redirects.at(-1);
  if (last !== undefined) flag('redirected', { ...place, found: last });
  if (type !== undefined && answer.type !== undefined && normalizeType(type) !== normalizeType(answer.type)) {
    flag('type-differs', { ...place, found: answer.type, expected: type });
  }
  if (encoding !== answer.encoding && (encoding !== undefined || answer.encoding !== undefined)) {
    const none = 'none';
    flag('encoding-differs', { ...place, found: answer.encoding ?? none, expected: encoding ?? none });
  }
  flagDifference(listed, answer, place, flag);
}

/** Reports bytes that are not as listed. @param place of the listed facts */
export function flagDifference(listed: ListedFacts, bytes: Bytes, place: Finding, flag: Flag): void {
  const { code, ...said } = compareBytes(listed, bytes) ?? {};
  if (code !== undefined) flag(code, { ...place, ...said });
}
