/** Opens a built site as an origin: a file stands for what its URL will serve. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { TextIndex } from '../../base/columns/keys.js';
import type { Rows } from '../../base/columns/rows.js';
import { createDigester } from '../../files/digest/digester.js';
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
  const base = addressOf(url);
  let styles: readonly UrlStyle[] = urls === undefined ? URL_STYLES : [urls];

  function find(uri: string): string | Absent {
    const address = addressOf(uri);
    if (!address.startsWith(base)) return { failure: 'elsewhere', found: `not below ${url}` };
    const rest = decodePath(address.slice(base.length));
    for (const candidate of [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`]) {
      const isRoot = candidate === `${rest}index.html` && isRootOfPart(site, candidate, styles);
      if (!isRoot && !styles.some((style) => makeUri(base, candidate, style) === address)) continue;
      if (isOwnFile(site, candidate)) return candidate;
    }
    return { failure: 'missing', found: 'no such file' };
  }

  /** Compares all files. A file that is listed several times is read at the first of its places. */
  async function compare(comparison: ByteComparison): Promise<void> {
    const { uris, isWanted, each, other } = comparison;
    const style = urls ?? inferStyle(base, uris);
    styles = [style];
    const findPlace = createPlaceFinder(comparison);
    const findFirst = (place: number) => findPlace(addressOf(uriAt(uris, place))) ?? place;
    const numbers = listWanted(comparison, findFirst);
    const names = [...comparison.digests];
    const digester = createDigester(site, names);
    try {
      let [met, added] = [0, 0];
      for (const { path, kind, nameless } of listEntries(site)) {
        if (met++ % STEP === 0) await bounds.race(breathe());
        if (kind !== undefined || nameless) continue;
        const uri = makeUri(base, path, style);
        const place = findPlace(uri) ?? (isRootOfPart(site, path, styles) ? findPlace(`${uri}/`) : undefined);
        if (place === undefined) other({ uri: url + uri.slice(base.length), path });
        else if (numbers[place] !== UNWANTED) {
          digester.add(path);
          numbers[place] = added++;
        }
      }
      const table = await bounds.race(digester.finish());
      for (let place = 0; place < uris.length; place++) {
        if (!isWanted(place)) continue;
        const own = numbers[place] ?? UNSEEN;
        const number = own < 0 ? (numbers[findFirst(place)] ?? UNSEEN) : own;
        each(place, number < 0 ? explainUnseen(find(uriAt(uris, place))) : toDigested(table, number, names));
      }
    } finally {
      digester.close();
    }
  }

  return {
    async open(uri) {
      const path = find(uri);
      if (typeof path !== 'string') return path;
      return { ...NO_ANSWER, uri, link: undefined, body: readFile(`${site}/${path}`, bounds) };
    },
    compare,
    isApart(uri) {
      const address = addressOf(uri);
      if (!address.startsWith(base)) return true;
      const path = decodePath(address.slice(base.length));
      return isSafePath(`/${path}`) && !existsSync(join(site, dirname(path)));
    },
    pathOf: (uri) => {
      const path = find(uri);
      return typeof path === 'string' ? `${site}/${path}` : undefined;
    },
    close: () => undefined,
  };
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
