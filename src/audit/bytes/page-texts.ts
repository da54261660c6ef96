/** Compares main text, title and language of pages with `pages.json`. */

import { PAGE_LIMIT } from '../../files/page/page.js';
import { type PageRecord, RULE, readRecord } from '../../files/page/record.js';
import type { Address } from '../../paths/address.js';
import { trustedPages } from '../pages.js';
import type { AuditedPages, Picture, Run } from '../picture.js';
import { readFileStart } from './beginning.js';

/** The bytes of a page that is being received, up to about `PAGE_LIMIT`. */
export class PageBytes {
  readonly #pieces: Buffer[] = [];
  #length = 0;

  readonly take = (piece: Buffer): void => {
    if (this.#length <= PAGE_LIMIT) this.#pieces.push(piece);
    this.#length += piece.length;
  };

  all(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

/** Compares pages with `pages.json`, while their bytes are compared with what is listed. */
export class PageTexts {
  readonly #run: Run;
  /** The `pages.json`; undefined without one, or if its main texts were read by another rule than ours. */
  readonly #pages: AuditedPages | undefined;

  constructor(picture: Picture) {
    this.#run = picture.run;
    const pages = trustedPages(picture);
    this.#pages = pages?.rule === RULE ? pages : undefined;
  }

  /** URL of the site whose pages are compared; undefined if none are. */
  get site(): string | undefined {
    return this.#pages?.base;
  }

  has(uri: Address): boolean {
    return this.#pages?.pages.has(uri) === true;
  }

  /** Compares a page, if `pages.json` names it. @param bytes of the page, if received @param made record of the page, if a digester made it */
  check(uri: Address, bytes?: Buffer, made?: PageRecord): void {
    const { folder, bounds, flag } = this.#run;
    const known = this.#pages;
    const page = known?.pages.get(uri)?.page;
    if (known === undefined || page === undefined) return;
    bounds.check();
    const all = () => bytes ?? readFileStart(folder, uri, PAGE_LIMIT + 1);
    const record = made ?? readRecord(all(), { uri: page.url, url: known.base });
    for (const name of ['text', 'title', 'lang'] as const) {
      if (page[name] === record?.[name]) continue;
      const said = { found: `${name} ${page[name] ?? 'not said'}`, expected: record?.[name] ?? 'not said' };
      flag('pages-text-differs', { document: known.uri, entry: page.url, ...said });
      return;
    }
  }
}
