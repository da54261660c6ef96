/** Reads bytes as text. Pure. */

import { unlessThrown } from '../errors.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8, and keeps a byte order mark; returns undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return unlessThrown(() => UTF_8.decode(bytes), TypeError);
}

/** Decodes UTF-8 without its byte order mark, which editors on Windows write. Never throws. */
export function decodeUnmarked(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Decodes bytes as UTF-8 or, if they are not UTF-8, as windows-1252, as older pages were written. Never throws. */
export function decodeText(bytes: Uint8Array): string {
  // Decodes windows-1252 as a stream; otherwise Node takes it for Latin-1, where quotation marks and dashes are controls.
  return decodeUtf8(bytes) ?? WINDOWS_1252.decode(bytes, { stream: true });
}

const WINDOWS_1252 = new TextDecoder('windows-1252');
