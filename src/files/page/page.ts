/** Reads a page in one pass: what its head says, and the texts of its body. Pure. */

import { maskLink } from '../../paths/asset-names.js';
import { decode, findEncoding, type PageEncoding } from './decode.js';
import { findRoot, resolve } from './elements.js';
import { type PageHead, readTokens } from './head.js';
import { type BodyText, fold, readExactly, readPlainly, TextReader } from './text.js';
import { attributeOf } from './tokens.js';

/** The place of a page, against which its links are resolved. */
export interface PagePlace {
  readonly uri: string;
  /** URL of the site, with a trailing slash. */
  readonly url: string;
}

export interface ReadPage {
  readonly head: PageHead;
  readonly body: BodyText;
  readonly encoding: PageEncoding;
}

/** Limit of pages and texts to read, in bytes. */
export const PAGE_LIMIT = 16_777_216;

/** Reads head and body of a page, in its own encoding, see `findEncoding`. */
export function readWholePage(bytes: Uint8Array): ReadPage {
  const encoding = findEncoding(bytes);
  const body = new TextReader();
  const head = readTokens(decode(bytes, encoding), body);
  return { head, body: body.text, encoding };
}

/** Returns the parts of a page that decide if its text changed: title, main text, and where links in the main text lead. */
export function readMain({ head, body }: ReadPage, place: PagePlace): string {
  const root = findRoot(head, place.uri);
  return `${readTitle(head) ?? ''}\n${readExactly(body.main, (href) => readTarget(href, root, place))}`;
}

export function readRest({ body }: ReadPage): string {
  return readExactly(body.rest);
}

/** Normalizes the target of a link to a fragment, a path in the site, or a URL. Masks hashes in names of assets. */
function readTarget(href: string, root: string, { uri, url }: PagePlace): string {
  const target = resolve(href, root);
  if (target === '') return href;
  const fragment = target.indexOf('#');
  if ((fragment < 0 ? target : target.slice(0, fragment)) === uri)
    return fragment < 0 ? '#' : target.slice(fragment);
  return maskLink(target.startsWith(url) ? `/${target.slice(url.length)}` : target);
}

/** Returns the title of a page, white space folded; undefined if it is missing or empty. */
export function readTitle({ title = '' }: Pick<PageHead, 'title'>): string | undefined {
  return fold(title) || undefined;
}

/** Returns the value of `<html lang>`, white space folded; undefined if it is missing or empty. */
export function readLanguage({ lang = '' }: Pick<PageHead, 'lang'>): string | undefined {
  return fold(lang) || undefined;
}

/** The content of a page, for search indexes. */
export interface PageText {
  /** Title in the head of the page, whitespace folded. */
  readonly title: string | undefined;
  /** The value of `<html lang>`, such as `en` or `pt-BR`. */
  readonly lang: string | undefined;
  /** The content of `<meta name="description">`, whitespace folded. */
  readonly description: string | undefined;
  /**
   * Title and main text, with alternative texts and labels, whitespace folded. `diff` and `mirror` report a changed text if
   * it differs, or if a link leads elsewhere.
   */
  readonly text: string;
  /** `<h1>` to `<h6>` of the main text, in their order. */
  readonly headings: readonly { readonly level: number; readonly text: string }[];
}

/**
 * Reads an HTML page as `diff` compares it, in its own encoding (byte order mark, `<meta>`), or else UTF-8 or windows-1252.
 * @returns undefined for a page of more than 16 MB
 */
export function readPage(bytes: Uint8Array): PageText | undefined {
  if (bytes.length > PAGE_LIMIT) return undefined;
  const { head, body } = readWholePage(bytes);
  const title = readTitle(head);
  const description = head.elements.find(
    (element) => element.name === 'meta' && attributeOf(element, 'name')?.toLowerCase() === 'description',
  );
  return {
    title,
    lang: readLanguage(head),
    description: fold((description && attributeOf(description, 'content')) ?? '') || undefined,
    text: fold(`${title ?? ''} ${readPlainly(body.main)}`),
    headings: body.headings,
  };
}
