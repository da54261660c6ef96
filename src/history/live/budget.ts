/** How much of the past one build gets from the live site. */

/** Bytes that may still be fetched. */
export interface FetchBudget {
  rest: number;
}

/** All that is carried on together: archives and versions. */
export const MOST_CARRIED = 200_000_000;

/** Takes so many bytes; false, and nothing is taken, where so many are not left. */
export function spend(budget: FetchBudget, bytes: number): boolean {
  if (bytes > budget.rest) return false;
  budget.rest -= bytes;
  return true;
}
