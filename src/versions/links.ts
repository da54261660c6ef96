/** Links from changes to their versions, in every list that is published (§14.4, §14.6). Pure. */

import type { ChangeSegment } from '../plan/changes.js';
import type { PlannedSet } from '../plan/sets.js';
import type { ChangeEvent, Link } from '../resourcesync/model.js';
import { keyOfChange, linkPatch, type Patches, packPatches } from './patches.js';
import type { Version } from './plan.js';
import type { TimeMap } from './timemap.js';

/** The changes that published lists speak of: what they link to is kept as long as they are published. */
export function* listedChanges(sets: readonly Pick<PlannedSet, 'changes'>[]): Generator<ChangeEvent, void> {
  for (const { changes: lists = [] } of sets) for (const { changes } of lists) yield* changes;
}

/** What changes link to. */
export interface LinkRules {
  readonly versions: ReadonlyMap<ChangeEvent, Version>;
  readonly timeMaps: ReadonlyMap<string, TimeMap>;
  readonly patches: Patches;
  /** Undefined where the host does not send it. */
  readonly timeMapType: string | undefined;
}

/** Gives the changes of a set the links that they are to have, and no others. */
export function linkSet(set: PlannedSet, rules: LinkRules): PlannedSet {
  const { changes, changeDump } = set;
  return {
    ...set,
    changes: changes?.map((list) => linkList(list, (event) => makeLinks(event, rules))),
    changeDump: changeDump && packPatches(changeDump, rules.patches),
  };
}

function linkList(
  list: ChangeSegment<ChangeEvent>,
  linksOf: (event: ChangeEvent) => readonly Link[],
): ChangeSegment<ChangeEvent> {
  let same = true;
  const changes = list.changes.map((event) => {
    if (event.change === 'deleted') return event;
    const links = linksOf(event);
    if (areSame(event.links ?? [], links)) return event;
    same = false;
    // Written out, because an object that was spread takes more memory.
    const { change, uri, datetime, representation } = event;
    return links.length === 0
      ? { change, uri, datetime, representation }
      : { change, uri, datetime, representation, links };
  });
  if (same) return list;
  // What was published of it is no longer what is to be said.
  const { from, until, part } = list;
  return { from, until, part, changes };
}

function makeLinks(
  event: ChangeEvent,
  { versions, timeMaps, timeMapType: type, patches }: LinkRules,
): Link[] {
  if (event.change === 'deleted') return [];
  const links: Link[] = [];
  const version = versions.get(event);
  const timeMap = version && timeMaps.get(event.uri);
  const patch = patches.get(keyOfChange(event));
  const { datetime: modified, representation } = event;
  if (version !== undefined) links.push({ rel: 'memento', href: version.uri, modified, ...representation });
  if (timeMap !== undefined)
    links.push({ rel: 'timemap', href: timeMap.uri, ...(type !== undefined && { type }) });
  if (patch !== undefined) links.push(linkPatch(patch));
  return links;
}

function areSame(some: readonly Link[], others: readonly Link[]): boolean {
  return (
    some.length === others.length && some.every((link, index) => writeLink(link) === writeLink(others[index]))
  );
}

function writeLink(link: Link | undefined): string {
  const { rel, href, modified, hash, length, type, pri, encoding, path } = link ?? {};
  return JSON.stringify([rel, href, modified, hash, length, type, pri, encoding, path]);
}
