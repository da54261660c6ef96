/** Reads the beginnings of pages and of other files. */

import { unlessRefused } from '../../base/errors.js';
import { readFirstBytes } from '../../files/beginning.js';
import { RULES_BYTES, readTagRules, type TagTest } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { collectBytes } from '../../source/document.js';
import type { SiteFolder } from '../../source/origin/folder.js';
import { isAbsent } from '../../source/origin/origin.js';
import type { Run } from '../picture.js';

type Places = Pick<Run, 'origin' | 'folder'>;

/** Reads the first `most` bytes of a resource, and on the web its `X-Robots-Tag`; undefined if absent (reported elsewhere). */
export async function openBeginning(
  { origin, folder }: Places,
  uri: string,
  most: number,
): Promise<{ readonly bytes: Buffer; readonly robots: string | undefined } | undefined> {
  if (folder?.pathOf(uri) !== undefined)
    return { bytes: readFileStart(folder, uri, most), robots: undefined };
  const opened = await origin.open(uri);
  if (isAbsent(opened)) return undefined;
  const { bytes } = await collectBytes(opened.body, most);
  return { bytes: bytes.subarray(0, most), robots: opened.robots };
}

/** Reads the beginning of a file on disk; empty if it is missing or cannot be read. */
export function readFileStart(folder: SiteFolder | undefined, uri: string, most: number): Buffer {
  const file = folder?.pathOf(uri);
  const bytes = file === undefined ? undefined : unlessRefused(() => readFirstBytes(file, most));
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes);
}

/** Reads the rules about `noindex` in `_headers` at the root of the host, if a folder is audited. @param uri of any file of the site */
export function readTagsOf(folder: SiteFolder | undefined, uri: string): TagTest | undefined {
  const root = new URL('/', uri).href;
  return readTagRules(readFileStart(folder, root + HOST_RULES, RULES_BYTES).toString('latin1'), root);
}
