/** Links from changes to their versions, in every list that is published (§14.6). Pure. */

import type { ChangeSegment } from '../../../standard/limits.js';
import type { ChangeEvent, Link } from '../../../standard/model.js';
import type { StateSet } from '../../state.js';
import type { Version } from './plan.js';
import type { TimeMap } from './timemap.js';

/** Lists changes in published lists whose versions are kept. Archived ones come first, so that they win shared addresses. */
export function* listedChanges(
  sets: readonly Pick<StateSet, 'changes' | 'archive'>[],
): Generator<ChangeEvent, void> {
  for (const { archive } of sets)
    if (archive !== undefined) for (const { changes } of archive.lists) yield* changes;
  for (const { changes: lists = [] } of sets) for (const { changes } of lists) yield* changes;
}

interface LinkRules {
  readonly versions: ReadonlyMap<ChangeEvent, Version>;
  readonly timeMaps: ReadonlyMap<string, Pick<TimeMap, 'uri'>>;
  /** Undefined if the host does not send it. */
  readonly timeMapType: string | undefined;
}

/** Adds links to the changes of a set, current and archived. */
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
  // Not spread, to save memory.
  return { change, uri, datetime, representation, links };
}
