/** Reads metadata of the pages of a site, from the pages and from the rules of its host. */

import { systemErrorCode } from '../../base/errors.js';
import { makeDigestError } from '../../files/digest/failures.js';
import type { DigestTable } from '../../files/digest/table.js';
import {
  seenContent,
  seenNoindex,
  seenUnknownEncoding,
  unpackLinks,
  unpackRecord,
  unpackSeen,
} from '../../files/page/facts/seen.js';
import { keepTagRules, RULES_BYTES, readTagRules } from '../../files/page/robots-tag.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import type { SiteFacts } from '../scanned.js';
import type { SiteReader } from './reader.js';

/**
 * Joins the metadata that the digester read in pages with the `noindex` rules of `_headers`.
 *
 * @param site absolute path
 * @param hasRules true if there is a file `_headers` to read
 * @throws ResyncError `file-unreadable`
 */
export function readFacts(
  reader: SiteReader,
  site: string,
  { url }: { readonly url: string },
  { seen }: Pick<DigestTable, 'seen'>,
  hasRules: boolean,
): SiteFacts {
  const rules = hasRules ? read(reader, site, HOST_RULES, RULES_BYTES).toString('latin1') : '';
  const hasTag = readTagRules(rules, url);
  return {
    of: ({ index }) => unpackSeen(seen(index)),
    linksOf: ({ index }) => unpackLinks(seen(index)),
    recordOf: ({ index }) => unpackRecord(seen(index)),
    contentOf: ({ index }) => {
      const page = seen(index);
      return page && seenContent(page);
    },
    hasOddEncoding: ({ index }) => seenUnknownEncoding(seen(index)),
    saysNoindex: ({ uri, index }) => seenNoindex(seen(index)) || hasTag?.(uri) === true,
    tagRules: hasTag && keepTagRules(rules),
  };
}

function read(reader: SiteReader, site: string, path: string, most: number): Buffer {
  try {
    return Buffer.from(reader.readBeginning(site, path, most));
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw makeDigestError([{ path, code }]);
  }
}
