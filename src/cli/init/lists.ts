/** Checks that the lists of a first build have pages. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { folderOfSet } from '../../paths/ours.js';

/** @param site absolute path of a folder with pages @throws ResyncError `build-failed` if no page is listed */
export function checkLists(site: string): void {
  const folder = join(site, folderOfSet(undefined));
  const entries = unlessRefused(() => readdirSync(folder, { recursive: true, withFileTypes: true })) ?? [];
  // A link could lead to a device that never ends.
  const lists = entries.filter((one) => one.isFile() && /^resourcelist(?:-\d+)?\.xml$/.test(one.name));
  const isPaged = lists.some(({ parentPath, name }) =>
    /type="(?:text\/html|application\/xhtml\+xml)"/.test(readFileSync(join(parentPath, name), 'utf8')),
  );
  if (!isPaged) {
    throw new ResyncError(
      'build-failed',
      say`The build ended well, but ${folder} lists no page.\nIf the build writes its pages after the plugin has run, run the command after the build: npx resync-static`,
    );
  }
}
