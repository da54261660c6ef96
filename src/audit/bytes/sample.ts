/** Chooses the listed resources whose bytes are compared, set by set; keeps next to nothing of the others. */

import { FingerprintSet } from '../../base/columns/keys.js';
import { joinRows, type Rows } from '../../base/columns/rows.js';
import type { Address } from '../../paths/address.js';
import { type ListedResource, readLastmod } from '../../source/listed.js';
import type { HashAlgorithm } from '../../standard/model.js';
import type { ListedTable } from '../agreement/set.js';
import type { ResolvedAudit } from '../options.js';
import { chooseSome, isRecent } from './bytes.js';

/** Matches the usual URLs of a sitemap. */
const SITEMAP = /^https?:\/\/[^/]+(?:\/[^?#]*)?\/sitemap(?:-0)?\.xml$/;

/** The listed resources of all sets: all of them, or with `sample` or `since`, those to compare. */
export class Listing {
  readonly digests = new Set<HashAlgorithm>();
  readonly #sample: ResolvedAudit['sample'];
  readonly #since: Date | undefined;
  /** The tables of all sets; empty if only some resources are compared. */
  readonly #tables: ListedTable[] = [];
  readonly #chosen: ListedResource[] = [];
  /** All listed URLs, to find unlisted files; undefined on the web, or if all resources are compared. */
  readonly #seen: FingerprintSet | undefined;
  #sitemap: string | undefined;
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

  /** Adds all resources of a set; returns how many of them are kept. @param note called with each URL */
  add(
    resources: ListedTable,
    digests: Iterable<HashAlgorithm>,
    note: (uri: Address) => void = () => undefined,
  ): number {
    this.#count += resources.size;
    for (const name of digests) this.digests.add(name);
    for (const uri of resources.keys()) {
      note(uri);
      this.#seen?.add(uri);
      if (this.#sitemap === undefined && SITEMAP.test(uri)) this.#sitemap = uri;
    }
    if (this.#isWhole) {
      this.#tables.push(resources);
      return resources.size;
    }
    const [all, since, sample] = [resources.toRows(), this.#since, this.#sample];
    const before = this.#chosen.length;
    const some =
      since === undefined ? all : all.filter(({ lastmod }) => isRecent(readLastmod(lastmod), since));
    if (sample !== undefined && 'count' in sample) this.#draw(some, sample.count);
    else this.#takeShare(some, sample?.share ?? 1);
    return this.#chosen.length - before;
  }

  /** Returns the resources to compare. */
  chosen(): Rows<ListedResource> {
    return this.#isWhole ? joinRows(this.#tables.map((table) => table.toRows())) : this.#chosen;
  }

  /** Returns the URLs of the resources to compare, in their order, without creating the resources, which takes far longer. */
  *uris(): Generator<Address> {
    for (const table of this.#tables) yield* table.keys();
    for (const { uri } of this.#chosen) yield uri;
  }

  count(): number {
    return this.#count;
  }

  sitemap(): string | undefined {
    return this.#sitemap;
  }

  /** Tests if a URL is listed; on the web, only if all resources are compared. */
  has(uri: Address): boolean {
    return this.#seen?.has(uri) === true || this.#tables.some((table) => table.has(uri));
  }

  #takeShare(some: Rows<ListedResource>, share: number): void {
    const wanted = Math.ceil((this.#recent + some.length) * share) - Math.ceil(this.#recent * share);
    this.#recent += some.length;
    for (const resource of chooseSome(wanted, some)) this.#chosen.push(resource);
  }

  /** Draws at most `most` resources from those of all sets so far, each with the same probability (reservoir sampling). */
  #draw(some: Rows<ListedResource>, most: number): void {
    for (let index = 0; index < some.length; index++) {
      const place = Math.floor(Math.random() * ++this.#recent);
      const drawn = this.#chosen.length < most ? this.#chosen.length : place;
      const resource = drawn < most ? some.at(index) : undefined;
      if (resource !== undefined) this.#chosen[drawn] = resource;
    }
  }
}
