/** Archived lists and dumps: those of periods that are over. */

import { writeArchives } from '../past/archiving/write.js';
import type { Contribute, PlannedRun } from './feature.js';

export function prepare({ config: { url }, site }: PlannedRun): Contribute {
  return async ({ sets, packages }, staging) => {
    const written = await writeArchives({ url, site, staging }, sets, packages);
    return {
      draft: {
        archived: written.documents,
        sets: sets.map((set, index) => ({ ...set, archives: written.sets[index] })),
      },
      files: written.files,
      notices: written.notices,
    };
  };
}
