/** A built site as an origin: its files stand for what its URLs will be. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startIndex } from '../../columns/index-of.js';
import type { Rows } from '../../columns/rows.js';
import { decodePath, encodePath, makeUri, URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import type { HashAlgorithm } from '../../resourcesync/model.js';
import { type Digester, startDigester } from '../../site/digest/digester.js';
import { listEntries } from '../../site/walk.js';
import type { Bounds } from '../../web/bounds.js';
import { isSafePath } from '../rules/paths.js';
import { isOwnFile, readFile } from './files.js';
import type { Absent, Answer, Digested, Origin, OriginFile, Wanted } from './origin.js';
import { inferStyle, normalizeUri } from './uris.js';

const NO_ANSWER: Answer = { redirects: [], type: undefined, encoding: undefined };

/** In place of the number of a digest. */
const UNSEEN = -1;
const UNWANTED = -2;

/**
 * Opens a folder whose files are, or will be, served at a URL.
 *
 * @param site absolute path
 * @param url of the site's root, with a trailing slash
 * @param urls how HTML files become URLs; undefined to go by what is listed
 */
export function openFolder(site: string, url: string, urls: UrlStyle | undefined, bounds: Bounds): Origin {
  let styles: readonly UrlStyle[] = urls === undefined ? URL_STYLES : [urls];

  function find(uri: string): string | Absent {
    if (!uri.startsWith(url)) return { failure: 'elsewhere', found: `not below ${url}` };
    const rest = decodePath(uri.slice(url.length));
    const normal = url + encodePath(rest);
    for (const candidate of [rest, `${rest}index.html`, `${rest}.html`, `${rest}/index.html`]) {
      if (!styles.some((style) => makeUri(url, candidate, style) === normal)) continue;
      if (isOwnFile(site, candidate)) return candidate;
    }
    return { failure: 'missing', found: 'no such file' };
  }

  return {
    async open(uri) {
      const path = find(uri);
      if (typeof path !== 'string') return path;
      return { ...NO_ANSWER, uri, link: undefined, body: readFile(`${site}/${path}`, bounds) };
    },
    async digest(uris, want, each, other) {
      const style = urls ?? inferStyle(url, uris);
      styles = [style];
      const wanted = listWanted(uris, want, url);
      const digester = startDigester(site, [...wanted.names]);
      try {
        addFiles({ site, url, style, bounds, wanted }, digester, other);
        const table = await bounds.race(digester.finish());
        for (let place = 0; place < uris.length; place++) {
          const number = wanted.numbers[wanted.firstOf(place)] ?? UNSEEN;
          if (number === UNSEEN) each(place, explainUnseen(find(uris.at(place) ?? '')));
          else if (number !== UNWANTED) each(place, toDigested(table, number, wanted.names));
        }
      } finally {
        digester.close();
      }
    },
    normalize: (uri) => normalizeUri(url, uri),
    isApart(uri) {
      if (!uri.startsWith(url)) return true;
      const path = decodePath(uri.slice(url.length));
      return isSafePath(`/${path}`) && !existsSync(join(site, dirname(path)));
    },
    pathOf: (uri) => {
      const path = find(uri);
      return typeof path === 'string' ? `${site}/${path}` : undefined;
    },
    close: () => undefined,
  };
}

/** Which files are wanted, and which digests of them. A file may be listed in several sets: it is read once. */
interface WantedFiles {
  /** By the place where a URL is listed first, the number that the digester gives to its file. */
  readonly numbers: Int32Array;
  readonly names: ReadonlySet<HashAlgorithm>;
  /** The place where a URL is listed first. */
  readonly find: (uri: string) => number | undefined;
  readonly firstOf: (place: number) => number;
}

function listWanted(
  uris: Rows<string>,
  want: (place: number) => Wanted | undefined,
  url: string,
): WantedFiles {
  const numbers = new Int32Array(uris.length);
  const names = new Set<HashAlgorithm>();
  const index = startIndex((place) => normalizeUri(url, uris.at(place) ?? ''));
  const repeated = new Map<number, number>();
  for (const [place, listed] of uris.entries()) {
    const uri = normalizeUri(url, listed);
    const first = index.find(uri);
    if (first === undefined) index.add(uri, place);
    else repeated.set(place, first);
    const wanted = want(place);
    numbers[first ?? place] = wanted === undefined ? UNWANTED : UNSEEN;
    for (const name of wanted?.digests ?? []) names.add(name);
  }
  return { numbers, names, find: index.find, firstOf: (place) => repeated.get(place) ?? place };
}

interface Search {
  readonly site: string;
  readonly url: string;
  readonly style: UrlStyle;
  readonly bounds: Bounds;
  readonly wanted: WantedFiles;
}

/** Hands the wanted files of a folder to a digester, and those that nobody lists to `other`. */
function addFiles(
  { site, url, style, bounds, wanted }: Search,
  digester: Digester,
  other: (file: OriginFile) => void,
): void {
  let added = 0;
  for (const { path, kind, nameless } of listEntries(site)) {
    if (added % 1024 === 0) bounds.check();
    if (kind !== undefined || nameless) continue;
    const uri = makeUri(url, path, style);
    const place = wanted.find(uri);
    if (place === undefined) other({ uri, path });
    else if (wanted.numbers[place] !== UNWANTED) {
      digester.add(path);
      wanted.numbers[place] = added++;
    }
  }
}

function explainUnseen(found: string | Absent): Absent {
  return typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found;
}

function toDigested(
  table: Awaited<ReturnType<Digester['finish']>>,
  number: number,
  names: ReadonlySet<HashAlgorithm>,
): Digested {
  const hex = (name: HashAlgorithm) => (names.has(name) ? table.hex(number, name) : undefined);
  // Spelled out: a spread for every file costs 60 MB where there are 200,000.
  const { redirects, type, encoding } = NO_ANSWER;
  return { redirects, type, encoding, length: table.length(number), more: false, hex };
}
