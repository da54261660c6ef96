/** Makes a site's documents easy to find: edits `robots.txt`, `_headers` and pages, before they are read (§6.3). */

import type { Config } from '../config/config.js';
import type { Notice } from '../notices.js';
import type { WaitObserver } from '../publish/lock.js';
import { replaceFiles } from '../publish/replace.js';
import type { Link } from '../resourcesync/model.js';
import { editPages } from './pages.js';
import { editRootFiles } from './root-files.js';
import { type DiscoveryConfig, type Edit, type Found, listServed, type ServedFile } from './served.js';

/** What was changed in the site; what was right already does not count. */
export interface EditedFiles {
  /** Number of HTML pages. */
  readonly pages: number;
  /** Other files, as paths in the site. */
  readonly files: readonly string[];
}

/** What was done to make the site's documents easy to find. */
export interface EditedSite {
  /** Undefined when nothing is to be edited. */
  readonly files: EditedFiles | undefined;
  /** The links that pages have in their heads, by path; undefined when they are not wanted. */
  readonly links: ReadonlyMap<string, readonly Link[]> | undefined;
  readonly notices: readonly Notice[];
}

/**
 * Edits the site as configured. A file that is right already is not touched, so a second run changes nothing.
 *
 * @throws ResyncError `discovery-failed`, `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function editSite(
  site: string,
  config: DiscoveryConfig & Pick<Config, 'pageLinks'>,
  onWaiting: WaitObserver,
): Promise<EditedSite> {
  const edited = { pages: 0, files: [] as string[] };
  const files = config.robots || config.htmlLinks || config.headers !== undefined ? edited : undefined;
  const notices: Notice[] = [];
  const links = config.pageLinks ? new Map<string, readonly Link[]>() : undefined;
  const served = listServed(site, config);
  // A site with nothing to list is a mistake, which the scan reports; it stays as it is.
  if (!served.some(({ capabilityLists }) => capabilityLists.length > 0)) return { files, links, notices };
  await replaceFiles(site, makeEdits(), onWaiting);
  return { files, links, notices };

  async function* makeEdits() {
    for await (const edit of planEdits(site, config, { notices, links }, served)) {
      if (edit.path === 'robots.txt' || edit.path === '_headers') edited.files.push(edit.path);
      else edited.pages++;
      yield edit;
    }
  }
}

/**
 * Plans what is to be edited: the files that are not right already, with the bytes that belong there. Writes nothing.
 *
 * @param found takes what is to be told, and the links of pages
 * @throws ResyncError `discovery-failed`, `file-unreadable`
 */
export async function* planEdits(
  site: string,
  config: DiscoveryConfig,
  found: Found = { notices: [] },
  served: readonly ServedFile[] = listServed(site, config),
): AsyncGenerator<Edit, void> {
  if (!served.some(({ capabilityLists }) => capabilityLists.length > 0)) return;
  yield* editRootFiles(site, config, served, found.notices);
  if (config.htmlLinks || found.links !== undefined) yield* editPages(site, config, served, found);
}
