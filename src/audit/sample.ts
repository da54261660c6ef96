/** Which of the listed resources have their bytes compared, decided set by set: of the rest, next to nothing is kept. */

import type { ResolvedAudit } from '../config/config.js';
import { parseDatetime } from '../resourcesync/model.js';
import type { ListedResource } from './agreement/listed.js';
import { startSeeing } from './agreement/seen.js';
import { chooseSome, isRecent } from './bytes.js';

/** What sets list, as far as it is to be looked at. */
export interface Listing {
  /** Takes all that a set lists, and returns how many of it are kept. */
  readonly add: (resources: ReadonlyMap<string, ListedResource>) => number;
  /** Those whose bytes are compared. */
  readonly chosen: () => readonly ListedResource[];
  /** Those, and some that tell how URLs are written, and where a sitemap is. */
  readonly kept: () => readonly ListedResource[];
  /** How many there are. */
  readonly count: () => number;
  /** Whether a URL is listed, though it is not kept. */
  readonly has: (uri: string) => boolean;
}

/** Two of each: one may be the home page, which tells nothing. */
const EXAMPLES = 2;

/** All that the style of URLs and the place of a sitemap are told by. */
const TELLING = [/\/index\.html$/, /\.html$/, /[^/]\/$/, /\/sitemap(?:-0)?\.xml$/];

/**
 * Starts to take what sets list.
 *
 * @param normalize spells a URL as the origin does
 * @param needsAll whether it will be asked what is listed: where there are files that nobody may list
 */
export function startListing(
  { sample, since }: Pick<ResolvedAudit, 'sample' | 'since'>,
  normalize: (uri: string) => string,
  needsAll: boolean,
): Listing {
  const chosen: ListedResource[] = [];
  const isWhole = sample === undefined && since === undefined;
  const examples = new Set<ListedResource>();
  const wanting = new Map(TELLING.map((pattern) => [pattern, EXAMPLES]));
  const seen = isWhole || !needsAll ? undefined : startSeeing();
  let [count, recent] = [0, 0];

  return {
    add(resources) {
      const before = chosen.length + examples.size;
      count += resources.size;
      if (isWhole) for (const resource of resources.values()) chosen.push(resource);
      else {
        const some = [...resources.values()].filter(isWanted);
        if (sample !== undefined && 'count' in sample) some.forEach(draw);
        else takeShare(some, sample?.share ?? 1);
        for (const resource of resources.values()) note(resource);
      }
      return chosen.length + examples.size - before;
    },
    chosen: () => chosen,
    kept: () => (isWhole ? chosen : [...new Set([...chosen, ...examples])]),
    count: () => count,
    has: (uri) => seen?.has(uri) === true,
  };

  function isWanted({ lastmod }: ListedResource): boolean {
    if (since === undefined) return true;
    return isRecent(lastmod === undefined ? undefined : parseDatetime(lastmod), since);
  }

  function takeShare(some: readonly ListedResource[], share: number): void {
    const wanted = Math.ceil((recent + some.length) * share) - Math.ceil(recent * share);
    recent += some.length;
    for (const resource of chooseSome(wanted, some)) chosen.push(resource);
  }

  /** Each of all so far is as likely to be among the chosen as any other. */
  function draw(resource: ListedResource): void {
    if (sample === undefined || !('count' in sample)) return;
    const place = Math.floor(Math.random() * ++recent);
    if (chosen.length < sample.count) chosen.push(resource);
    else if (place < sample.count) chosen[place] = resource;
  }

  function note(resource: ListedResource): void {
    seen?.add(normalize(resource.uri));
    for (const [pattern, left] of wanting) {
      if (!pattern.test(resource.uri)) continue;
      examples.add(resource);
      if (left > 1) wanting.set(pattern, left - 1);
      else wanting.delete(pattern);
    }
  }
}
