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

/** Number of examples for each pattern: two, because one may be the home page, whose URL shows no style. */
const EXAMPLES = 2;

/** Patterns of URLs that show the style of all URLs, or the place of a sitemap. */
const TELLING = [/\/index\.html$/, /\.html$/, /[^/]\/$/, /\/sitemap(?:-0)?\.xml$/];

/** The listed resources of all sets: all of them, or with `sample` or `since`, those to compare and a few examples. */
export class Listing {
  readonly #sample: ResolvedAudit['sample'];
  readonly #since: Date | undefined;
  /** The tables of all sets; empty if only some resources are compared. */
  readonly #whole: TableRows<ListedResource, Address>[] = [];
  readonly #digestsOfWhole = new Set<HashAlgorithm>();
  readonly #chosen: ListedResource[] = [];
  readonly #examples = new Set<ListedResource>();
  /** The number of examples that are still wanted, by pattern of URLs. */
  readonly #wanting = new Map(TELLING.map((pattern) => [pattern, EXAMPLES]));
  /** All listed URLs, to find unlisted files; undefined if all resources are compared, or on the web. */
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

  /** Adds all resources of a set; returns how many of them are kept. @param digests algorithms of all listed digests */
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

  /** Returns the resources to compare, and examples that show the style of URLs, and a sitemap. */
  kept(): TableRows<ListedResource, Address> {
    const some = () => [...new Set([...this.#chosen, ...this.#examples])];
    return this.#isWhole ? joinPlaces(this.#whole) : listPlaces(some());
  }

  /** Returns the algorithms of the digests with which bytes are compared. */
  digests(): ReadonlySet<HashAlgorithm> {
    return this.#isWhole ? this.#digestsOfWhole : new Set(this.#chosen.flatMap(algorithmsOf));
  }

  count(): number {
    return this.#count;
  }

  /** Tests if a URL is listed, where only some resources of a folder are compared; elsewhere always false. */
  has(uri: Address): boolean {
    return this.#seen?.has(uri) === true;
  }

  #takeShare(some: Rows<ListedResource>, share: number): void {
    const wanted = Math.ceil((this.#recent + some.length) * share) - Math.ceil(this.#recent * share);
    this.#recent += some.length;
    for (const resource of chooseSome(wanted, some)) this.#chosen.push(resource);
  }

  /** Draws at most `most` resources, so that each one that was added so far is equally likely to be chosen. */
  #draw(some: Rows<ListedResource>, most: number): void {
    for (let index = 0; index < some.length; index++) {
      const place = Math.floor(Math.random() * ++this.#recent);
      const drawn = this.#chosen.length < most ? this.#chosen.length : place;
      const resource = drawn < most ? some.at(index) : undefined;
      if (resource !== undefined) this.#chosen[drawn] = resource;
    }
  }

  /** Returns whether a URL is an example to keep: one of the first two that match a pattern of `TELLING`. */
  #isTelling(uri: string): boolean {
    const patterns = [...this.#wanting].filter(([pattern]) => pattern.test(uri));
    for (const [pattern, left] of patterns) {
      if (left > 1) this.#wanting.set(pattern, left - 1);
      else this.#wanting.delete(pattern);
    }
    return patterns.length > 0;
  }

  #addExample(resource: ListedResource | undefined): void {
    // If the resource is also in the sample, the same object is used, so that it is kept once.
    const known = this.#chosen.find((one) => one.uri === resource?.uri && one.document === resource.document);
    if (resource !== undefined) this.#examples.add(known ?? resource);
  }
}

function isChangedSince({ lastmod }: ListedResource, since: Date): boolean {
  return isRecent(readLastmod(lastmod), since);
}

/** Joins tables one after another; a URL that is in several is found in the first. */
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

/** Makes a table of a few values; a URL that occurs twice is found at its first place. */
export function listPlaces<T extends ListedResource>(values: readonly T[]): TableRows<T, Address> {
  const uris = values.map(({ uri }) => uri);
  const places = new Map([...uris.entries()].reverse().map(([place, uri]) => [uri, place]));
  return { values, uris, find: (uri) => places.get(uri) };
}
