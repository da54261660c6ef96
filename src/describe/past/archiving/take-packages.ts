/** Gets the packages that archived dumps of the live site name: what this run makes or holds is not fetched. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spend } from '../../../history/live/budget.js';
import { areSameBytes } from '../../../history/live/compare.js';
import type { LivePackage } from '../../../history/live/published.js';
import { folderOfSet, isOwnDocument } from '../../../paths/ours.js';
import { carryPackage } from '../../dumps/carry.js';
import { readFormer } from '../../dumps/former.js';
import type { MadePackage } from '../../dumps/job.js';
import { isAsNamed } from '../../dumps/manifest.js';
import type { CarryPlace } from './live.js';

/** Gets packages: all of them, or none where one cannot be had as it is listed, or holds what is withdrawn. */
export type TakePackages = (
  listed: readonly LivePackage[],
) => Promise<readonly MadePackage[] | 'lost' | 'withdrawn'>;

/** Where packages go, and whose. */
export interface PackagePlace extends CarryPlace {
  readonly set: string | undefined;
  /** The folder to write into. */
  readonly staging: string;
  /** Whose bytes no package may hold, by URI. */
  readonly withdrawn: (uri: string) => boolean;
}

/** @param made the packages of this run, by path */
export async function startTakingPackages(
  { site, url, set, staging, budget, withdrawn }: PackagePlace,
  made: ReadonlyMap<string, MadePackage>,
): Promise<TakePackages> {
  const folder = folderOfSet(set);
  const former = await readFormer(site, folder, url);
  const packing = { config: { url }, site, staging };
  // Archived dumps share packages, and are read side by side.
  const carried = new Map<string, Promise<MadePackage | undefined>>();

  async function takeOne(listed: LivePackage): Promise<MadePackage | undefined> {
    const path = listed.uri.slice(url.length);
    const copy = path.replace(/\.zip$/, '.xml');
    const isOwn = path.startsWith(`${folder}/`) && path !== copy && isOwnDocument(path);
    if (!isOwn || listed.uri !== url + path || listed.contents !== url + copy) return undefined;
    const own = made.get(path);
    if (own !== undefined) return areSameBytes(own, listed) === true ? own : undefined;
    const got = carried.get(path) ?? carry(listed, copy);
    carried.set(path, got);
    const one = await got;
    return one !== undefined && areSameBytes(one, listed) === true ? one : undefined;
  }

  async function carry(listed: LivePackage, copy: string): Promise<MadePackage | undefined> {
    const one = await carryPackage(packing, set, listed, former, () => spend(budget, listed.length));
    const file = one?.files.find(({ path }) => path === copy);
    const text = file && 'file' in file ? readFileSync(file.file ?? join(site, copy), 'utf8') : '';
    return one !== undefined && isAsNamed(copy, text) ? { ...one, isCurrent: false } : undefined;
  }

  return async (listed) => {
    const taken: MadePackage[] = [];
    for (const entry of listed) {
      const one = await takeOne(entry);
      if (one === undefined) return 'lost';
      if (holdsWithdrawn(one)) return 'withdrawn';
      taken.push(one);
    }
    return taken;
  };

  function holdsWithdrawn({ manifest: { document } }: MadePackage): boolean {
    return document.kind === 'resource-dump-manifest'
      ? document.bitstreams.some(({ resource }) => withdrawn(resource.uri))
      : document.bitstreams.some(({ event }) => event.change !== 'deleted' && withdrawn(event.uri));
  }
}
