/** Cache of the facts of pages for later runs, by the content of the pages. */

import { unlessRefused } from '../../base/errors.js';
import { findCaches, readSealed, writeSealed } from '../../paths/hold/cache.js';
import { makeUri } from '../../paths/urls.js';
import {
  covers,
  type KnownPages,
  keyOf,
  PAGE_FILE,
  type PageVersion,
  packSeen,
  seenKey,
  TEXT_ALONE,
  unpackRecord,
  type WantedFacts,
} from './facts/seen.js';
import { type PageRecord, RULE, readRecord } from './record.js';

/** Length of the cache, in characters, above which it keeps only what this run used: some 150,000 pages. */
const USUAL_LENGTH = 16 * 1024 ** 2;
/** Limit of the length of the cache: a longer one is neither written nor read. */
const LONGEST = 4 * USUAL_LENGTH;
/** Format of the cache file. Its number is raised when the same page would give other facts or answers. */
const FORMAT = `resync-static pages 3, rule ${RULE}`;

/** Mark of a line that holds the answer to a question (`ask`) instead of facts. */
const ANSWER = '=';
const NO_FACTS = { noindex: false, lists: [], feed: false };
const hasText = covers(TEXT_ALONE);

/** Cached facts of the pages of a site. A cache file that was not written by this tool is ignored, so it never changes a result. */
export class PageRecords {
  readonly #site: string;
  readonly #url: string;
  /** Lines of facts by their keys: those of the file, oldest first, then added ones. Undefined until the file is read. */
  #lines: Map<string, string> | undefined;
  /** Lines of the cache that this run has used or added. */
  readonly #asked = new Set<string>();
  #isKept = true;

  /** Opens the cache; its file is read when needed. @param site absolute path @param url of the site, with a trailing slash */
  constructor(site: string, url: string) {
    this.#site = site;
    this.#url = url;
  }

  /** Returns a function that finds the facts of a page's newest cached version, if they answer all wishes. */
  list({ wishes, url, urls }: WantedFacts): KnownPages {
    const isKnown = covers(wishes);
    const newest = new Map<string, string>();
    for (const [key, line] of this.#readLines())
      if (isKnown(line)) newest.set(key.slice(0, key.indexOf('\t')), line);
    return (path) => {
      const line = PAGE_FILE.test(path) ? newest.get(makeUri(url, path, urls)) : undefined;
      if (line !== undefined) this.#asked.add(line);
      return line;
    };
  }

  /** Adds the facts of a page as its newest version, unless this run used the same line already. */
  add(line: string): void {
    if (this.#asked.has(line)) return;
    // If the page has an earlier version again, this becomes the newest one.
    this.#readLines().delete(seenKey(line));
    this.#put(seenKey(line), line);
  }

  find(version: PageVersion): PageRecord | undefined {
    const line = this.#readLines().get(keyOf(version));
    if (line === undefined || !hasText(line)) return undefined;
    this.#asked.add(line);
    return unpackRecord(line);
  }

  /** Returns the record of a version, cached or made of its bytes; undefined if these are longer than `PAGE_LIMIT`. */
  read(version: PageVersion, bytes: Uint8Array): PageRecord | undefined {
    const known = this.find(version);
    if (known !== undefined) return known;
    const record = readRecord(bytes, { uri: version.uri, url: this.#url });
    if (record === undefined) return undefined;
    this.add(packSeen(version, TEXT_ALONE, { facts: NO_FACTS, record, links: [] }));
    return record;
  }

  /**
   * Returns the cached answer to a question about a page, or works it out.
   * @param question names all on which the answer depends, such as the contents of versions
   * @param work finds the answer; undefined if that is not possible now, which is not cached
   */
  async ask(
    uri: string,
    question: string,
    work: () => Promise<string | undefined> | string,
  ): Promise<string | undefined> {
    const key = `${uri}\t${question}`;
    const line = this.#readLines().get(key);
    if (line !== undefined) {
      this.#asked.add(line);
      return JSON.parse(line.slice(line.lastIndexOf('\t') + 1));
    }
    const answer = await work();
    if (answer !== undefined) this.#put(key, [ANSWER, key, JSON.stringify(answer)].join('\t'));
    return answer;
  }

  /** Writes the cache file if something was added. A cache that is too long loses what this run did not use. */
  save(): void {
    const [place] = findCaches(this.#site);
    if (place === undefined || this.#isKept) return;
    const all = this.#format(this.#readLines().values());
    const text = all.length <= USUAL_LENGTH ? all : this.#format(this.#asked);
    if (text.length <= LONGEST) unlessRefused(() => writeSealed(`${place.file}.pages`, text));
    this.#isKept = true;
  }

  /** The first line of the file. The same page has other facts on a site with another URL, such as links to its own feed. */
  get #head(): string {
    return `${FORMAT}, ${this.#url}`;
  }

  #format(lines: Iterable<string>): string {
    return [this.#head, ...lines].join('\n');
  }

  #put(key: string, line: string): void {
    this.#asked.add(line);
    this.#readLines().set(key, line);
    this.#isKept = false;
  }

  #readLines(): Map<string, string> {
    this.#lines ??= readLines(this.#site, this.#head);
    return this.#lines;
  }
}

function readLines(site: string, head: string): Map<string, string> {
  const [place] = findCaches(site);
  const text = place && unlessRefused(() => readSealed(`${place.file}.pages`, site, LONGEST));
  const [found, ...lines] = text?.split('\n') ?? [];
  const byKey = new Map<string, string>();
  if (found === head) for (const line of lines) byKey.set(seenKey(line), line);
  return byKey;
}
