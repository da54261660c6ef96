/** Names files in a package so that it can be unpacked on any system. Pure. */

import { hashText } from '../base/columns/keys.js';
import { foldersOf } from './folders.js';

/** Limit of a path in a package: Windows allows 260 characters, with the folder where it is unpacked. */
const NAME_LENGTH = 160;

const SEGMENT_LENGTH = 80;

/** Characters that Windows, macOS, XML or a shell do not accept in a name. */
const CHARACTER = String.raw`[\0-\x1f\x7f<>:"\\|?*\p{Noncharacter_Code_Point}]`;
/** Beginnings and ends of names that Windows, macOS or a shell do not accept; a leading `~` is reserved for names that we make. */
const EDGE = '^~|(?:^|/)[ .]|[ .](?:/|$)';
const UNSAFE = new RegExp(`${CHARACTER}|${EDGE}`, 'u');

/** Names of ports on Windows, which takes a superscript digit for a digit. */
const NUMBERED = String.raw`(?:com|lpt)[\d\u00b9\u00b2\u00b3]`;
export const DEVICE = new RegExp(
  String.raw`(?:^|/)(?:con|prn|aux|nul|conin\$|conout\$|${NUMBERED})(?:[./]|$)`,
  'i',
);

/**
 * Names files in a package: as in the site if every file system allows that, or else by a digest of the path, at the top. Thus
 * they are safe to unpack even where case and composition do not count. @param paths distinct @returns pairs of path and name
 */
export function nameBitstreams(paths: readonly string[]): [path: string, name: string][] {
  const clashes = findClashes(paths);
  return paths.map((path) => [path, isPlain(path) && !clashes(path) ? path : makeOpaqueName(path)]);
}

function isPlain(path: string): boolean {
  return (
    path.length <= NAME_LENGTH &&
    !UNSAFE.test(path) &&
    !DEVICE.test(path) &&
    path.normalize('NFC') === path &&
    path.split('/').every((segment) => segment !== '' && segment.length <= SEGMENT_LENGTH)
  );
}

function makeOpaqueName(path: string): string {
  const digest = [0, 1, 2].map((seed) => hashText(path, seed).toString(16).padStart(8, '0')).join('');
  const extension = /\.[a-z0-9]{1,10}$/i.exec(path)?.[0] ?? '';
  return `~${digest}${extension}`;
}

/** Creates a test for paths at, or below, a name that differs from another only in case or composition. */
function findClashes(paths: readonly string[]): (path: string) => boolean {
  const spelled = new Map<string, string>();
  const clashing = new Set<string>();
  for (const path of paths) {
    for (const name of namesAlong(path)) {
      const key = foldName(name);
      const other = spelled.get(key);
      if (other === undefined) spelled.set(key, name);
      else if (other !== name) clashing.add(key);
    }
  }
  if (clashing.size === 0) return () => false;
  return (path) => namesAlong(path).some((name) => clashing.has(foldName(name)));
}

/** Lists the folders that a path is in, and the path: `a/b/c` → `a`, `a/b`, `a/b/c`. */
function namesAlong(path: string): string[] {
  return [...foldersOf(path), path];
}

/** Folds case and composition of a name. Lower case twice: some characters have a partner in one direction only. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase().toUpperCase().toLowerCase().normalize('NFC');
}
