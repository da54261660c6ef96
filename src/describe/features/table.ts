/** All that `describe` can write. What it edits before it scans the site (`robots.txt`, `_headers`, links in pages) is in `run/read.ts`. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { VERSIONS_INVENTORY } from '../../paths/ours.js';
import type { Contribute, Feature, PlannedRun } from '../feature.js';
import * as lists from './lists.js';
import * as withdrawals from './withdrawals.js';

/** Features in the order in which they contribute: each finds in the draft what those above have made. */
const FEATURES: readonly Feature[] = [
  {
    name: 'notices of withdrawals',
    isWanted: ({ config }) => config.withdrawals.length > 0,
    load: () => withdrawals,
  },
  {
    name: 'versions and TimeMaps',
    isWanted: hasVersions,
    load: () => import('../past/versions/run/add-versions.js'),
  },
  {
    name: 'packages of dumps',
    isWanted: ({ config: { dumps, archives } }) =>
      dumps.resources || dumps.changes || archives?.dumps === true,
    load: () => import('./dumps.js'),
  },
  {
    name: 'archived documents',
    isWanted: ({ state }) => state.sets.some(({ archive }) => archive !== undefined),
    load: () => import('../past/archiving/write.js'),
  },
  {
    name: 'Source Description, Capability Lists, and all that they list',
    isWanted: () => true,
    load: () => lists,
  },
  {
    name: 'page and feed for people',
    isWanted: ({ config }) => config.page !== undefined || config.feed !== undefined,
    load: () => import('./people.js'),
  },
  {
    name: 'sitemap',
    isWanted: ({ existingSitemaps }) => existingSitemaps !== undefined,
    load: () => import('../sitemap/sitemap.js'),
  },
  {
    name: 'pages.json',
    isWanted: ({ config }) => config.writesPages,
    load: () => import('./pages.js'),
  },
];

export async function prepareFeatures(run: PlannedRun): Promise<readonly Contribute[]> {
  const features: Contribute[] = [];
  for (const { isWanted, load } of FEATURES) {
    const prepare = async () => (await load()).prepare(run);
    // A feature is tested again under the lock: another run may have written what now has to be removed.
    const prepareLate: Contribute = async (...staged) => (isWanted(run) ? (await prepare())(...staged) : {});
    features.push(isWanted(run) ? await prepare() : prepareLate);
  }
  return features;
}

/** Tests if versions are configured, or a previous run left some. Versions of another build are left to that build. */
function hasVersions({ config, site }: PlannedRun): boolean {
  if (config.versions !== undefined) return true;
  return !config.isOthers(VERSIONS_INVENTORY) && existsSync(join(site, VERSIONS_INVENTORY));
}
