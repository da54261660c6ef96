/** Decides which moment the publication of rows has. Pure. */

import { formatDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import type { ReadRows } from './read.js';

/** The moments of a publication, as §7 recommends to write them. */
export interface Moments {
  readonly at: string;
  /** That of the publication before; undefined if no changes are listed, or this is the first one. */
  readonly previous: string | undefined;
}

/**
 * @param given the moment that the user gives
 * @param saved that of the publication before, if there is a state
 * @throws ResyncError `rows-invalid`
 */
export function fixMoments(
  given: Date | undefined,
  { rows, comparison }: Pick<ReadRows, 'rows' | 'comparison'>,
  saved: string | undefined,
): Moments {
  const newest = rows.newest.isKnown ? `${rows.newest}` : undefined;
  const at = given === undefined ? newest : formatDatetime(given);
  if (at === undefined)
    throw refuseMoment(
      say`No row of ${rows.name} says when its object was modified, so the moment of the publication is unknown.`,
    );
  if (newest !== undefined && at < newest)
    throw refuseMoment(say`--at is ${at}, but an object of ${rows.name} was modified later, at ${newest}.`);
  if (comparison === undefined) return { at, previous: undefined };
  const { before, changes } = comparison;
  const previous = saved ?? (before.newest.isKnown ? `${before.newest}` : undefined);
  if (previous === undefined)
    throw new ResyncError(
      'rows-invalid',
      say`No row of ${before.name} says when its object was modified, so nobody knows since when changes are listed.\nAdd the column modified, or keep a --state.`,
    );
  const isSame = Object.values(changes.counts).every((count) => count === 0);
  if (at > previous) return { at, previous };
  if (isSame) return { at: previous, previous };
  throw refuseMoment(
    say`The publication has changes, but its moment, ${at}, is not after that of the one before, ${previous}.`,
  );
}

function refuseMoment(what: Words): ResyncError {
  return new ResyncError(
    'rows-invalid',
    say`${what}\nGive the moment at which the store was listed, such as --at 2026-11-20T10:15:00Z.`,
  );
}
