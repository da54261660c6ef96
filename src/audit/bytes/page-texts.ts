/** Compares main text, title and language of pages with `pages.json`. */

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

/** Compares pages with `pages.json`, while their bytes are compared with what is listed. */
export class PageTexts {
  readonly #run: Run;
  readonly #pages: AuditedPages | undefined;
  /** Pages that are being received from the web, by place, and then by the number of codings that were decoded. */
  readonly #coming = new Map<number, ComingPage[]>();

  constructor(run: Run, picture: Picture) {
    this.#run = run;
    this.#pages = trustedPages(picture);
  }

  /** Returns a receiver for the bytes of a page; undefined if the page is not compared with `pages.json`. */
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

  /** URL of the site whose pages are compared; undefined if there is no `pages.json` of the same rule. */
  get site(): string | undefined {
    return this.#pages?.rule === RULE ? this.#pages.base : undefined;
  }

  /** Compares a page with `pages.json` once its bytes were read. @param read record of the page, if its reader made one */
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

  /** Returns whether `pages.json` names a page, and was made by our rule for main texts. */
  #isReadable(uri: Address): boolean {
    return this.site !== undefined && this.#pages?.pages.has(uri) === true;
  }
}
