/** Compares the main texts of pages with the digests in `pages.json`. */

import { PAGE_LIMIT } from '../../files/page/page.js';
import { type PageRecord, RULE, readRecord } from '../../files/page/record.js';
import type { Address } from '../../paths/address.js';
import { type Absent, type Digested, isAbsent, type Take } from '../../source/origin/origin.js';
import { trustedPages } from '../pages.js';
import type { AuditedPages, Picture, Run } from '../picture.js';
import { readFileStart } from './beginning.js';

/** A page that is being received; bytes past `PAGE_LIMIT` are only counted. */
interface ComingPage {
  readonly chunks: Buffer[];
  length: number;
}

/** Compares pages with `pages.json` as their bytes arrive. */
export class PageTexts {
  readonly #run: Run;
  readonly #pages: AuditedPages | undefined;
  /** Pages on the web that are being received, by place, and by the number of codings that were decoded. */
  readonly #coming = new Map<number, ComingPage[]>();

  constructor(run: Run, picture: Picture) {
    this.#run = run;
    this.#pages = trustedPages(picture);
  }

  /** Returns a receiver for the bytes of a place; undefined if they are not needed. */
  take(place: number, uri: Address): Take | undefined {
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

  /** URL of the site whose pages are compared; undefined if none are. */
  get site(): string | undefined {
    return this.#pages?.rule === RULE ? this.#pages.base : undefined;
  }

  /** Compares a page once it was read. @param read its record, if the reader made one */
  check(place: number, uri: Address, outcome: Digested | Absent, read?: PageRecord): void {
    const { origin, bounds, flag } = this.#run;
    const known = this.#pages;
    const forms = this.#coming.get(place);
    this.#coming.delete(place);
    const page = known?.pages.get(uri)?.page;
    if (known === undefined || page === undefined || !this.#isReadable(uri)) return;
    if (isAbsent(outcome) || outcome.more) return;
    bounds.check();
    const { form = 0 } = outcome;
    const readBytes = () =>
      forms === undefined
        ? readFileStart(origin, uri, PAGE_LIMIT + 1)
        : Buffer.concat(forms[form]?.chunks ?? []);
    const record = read ?? readRecord(readBytes(), { uri: page.url, url: known.base });
    for (const name of ['text', 'title', 'lang'] as const) {
      if (page[name] === record?.[name]) continue;
      const said = { found: `${name} ${page[name] ?? 'not said'}`, expected: record?.[name] ?? 'not said' };
      flag('pages-text-differs', { document: known.uri, entry: page.url, ...said });
      return;
    }
  }

  /** Returns whether `pages.json` names the page, and was made by our rule. */
  #isReadable(uri: Address): boolean {
    return this.site !== undefined && this.#pages?.pages.has(uri) === true;
  }
}
