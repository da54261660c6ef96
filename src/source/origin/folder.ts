/** A built site as an origin: its files stand for what its URLs will be. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodePath, encodePath, makeUri, URL_STYLES, type UrlStyle } from '../../paths/urls.js';
import { isSafePath } from '../../standard/rules/paths.js';
import type { Bounds } from '../web/bounds.js';
import { compareFolder } from './compare-folder.js';
import { isOwnFile, readFile } from './files.js';
import { type Absent, NO_ANSWER, type Origin } from './origin.js';
import { inferStyle, normalizeUri } from './uris.js';

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
    async compare(comparison) {
      const style = urls ?? inferStyle(url, comparison.uris);
      styles = [style];
      await compareFolder(
        { site, url, style, bounds, explain: (uri) => explainUnseen(find(uri)) },
        comparison,
      );
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

function explainUnseen(found: string | Absent): Absent {
  return typeof found === 'string' ? { failure: 'failed', found: `${found} is another file` } : found;
}
