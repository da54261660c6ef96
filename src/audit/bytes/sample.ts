/** Which of the listed resources have their bytes compared, decided set by set: of the rest, next to nothing is kept. */

import { startSeeing } from '../../base/columns/keys.js';
import { joinRows, type Rows } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';
import { parseDatetime } from '../../base/datetime.js';
import { algorithmsOf, type ListedResource, startDetaching } from '../../source/listed.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { ListedTable } from '../agreement/set.js';
import type { ResolvedAudit } from '../config.js';
import { chooseSome, isRecent } from './bytes.js';

/** What sets list, as far as it is to be looked at. */
export type Listing = Readonly<ReturnType<typeof startListing>>;

/** Two of each: one may be the home page, which tells nothing. */
const EXAMPLES = 2;

/** All that the style of URLs and the place of a sitemap are told by. */
const TELLING = [/\/index\.html$/, /\.html$/, /[^/]\/$/, /\/sitemap(?:-0)?\.xml$/];

/**
 * Starts to take what sets list.
 *
 * @param needsAll whether it will be asked what is listed: where there are files that nobody may list
 */
export function startListing({ sample, since }: Pick<ResolvedAudit, 'sample' | 'since'>, needsAll: boolean) {
  const chosen: ListedResource[] = [];
  const isWhole = sample === undefined && since === undefined;
  const whole: TableRows<ListedResource>[] = [];
  const digestsOfWhole = new Set<HashAlgorithm>();
  /** What is kept must not keep its set. */
  const detach = startDetaching();
  const examples = new Set<ListedResource>();
  const wanting = new Map(TELLING.map((pattern) => [pattern, EXAMPLES]));
  const seen = isWhole || !needsAll ? undefined : startSeeing();
  let [count, recent] = [0, 0];

  return {
    /**
     * Takes all that a set lists, and returns how many of it are kept.
     *
     * @param digests all that is said there
     */
    add(resources: ListedTable, digests: Iterable<HashAlgorithm>): number {
      count += resources.size;
      const rows = resources.toRows();
      if (isWhole) {
        whole.push(rows);
        for (const name of digests) digestsOfWhole.add(name);
        return resources.size;
      }
      const { values, uris } = rows;
      const before = chosen.length + examples.size;
      const some = since === undefined ? values : values.filter((one) => isChangedSince(one, since));
      if (sample !== undefined && 'count' in sample) draw(some, sample.count);
      else takeShare(some, sample?.share ?? 1);
      for (const [place, uri] of uris.entries()) if (isTelling(uri)) note(values.at(place));
      return chosen.length + examples.size - before;
    },
    /** Those whose bytes are compared. */
    chosen: () => (isWhole ? joinPlaces(whole) : listPlaces(chosen)),
    /** Those, and some that tell how URLs are written, and where a sitemap is. */
    kept: () => (isWhole ? joinPlaces(whole) : listPlaces(listKept())),
    /** The digests with which bytes are compared. */
    digests: (): ReadonlySet<HashAlgorithm> =>
      isWhole ? digestsOfWhole : new Set(chosen.flatMap(algorithmsOf)),
    /** How many there are. */
    count: () => count,
    /** Whether a URL is listed, though it is not kept. */
    has: (uri: string) => seen?.has(uri) === true,
  };

  function listKept(): readonly ListedResource[] {
    return [...new Set([...chosen, ...examples])];
  }

  function takeShare(some: Rows<ListedResource>, share: number): void {
    const wanted = Math.ceil((recent + some.length) * share) - Math.ceil(recent * share);
    recent += some.length;
    for (const resource of chooseSome(wanted, some)) chosen.push(detach(resource));
  }

  /** Each of all so far is as likely to be among the chosen as any other. */
  function draw(some: Rows<ListedResource>, most: number): void {
    for (let index = 0; index < some.length; index++) {
      const place = Math.floor(Math.random() * ++recent);
      const drawn = chosen.length < most ? chosen.length : place;
      const resource = drawn < most ? some.at(index) : undefined;
      if (resource !== undefined) chosen[drawn] = detach(resource);
    }
  }

  /** Notes that a URL is listed. Whether it is one of the first that tell something. */
  function isTelling(uri: string): boolean {
    seen?.add(uri);
    let tells = false;
    for (const [pattern, left] of wanting) {
      if (!pattern.test(uri)) continue;
      tells = true;
      if (left > 1) wanting.set(pattern, left - 1);
      else wanting.delete(pattern);
    }
    return tells;
  }

  function note(resource: ListedResource | undefined): void {
    // What is chosen tells by itself.
    const known = chosen.find((one) => one.uri === resource?.uri && one.document === resource.document);
    if (resource !== undefined) examples.add(known ?? detach(resource));
  }
}

function isChangedSince({ lastmod }: ListedResource, since: Date): boolean {
  return isRecent(lastmod === undefined ? undefined : parseDatetime(lastmod), since);
}

/** Lists several one after another; what is in more than one is found in the first. */
export function joinPlaces<T>(parts: readonly TableRows<T>[]): TableRows<T> {
  const [only, ...others] = parts.filter(({ values }) => values.length > 0);
  if (only !== undefined && others.length === 0) return only;
  return {
    values: joinRows(parts.map(({ values }) => values)),
    uris: joinRows(parts.map(({ uris }) => uris)),
    find(uri) {
      let before = 0;
      for (const { values, find } of parts) {
        const place = find(uri);
        if (place !== undefined) return before + place;
        before += values.length;
      }
      return undefined;
    },
  };
}

/** The places of values that are few. */
export function listPlaces<T extends ListedResource>(values: readonly T[]): TableRows<T> {
  const uris = values.map(({ uri }) => uri);
  const places = new Map([...uris.entries()].reverse().map(([place, uri]) => [uri, place]));
  return { values, uris, find: (uri) => places.get(uri) };
}
