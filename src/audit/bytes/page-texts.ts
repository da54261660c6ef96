/** The main texts of pages against the digests in `pages.json`. */

import { PAGE_LIMIT } from '../../files/page/page.js';
import { RULE, readRecord } from '../../files/page/record.js';
import { type Absent, type Digested, isAbsent, type Take } from '../../source/origin/origin.js';
import { trustedPages } from '../pages.js';
import type { AuditedPages, Picture, Run } from '../picture.js';
import { readFileStart } from './beginning.js';

/** A page of which bytes come; those past `PAGE_LIMIT` are counted only. */
interface ComingPage {
  readonly chunks: Buffer[];
  length: number;
}

/** Compares what `pages.json` says of single pages with their bytes, as these come. */
export class PageTexts {
  readonly #run: Run;
  readonly #pages: AuditedPages | undefined;
  /** The bytes of pages on the web that are under way: by place, and by how many codings were undone to get them. */
  readonly #coming = new Map<number, ComingPage[]>();

  constructor(run: Run, picture: Picture) {
    this.#run = run;
    this.#pages = trustedPages(picture);
  }

  /** Takes the bytes of what is listed in a place as they come; undefined if they are of no use. */
  take(place: number, uri: string): Take | undefined {
    if (!this.#isReadable(uri)) return undefined;
    const forms: ComingPage[] = [];
    this.#coming.set(place, forms);
    return (chunk, form = 0) => {
      const coming = forms[form] ?? { chunks: [], length: 0 };
      forms[form] = coming;
      if (coming.length <= PAGE_LIMIT) coming.chunks.push(chunk);
      coming.length += chunk.length;
    };
  }

  /** Compares a page, once all of it was read. */
  check(place: number, uri: string, outcome: Digested | Absent): void {
    const { origin, bounds, flag } = this.#run;
    const known = this.#pages;
    const forms = this.#coming.get(place);
    this.#coming.delete(place);
    const page = known?.pages.get(uri)?.page;
    if (known === undefined || page === undefined || !this.#isReadable(uri)) return;
    if (isAbsent(outcome) || outcome.more) return;
    bounds.check();
    const bytes =
      forms === undefined
        ? readFileStart(origin, uri, PAGE_LIMIT + 1)
        : Buffer.concat(forms[outcome.form ?? 0]?.chunks ?? []);
    const record = readRecord(bytes, { uri: page.url, url: known.base });
    for (const name of ['text', 'title', 'lang'] as const) {
      if (page[name] === record?.[name]) continue;
      const said = { found: `${name} ${page[name] ?? 'not said'}`, expected: record?.[name] ?? 'not said' };
      flag('pages-text-differs', { document: known.uri, entry: page.url, ...said });
      return;
    }
  }

  /** Finds out whether the page is named, and its text was read by the rule that we know. */
  #isReadable(uri: string): boolean {
    return this.#pages?.rule === RULE && this.#pages.pages.has(uri);
  }
}
