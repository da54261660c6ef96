/** Finds out whether bytes of a page say `noindex`, wherever they come from. */

import { LOOK_BYTES, makeLook, UNSURE, unpack } from './look/look.js';
import { saysNoindex } from './noindex.js';

/** A word without which nothing is said; letters may also be written as numbers. */
const SAYING = /noindex|none|&#/i;

const look = makeLook({ relations: [] });

/** Whether a page says `noindex`. Bytes that do not hold the word are not parsed. */
export async function judgeNoindex(page: Buffer): Promise<boolean> {
  const seen = look(page);
  if (seen === undefined) return false;
  if (seen !== UNSURE) return saysNoindex(unpack(seen));
  if (!SAYING.test(page.toString('latin1', 0, LOOK_BYTES))) return false;
  const { readSlowly } = await import('./look/slow.js');
  return saysNoindex(readSlowly(page));
}

/** Puts the pieces of a page together, as far as pages are looked at. */
export function takeBeginning(former: Buffer | undefined, content: Buffer): Buffer {
  if (former === undefined) return content;
  return former.length >= LOOK_BYTES ? former : Buffer.concat([former, content]);
}
