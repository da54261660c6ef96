/** Checks facts of representations: digests, length, media type (§7). Pure. */

import type { FlagHere } from '../../standard/rules/checks.js';
import type { AttributeName, ReadElement } from '../../standard/xml/as-read.js';

/** Numbers of hexadecimal digits in a digest, by algorithm. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['md5', 32],
  ['sha-256', 64],
  ['sha-512', 128],
]);

export function checkFacts({ hash, length, type }: ReadElement['attributes'], flag: FlagHere): void {
  if (length !== undefined && !/^\d{1,15}$/.test(length)) flag('length-invalid', { found: length });
  if (type !== undefined && !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;.*)?$/.test(type))
    flag('type-invalid', { found: type });
  if (hash !== undefined) checkHash(hash, flag);
}

function checkHash(hash: string, flag: FlagHere): void {
  for (const token of hash.split(/\s+/).filter(Boolean)) {
    const colon = token.indexOf(':');
    const [name, digest] = [token.slice(0, Math.max(0, colon)), token.slice(colon + 1)];
    const expected = DIGEST_LENGTHS.get(name);
    if (name === '' || !/^(?:[\da-f]{2})+$/i.test(digest)) {
      flag('hash-invalid', { found: token, expected: 'such as md5:, then hexadecimal digits' });
    } else if (expected === undefined) flag('hash-unknown', { found: name });
    else if (digest.length !== expected) {
      flag('hash-invalid', { found: `${name} of ${digest.length} digits`, expected: `${expected} digits` });
    }
  }
  if (hash.trim() === '') flag('hash-invalid', { found: 'nothing' });
}

/** Reports attributes of an `<rs:md>` that the standard defines for other elements only. */
export function checkPlaced(
  md: ReadElement | undefined,
  allowed: readonly AttributeName[],
  flag: FlagHere,
): void {
  for (const name in md?.attributes) {
    if (!allowed.includes(name as AttributeName))
      flag('attribute-misplaced', { line: md?.line, found: `rs:md@${name}` });
  }
}
