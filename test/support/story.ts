/** Stories of publications, told to git and described. */

import { join } from 'node:path';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt } from './changes.js';
import { commitFiles, makeRepository } from './git.js';

export type Files = Readonly<Record<string, string | undefined>>;

/** Commits one state after another, a hundred seconds apart, and describes `dist` as of that history. */
export async function describeStory(
  steps: readonly Files[],
  config: Partial<UserConfig> = {},
): Promise<string> {
  const repository = makeRepository();
  for (const [index, files] of steps.entries()) commitFiles(repository, 100 * index, files);
  const site = join(repository, 'dist');
  await describeAt(10_000, { site, history: 'HEAD:dist', ...config });
  return site;
}
