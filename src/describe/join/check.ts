/** Checks the sets that other builds describe, as far as their Capability Lists can be read (§8, §9). */

import type { Notice } from '../../base/notices.js';
import type { Config, JoinedSet } from '../../config/config.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { openLists, type ReadList } from './read.js';

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
