/** Sites that are watched, and whether their documents are up to date. */

import { createHash } from 'node:crypto';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { isOwnDocument } from '../../src/paths/ours.js';
import { readDocuments, SITE_URL } from './changes.js';
import { readSource } from './documents.js';
import { callCli, makeFolder, readTree } from './site.js';
import { startWatch } from './watch.js';

export const EPOCH = { SOURCE_DATE_EPOCH: '1700000000' };

/** Longer than a watch waits, in milliseconds, before it looks at all once more though it was told of nothing. */
export const QUIET = 3000;

export const URL_OPTION = ['--url', SITE_URL];

/** Whether the documents agree with the files of the site. */
export function isCurrent(site: string): boolean {
  // The documents are moved into place one after the other, and the site may be gone for a moment.
  try {
    const listed = readSource(site, SITE_URL).sets.flatMap(({ resources }) =>
      resources.map(({ uri, md }) => `${uri} ${md['hash']?.split(' ')[0]}`),
    );
    const files = Object.entries(readTree(site))
      .filter(([path]) => !isOwnDocument(path) && !path.startsWith('.resync-static/'))
      .map(
        ([path, bytes]) =>
          `${SITE_URL}${path} md5:${createHash('md5').update(bytes, 'latin1').digest('hex')}`,
      );
    return listed.sort().join('\n') === files.sort().join('\n');
  } catch {
    return false;
  }
}

/** Describes a copy of the site from nothing. */
export async function describeCopy(site: string): Promise<Record<string, string>> {
  const copy = makeFolder();
  cpSync(site, copy, { recursive: true });
  for (const path of Object.keys(readDocuments(copy))) if (isOwnDocument(path)) rmSync(join(copy, path));
  expect(await callCli([copy, ...URL_OPTION, '--urls', 'file'], { env: EPOCH })).toMatchObject({ status: 0 });
  return readDocuments(copy);
}

export const startIn = (site: string, env: Record<string, string> = {}) =>
  startWatch([site, ...URL_OPTION, '--urls', 'file', '--json'], { env: { ...EPOCH, ...env } });
