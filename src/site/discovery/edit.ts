/** Makes a site's documents easy to find: edits `robots.txt` and `_headers` before they are read, then pages (§6.3). */

import type { Notice } from '../../base/notices.js';
import type { WaitObserver } from '../../base/progress.js';
import { replaceFiles } from '../../paths/hold/replace.js';
import type { ScannedSite } from '../scanned.js';
import { editPages, type LinkingConfig } from './pages.js';
import { editRootFiles } from './root-files.js';
import { type DiscoveryConfig, listServed, type ServedEdit, type ServedFile } from './served.js';

/** What was changed in the site; what was right already does not count. */
export interface EditedFiles {
  /** Number of HTML pages. */
  readonly pages: number;
  /** Other files, as paths in the site. */
  readonly files: readonly string[];
}

/** What was done to make the site's documents easy to find. */
export interface EditedSite {
  readonly files: EditedFiles;
  readonly notices: readonly Notice[];
}

/**
 * Edits `robots.txt` and `_headers` as configured. A file that is right already is not touched, so a second run changes
 * nothing.
 *
 * @throws ResyncError `discovery-failed`, `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function editSite(
  site: string,
  config: DiscoveryConfig,
  onWaiting: WaitObserver,
): Promise<EditedSite> {
  const notices: Notice[] = [];
  const edits = [...planEdits(site, config, notices)];
  await replaceFiles(site, listLater(edits), onWaiting);
  return { files: { pages: 0, files: edits.map(({ path }) => path) }, notices };
}

/**
 * Links pages to the documents of the sets that list them. A page that is right already is not touched, nor even read.
 *
 * @throws ResyncError `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function linkPages(
  site: string,
  config: LinkingConfig,
  scanned: ScannedSite,
  onWaiting: WaitObserver,
): Promise<EditedSite> {
  const notices: Notice[] = [];
  let pages = 0;
  await replaceFiles(site, count(), onWaiting);
  return { files: { pages, files: [] }, notices };

  async function* count() {
    for await (const edit of editPages(site, config, scanned, notices)) {
      pages++;
      yield edit;
    }
  }
}

/**
 * Plans what is to be edited of `robots.txt` and `_headers`: the files that are not right already, with the bytes that
 * belong there. Writes nothing.
 *
 * @param notices takes what is to be told
 * @throws ResyncError `discovery-failed`, `file-unreadable`
 */
export function* planEdits(
  site: string,
  config: DiscoveryConfig,
  notices: Notice[] = [],
): Generator<ServedEdit, void> {
  if (!config.robots && config.headers === undefined) return;
  const served = listServed(site, config);
  if (hasNothing(config, served)) return;
  yield* editRootFiles(site, config, served, notices);
}

async function* listLater<T>(items: Iterable<T>): AsyncGenerator<T, void> {
  yield* items;
}

/** A site with nothing to list is a mistake, which the scan reports; it stays as it is. */
function hasNothing({ sets }: DiscoveryConfig, served: readonly ServedFile[]): boolean {
  return sets.length > 0 && !served.some(({ capabilityLists }) => capabilityLists.length > 0);
}
