/** Digests of the main texts of pages, kept for later runs by what the pages hold. */

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { unlessRefused } from '../../base/errors.js';
import { findCaches, parseJson, readSealed, writeSealed } from '../../config/cache.js';
import { closedObject } from '../../config/schema/values.js';
import { digestPage, RULE } from '../../site/page/digest.js';

/** A larger file is neither written nor read. In bytes: some 300,000 digests. */
const FILE_LIMIT = 16 * 1024 ** 2;
const FORMAT = 'resync-static page digests 1';
/** A line for each version: its key, its digest, and a sign if its encoding is not known. One text is read ten times as fast as an object. */
const DigestsSchema = closedObject({ format: v.literal(FORMAT), digests: v.string() });

/** What is known of a version of a page. */
interface KnownDigest {
  readonly main: string;
  readonly isEncodingUnknown: boolean;
}

/** Where a page is, and what it holds. */
export interface PageVersion {
  /** Of the page. */
  readonly uri: string;
  /** The id of a blob, or digests in the notation of §7: equal only for equal bytes. */
  readonly content: string;
}

/** What a page holds, and its bytes. */
interface ReadContent extends Pick<PageVersion, 'content'> {
  readonly bytes: Uint8Array;
}

/** The digests of one site. What somebody else wrote, or changed since, is not believed; so they never change a result. */
export class PageDigestStore {
  readonly #site: string;
  readonly #url: string;
  /** As they are in the file, oldest first, and those that were added. */
  #kept: Map<string, KnownDigest> | undefined;
  readonly #added = new Map<string, KnownDigest>();
  readonly #odd = new Set<string>();

  /** @param site absolute path @param url of the site, with a trailing slash */
  constructor(site: string, url: string) {
    this.#site = site;
    this.#url = url;
  }

  /** URLs of pages in an encoding that is not known, of those that were asked for. */
  get oddPages(): readonly string[] {
    return [...this.#odd];
  }

  /** The digest of a version; undefined if it is not known. */
  find(version: PageVersion): string | undefined {
    const key = this.#keyOf(version);
    const known = this.#added.get(key) ?? this.#readKept().get(key);
    if (known?.isEncodingUnknown === true) this.#odd.add(version.uri);
    return known?.main;
  }

  /** The digest of a version, which is read if it is not known; undefined for one that is too long. */
  digest(version: PageVersion, bytes: Uint8Array): string | undefined {
    const known = this.find(version);
    if (known !== undefined) return known;
    const read = digestPage(bytes, { uri: version.uri, url: this.#url });
    if (read === undefined) return undefined;
    const { main, unknownEncoding } = read;
    this.#added.set(this.#keyOf(version), { main, isEncodingUnknown: unknownEncoding !== undefined });
    if (unknownEncoding !== undefined) this.#odd.add(version.uri);
    return main;
  }

  /** Whether a page has another main text; what is too long counts as such. */
  isNew(uri: string, former: ReadContent, present: ReadContent): boolean {
    const [before, after] = [former, present].map(({ content, bytes }) =>
      this.digest({ uri, content }, bytes),
    );
    return before === undefined || before !== after;
  }

  /** Keeps what was found out. If that is too much, what was kept before goes. */
  save(): void {
    const [place] = findCaches(this.#site);
    if (place === undefined || this.#added.size === 0) return;
    const all = format([...this.#readKept(), ...this.#added]);
    const text = all.length <= FILE_LIMIT ? all : format([...this.#added]);
    if (text.length <= FILE_LIMIT) unlessRefused(() => writeSealed(`${place.file}.texts`, text));
  }

  #keyOf({ uri, content }: PageVersion): string {
    const facts = [RULE, this.#url, uri, content].join('\n');
    return createHash('sha256').update(facts).digest('base64url').slice(0, 22);
  }

  #readKept(): ReadonlyMap<string, KnownDigest> {
    this.#kept ??= readKept(this.#site);
    return this.#kept;
  }
}

function readKept(site: string): Map<string, KnownDigest> {
  const [place] = findCaches(site);
  const text = place && unlessRefused(() => readSealed(`${place.file}.texts`, site, FILE_LIMIT));
  const { success, output } = v.safeParse(DigestsSchema, text === undefined ? undefined : parseJson(text));
  const kept = new Map<string, KnownDigest>();
  for (const line of success ? output.digests.split('\n') : []) {
    const [key = '', main = '', sign] = line.split(' ');
    if (main !== '') kept.set(key, { main, isEncodingUnknown: sign !== undefined });
  }
  return kept;
}

function format(digests: readonly (readonly [key: string, digest: KnownDigest])[]): string {
  const lines = digests.map(
    ([key, { main, isEncodingUnknown }]) => `${key} ${main}${isEncodingUnknown ? ' ?' : ''}`,
  );
  return JSON.stringify({ format: FORMAT, digests: lines.join('\n') });
}
