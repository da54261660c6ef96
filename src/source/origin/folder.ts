/** Opens a built site as an origin: a file stands for what its URL will serve. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { TextIndex } from '../../base/columns/keys.js';
import type { Rows } from '../../base/columns/rows.js';
import { createDigester, type Digester } from '../../files/digest/digester.js';
import type { DigestTable } from '../../files/digest/table.js';
import { listEntries } from '../../files/walk.js';
import { addressOf } from '../../paths/address.js';
import { folderOfSet } from '../../paths/ours.js';
import { decodePath, makeUri, URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import { type HashAlgorithm, isSafePath } from '../../standard/model.js';
import type { Bounds } from '../web/bounds.js';
import { isOwnFile, readFile } from './files.js';
import { type Absent, type ByteComparison, type Digested, NO_ANSWER, type Origin } from './origin.js';

/**
 * Opens a folder whose files are, or will be, served at a URL.
 *
 * @param site absolute path
 * @param url of the site's root, with a trailing slash
 * @param urls how HTML files become URLs; undefined to infer it from what is listed
 */
export function openFolder(site: string, url: string, urls: UrlStyle | undefined, bounds: Bounds): Origin {
  const folder = new SiteFolder(site, url, urls, bounds);
  return {
    async open(uri) {
      const path = folder.find(uri);
      if (typeof path !== 'string') return path;
      return { ...NO_ANSWER, uri, link: undefined, body: readFile(`${site}/${path}`, bounds) };
    },
    compare: (comparison) => folder.compare(comparison),
    isApart: (uri) => folder.isApart(uri),
    pathOf(uri) {
      const path = folder.find(uri);
      return typeof path === 'string' ? `${site}/${path}` : undefined;
    },
    close: () => undefined,
  };
}

/** The state of a comparison while the folder is walked. */
interface FileReading {
  readonly digester: Digester;
  /** By place; see `listWanted`. */
  readonly numbers: Int32Array;
  readonly findPlace: (uri: string) => number | undefined;
  readonly style: UrlStyle;
}

/** The files of a site, by their URLs. */
class SiteFolder {
  readonly #site: string;
  readonly #url: string;
  readonly #base: string;
  readonly #urls: UrlStyle | undefined;
  readonly #bounds: Bounds;
  /** The possible styles of URLs, one once it was inferred. */
  #styles: readonly UrlStyle[];

  constructor(site: string, url: string, urls: UrlStyle | undefined, bounds: Bounds) {
    this.#site = site;
    this.#url = url;
    this.#base = addressOf(url);
    this.#urls = urls;
    this.#bounds = bounds;
    this.#styles = urls === undefined ? URL_STYLES : [urls];
  }

  /** @returns the path of the file */
  find(uri: string): string | Absent {
    const address = addressOf(uri);
    if (!address.startsWith(this.#base)) return { failure: 'elsewhere', found: `not below ${this.#url}` };
    const rest = decodePath(address.slice(this.#base.length));
    for (const candidate of [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`]) {
      const isRoot = candidate === `${rest}index.html` && isRootOfPart(this.#site, candidate, this.#styles);
      if (!isRoot && !this.#styles.some((style) => makeUri(this.#base, candidate, style) === address))
        continue;
      if (isOwnFile(this.#site, candidate)) return candidate;
    }
    return { failure: 'missing', found: 'no such file' };
  }

  isApart(uri: string): boolean {
    const address = addressOf(uri);
    if (!address.startsWith(this.#base)) return true;
    const path = decodePath(address.slice(this.#base.length));
    return isSafePath(`/${path}`) && !existsSync(join(this.#site, dirname(path)));
  }

  /** Compares all files. A file that is listed several times is read at the first of its places. */
  async compare(comparison: ByteComparison): Promise<void> {
    const { uris, isWanted, each } = comparison;
    const style = this.#urls ?? inferStyle(this.#base, uris);
    this.#styles = [style];
    const findPlace = createPlaceFinder(comparison);
    const findFirst = (place: number) => findPlace(addressOf(uriAt(uris, place))) ?? place;
    const numbers = listWanted(comparison, findFirst);
    const names = [...comparison.digests];
    const digester = createDigester(this.#site, names);
    try {
      await this.#addFiles(comparison, { digester, numbers, findPlace, style });
      const table = await this.#bounds.race(digester.finish());
      for (let place = 0; place < uris.length; place++) {
        if (!isWanted(place)) continue;
        const own = numbers[place] ?? UNSEEN;
        const number = own < 0 ? (numbers[findFirst(place)] ?? UNSEEN) : own;
        const found =
          number < 0 ? explainUnseen(this.find(uriAt(uris, place))) : toDigested(table, number, names);
        each(place, found);
      }
    } finally {
      digester.close();
    }
  }

  /** Adds the wanted files to the digester, and their numbers there to `numbers`. */
  async #addFiles(
    { other }: ByteComparison,
    { digester, numbers, findPlace, style }: FileReading,
  ): Promise<void> {
    let [met, added] = [0, 0];
    for (const { path, kind, nameless } of listEntries(this.#site)) {
      if (met++ % STEP === 0) await this.#bounds.race(breathe());
      if (kind !== undefined || nameless) continue;
      const uri = makeUri(this.#base, path, style);
      const place =
        findPlace(uri) ?? (isRootOfPart(this.#site, path, this.#styles) ? findPlace(`${uri}/`) : undefined);
      if (place === undefined) other({ uri: this.#url + uri.slice(this.#base.length), path });
      else if (numbers[place] !== UNWANTED) {
        digester.add(path);
        numbers[place] = added++;
      }
    }
  }
}

/** Returns whether a file is the home page of a part of the Source, whose URL ends with a slash in every style. */
function isRootOfPart(site: string, path: string, styles: readonly UrlStyle[]): boolean {
  const isOne = styles.includes('bare') && path.endsWith('/index.html');
  return isOne && existsSync(join(site, dirname(path), folderOfSet(undefined)));
}

function explainUnseen(found: string | Absent): Absent {
  return typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found;
}

/** States of a place that has no number of the digester. */
const UNWANTED = -1;
const UNSEEN = -2;

/** Files of the walk between two turns of the event loop. */
const STEP = 1024;

/** @param place within the table */
function uriAt(uris: Rows<string>, place: number): string {
  const uri = uris.at(place);
  if (uri === undefined) throw new RangeError(`there is no place ${place} in the table`);
  return uri;
}

/** Creates a function that finds the first place of a URL, also if the list escapes other characters than we do. */
function createPlaceFinder({
  uris,
  find,
}: Pick<ByteComparison, 'uris' | 'find'>): (uri: string) => number | undefined {
  const others = new TextIndex((place) => addressOf(uriAt(uris, place)));
  for (let place = 0; place < uris.length; place++) {
    const listed = uriAt(uris, place);
    const uri = addressOf(listed);
    if (uri !== listed && others.find(uri) === undefined) others.add(uri, place);
  }
  return (uri) => find(uri) ?? others.find(uri);
}

/** Marks the places whose files are read. The first place of a wanted file may itself be unwanted. */
function listWanted(
  { uris, isWanted }: Pick<ByteComparison, 'uris' | 'isWanted'>,
  findFirst: (place: number) => number,
): Int32Array {
  const numbers = new Int32Array(uris.length).fill(UNSEEN);
  for (const place of numbers.keys()) if (!isWanted(place)) numbers[place] = UNWANTED;
  for (const place of numbers.keys()) if (isWanted(place)) numbers[findFirst(place)] = UNSEEN;
  return numbers;
}

function toDigested(table: DigestTable, index: number, names: readonly HashAlgorithm[]): Digested {
  const hex = (name: HashAlgorithm) => (names.includes(name) ? table.hex(index, name) : undefined);
  return { ...NO_ANSWER, length: table.length(index), more: false, hex };
}

/** Infers the style of URLs from what is listed; if that shows none, returns one that fits as well. */
function inferStyle(url: string, listed: Iterable<string>): UrlStyle {
  let [hasPage, hasFolder] = [false, false];
  for (const uri of listed) {
    if (uri === url) continue;
    if (uri.endsWith('/index.html') || uri === `${url}index.html`) return 'file';
    hasPage ||= uri.endsWith('.html');
    hasFolder ||= uri.endsWith('/');
  }
  if (hasPage) return 'directory';
  return hasFolder ? 'clean' : 'bare';
}
