/** Finds out what the pages of a site say of themselves, and its host of them. Loaded only where somebody wants to know. */

import type { Config } from '../../config/config.js';
import { systemErrorCode } from '../../errors.js';
import { makeFacts, planLook } from '../../page/facts.js';
import { LOOK_BYTES } from '../../page/look/look.js';
import { PAGE_FILE } from '../../page/page-file.js';
import { RULES_BYTES, readTagRules } from '../../page/robots-tag.js';
import { type PageFacts, SILENT, type Wanted, type Wishes } from '../../page/wishes.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { readFirstBytes } from '../beginning.js';
import { makeDigestError } from '../digest/failures.js';
import type { DigestTable } from '../digest/table.js';
import type { FoundFile } from '../find.js';

/** What is known of pages. */
export interface SiteFacts {
  readonly of: (path: string) => PageFacts;
  /** Whether a file asks search engines not to list it, or its host does. */
  readonly saysNoindex: (file: Pick<FoundFile, 'uri' | 'path'>) => boolean;
  /** Whether the host says so of any file. */
  readonly hasTagRules: boolean;
}

export const planPageLook: (wishes: Wishes) => Wanted = planLook;

/**
 * Puts together what threads have seen. Pages that are written oddly are read once more.
 *
 * @param site absolute path
 * @param hasRules whether there is a file `_headers`
 */
export async function readSiteFacts(
  site: string,
  { url }: Pick<Config, 'url'>,
  wishes: Wishes,
  {
    files,
    digests,
    hasRules,
  }: {
    readonly files: Iterable<FoundFile>;
    readonly digests: DigestTable;
    readonly hasRules: boolean;
  },
): Promise<SiteFacts> {
  const found = new Map<string, PageFacts>();
  for (const { uri, path, index } of files) {
    const seen = digests.seen(index);
    if (seen === undefined || !PAGE_FILE.test(path)) continue;
    const facts = await makeFacts(seen, { uri, url }, wishes, () => read(site, path, LOOK_BYTES));
    if (facts !== SILENT) found.set(path, facts);
  }
  const of = (path: string) => found.get(path) ?? SILENT;
  const rules = hasRules ? read(site, HOST_RULES, RULES_BYTES).toString('latin1') : '';
  const hasTag = readTagRules(rules, url);
  return {
    of,
    saysNoindex: ({ uri, path }) => of(path).noindex || hasTag?.(uri) === true,
    hasTagRules: hasTag !== undefined,
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
