/** Links the pages of a site to their Capability Lists, and takes the links that they have, one after another. */

import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { UnlinkedReason } from '../notices.js';
import { makeUri } from '../paths/urls.js';
import type { Link } from '../resourcesync/model.js';
import { readBytes } from './file.js';
import type { Head } from './page/head.js';
import { linkPage, readPage } from './page/html.js';
import { mayHaveLinks, selectPageLinks } from './page/page-links.js';
import type { DiscoveryConfig, Edit, Found, ServedFile } from './served.js';

/** Pages are edited before they are found to be broken, so this follows the extension, not the configured types. */
export const PAGE = /\.html?$/i;

export async function* editPages(
  site: string,
  { url, urls, feed, htmlLinks }: DiscoveryConfig,
  served: readonly ServedFile[],
  { notices, links }: Found,
): AsyncGenerator<Edit, void> {
  const unlinked = new Map<UnlinkedReason, { count: number; example: string }>();
  const pages = served.filter(({ path, capabilityLists }) => PAGE.test(path) && capabilityLists.length > 0);
  for (const [index, { path, capabilityLists }] of pages.entries()) {
    // Others wait for their turn, such as the progress line.
    if (index % 256 === 255) await yieldToEventLoop();
    const page = readBytes(join(site, path));
    const uri = makeUri(url, path, urls);
    const onHead = links && ((head: Head) => take(path, selectPageLinks(head, uri, url)));
    if (!htmlLinks) {
      const head = mayHaveLinks(page.toString('latin1'), uri) ? readPage(page)?.head : undefined;
      if (head !== undefined) onHead?.(head);
      continue;
    }
    const outcome = linkPage(page, { uri, capabilityLists, url, feed: feed !== undefined, onHead });
    if (typeof outcome === 'string') {
      const { count = 0, example = path } = unlinked.get(outcome) ?? {};
      unlinked.set(outcome, { count: count + 1, example });
    } else if (outcome !== undefined) yield { path, content: outcome };
  }
  for (const [reason, pages] of unlinked) notices.push({ code: 'pages-not-linked', reason, ...pages });

  function take(path: string, found: readonly Link[]): void {
    if (found.length > 0) links?.set(path, found);
  }
}
