/** Stages the Change List of rows, or its parts and their index, and writes the state beside it. */

import { nameInterval, pathOfPart } from '../../paths/ours.js';
import type { IntervalIndex } from '../../standard/document.js';
import { ChangeListCutter, type ChangeSegment, type WrittenChange } from './change-list.js';
import { serializeChange } from './changes.js';
import type { DocumentStager } from './documents.js';
import type { ListPlace } from './resource-list.js';
import type { StateHeader, StateWriter } from './state.js';

/** Where the first list begins, and the moment after which changes are listed. */
export interface ChangeRange extends Pick<ChangeSegment, 'from' | 'part'> {
  readonly horizon: string;
}

/** A new state, and what its head says besides where its first list begins. */
export interface NewState {
  readonly writer: StateWriter;
  readonly header: Omit<StateHeader, 'from' | 'part'>;
}

/** @param changes oldest first */
export function stageChanges(
  to: DocumentStager,
  place: ListPlace,
  changes: Iterable<WrittenChange>,
  range: ChangeRange,
  state: NewState | undefined,
): void {
  const parts: IntervalIndex['parts'][number][] = [];
  let isFirst = true;
  const cutter = new ChangeListCutter(range, range.horizon, (segment) => {
    if (isFirst) state?.writer.begin({ ...state.header, from: segment.from, part: segment.part });
    isFirst = false;
    state?.writer.add(segment);
    const part = stageSegment(to, place, segment, parts.length === 0);
    if (part !== undefined) parts.push(part);
  });
  for (const change of changes) cutter.add(change);
  cutter.end();
  state?.writer.end();
  if (parts.length > 0) to.add(place.path, { kind: 'change-list-index', up: place.up, parts });
}

/** @returns the list as a part; undefined if it is the only one (§12.2) */
function stageSegment(
  to: DocumentStager,
  { path, uri, up }: ListPlace,
  segment: ChangeSegment,
  isFirst: boolean,
): IntervalIndex['parts'][number] | undefined {
  const from = new Date(segment.from);
  const until = segment.until === undefined ? undefined : new Date(segment.until);
  const entries = { count: segment.changes.length, xml: segment.changes.map(serializeChange).join('') };
  const list = { kind: 'change-list', up, from, until, changes: [] } as const;
  if (isFirst && until === undefined) {
    to.add(path, { ...list, index: undefined }, entries);
    return undefined;
  }
  const name = nameInterval(from, segment.part);
  to.add(pathOfPart(path, name), { ...list, index: uri }, entries);
  return { uri: pathOfPart(uri, name), from, until };
}
