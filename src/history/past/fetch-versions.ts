/** Fetches versions of resources that the live site has. */

import { ResyncError } from '../../base/errors.js';
import { FetchError } from '../../source/web/bounds.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { type FetchBudget, spend } from '../live/budget.js';
import type { BytesFacts } from '../live/published.js';
import { CONNECTIONS, withReader } from '../live/reader.js';

/** A version, as a Change List of the live site links to it. */
export interface LiveVersion extends BytesFacts {
  readonly uri: string;
  /** Where to write it. */
  readonly file: string;
}

/**
 * Fetches versions. One that cannot be had, is not what it is said to be, or is too much, is left out.
 *
 * @param wanted what matters most first
 * @returns those that are there now
 */
export async function saveVersions<T extends LiveVersion>(
  url: string,
  wanted: readonly T[],
  budget: FetchBudget,
): Promise<ReadonlySet<T>> {
  const saved = new Set<T>();
  const gone = new Set<T>();
  const affordable = wanted.filter(({ length }) => spend(budget, length));
  const rest = () => affordable.filter((one) => !saved.has(one) && !gone.has(one));
  if (affordable.length === 0) return saved;
  try {
    await withReader(url, async (reader) => {
      let failure: unknown;
      await workSideBySide(rest(), CONNECTIONS, async (one) => {
        try {
          await reader.save(one.uri.slice(url.length), one.file, one);
          saved.add(one);
        } catch (error) {
          if (!(error instanceof ResyncError)) throw error;
          if (isOver(error)) gone.add(one);
          else failure = error;
        }
      });
      if (failure !== undefined) throw failure;
      return saved;
    });
  } catch (error) {
    // What is lost now is told by who asked.
    if (!(error instanceof ResyncError)) throw error;
  }
  return saved;
}

/** Whether asking again is of no use: it is not there, or other bytes are. */
function isOver({ cause }: ResyncError): boolean {
  return !(cause instanceof FetchError) || cause.failure === 'missing' || cause.failure === 'refused';
}
