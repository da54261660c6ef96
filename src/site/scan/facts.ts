/** Puts together what the pages of a site say of themselves, and its host of them. Loaded only where somebody wants to know. */

import { systemErrorCode } from '../../base/errors.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { makeDigestError } from '../digest/failures.js';
import type { DigestTable } from '../digest/table.js';
import { parsePage } from '../page/facts/facts.js';
import {
  type SeenFacts,
  seenNoindex,
  UNSURE,
  unpackLinks,
  unpackSeen,
  type WantedFacts,
} from '../page/facts/seen.js';
import { LOOK_BYTES } from '../page/look/look.js';
import { keepTagRules, RULES_BYTES, readTagRules } from '../page/robots-tag.js';
import type { FoundFile, SiteFacts } from '../scanned.js';
import { readFirstBytes } from './beginning.js';

/**
 * Reads once more the pages that are written oddly.
 *
 * @param site absolute path
 * @param hasRules whether there is a file `_headers`
 * @throws ResyncError `file-unreadable`
 */
export async function readFacts(
  site: string,
  wanted: WantedFacts,
  { files, digests }: { readonly files: Iterable<FoundFile>; readonly digests: DigestTable },
  hasRules: boolean,
): Promise<SiteFacts> {
  const parsed = new Map<number, SeenFacts>();
  for (const { path, index } of files) {
    if (digests.seen(index) === UNSURE)
      parsed.set(index, await parsePage(read(site, path, LOOK_BYTES), path, wanted));
  }
  const rules = hasRules ? read(site, HOST_RULES, RULES_BYTES).toString('latin1') : '';
  const hasTag = readTagRules(rules, wanted.url);
  const seenOf = (index: number) => (parsed.has(index) ? parsed.get(index) : digests.seen(index));
  return {
    of: ({ index }) => unpackSeen(seenOf(index)),
    linksOf: ({ index }) => unpackLinks(seenOf(index)),
    saysNoindex: ({ uri, index }) => seenNoindex(seenOf(index)) || hasTag?.(uri) === true,
    tagRules: hasTag && keepTagRules(rules),
  };
}

/** @throws ResyncError `file-unreadable` where a file that was read before cannot be read any more */
function read(site: string, path: string, most: number): Buffer {
  try {
    return Buffer.from(readFirstBytes(`${site}/${path}`, most));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw makeDigestError([{ path, code }]);
  }
}
