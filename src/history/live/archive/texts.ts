/** Gets texts of the live site that may be missing. */

import { type LivePatience, PATIENCE, withReader } from '../attempts.js';

/** Lets somebody get documents of ours from the live site, as texts; undefined where there is none. */
export async function withLiveTexts<T>(
  url: string,
  use: (fetch: (path: string, most: number) => Promise<string | undefined>) => Promise<T>,
  patience: LivePatience = PATIENCE,
): Promise<T> {
  return await withReader(url, patience, (reader) => use(reader.findText));
}
