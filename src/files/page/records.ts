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

/** A larger file has what the last run asked for. In characters: some 150,000 pages. */
const USUAL_LENGTH = 16 * 1024 ** 2;
/** A larger file is neither written nor read. */
const LONGEST = 4 * USUAL_LENGTH;
/** The first line of the file; whatever gives other facts or answers for the same page needs another number. */
const FORMAT = `resync-static pages 3, rule ${RULE}`;

/** Marks an answer; no facts have this mark. */
const ANSWER = '=';
const NO_FACTS = { noindex: false, lists: [], feed: false };
const hasText = covers(TEXT_ALONE);

/** Cached facts of the pages of a site. A cache that others wrote or changed is ignored, so it never changes a result. */
export class PageRecords {
  readonly #site: string;
  readonly #url: string;
  /** Lines by their keys: those of the file, oldest first, and those that were added. */
  #lines: Map<string, string> | undefined;
  /** The lines that somebody asked for. */
  readonly #asked = new Set<string>();
  #isKept = true;

  /** @param site absolute path @param url of the site, with a trailing slash */
  constructor(site: string, url: string) {
    this.#site = site;
    this.#url = url;
  }

  /** Lists what was seen last of each page of the site. */
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

  /** Adds what was seen of a page; nothing if it is as it was listed. */
  add(line: string): void {
    if (this.#asked.has(line)) return;
    // An earlier version that is back becomes the newest.
    this.#readLines().delete(seenKey(line));
    this.#put(seenKey(line), line);
  }

  /** The record of a version; undefined if it is not known. */
  find(version: PageVersion): PageRecord | undefined {
    const line = this.#readLines().get(keyOf(version));
    if (line === undefined || !hasText(line)) return undefined;
    this.#asked.add(line);
    return unpackRecord(line);
  }

  /** The record of a version, which is read if it is not known; undefined for one that is longer than `PAGE_LIMIT`. */
  read(version: PageVersion, bytes: Uint8Array): PageRecord | undefined {
    const known = this.find(version);
    if (known !== undefined) return known;
    const record = readRecord(bytes, { uri: version.uri, url: this.#url });
    if (record === undefined) return undefined;
    this.add(packSeen(version, TEXT_ALONE, { facts: NO_FACTS, record, links: [] }));
    return record;
  }

  /**
   * Answers a question about a page, which is worked out once.
   * @param question names all that the answer depends on, such as the contents of versions
   * @param work gives undefined if that cannot be read now
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

  /** Keeps what was found out. If that is too much, what nobody asked for goes. */
  save(): void {
    const [place] = findCaches(this.#site);
    if (place === undefined || this.#isKept) return;
    const all = format(this.#readLines().values());
    const text = all.length <= USUAL_LENGTH ? all : format(this.#asked);
    if (text.length <= LONGEST) unlessRefused(() => writeSealed(`${place.file}.pages`, text));
    this.#isKept = true;
  }

  #put(key: string, line: string): void {
    this.#asked.add(line);
    this.#readLines().set(key, line);
    this.#isKept = false;
  }

  #readLines(): Map<string, string> {
    this.#lines ??= readLines(this.#site);
    return this.#lines;
  }
}

function readLines(site: string): Map<string, string> {
  const [place] = findCaches(site);
  const text = place && unlessRefused(() => readSealed(`${place.file}.pages`, site, LONGEST));
  const [head, ...lines] = text?.split('\n') ?? [];
  const byKey = new Map<string, string>();
  if (head === FORMAT) for (const line of lines) byKey.set(seenKey(line), line);
  return byKey;
}

function format(lines: Iterable<string>): string {
  return [FORMAT, ...lines].join('\n');
}
