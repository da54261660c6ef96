/** Versions of resources under addresses of their own, and the TimeMaps that list them (§14.1). */

import { addVersions } from '../past/versions/run/add-versions.js';
import type { Contribute, PlannedRun } from './feature.js';

export function prepare(run: PlannedRun): Contribute {
  return async (_, staging) => {
    const { sets, files, leaving, versions, timeMaps } = await addVersions({ ...run, staging }, run.state);
    const paths = new Set(files.map(({ path }) => path));
    return { draft: { sets, versions: { versions, timeMaps, paths } }, files, ...leaving };
  };
}
