/** Builds of the same sources on two days, and what differs between them. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diff } from '../../src/index.js';
import { commitFiles, git, makeRepository } from './git.js';
import { makeFolder } from './site.js';

export interface Sources {
  readonly files: Readonly<Record<string, string>>;
  /** The folder that the generator writes, relative to the project. */
  readonly output: string;
  /** Builds a project on the first or the second day. */
  readonly build: (project: string, day: number) => Promise<unknown>;
  /** Files to edit between the builds; none by default. */
  readonly edited?: Readonly<Record<string, string>>;
}

const SITE_URL = 'https://example.org/';

/**
 * Builds twice as a workflow does, each time from a fresh clone in the same place, so that all files have new times.
 *
 * @returns what `diff` tells: the change and the path, sorted
 */
export async function compareTwoDays({ files, output, build, edited }: Sources): Promise<string[]> {
  const origin = makeRepository();
  const published = makeRepository();
  const site = join(published, 'site');
  const project = join(makeFolder(), 'project');
  commitFiles(origin, 0, files);
  for (const day of [0, 1]) {
    if (day === 1 && edited !== undefined) commitFiles(origin, 60, edited);
    rmSync(project, { recursive: true, force: true });
    git(origin, ['clone', '--quiet', origin, project]);
    await build(project, day);
    rmSync(site, { recursive: true, force: true });
    cpSync(join(project, output), site, { recursive: true });
    if (day === 0) commitFiles(published, 0, {});
  }
  const { changes } = await diff({ site, url: SITE_URL, history: 'HEAD:site' });
  return changes.map(({ change, path }) => `${change} ${path}`).sort();
}
