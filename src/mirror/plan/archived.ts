/** Whether archived changes lead from the moment of a folder to where the changes of today begin. Pure. */

import type { ChangePart, Event } from '../../source/sets/entry.js';

/**
 * The changes of today, with the archived ones before them. What both tell, those of today tell.
 *
 * @returns undefined where an archived list is not what it says: then nothing in the archive counts
 */
export function joinArchived(
  archived: readonly ChangePart[],
  today: readonly ChangePart[],
): ChangePart[] | undefined {
  const begin = beginOf(today);
  if (begin === undefined || !archived.every(isSound)) return undefined;
  const older = archived.filter(({ from }) => from !== undefined && from < begin);
  return [...older.map((part) => cutOff(part, begin)), ...today];
}

/** When the changes of today begin; undefined where one of their lists does not say. */
export function beginOf(parts: readonly ChangePart[]): number | undefined {
  const begins = parts.map(({ from }) => from);
  return begins.length === 0 || begins.includes(undefined) ? undefined : Math.min(...begins.map(Number));
}

function cutOff(part: ChangePart, begin: number): ChangePart {
  return { ...part, events: part.events?.filter(({ time }) => time !== undefined && time <= begin) };
}

/** A closed list has two ends, and its changes are between them, in their order. */
function isSound({ from, until, events = [] }: ChangePart): boolean {
  if (from === undefined || until === undefined || from > until) return false;
  const isInOrder = ({ time }: Event, index: number) => {
    const before = events[index - 1]?.time ?? from;
    return time !== undefined && time >= before && time <= until;
  };
  return events.every(isInOrder);
}
