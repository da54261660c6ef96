/** The feature that makes ZIP packages of the Resource Dump and the Change Dump (§11, §13), and of archived dumps. */

import { repositoryOf } from '../../history/find.js';
import { pathOfDocument } from '../../paths/ours.js';
import { fetchCarriedPackages } from '../dumps/carry.js';
import { listMadePackages, writePackages } from '../dumps/make.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { type PlannedDumps, planArchivedDumps } from '../past/archiving/dumps.js';
import type { StateSet } from '../state.js';

export function prepare(run: PlannedRun): Contribute {
  const { config, site, source, clock } = run;
  const { url, hash } = config;
  const archives = config.archives?.dumps === true;
  return async ({ sets }, staging) => {
    const planned = sets.map((set) => ({ ...set, archivedDumps: planPastDumps(run, set) }));
    clock.enter('pack');
    const packing = { url, hash, archives, site, repository: repositoryOf(source), staging };
    const carried = await fetchCarriedPackages(packing, planned);
    const packages = [...carried.packages, ...(await writePackages(packing, carried.sets, clock.report))];
    return {
      draft: {
        packages,
        archived: packages.flatMap(({ isCurrent, path }) => (isCurrent ? [] : path)),
        sets: carried.sets.map((set) => listMadePackages(set, packages)),
      },
      files: packages.map(({ path, file }) => ({ path, file })),
      documents: packages.map(({ copy }) => copy),
      notices: carried.notices,
    };
  };
}

function planPastDumps({ config }: PlannedRun, { name: set, archive }: StateSet): PlannedDumps | undefined {
  const { url, archives, dumps } = config;
  if (archives?.dumps !== true || archive === undefined) return undefined;
  return planArchivedDumps({ set, up: url + pathOfDocument(set, 'capabilitylist') }, archive, dumps);
}
