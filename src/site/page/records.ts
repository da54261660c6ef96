/** Records of what pages say, kept for later runs by what the pages hold. */

import { hash } from 'node:crypto';
import { unlessRefused } from '../../base/errors.js';
import { findCaches, readSealed, writeSealed } from '../../paths/hold/cache.js';
import { type PageRecord, RULE, readRecord } from './record.js';

/** A larger file is neither written nor read. In characters: some 500,000 records. */
const FILE_LIMIT = 64 * 1024 ** 2;
/** The first line of the file. */
const FORMAT = `resync-static pages 1, rule ${RULE}`;

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

/** The records of one site. What somebody else wrote, or changed since, is not believed; so they never change a result. */
export class PageRecords {
  readonly #site: string;
  readonly #url: string;
  /** As they are in the file, oldest first, a line each, by their keys. */
  #kept: Map<string, string> | undefined;
  readonly #added = new Map<string, string>();
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

  /** The record of a version; undefined if it is not known. */
  find(version: PageVersion): PageRecord | undefined {
    const key = this.#keyOf(version);
    const line = this.#added.get(key) ?? this.#readKept().get(key);
    return line === undefined ? undefined : this.#note(version, parseRecord(line));
  }

  /** The record of a version, which is read if it is not known; undefined for one that is longer than `PAGE_LIMIT`. */
  read(version: PageVersion, bytes: Uint8Array): PageRecord | undefined {
    const known = this.find(version);
    if (known !== undefined) return known;
    const record = readRecord(bytes, { uri: version.uri, url: this.#url });
    if (record === undefined) return undefined;
    this.#added.set(this.#keyOf(version), formatRecord(record));
    return this.#note(version, record);
  }

  /** Whether a page has another main text; what is too long counts as such. */
  isNew(uri: string, former: ReadContent, present: ReadContent): boolean {
    const [before, after] = [former, present].map(({ content, bytes }) => this.read({ uri, content }, bytes));
    return before === undefined || before.text !== after?.text;
  }

  /** Keeps what was found out. If that is too much, what was kept before goes. */
  save(): void {
    const [place] = findCaches(this.#site);
    if (place === undefined || this.#added.size === 0) return;
    const all = format([...this.#readKept(), ...this.#added]);
    const text = all.length <= FILE_LIMIT ? all : format([...this.#added]);
    if (text.length <= FILE_LIMIT) unlessRefused(() => writeSealed(`${place.file}.pages`, text));
  }

  #note({ uri }: PageVersion, record: PageRecord): PageRecord {
    if (record.isEncodingUnknown) this.#odd.add(uri);
    return record;
  }

  #keyOf({ uri, content }: PageVersion): string {
    return hash('sha256', [this.#url, uri, content].join('\n'), 'base64url').slice(0, 22);
  }

  #readKept(): ReadonlyMap<string, string> {
    this.#kept ??= readKept(this.#site);
    return this.#kept;
  }
}

function readKept(site: string): Map<string, string> {
  const [place] = findCaches(site);
  const text = place && unlessRefused(() => readSealed(`${place.file}.pages`, site, FILE_LIMIT));
  const [head, ...lines] = text?.split('\n') ?? [];
  const kept = new Map<string, string>();
  if (head === FORMAT) for (const line of lines) kept.set(line.slice(0, 22), line.slice(23));
  return kept;
}

function format(records: readonly (readonly [key: string, line: string])[]): string {
  return [FORMAT, ...records.map((record) => record.join(' '))].join('\n');
}

/** Titles and languages are folded: they have no white space but single spaces. */
function formatRecord({ text, title = '', lang = '', isEncodingUnknown }: PageRecord): string {
  return [text, isEncodingUnknown ? '?' : '', lang, title].join('\t');
}

function parseRecord(line: string): PageRecord {
  const [text = '', sign, lang = '', title = ''] = line.split('\t');
  return { text, title: title || undefined, lang: lang || undefined, isEncodingUnknown: sign !== '' };
}
