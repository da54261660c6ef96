/** Reads bytes as text. Pure. */

import { unlessThrown } from '../errors.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** With its byte order mark, if it has one; undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return unlessThrown(() => UTF_8.decode(bytes), TypeError);
}

/** Decodes a text, as UTF-8 or, where it is none, byte by byte as older pages were written. Never throws. */
export function decodeText(bytes: Uint8Array): string {
  return decodeUtf8(bytes) ?? decodeLatin(bytes);
}

/** In the first bytes of a page, where browsers look for it. */
const DECLARED = /<meta\s[^>]*charset\s*=\s*["']?\s*([\w-]+)/i;
const DECLARED_WITHIN = 1024;

/**
 * Decodes a page as browsers do: by its byte order mark; or as UTF-8, where it is that; or else as it says, or as older pages were
 * written. Never throws.
 */
export function decodePage(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  const text = decodeUtf8(bytes);
  // Of the encodings that have the bytes of ASCII alone, one shifts by escapes.
  if (text?.includes('\x1b') === false) return text.replace(/^\ufeff/, '');
  const [, label = ''] = DECLARED.exec(decodeLatin(bytes.subarray(0, DECLARED_WITHIN))) ?? [];
  // What is read here is not in UTF-16, whatever it says.
  const decoder = /^utf-?(?:8|16)/i.test(label)
    ? undefined
    : unlessThrown(() => new TextDecoder(label), RangeError);
  const isLatin = decoder === undefined || decoder.encoding === 'windows-1252';
  return isLatin ? (text ?? decodeLatin(bytes)) : decoder.decode(bytes);
}

const WINDOWS_1252 = new TextDecoder('windows-1252');

/** As a stream: Node otherwise takes it for Latin-1, where quotation marks, dashes and the euro sign are controls. */
function decodeLatin(bytes: Uint8Array): string {
  return WINDOWS_1252.decode(bytes, { stream: true });
}
