/** Plans the edits of `robots.txt` and `_headers`, which have an effect only at the root of a host. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../../base/notices.js';
import type { Parts } from '../../config/config.js';
import type { HeadersHost } from '../../config/options.js';
import { readBeginning } from '../../files/beginning.js';
import { makeJoinedTest } from '../../paths/apart.js';
import { stateOfFile } from '../../paths/hold/files.js';
import { isOurs } from '../../paths/hold/ownership.js';
import type { FileEdit } from '../../paths/hold/replace.js';
import { isSitemap, ROOT_WITHIN, SITEMAP_NAMES } from '../../paths/host-rules.js';
import { pathOfDocument } from '../../paths/ours.js';
import { encodePath, type UrlStyle } from '../../paths/urls.js';
import {
  addHeaders,
  DESCRIPTION_PATH,
  findMediaTypeRule,
  planHubRules,
  planLinkRules,
  requireLimits,
  VERSION_RULES,
} from './headers.js';
import { addSitemaps, dropSitemaps } from './lines.js';
import { addServed, listServed, readBytes, refuseEdit, type ServedRules } from './served.js';
import { isOwnSitemap, pathBelow, type SitemapRules } from './sitemaps.js';

export interface RootFileRules extends ServedRules, SitemapRules, Pick<Parts, 'isOthers'> {
  readonly urls: UrlStyle;
  readonly robots: boolean;
  readonly headers: HeadersHost | undefined;
  readonly hub: string | undefined;
  readonly versions: object | undefined;
  /** URLs of the Resource Lists of sets that other builds describe. @default none */
  readonly others?: readonly string[] | undefined;
}

/**
 * Plans the edits of `robots.txt` and `_headers`, with the new bytes of each file that changes. Writes nothing.
 *
 * @param notices gets the notices about rules that cannot be added
 * @throws ResyncError `discovery-failed`, `file-unreadable`
 */
export function planEdits(site: string, options: RootFileRules, notices: Notice[] = []): FileEdit[] {
  const { url, urls, sets, robots, headers, sitemap, isJoined, hub, versions, others = [] } = options;
  const edits: FileEdit[] = [];
  if (!robots && headers === undefined) return edits;
  const served = listServed(site, options);
  if (sets.length > 0 && !served.some(({ capabilityLists }) => capabilityLists.length > 0)) return edits;
  if (robots) {
    const lists = sets.map(({ name }) => url + pathOfDocument(name, 'resourcelist'));
    const own = findSitemap(site, sitemap?.file) ?? sitemap?.file;
    // Drops the lines of sitemaps that we wrote under other names, unless another build of the Source may need them.
    const isShared = isJoined || options.joined.length > 0;
    const isOutdated = (target: string) => {
      const path = pathBelow(target, url);
      return !isShared && path !== undefined && path !== own && isOwnSitemap(site, path);
    };
    edit('robots.txt', (text) =>
      addSitemaps(dropSitemaps(text, isOutdated), [...lists, ...others], own && url + encodePath(own)),
    );
  }
  if (headers !== undefined) {
    const listed = edits.length === 0 ? served : addServed(served, 'robots.txt', options);
    edit('_headers', (text) => {
      const names = sets.map(({ name }) => name);
      const rules = [
        ...planLinkRules(listed, url, urls),
        ...planHubRules(names, url, hub),
        ...(versions === undefined ? [] : VERSION_RULES),
      ];
      const elsewhere = findMediaTypeRule(text);
      if (elsewhere !== undefined) notices.push({ code: 'media-type-by-rule', rule: elsewhere });
      else rules.unshift({ path: DESCRIPTION_PATH, headers: ['Content-Type: application/xml'] });
      const added = addHeaders(text, rules, url, makeJoinedTest(options), isJoined);
      requireLimits(added, headers);
      return added;
    });
  }
  return edits;

  function edit(path: 'robots.txt' | '_headers', add: (text: string) => string): void {
    if (new URL(url).pathname !== '/') {
      notices.push({ code: 'only-at-root', file: path });
      return;
    }
    const state = stateOfFile(join(site, path));
    const before = readRootFile(site, path);
    const after = add(before);
    if (after !== before) edits.push({ path, content: Buffer.from(after, 'latin1'), state });
  }
}

/** Reads `robots.txt` or `_headers` in Latin-1, so that all bytes are kept; '' if there is no such file. */
function readRootFile(site: string, path: string): string {
  const file = join(site, path);
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return '';
  if (!entry.isFile()) refuseEdit(`${file} is not a regular file`, 'Make it one');
  const text = readBytes(file).toString('latin1');
  if (text.includes('\0')) refuseEdit(`${file} is not text in UTF-8`, 'Save it as UTF-8');
  return text;
}

/** Finds the sitemap at the top of the site. A sitemap of ours counts only under its present name. @param own that name */
function findSitemap(site: string, own: string | undefined): string | undefined {
  return SITEMAP_NAMES.find((name) => {
    const file = join(site, name);
    const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
    return isFile && isSitemap(readBeginning(file, ROOT_WITHIN)) && (name === own || !isOurs(file));
  });
}
