/** All that `describe` can write. What it edits before it scans the site (`robots.txt`, `_headers`, links in pages) is in `run/read.ts`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSIONS_INVENTORY } from '../../paths/ours.js';
import type { Contribute, PlannedRun } from '../feature.js';
import * as lists from './lists.js';

/** Something that `describe` can write. */
interface Feature {
  /** Tests, without loading the feature, if the configuration or files of a previous run require it. */
  readonly isWanted: (run: PlannedRun) => boolean;
  readonly load: () => FeatureModule | Promise<FeatureModule>;
}

interface FeatureModule {
  /** Reads what the feature needs, before the site is locked. */
  readonly prepare: (run: PlannedRun) => Contribute | Promise<Contribute>;
}

/** Features in the order in which they contribute: each finds in the draft what those above have made. */
const FEATURES: readonly Feature[] = [
  {
    isWanted: hasVersions,
    load: () => import('../past/versions/run/add-versions.js'),
  },
  {
    isWanted: ({ config: { dumps, archives } }) =>
      dumps.resources || dumps.changes || archives?.dumps === true,
    load: () => import('./dumps.js'),
  },
  {
    isWanted: ({ state }) => state.sets.some(({ archive }) => archive !== undefined),
    load: () => import('../past/archiving/write.js'),
  },
  {
    isWanted: () => true,
    load: () => lists,
  },
  {
    isWanted: ({ config }) => config.page !== undefined || config.feed !== undefined,
    load: () => import('./people.js'),
  },
  {
    isWanted: ({ existingSitemaps }) => existingSitemaps !== undefined,
    load: () => import('../sitemap/sitemap.js'),
  },
  {
    isWanted: ({ config }) => config.writesPages,
    load: () => import('../sitemap/pages.js'),
  },
];

export async function prepareFeatures(run: PlannedRun): Promise<readonly Contribute[]> {
  const features: Contribute[] = [];
  for (const { isWanted, load } of FEATURES)
    if (isWanted(run)) features.push(await (await load()).prepare(run));
  return features;
}

/** Tests if versions are configured, or a previous run left some. Versions of another build are left to that build. */
function hasVersions({ config, site }: PlannedRun): boolean {
  if (config.versions !== undefined) return true;
  return !config.isOthers(VERSIONS_INVENTORY) && existsSync(join(site, VERSIONS_INVENTORY));
}
