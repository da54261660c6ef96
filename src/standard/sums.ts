/** `SHA256SUMS`: the digests of the documents of a Source, as `sha256sum` writes and checks them. This file is signed. Pure. */

import { parseDatetime } from '../base/datetime.js';
import { getOrInsert } from '../base/group.js';
import { matchGroups } from '../base/text/match.js';
import { say, type Words } from '../base/text/say.js';
import { decodeUtf8 } from '../base/text/utf8.js';

/** Limit of a `SHA256SUMS` in bytes, for writing and for reading: enough for about 500,000 documents. */
export const SUMS_BYTES = 64_000_000;

export interface Sums {
  /** The newest moment of all sets, in the first line, which `sha256sum` ignores. Mirrors refuse an older one. Undefined if missing. */
  readonly moment?: string | undefined;
  /** SHA-256 of each document, lower-case hexadecimal, by path: relative to the site, not percent-encoded. */
  readonly digests: ReadonlyMap<string, string>;
  /** Public keys (`ssh-ed25519 AAAA…`) of the sets that other builds describe, by the URL of the Capability List. */
  readonly signers: ReadonlyMap<string, readonly string[]>;
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r' };
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\', n: '\n', r: '\r' };

/** Writes a `SHA256SUMS` in a fixed order: the moment, the keys of other builds, then files in the order of their paths. */
export function renderSums({ moment, digests, signers }: Sums): string {
  const byKey = <T>([a]: readonly [string, T], [b]: readonly [string, T]) => (a < b ? -1 : 1);
  const others = [...signers]
    .sort(byKey)
    .flatMap(([uri, keys]) => [...keys].sort().map((key) => `# ${uri} ${key}\n`));
  const lines = [...digests].sort(byKey).map(([path, digest]) => {
    const name = path.replace(/[\\\n\r]/g, (character) => ESCAPES[character] as string);
    return `${name === path ? '' : '\\'}${digest}  ${name}\n`;
  });
  const first = moment === undefined ? [] : [`# moment ${moment}\n`];
  return [...first, ...others, ...lines].join('');
}

const LINE = /^(\\?)([\da-f]{64}) {2}([^\r]+)$/;
const MOMENT = /^# moment (\S{1,40})$/;
const SIGNER = /^# (https?:\/\/[!-~]+) ([\w.@-]+ [\w+/]+={0,2})$/;

/**
 * Reads a `SHA256SUMS` strictly: refuses other line breaks or digests, empty lines, and paths that repeat or leave the site.
 * @returns the mistake in words, if there is one
 */
export function parseSums(bytes: Uint8Array): Sums | Words {
  if (bytes.length > SUMS_BYTES) return say`it has more than ${SUMS_BYTES} bytes`;
  const text = decodeUtf8(bytes);
  if (text === undefined) return say`it is not UTF-8`;
  if (!text.endsWith('\n')) return say`it does not end with a line break`;
  const digests = new Map<string, string>();
  const signers = new Map<string, string[]>();
  let moment: string | undefined;
  for (const [index, line] of text.slice(0, -1).split('\n').entries()) {
    const number = index + 1;
    const [, written] = (number === 1 && MOMENT.exec(line)) || [];
    if (written !== undefined && parseDatetime(written) !== undefined) {
      moment = written;
      continue;
    }
    const [, uri, key] = matchGroups(SIGNER, line);
    if (uri !== undefined && key !== undefined) {
      getOrInsert(signers, uri, () => []).push(key);
      continue;
    }
    const [, mark, digest, name] = matchGroups(LINE, line);
    const path = name === undefined ? undefined : mark === '' ? name : unescapeName(name);
    if (digest === undefined || path === undefined)
      return say`line ${number} is not in the format of sha256sum: ${line.slice(0, 200)}`;
    if (!staysInside(path)) return say`line ${number} names a path outside of the site: ${path}`;
    if (digests.has(path)) return say`line ${number} names a file again: ${path}`;
    digests.set(path, digest);
  }
  return { moment, digests, signers };
}

/** Decodes the escapes in the name of a file; returns undefined if `sha256sum` would not write it so. */
function unescapeName(name: string): string | undefined {
  if (!/^(?:[^\\]|\\[\\nr])*$/.test(name) || !name.includes('\\')) return undefined;
  return name.replace(/\\(.)/g, (_, character: string) => ESCAPED[character] ?? '');
}

function staysInside(path: string): boolean {
  return path.split('/').every((segment) => !/^\.{0,2}$|\0/.test(segment));
}
