/** Reads the beginnings of pages and of other files. */

import { unlessRefused } from '../../base/errors.js';
import { readFirstBytes } from '../../files/beginning.js';
import { RULES_BYTES, readTagRules, type TagTest } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { collectBytes } from '../../source/document.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';

/** Reads the first `most` bytes of a resource, and on the web its `X-Robots-Tag`; undefined if absent (reported elsewhere). */
export async function openBeginning(
  origin: Origin,
  uri: string,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly robots: string | undefined } | undefined> {
  if (origin.pathOf(uri) !== undefined) return { bytes: readFileStart(origin, uri, most), robots: undefined };
  const opened = await origin.open(uri);
  if (isAbsent(opened)) return undefined;
  const { bytes } = await collectBytes(opened.body, most);
  return { bytes: bytes.subarray(0, most), robots: opened.robots };
}

/** Reads the beginning of a file on disk; empty if it is missing or cannot be read. */
export function readFileStart(origin: Origin, uri: string, most: number): Buffer {
  const file = origin.pathOf(uri);
  const bytes = file === undefined ? undefined : unlessRefused(() => readFirstBytes(file, most));
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes);
}

/** Reads the rules about `noindex` in `_headers` at the root of the host, if a folder is audited. @param uri of any file of the site */
export function readTagsOf(origin: Origin, uri: string): TagTest | undefined {
  const root = new URL('/', uri).href;
  return readTagRules(readFileStart(origin, root + HOST_RULES, RULES_BYTES).toString('latin1'), root);
}
