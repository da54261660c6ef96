/** Resolves the folder of a site. */

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { explainRefused, ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';

/** Resolves the site's folder to its real path. @throws ResyncError `site-unreadable` if it is not a readable folder */
export function resolveSite(site: string): string {
  const path = resolve(site);
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch (error) {
    throw explainRefused(error, 'site-unreadable', (refusal) =>
      refusal === 'ENOENT'
        ? say`There is no folder ${path}.\nBuild the site first, or name the folder that the build writes.`
        : say`Cannot read the folder ${path} (${refusal}).`,
    );
  }
  throw new ResyncError(
    'site-unreadable',
    say`${path} is not a folder.\nName the folder that the build writes.`,
  );
}
