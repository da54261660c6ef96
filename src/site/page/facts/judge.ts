/** Finds out whether bytes of a page say `noindex`, wherever they come from. */

import { finishLook } from '../look/finish.js';
import { LOOK_BYTES, makeLook } from '../look/look.js';
import { saysNoindex } from './noindex.js';

/** A word without which nothing is said; letters may also be written as numbers. */
const SAYING = /noindex|none|&#/i;

const look = makeLook([]);

/** Whether a page says `noindex`. Bytes that do not hold the word are not parsed. */
export async function judgeNoindex(page: Buffer): Promise<boolean> {
  const head = await finishLook(look(page), page, SAYING);
  return head !== undefined && saysNoindex(head);
}

/** Puts the pieces of a page together, as far as pages are looked at. */
export function takeBeginning(former: Buffer | undefined, content: Buffer): Buffer {
  if (former === undefined) return content;
  return former.length >= LOOK_BYTES ? former : Buffer.concat([former, content]);
}
