/** Chooses the listed resources whose bytes are compared, set by set; of the others next to nothing is kept. */

import { FingerprintSet } from '../../base/columns/keys.js';
import { joinRows, type Rows } from '../../base/columns/rows.js';
import type { TableRows } from '../../base/columns/table.js';
import type { Address } from '../../paths/address.js';
import { algorithmsOf, type ListedResource, readLastmod } from '../../source/listed.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { ListedTable } from '../agreement/set.js';
import type { ResolvedAudit } from '../resolved.js';
import { chooseSome, isRecent } from './bytes.js';

/** Two of each, because one may be the home page, which shows no style. */
const EXAMPLES = 2;

/** URLs that show the style of all, and the place of a sitemap. */
const TELLING = [/\/index\.html$/, /\.html$/, /[^/]\/$/, /\/sitemap(?:-0)?\.xml$/];

/** The resources that sets list, as far as they are to be looked at. */
export class Listing {
  readonly #sample: ResolvedAudit['sample'];
  readonly #since: Date | undefined;
  /** The tables of all sets; empty if only some resources are compared. */
  readonly #whole: TableRows<ListedResource, Address>[] = [];
  readonly #digestsOfWhole = new Set<HashAlgorithm>();
  readonly #chosen: ListedResource[] = [];
  readonly #examples = new Set<ListedResource>();
  /** The number of examples that are still wanted, by pattern. */
  readonly #wanting = new Map(TELLING.map((pattern) => [pattern, EXAMPLES]));
  /** All listed URLs, to find unlisted files of a folder. */
  readonly #seen: FingerprintSet | undefined;
  #count = 0;
  #recent = 0;

  constructor({ sample, since, source }: Pick<ResolvedAudit, 'sample' | 'since' | 'source'>) {
    this.#sample = sample;
    this.#since = since;
    this.#seen = this.#isWhole || source.kind === 'web' ? undefined : new FingerprintSet();
  }

  get #isWhole(): boolean {
    return this.#sample === undefined && this.#since === undefined;
  }

  /** Adds all resources of a set; returns how many are kept. @param digests all algorithms in the list */
  add(resources: ListedTable, digests: Iterable<HashAlgorithm>): number {
    this.#count += resources.size;
    const rows = resources.toRows();
    if (this.#isWhole) {
      this.#whole.push(rows);
      for (const name of digests) this.#digestsOfWhole.add(name);
      return resources.size;
    }
    const [{ values, uris }, since, sample] = [rows, this.#since, this.#sample];
    const before = this.#chosen.length + this.#examples.size;
    const some = since === undefined ? values : values.filter((one) => isChangedSince(one, since));
    if (sample !== undefined && 'count' in sample) this.#draw(some, sample.count);
    else this.#takeShare(some, sample?.share ?? 1);
    for (const [place, uri] of uris.entries()) {
      this.#seen?.add(uri);
      if (this.#isTelling(uri)) this.#addExample(values.at(place));
    }
    return this.#chosen.length + this.#examples.size - before;
  }

  chosen(): TableRows<ListedResource, Address> {
    return this.#isWhole ? joinPlaces(this.#whole) : listPlaces(this.#chosen);
  }

  /** The chosen ones, and examples that show the style of URLs, and a sitemap. */
  kept(): TableRows<ListedResource, Address> {
    const some = () => [...new Set([...this.#chosen, ...this.#examples])];
    return this.#isWhole ? joinPlaces(this.#whole) : listPlaces(some());
  }

  /** The digests with which bytes are compared. */
  digests(): ReadonlySet<HashAlgorithm> {
    return this.#isWhole ? this.#digestsOfWhole : new Set(this.#chosen.flatMap(algorithmsOf));
  }

  count(): number {
    return this.#count;
  }

  /** Tests if a URL is listed, even if it is not kept. */
  has(uri: Address): boolean {
    return this.#seen?.has(uri) === true;
  }

  #takeShare(some: Rows<ListedResource>, share: number): void {
    const wanted = Math.ceil((this.#recent + some.length) * share) - Math.ceil(this.#recent * share);
    this.#recent += some.length;
    for (const resource of chooseSome(wanted, some)) this.#chosen.push(resource);
  }

  /** Draws so that each resource so far is equally likely to be chosen. */
  #draw(some: Rows<ListedResource>, most: number): void {
    for (let index = 0; index < some.length; index++) {
      const place = Math.floor(Math.random() * ++this.#recent);
      const drawn = this.#chosen.length < most ? this.#chosen.length : place;
      const resource = drawn < most ? some.at(index) : undefined;
      if (resource !== undefined) this.#chosen[drawn] = resource;
    }
  }

  /** Returns whether a URL is one of the first that match a pattern. */
  #isTelling(uri: string): boolean {
    const patterns = [...this.#wanting].filter(([pattern]) => pattern.test(uri));
    for (const [pattern, left] of patterns) {
      if (left > 1) this.#wanting.set(pattern, left - 1);
      else this.#wanting.delete(pattern);
    }
    return patterns.length > 0;
  }

  #addExample(resource: ListedResource | undefined): void {
    // A resource that is chosen is kept already.
    const known = this.#chosen.find((one) => one.uri === resource?.uri && one.document === resource.document);
    if (resource !== undefined) this.#examples.add(known ?? resource);
  }
}

function isChangedSince({ lastmod }: ListedResource, since: Date): boolean {
  return isRecent(readLastmod(lastmod), since);
}

/** Lists several one after another; what is in more than one is found in the first. */
export function joinPlaces<T>(parts: readonly TableRows<T, Address>[]): TableRows<T, Address> {
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
export function listPlaces<T extends ListedResource>(values: readonly T[]): TableRows<T, Address> {
  const uris = values.map(({ uri }) => uri);
  const places = new Map([...uris.entries()].reverse().map(([place, uri]) => [uri, place]));
  return { values, uris, find: (uri) => places.get(uri) };
}
