/** Adds links to versions to the changes in all lists that are published (§14.6). Pure. */

import type { ChangeSegment } from '../../../standard/limits.js';
import type { ChangeEvent, Link } from '../../../standard/model.js';
import type { StateSet } from '../../state.js';
import type { Version } from './plan.js';
import type { TimeMap } from './timemap.js';

/** Yields the changes of all published lists. Archived changes come first, so that they win if versions compete for an address. */
export function* listedChanges(sets: readonly StateSet[]): Generator<ChangeEvent, void> {
  for (const { archive } of sets)
    if (archive !== undefined) for (const { changes } of archive.lists) yield* changes;
  for (const { changes: lists = [] } of sets) for (const { changes } of lists) yield* changes;
}

interface LinkRules {
  readonly versions: ReadonlyMap<ChangeEvent, Version>;
  readonly timeMaps: ReadonlyMap<string, Pick<TimeMap, 'uri'>>;
  /** Media type of TimeMaps; undefined if the host may send another. */
  readonly timeMapType: string | undefined;
}

/** Adds links to versions and TimeMaps to the changes of a set, current and archived. */
export function linkSet(set: StateSet, rules: LinkRules): StateSet {
  const { changes: lists, archive } = set;
  return {
    ...set,
    changes: lists?.map((list) => linkList(list, rules)),
    archive: archive && { ...archive, lists: archive.lists.map((list) => linkList(list, rules)) },
  };
}

function linkList<L extends ChangeSegment<ChangeEvent>>(list: L, rules: LinkRules): L {
  return { ...list, changes: list.changes.map((event) => linkChange(event, rules)) };
}

function linkChange(event: ChangeEvent, { versions, timeMaps, timeMapType: type }: LinkRules): ChangeEvent {
  const version = versions.get(event);
  if (event.change === 'deleted' || version === undefined) return event;
  const { change, uri, datetime, representation } = event;
  const timeMap = timeMaps.get(uri);
  const links: Link[] = [{ rel: 'memento', href: version.uri, modified: datetime, ...representation }];
  if (timeMap !== undefined)
    links.push({ rel: 'timemap', href: timeMap.uri, ...(type !== undefined && { type }) });
  // The properties of the event are not spread, to save memory.
  return { change, uri, datetime, representation, links };
}
