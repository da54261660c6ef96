/** A built site as an origin: its files stand for what its URLs will be. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { TextIndex } from '../../base/columns/keys.js';
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
 * @param urls how HTML files become URLs; undefined to go by what is listed
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

  /** Compares all files. One that is listed several times is known by the first of these places. */
  async function compare(comparison: ByteComparison): Promise<void> {
    const { uris, isWanted, each, other } = comparison;
    const style = urls ?? inferStyle(base, uris);
    styles = [style];
    const findPlace = createPlaceFinder(comparison);
    const findFirst = (place: number) => findPlace(addressOf(uris.at(place) ?? '')) ?? place;
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
        each(
          place,
          number < 0 ? explainUnseen(find(uris.at(place) ?? '')) : toDigested(table, number, names),
        );
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

/** Whether a file is the first page of a part, whose URL ends with a slash as that of every site does. */
function isRootOfPart(site: string, path: string, styles: readonly UrlStyle[]): boolean {
  const isOne = styles.includes('bare') && path.endsWith('/index.html');
  return isOne && existsSync(join(site, dirname(path), folderOfSet(undefined)));
}

function explainUnseen(found: string | Absent): Absent {
  return typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found;
}

/** What is known of the file of a place, as long as it has no number of the digester. */
const UNWANTED = -1;
const UNSEEN = -2;

/** Files are walked through so many at a time, before others have a turn. */
const STEP = 1024;

/** Finds the first place of the URL of a file. A list may escape more or fewer characters than we do. */
function createPlaceFinder({
  uris,
  find,
}: Pick<ByteComparison, 'uris' | 'find'>): (uri: string) => number | undefined {
  const others = new TextIndex((place) => addressOf(uris.at(place) ?? ''));
  for (let place = 0; place < uris.length; place++) {
    const listed = uris.at(place) ?? '';
    const uri = addressOf(listed);
    if (uri !== listed && others.find(uri) === undefined) others.add(uri, place);
  }
  return (uri) => find(uri) ?? others.find(uri);
}

/** By place, whether the file that has its URL is to be read. The first place of a wanted file may be one of which nothing is wanted. */
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

/** The style of URLs that a Resource List shows; where it shows none, one that fits all the same. */
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
