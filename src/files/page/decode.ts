/** Finds the encoding of a page, and decodes it, as browsers do. Pure. */

import { isUtf8 } from 'node:buffer';
import { unlessThrown } from '../../base/errors.js';

export interface PageEncoding {
  /** Name of the encoding, as in `TextDecoder`. */
  readonly name: string;
  /** True if the bytes are valid UTF-8 and are read as such, so that they can be edited as text. */
  readonly isUtf8: boolean;
  /** True if a byte order mark names the encoding. */
  readonly isMarked: boolean;
  /** The declared encoding if this Node.js does not know it, so that the page is read as windows-1252. */
  readonly unknown?: string;
}

/** Number of bytes in which browsers look for a declaration of the encoding. */
const DECLARED_WITHIN = 1024;
const COMMENTS = /<!--.*?-->/gs;
/** Pattern up to the `charset` in the `content` of a `<meta http-equiv>`. */
const IN_CONTENT = String.raw`(?=[^>]*?http-equiv\s*=\s*["']?content-type)[^>]*?`;
/** Pattern up to an attribute `charset`, with all attributes and values before it. */
const AS_ATTRIBUTE = `(?:[^>"']|"[^"]*"|'[^']*')*?`;
const CHARSET = String.raw`charset\s*=\s*["']?\s*([^\s"'/;>]+)`;
const DECLARED = new RegExp(String.raw`<meta[\s/](?:${IN_CONTENT}|${AS_ATTRIBUTE})${CHARSET}`, 'i');

/**
 * Finds the encoding of a page by byte order mark or declaration; else UTF-8 if valid, or windows-1252. A page that declares
 * UTF-8 but is not valid is read as windows-1252, too, so that wrong bytes stay different.
 */
export function findEncoding(bytes: Uint8Array): PageEncoding {
  const marked = findMark(bytes);
  if (marked !== undefined && marked !== UTF_8) return { name: marked, isUtf8: false, isMarked: true };
  const isMarked = marked !== undefined;
  const label = isMarked ? UTF_8 : (readDeclared(bytes)?.toLowerCase() ?? UTF_8);
  const name = label === UTF_8 ? label : unlessThrown(() => new TextDecoder(label).encoding, RangeError);
  if (name === undefined) return { name: LEGACY, isUtf8: false, isMarked, unknown: label };
  // A page whose declaration can be read as ASCII is not in UTF-16, whatever it declares.
  if (!name.startsWith('utf-')) return { name, isUtf8: false, isMarked };
  const isValid = isUtf8(bytes);
  return { name: isValid || isMarked ? UTF_8 : LEGACY, isUtf8: isValid, isMarked };
}

const UTF_8 = 'utf-8';
const LEGACY = 'windows-1252';

function findMark([first, second, third]: Uint8Array): typeof UTF_8 | 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xef && second === 0xbb && third === 0xbf ? UTF_8 : undefined;
}

function readDeclared(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, DECLARED_WITHIN));
  const text = start.toString('latin1');
  return DECLARED.exec(text.includes('<!--') ? text.replace(COMMENTS, '') : text)?.[1];
}

/** Decodes a page, or the beginning of a page, and drops the byte order mark. Never throws. */
export function decode(bytes: Uint8Array, { name, isMarked }: PageEncoding): string {
  if (name === UTF_8) {
    const start = isMarked ? 3 : 0;
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, bytes.length - start).toString();
  }
  // Decodes as a stream; otherwise Node takes windows-1252 for Latin-1, where quotation marks, dashes and the euro sign are controls.
  return new TextDecoder(name).decode(bytes, { stream: name === LEGACY });
}
