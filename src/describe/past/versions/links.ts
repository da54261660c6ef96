/** Links from changes to their versions, in every list that is published (§14.6). Pure. */

import type { KnownArchive } from '../../../history/archives/known.js';
import type { ChangeSegment } from '../../../standard/limits.js';
import type { ChangeEvent, Link } from '../../../standard/model.js';
import type { StateSet } from '../../state.js';
import type { Version } from './plan.js';
import type { TimeMap } from './timemap.js';

/**
 * The changes that published lists speak of: what they link to is kept as long as they are published. Those of archived lists
 * come first: where two want one address, the one that is to stay has it.
 */
export function* listedChanges(
  sets: readonly Pick<StateSet, 'changes' | 'archive'>[],
): Generator<ChangeEvent, void> {
  for (const { archive } of sets) for (const { changes } of archive?.lists ?? []) yield* changes;
  for (const { changes: lists = [] } of sets) for (const { changes } of lists) yield* changes;
}

/** What changes link to. */
export interface LinkRules {
  readonly versions: ReadonlyMap<ChangeEvent, Version>;
  readonly timeMaps: ReadonlyMap<string, Pick<TimeMap, 'uri'>>;
  /** Undefined where the host does not send it. */
  readonly timeMapType: string | undefined;
}

/** Gives the changes of a set the links that they are to have, and no others. */
export function linkSet(set: StateSet, rules: LinkRules): StateSet {
  const { changes: lists, archive } = set;
  return {
    ...set,
    changes: lists?.map((list) => linkList(list, rules)),
    archive: archive && linkArchive(archive, rules),
  };
}

/** What is archived has the links of what is listed today. */
function linkArchive(archive: KnownArchive, rules: LinkRules): KnownArchive {
  return { ...archive, lists: archive.lists.map((list) => linkList(list, rules)) };
}

function linkList<L extends ChangeSegment<ChangeEvent>>(list: L, rules: LinkRules): Omit<L, 'text'> {
  const changes = linkChanges(list.changes, rules);
  if (changes === list.changes) return list;
  // What was published of it is no longer what is to be said.
  const { text: _, ...rest } = list;
  return { ...rest, changes };
}

/** @returns the changes themselves where they have their links already */
function linkChanges(changes: readonly ChangeEvent[], rules: LinkRules): readonly ChangeEvent[] {
  let same = true;
  const linked = changes.map((event) => {
    if (event.change === 'deleted') return event;
    const links = makeLinks(event, rules);
    if (areSame(event.links ?? [], links)) return event;
    same = false;
    // Written out, because an object that was spread takes more memory.
    const { change, uri, datetime, representation } = event;
    return links.length === 0
      ? { change, uri, datetime, representation }
      : { change, uri, datetime, representation, links };
  });
  return same ? changes : linked;
}

function makeLinks(event: ChangeEvent, { versions, timeMaps, timeMapType: type }: LinkRules): Link[] {
  if (event.change === 'deleted') return [];
  const links: Link[] = [];
  const version = versions.get(event);
  const timeMap = version && timeMaps.get(event.uri);
  const { datetime: modified, representation } = event;
  if (version !== undefined) links.push({ rel: 'memento', href: version.uri, modified, ...representation });
  if (timeMap !== undefined)
    links.push({ rel: 'timemap', href: timeMap.uri, ...(type !== undefined && { type }) });
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
