/** Whether bytes are those that are listed (§7). Pure. */

import type { ListedFacts } from '../standard/xml/as-read.js';
import { algorithmsOf } from './listed.js';
import type { Bytes } from './origin/origin.js';
import type { Entry } from './sets/entry.js';

/** Compares bytes alone, such as those of a package; returns whether they are those that are listed. */
export function compareDigests(
  listed: ListedFacts,
  { length, more, hex }: Bytes,
  tell: TellDifference,
): boolean {
  const names = algorithmsOf(listed);
  // Nearly always all is as listed: then nothing has to be taken apart.
  const digested = names.map((name) => `${name}:${hex(name)}`).join(' ');
  if (!more && digested === listed.hash && Number(listed.length) === length) return true;
  const digests = digestsByName(listed.hash);
  for (const name of more ? [] : names) {
    const [found, expected] = [hex(name), digests.get(name)];
    if (found === expected) continue;
    tell('hash-differs', {
      found: `${name}:${found} (${length} bytes)`,
      expected: `${name}:${expected}`,
    });
    return false;
  }
  if (listed.length !== undefined && Number(listed.length) !== length) {
    tell('length-differs', {
      found: more ? `more than ${listed.length}` : `${length}`,
      expected: listed.length,
    });
    return false;
  }
  return !more;
}

/** Is told what is wrong with bytes. */
export type TellDifference = (
  code: 'hash-differs' | 'length-differs',
  difference: { readonly found: string; readonly expected: string },
) => void;

/** The digests of a `hash` attribute by the names of their algorithms, in lower case (§7). */
export function digestsByName(hash: string | undefined): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const token of hash?.split(/\s+/) ?? []) {
    const colon = token.indexOf(':');
    if (colon > 0) digests.set(token.slice(0, colon), token.slice(colon + 1).toLowerCase());
  }
  return digests;
}

/** What is wrong with bytes; undefined where they are as listed. */
export function findMismatch(entry: Entry, bytes: Bytes): string | undefined {
  let problem: string | undefined;
  const isRight = compareDigests(entry, bytes, (_, { found, expected }) => {
    problem = `it is ${found}, but ${expected} is listed`;
  });
  if (isRight) return undefined;
  return problem ?? 'it is longer than listed';
}
