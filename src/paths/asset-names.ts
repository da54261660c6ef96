/** Finds the hashes of contents that bundlers put into the names of files. */

import { matchGroups } from '../base/text/match.js';

export const MASK = '…';

/** Confidence that a piece of a file name is a hash: if `weak`, it may also be a word in camel case, or a date. */
export type HashStrength = 'strong' | 'weak';

/** A name of a file, taken apart: `index-`, `B3xKq9Zd`, `.js`. */
interface HashedName {
  readonly head: string;
  readonly hash: string;
  readonly tail: string;
  readonly strength: HashStrength;
}

/** Matches the extensions of a file name, one or several: `.lean.js`, `.min.css.map`. Hashes are too long to match. */
const TAIL = /(?:\.(?:[a-z][a-z\d]{0,5}|webmanifest))+$/i;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Matches a hash of Rollup, Vite or esbuild at the end of a name: 8 characters of base64url, which may be separators, too. */
const EIGHT = /^(?:(.*[-._~]))?([\w-]{8})$/s;
/** Matches a hash of other bundlers at the end of a name, which is longer or hexadecimal. */
const LAST = /^(?:(.*[-._~]))?([a-z\d]{6,64})$/is;
/** Limit of the length of a file name; file systems allow 255 bytes. */
const NAME_LIMIT = 255;

/** Splits a file name at its hash; returns undefined if there is none in it. */
export function splitHashedName(name: string): HashedName | undefined {
  if (name.length > NAME_LIMIT) return undefined;
  const tail = TAIL.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - tail.length);
  if (UUID.test(stem)) return { head: '', hash: stem, tail, strength: 'strong' };
  for (const pattern of [EIGHT, LAST]) {
    const [, head = '', hash = ''] = matchGroups(pattern, stem);
    const strength = judgeHash(hash);
    if (strength !== undefined) return { head, hash, tail, strength };
  }
  return undefined;
}

export function judgeHash(token: string): HashStrength | undefined {
  const digits = /\d/.test(token);
  const letters = /[a-z]/i.test(token);
  if (token.length < 7) return undefined;
  if (/^[\da-f]+$/i.test(token)) {
    if (digits && letters) return 'strong';
    return digits && token.length >= 8 ? 'weak' : undefined;
  }
  const upper = /[A-Z]/.test(token);
  const lower = /[a-z]/.test(token);
  if (token.length < 8) return undefined;
  const turns = countTurns(token);
  if (digits && letters) {
    if (turns >= 4 || (turns >= 3 && upper)) return 'strong';
    return upper && (turns >= 2 || token.length === 8) ? 'weak' : undefined;
  }
  if (!upper || token.length !== 8) return undefined;
  // A quarter of the hashes of Vite have no digit, and an eighth of those of esbuild, which are in capitals.
  if (!lower) return /^[A-Z]+$/.test(token) ? 'weak' : undefined;
  return turns >= 4 ? 'strong' : 'weak';
}

/** Kinds of characters in a name; all other characters are separators. */
const KINDS = [/[a-z]/, /[A-Z]/, /\d/];

function countTurns(token: string): number {
  let turns = 0;
  let former: number | undefined;
  for (const character of token) {
    const kind = KINDS.findIndex((pattern) => pattern.test(character));
    if (former !== undefined && kind !== former) turns++;
    former = kind;
  }
  return turns;
}

/** Matches the extension of an asset, and no extension of a page: pages may have names that look like hashes. */
const ASSET = /\.(?!html?$|xhtml$|php$)[a-z\d]+$/i;

/** Masks the hash in a link to an asset: with another hash, the link still means the same asset. */
export function maskLink(href: string): string {
  const end = href.search(/[?#]/);
  const path = end < 0 ? href : href.slice(0, end);
  const start = path.lastIndexOf('/') + 1;
  const split = ASSET.test(path) ? splitHashedName(path.slice(start)) : undefined;
  if (split === undefined || (split.strength === 'weak' && /^\d+$/.test(split.hash))) return href;
  return `${path.slice(0, start)}${split.head}${MASK}${split.tail}${href.slice(path.length)}`;
}
