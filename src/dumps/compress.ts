/** Whether compressing a file is of use: by its media type, and by its bytes. Pure. */

import type { Bitstream } from '../plan/packages.js';

/** Media types whose formats compress already. */
const COMPRESSED =
  /^(?:image\/(?!svg|bmp|x-ms-bmp|tiff|x-icon|vnd\.microsoft\.icon)|video\/|audio\/(?!(?:x-)?wav|midi)|font\/woff|application\/(?:pdf|zip|gzip|x-(?:gzip|bzip2?|7z-compressed|xz|rar-compressed)|zstd|vnd\.rar|java-archive|epub\+zip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument)\.))/;

/** @param content undefined where it is not at hand: then the media type decides alone */
export function isWorthCompressing(
  { type }: Pick<Bitstream, 'type'>,
  content: Uint8Array | undefined,
): boolean {
  return !COMPRESSED.test(type ?? '') && !(content !== undefined && isNoise(content));
}

const PROBE_BYTES = 2048;

/**
 * Whether bytes are spread so evenly that compressing them takes long and saves next to nothing: how often two from the
 * middle are equal, against what chance would have. Media types tell of most such files, but not of all.
 */
function isNoise(content: Uint8Array): boolean {
  const start = Math.max(0, content.length - PROBE_BYTES) >>> 1;
  const end = Math.min(content.length, start + PROBE_BYTES);
  const bytes = end - start;
  const counts = new Uint16Array(256);
  let pairs = 0;
  for (let index = start; index < end; index++) {
    const byte = content[index] ?? 0;
    const before = counts[byte] ?? 0;
    pairs += before;
    counts[byte] = before + 1;
  }
  return bytes > 256 && pairs * 512 < bytes * (bytes - 1) * 1.5;
}
