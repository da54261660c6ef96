/** Finds out what the pages of a site say of themselves, and its host of them. Loaded only where somebody wants to know. */

import type { Rows } from '../../columns/rows.js';
import type { Config } from '../../config/config.js';
import { systemErrorCode } from '../../errors.js';
import { makeFacts, makeQuickFacts, planLook } from '../../page/facts.js';
import { LOOK_BYTES } from '../../page/look/look.js';
import { RULES_BYTES, readTagRules } from '../../page/robots-tag.js';
import { type PageFacts, type Seen, SILENT, type Wanted, type Wishes } from '../../page/wishes.js';
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

/** Puts together what threads see. */
export interface FactsReader {
  /** Takes what was seen of a page, while others are still being looked at; returns whether it left no doubts. */
  readonly take: (index: number, seen: Seen) => boolean;
  /**
   * Reads once more the pages that are written oddly.
   *
   * @param hasRules whether there is a file `_headers`
   * @throws ResyncError `file-unreadable`
   */
  readonly finish: (digests: DigestTable, hasRules: boolean) => Promise<SiteFacts>;
}

/** @param site absolute path */
export function startFacts(
  site: string,
  { url }: Pick<Config, 'url'>,
  wishes: Wishes,
  files: Rows<FoundFile>,
): FactsReader {
  const found = new Map<string, PageFacts>();
  const places = new Uint32Array(files.length);
  for (const [place, { index }] of files.entries()) places[index] = place;

  const note = (path: string, facts: PageFacts) => {
    if (facts !== SILENT) found.set(path, facts);
  };

  return {
    take(index, seen) {
      const file = files.at(places[index] ?? files.length);
      if (file === undefined) return true;
      const facts = makeQuickFacts(seen, { uri: file.uri, url }, wishes);
      if (facts === undefined) return false;
      note(file.path, facts);
      return true;
    },
    async finish(digests, hasRules) {
      for (const { uri, path, index } of files) {
        const seen = digests.seen(index);
        if (seen === undefined) continue;
        const again = () => read(site, path, LOOK_BYTES);
        note(path, await makeFacts(seen, { uri, url }, wishes, again));
      }
      const of = (path: string) => found.get(path) ?? SILENT;
      const rules = hasRules ? read(site, HOST_RULES, RULES_BYTES).toString('latin1') : '';
      const hasTag = readTagRules(rules, url);
      return {
        of,
        saysNoindex: ({ uri, path }) => of(path).noindex || hasTag?.(uri) === true,
        hasTagRules: hasTag !== undefined,
      };
    },
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
