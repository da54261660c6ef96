/** Waits for the sitemap of a framework that writes it at the same time as it calls the adapter. */

import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ResyncError, systemErrorCode } from '../src/base/errors.js';
import { say } from '../src/base/text/say.js';

/**
 * Waits until a sitemap is written to its end.
 *
 * @throws ResyncError `file-changing` after 30 seconds
 */
export async function waitForSitemap(file: string, framework: 'VitePress' | 'Docusaurus'): Promise<void> {
  for (let rounds = 0; rounds < 3000; rounds++) {
    if (endsWith(file, '</urlset>')) return;
    await wait(10);
  }
  throw new ResyncError(
    'file-changing',
    say`${file} is not finished after 30 s.\nIf something else replaces or removes the sitemap of ${framework}, run it after resync-static.`,
  );
}

function endsWith(file: string, text: string): boolean {
  try {
    return readFileSync(file, 'utf8').trimEnd().endsWith(text);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
