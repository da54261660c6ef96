/** Cache of the facts of pages for later runs, by the content of the pages. */

import { unlessRefused } from '../../base/errors.js';
import { findCaches, readSealed, writeSealed } from '../../paths/hold/cache.js';
import {
  covers,
  KEY_LENGTH,
  type KnownPages,
  type PageWishes,
  packSeen,
  TEXT_ALONE,
  unpackRecord,
} from './facts/seen.js';
import { makeKey, type PageRecord, RULE, readRecord } from './record.js';

/** A larger file has what the last run asked for. In characters: some 150,000 pages. */
const USUAL_LENGTH = 16 * 1024 ** 2;
/** A larger file is neither written nor read. */
const LONGEST = 4 * USUAL_LENGTH;
/** The first line of the file. */
const FORMAT = `resync-static pages 2, rule ${RULE}`;

export interface PageVersion {
  readonly uri: string;
  /** The id of a blob, or digests in the notation of §7: equal only for equal bytes. */
  readonly content: string;
}

const NO_FACTS = { noindex: false, lists: [], feed: false };
const hasText = covers(TEXT_ALONE);

/** Cached facts of the pages of a site. A cache that others wrote or changed is ignored, so it never changes a result. */
export class PageRecords {
  readonly #site: string;
  readonly #url: string;
  /** Lines by their keys: those of the file, oldest first, and those that were added. */
  #lines: Map<string, string> | undefined;
  readonly #asked = new Set<string>();
  #isKept = true;

  /** @param site absolute path @param url of the site, with a trailing slash */
  constructor(site: string, url: string) {
    this.#site = site;
    this.#url = url;
  }

  list(wishes: PageWishes): KnownPages {
    const lines = this.#readLines();
    const isKnown = covers(wishes);
    const keys = [...lines.values()].filter(isKnown).map((line) => line.slice(0, KEY_LENGTH));
    const bytes = new Uint8Array(new SharedArrayBuffer(keys.length * KEY_LENGTH));
    Buffer.from(bytes.buffer).write(keys.join(''), 'latin1');
    return { keys: bytes, find: (key) => lines.get(key) };
  }

  add(line: string): void {
    const key = line.slice(0, KEY_LENGTH);
    this.#asked.add(key);
    if (this.#readLines().get(key) === line) return;
    this.#readLines().set(key, line);
    this.#isKept = false;
  }

  /** The record of a version; undefined if it is not known. */
  find(version: PageVersion): PageRecord | undefined {
    const key = this.#keyOf(version);
    const line = this.#readLines().get(key);
    if (line === undefined || !hasText(line)) return undefined;
    this.#asked.add(key);
    return unpackRecord(line);
  }

  /** The record of a version, which is read if it is not known; undefined for one that is longer than `PAGE_LIMIT`. */
  read(version: PageVersion, bytes: Uint8Array): PageRecord | undefined {
    const known = this.find(version);
    if (known !== undefined) return known;
    const record = readRecord(bytes, { uri: version.uri, url: this.#url });
    if (record === undefined) return undefined;
    this.add(packSeen(this.#keyOf(version), TEXT_ALONE, { facts: NO_FACTS, record, links: [] }));
    return record;
  }

  /** Keeps what was found out. If that is too much, what nobody asked for goes. */
  save(): void {
    const [place] = findCaches(this.#site);
    if (place === undefined || this.#isKept) return;
    const lines = this.#readLines();
    const all = format([...lines.values()]);
    const text = all.length <= USUAL_LENGTH ? all : format([...this.#asked].map((key) => lines.get(key)));
    if (text.length <= LONGEST) unlessRefused(() => writeSealed(`${place.file}.pages`, text));
    this.#isKept = true;
  }

  #keyOf({ uri, content }: PageVersion): string {
    return makeKey({ uri, url: this.#url }, content);
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
  return new Map(head === FORMAT ? lines.map((line) => [line.slice(0, KEY_LENGTH), line]) : []);
}

function format(lines: readonly (string | undefined)[]): string {
  return [FORMAT, ...lines].join('\n');
}
