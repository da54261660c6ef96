/** Checks the sets that other builds describe, as far as their Capability Lists can be read (§8, §9). */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import type { Config, JoinedSet } from '../../config/config.js';
import { openFolder } from '../../source/origin/folder.js';
import { isAbsent, type Opened } from '../../source/origin/origin.js';
import { openWeb } from '../../source/origin/web.js';
import { BoundReached, startBounds } from '../../source/web/bounds.js';
import { FetchError } from '../../source/web/failure.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { isUrl } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { linksOf, textOf } from '../../standard/rules/values.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { parseDocument } from '../../standard/xml/read.js';

/** What is known of the sets of others. */
export interface Joined {
  /** URLs of the Capability Lists that could be read, whatever is wrong with them. */
  readonly read: ReadonlySet<string>;
  /** URLs of the Resource Lists that they name. */
  readonly resourceLists: readonly string[];
  readonly notices: readonly Notice[];
}

const CONNECTIONS = 4;

type CapabilityList = Extract<ReadList, { readonly kind: 'capability-list' }>;
type Pair = readonly [set: JoinedSet, list: ReadList];

/**
 * Reads the Capability Lists of others: in the site, or else on the web. Nothing fails: each build publishes for itself,
 * whatever has become of the others.
 *
 * @param site absolute path
 */
export async function checkJoined(
  config: Pick<Config, 'url' | 'joined' | 'description'>,
  site: string,
): Promise<Joined> {
  const { joined, description } = config;
  const read = new Map<JoinedSet, ReadList>();
  const lists = openLists(config, site);
  try {
    await workSideBySide(joined, CONNECTIONS, async (set) => void read.set(set, await lists.read(set.uri)));
  } finally {
    lists.close();
  }
  // In the order of the configuration, whoever answered first.
  const pairs = joined.flatMap((set): Pair[] => {
    const list = read.get(set);
    return list === undefined ? [] : [[set, list]];
  });
  const right = pairs.flatMap(([set, list]): [JoinedSet, CapabilityList][] =>
    list.kind === 'capability-list' ? [[set, list]] : [],
  );
  const resourceLists = right.flatMap(([, { offers }]) =>
    offers.filter(({ capability }) => capability === 'resourcelist').map(({ uri }) => uri),
  );
  return {
    read: new Set(pairs.filter(([, { kind }]) => kind !== 'unread').map(([{ uri }]) => uri)),
    resourceLists,
    notices: [
      ...noticeUnread(pairs),
      ...noticeKinds(pairs),
      ...noticeUp(right, description),
      ...noticeTwice(right),
    ],
  };
}

function noticeUnread(pairs: readonly Pair[]): Notice[] {
  const unread = pairs.flatMap(([set, list]) => (list.kind === 'unread' ? [{ set, found: list.found }] : []));
  const [first] = unread;
  if (first === undefined) return [];
  const { set, found } = first;
  return [{ code: 'set-unread', count: unread.length, set: set.name, url: set.uri, found }];
}

function noticeKinds(pairs: readonly Pair[]): Notice[] {
  return pairs.flatMap(([{ name, uri }, list]): Notice[] =>
    list.kind === 'other'
      ? [{ code: 'set-wrong', problem: 'kind', set: name, url: uri, found: list.found }]
      : [],
  );
}

function noticeUp(right: readonly (readonly [JoinedSet, CapabilityList])[], description: string): Notice[] {
  return right.flatMap(([{ name, uri }, { up = 'nothing' }]): Notice[] =>
    up === description
      ? []
      : [{ code: 'set-wrong', problem: 'up', set: name, url: uri, found: up, expected: description }],
  );
}

/** A set that has two addresses has one Resource List all the same. */
function noticeTwice(right: readonly (readonly [JoinedSet, CapabilityList])[]): Notice[] {
  const seen = new Map<string, string>();
  return right.flatMap(([{ name, uri }, { offers }]): Notice[] => {
    const again = offers.find((offer) => seen.has(offer.uri));
    for (const offer of offers) if (!seen.has(offer.uri)) seen.set(offer.uri, name);
    if (again === undefined) return [];
    const other = seen.get(again.uri) ?? '';
    return [{ code: 'set-wrong', problem: 'twice', set: name, url: uri, found: again.uri, other }];
  });
}

/** What stands at the URL of a Capability List. */
type ReadList =
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
interface ListedDocument {
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
function openLists({ url, joined }: Pick<Config, 'url' | 'joined'>, site: string) {
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
