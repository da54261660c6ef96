/** Reads the Capability Lists of other builds, in the site or on the web, within bounds. */

import { ResyncError } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { openFolder } from '../../source/origin/folder.js';
import { isAbsent, type Opened } from '../../source/origin/origin.js';
import { openWeb } from '../../source/origin/web.js';
import { BoundReached, startBounds } from '../../source/web/bounds.js';
import { FetchError } from '../../source/web/failure.js';
import { isUrl } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { linksOf, textOf } from '../../standard/rules/values.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { parseDocument } from '../../standard/xml/read.js';

/** What stands at the URL of a Capability List. */
export type ReadList =
  | {
      readonly kind: 'capability-list';
      readonly up: string | undefined;
      readonly offers: readonly ListedDocument[];
    }
  /** Something else, in words. */
  | { readonly kind: 'other'; readonly found: string }
  /** It cannot be had now, for this reason. */
  | { readonly kind: 'unread'; readonly found: string };

/** A document that a Capability List names. */
export interface ListedDocument {
  readonly capability: string | undefined;
  readonly uri: string;
}

/** Capability Lists have a handful of entries. */
const MOST_BYTES = 1_000_000;
/** For all together: a publication is not to wait long for what is a service. Bytes and milliseconds. */
const TOTAL_BYTES = 100_000_000;
const TOTAL_TIME = 60_000;
const LIMITS = { timeout: 10_000, attempts: 2, connections: 4 };

/** @param site absolute path */
export function openLists({ url, joined }: Pick<Config, 'url' | 'joined'>, site: string) {
  const bounds = startBounds({ bytes: TOTAL_BYTES, time: TOTAL_TIME, memory: Number.POSITIVE_INFINITY });
  const folder = openFolder(site, url, 'file', bounds);
  const web = openWeb(url, url, LIMITS, {
    agent: 'resync-static',
    bounds,
    staysHome: true,
    // The user named them all.
    others: joined.flatMap(({ uri }) => (isUrl(uri) ? new URL(uri).origin : [])),
  });
  return {
    async read(uri: string): Promise<ReadList> {
      try {
        const here = await folder.open(uri);
        const opened = isAbsent(here) ? await web.open(uri, { most: MOST_BYTES, fresh: true }) : here;
        return isAbsent(opened) ? { kind: 'unread', found: opened.found } : await readList(opened);
      } catch (error) {
        if (error instanceof BoundReached || error instanceof ResyncError)
          return { kind: 'unread', found: error.message };
        throw error;
      }
    },
    close() {
      bounds.stop();
      web.close();
    },
  };
}

async function readList({ body }: Opened): Promise<ReadList> {
  try {
    const { root, head, entries } = await parseDocument(body);
    const kind = kindOfDocument({ root, head });
    if (kind !== 'capability-list') return { kind: 'other', found: `it is ${kind ?? 'a Sitemap'}` };
    const offers = entries.flatMap((entry): ListedDocument[] =>
      entry.loc === undefined ? [] : [{ capability: textOf(entry, 'capability'), uri: entry.loc }],
    );
    return { kind, up: linksOf(head, 'up')[0], offers };
  } catch (error) {
    if (error instanceof ParseError) return { kind: 'other', found: error.message };
    if (error instanceof FetchError) return { kind: 'unread', found: error.message };
    throw error;
  }
}
