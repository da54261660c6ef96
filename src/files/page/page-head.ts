/** Reads the head of a page from its first bytes. */

import { decode, findEncoding, type PageEncoding } from './decode.js';
import { type PageHead, readHead } from './head.js';

/** Number of bytes at the beginning of a page that are read for its head. */
export const BEGINNING_BYTES = 256 * 1024;

interface PageBeginning {
  readonly head: PageHead;
  /** True if the page is in UTF-8, so that links can be inserted into it. */
  readonly isEditable: boolean;
}

export function canEdit(bytes: Uint8Array, { isUtf8 }: PageEncoding): boolean {
  return isUtf8 && !bytes.includes(0);
}

/** Reads the head of a page; ignores all bytes after `BEGINNING_BYTES`. */
export function readPageHead(page: Uint8Array): PageBeginning {
  const bytes = page.length < BEGINNING_BYTES ? page : trimCharacter(page.subarray(0, BEGINNING_BYTES));
  const encoding = findEncoding(bytes);
  const head = readUsualHead(bytes, encoding) ?? readHead(decode(bytes, encoding));
  return { head, isEditable: canEdit(bytes, encoding) };
}

const BODY = '<body';

/** Reads the head without decoding the body; undefined if no `<body` is found, or it seems to be in a comment or a text. */
function readUsualHead(bytes: Uint8Array, encoding: PageEncoding): PageHead | undefined {
  const end = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf(BODY);
  if (end < 0) return undefined;
  const head = readHead(`${decode(bytes.subarray(0, end), encoding)}${BODY}>`);
  return head.isOver ? head : undefined;
}

/** Removes the last character if it has several bytes in UTF-8: it may have been cut in the middle. */
function trimCharacter(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && end > bytes.length - 3 && ((bytes[end - 1] as number) & 0xc0) === 0x80) end--;
  return end > 0 && (bytes[end - 1] as number) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}
