/** Opens a built site as an origin: a file stands for what its URL will serve. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { addressOf } from '../../paths/address.js';
import { folderOfSet } from '../../paths/ours.js';
import { decodePath, makeUri, URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import { isSafePath } from '../../standard/model.js';
import type { Bounds } from '../web/bounds.js';
import { isOwnFile, readFile } from './files.js';
import { type Absent, NO_ANSWER, type Opened, type Origin } from './origin.js';

/** Ends of URLs from which the style of all URLs of a site is inferred, the longest first. */
const ENDS = ['/index.html', '.html', '/'];

export class SiteFolder implements Origin {
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  /** URL of the site's root, normalized for comparison. */
  readonly base: string;
  readonly #bounds: Bounds;
  /** Styles that URLs of the site may have; one, if the user named it or it was inferred. */
  #styles: readonly UrlStyle[];
  /** Those of `ENDS` that listed URLs have. */
  readonly #ends = new Set<string>();

  /** @param urls style in which HTML files become URLs; undefined to infer it from the listed URLs */
  constructor(site: string, url: string, urls: UrlStyle | undefined, bounds: Bounds) {
    this.site = site;
    this.url = url;
    this.base = addressOf(url);
    this.#bounds = bounds;
    this.#styles = urls === undefined ? URL_STYLES : [urls];
  }

  async open(uri: string): Promise<Opened | Absent> {
    const path = this.find(uri);
    if (typeof path !== 'string') return path;
    return { ...NO_ANSWER, uri, link: undefined, body: readFile(`${this.site}/${path}`, this.#bounds) };
  }

  /** Finds the file that a URL will serve. @returns its path, relative to the site @param isThere tests for a file */
  find(uri: string, isThere = (path: string) => isOwnFile(this.site, path)): string | Absent {
    const address = addressOf(uri);
    if (!address.startsWith(this.base)) return { failure: 'elsewhere', found: `not below ${this.url}` };
    const rest = decodePath(address.slice(this.base.length));
    for (const candidate of [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`]) {
      const isRoot = candidate === `${rest}index.html` && this.isRootOfPart(candidate);
      if (!isRoot && !this.#styles.some((style) => makeUri(this.base, candidate, style) === address))
        continue;
      if (isThere(candidate)) return candidate;
    }
    return { failure: 'missing', found: 'no such file' };
  }

  /** Returns whether a file is the home page of a part of the Source, whose URL ends with a slash in every style. */
  isRootOfPart(path: string): boolean {
    const isOne = this.#styles.includes('bare') && path.endsWith('/index.html');
    return isOne && existsSync(join(this.site, dirname(path), folderOfSet(undefined)));
  }

  /** Returns whether a URL is outside of the folder, or in a missing subfolder, such as that of a set of another build. */
  isApart(uri: string): boolean {
    const address = addressOf(uri);
    if (!address.startsWith(this.base)) return true;
    const path = decodePath(address.slice(this.base.length));
    return isSafePath(`/${path}`) && !existsSync(join(this.site, dirname(path)));
  }

  /** Returns the path of the file of a URL on disk; undefined if it is missing. */
  pathOf(uri: string): string | undefined {
    const path = this.find(uri);
    return typeof path === 'string' ? `${this.site}/${path}` : undefined;
  }

  /** Notes a listed URL, from whose end `settleStyle` infers the style. */
  noteListed(uri: string): void {
    const end = ENDS.find((one) => uri.endsWith(one));
    if (end !== undefined && uri !== this.base) this.#ends.add(end);
  }

  /** Returns the style of URLs. If the user named none, it is inferred from the listed URLs, and kept. */
  settleStyle(): UrlStyle {
    const [first, ...others] = this.#styles;
    const style = first === undefined || others.length > 0 ? this.#inferStyle() : first;
    this.#styles = [style];
    return style;
  }

  /** Infers the style of URLs from `#ends`; any of them if several fit. */
  #inferStyle(): UrlStyle {
    if (this.#ends.has('/index.html')) return 'file';
    if (this.#ends.has('.html')) return 'directory';
    return this.#ends.has('/') ? 'clean' : 'bare';
  }

  close(): void {
    // Nothing has to be closed: no file stays open between two reads.
  }
}
