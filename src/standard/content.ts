/** Classifies resources as pages, other texts or neither. */

import { decodeUtf8 } from '../base/text/utf8.js';

/** A page is HTML; data is any other text. */
export type ContentClass = 'page' | 'data' | 'binary';

const PAGE = /^(?:text\/html|application\/xhtml\+xml)$/;
const TEXT_SYNTAXES = '[+/](?:xml|json|json5|yaml|toml)';
const TEXT_FORMATS = '(?:x-)?(?:javascript|ecmascript|sh|tex|subrip)|xml-dtd|sql|rtf|n-quads|n-triples|trig';
const TEXT = new RegExp(`^text/|${TEXT_SYNTAXES}$|^application/(?:${TEXT_FORMATS})$`);
const PACKED_FORMATS = 'zip|gzip|x-gzip|x-bzip2?|zstd|x-7z-compressed|x-tar|java-archive|epub\\+zip';
const OF_VENDORS = 'vnd\\.(?!.*(?:xml|json)$).+';
/** Media types of formats that are UTF-8 only by chance, such as PDF; their lines mean nothing to people. */
const BINARY = new RegExp(
  `^(?:image|audio|video|font)/|^application/(?:pdf|wasm|${PACKED_FORMATS}|${OF_VENDORS})$`,
);
/** Matches the beginning of an HTML page, for files whose names do not show that they are pages. */
const PAGE_START = /^\ufeff?\s*(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype\s+html|html)[\s>]/i;

/** Classifies a resource by its media type; returns undefined if that is not enough, and the bytes have to be read. */
export function judgeType(type: string | undefined): ContentClass | undefined {
  const name = type?.toLowerCase();
  if (name === undefined) return undefined;
  if (PAGE.test(name)) return 'page';
  if (TEXT.test(name)) return 'data';
  return BINARY.test(name) ? 'binary' : undefined;
}

export function judgeBytes(type: string | undefined, bytes: Uint8Array): ContentClass {
  const said = judgeType(type);
  if (said === 'binary' || bytes.includes(0)) return 'binary';
  if (said !== undefined) return said;
  const text = decodeUtf8(bytes);
  if (text === undefined) return 'binary';
  return PAGE_START.test(text.slice(0, 1000)) ? 'page' : 'data';
}
