/** Looks at the beginning of a page while its bytes are in memory for other reasons. Imports next to nothing: threads load it. */

import { isUtf8 } from 'node:buffer';
import type { Seen, Wanted } from '../wishes.js';
import { scanHead } from './scan.js';

/** A page is looked at as far as this, in bytes. */
export const LOOK_BYTES = 256 * 1024;

export const UNSURE = '?';

const ATTRIBUTES = ['name', 'content', 'charset', 'http-equiv', 'rel', 'href', 'type'];
/** Neither stands in a value that the scanner reads. */
const [BETWEEN, AFTER] = ['\0', '\r'];

/** What a `<meta>` has that matters, in the order of how often. */
const WORDS = ['charset', 'noindex', '&', 'none', 'http-equiv'];

/** Several times as fast as a regular expression. */
function mayMatter(tag: string): boolean {
  const lower = tag.toLowerCase();
  // Letters may also be written as numbers.
  return WORDS.some((word) => lower.includes(word));
}

/** Makes a function that looks at the beginning of a page. */
export function makeLook({ relations }: Wanted): (page: Uint8Array) => Seen {
  const wanted = new Set(relations);
  const isOfUse = (name: string, tag: string) => (name === 'meta' ? mayMatter(tag) : wanted.size > 0);
  return (page) => {
    const bytes = Buffer.from(page.buffer, page.byteOffset, Math.min(page.length, LOOK_BYTES));
    const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
    const elements = scanHead(bytes.toString('latin1', hasMark ? 3 : 0), isOfUse);
    if (elements === undefined) return UNSURE;
    const rows: string[] = [];
    let matters = false;
    for (const { nodeName, attrs } of elements) {
      const find = (name: string) => attrs.find((one) => one.name === name)?.value ?? '';
      if (nodeName === 'link') {
        const rels = find('rel').toLowerCase().split(/\s+/);
        if (!rels.some((rel) => wanted.has(rel))) continue;
        matters = true;
      } else if (nodeName === 'meta') {
        const robots = /noindex|none/i.test(find('content'));
        if (!robots && !attrs.some(({ name }) => name === 'charset' || name === 'http-equiv')) continue;
        matters ||= robots;
      }
      const kept = attrs.filter(({ name }) => ATTRIBUTES.includes(name));
      rows.push([nodeName, ...kept.flatMap(({ name, value }) => [name, value])].join(BETWEEN));
    }
    return matters ? [judgeEncoding(bytes, hasMark), ...rows].join(AFTER) : undefined;
  };
}

/** A head that was looked at. */
export interface SeenHead {
  /** `marked` where a byte order mark says so. */
  readonly encoding: 'marked' | 'utf-8' | 'other';
  readonly elements: readonly {
    readonly nodeName: string;
    readonly attrs: readonly { readonly name: string; readonly value: string }[];
  }[];
}

export function unpack(seen: string): SeenHead {
  const [encoding = '', ...rows] = decode(seen).split(AFTER);
  return {
    encoding: encoding === 'marked' || encoding === 'utf-8' ? encoding : 'other',
    elements: rows.map((row) => {
      const [nodeName = '', ...values] = row.split(BETWEEN);
      const attrs: { name: string; value: string }[] = [];
      for (let index = 0; index < values.length; index += 2) {
        attrs.push({ name: values[index] ?? '', value: values[index + 1] ?? '' });
      }
      return { nodeName, attrs };
    }),
  };
}

/** A page that is in UTF-8 was read as bytes, a character each. */
function decode(seen: string): string {
  return /[^\0-\x7f]/.test(seen) && !seen.startsWith('other') ? Buffer.from(seen, 'latin1').toString() : seen;
}

/** UTF-16 is never valid UTF-8 with a byte order mark, and full of NUL without. */
export function judgeEncoding(bytes: Uint8Array, hasMark: boolean): SeenHead['encoding'] {
  if (bytes.includes(0) || !isUtf8(trimCharacter(bytes))) return 'other';
  return hasMark ? 'marked' : 'utf-8';
}

/** The end of what is looked at may be in the middle of a character. */
function trimCharacter(bytes: Uint8Array): Uint8Array {
  if (bytes.length < LOOK_BYTES) return bytes;
  let end = bytes.length;
  while (end > bytes.length - 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
