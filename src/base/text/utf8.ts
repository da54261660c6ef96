/** Reads bytes as text. Pure. */

import { unlessThrown } from '../errors.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** With its byte order mark, if it has one; undefined for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return unlessThrown(() => UTF_8.decode(bytes), TypeError);
}
