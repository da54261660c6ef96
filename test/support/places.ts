/** A published story in a repository, and places from which it is described. */

import { dirname } from 'node:path';
import type { Report } from '../../src/describe/report.js';
import { SITE_URL, tellChanges, tellMoments, tellResources } from './changes.js';
import { BEGIN, commitFiles, makeRepository } from './git.js';
import { callCli, readTree, writeTree } from './site.js';

export const ROOT = process.getuid?.() === 0;

/** Three publications of a site, with commits of other things between them. */
export function publishStory(repository: string, folder = 'dist'): string {
  const at = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  commitFiles(repository, 0, { [at('index.html')]: 'one', [at('a.html')]: 'one', [at('old.html')]: 'one' });
  commitFiles(repository, 50, folder === '' ? {} : { 'other/readme.md': 'one' });
  commitFiles(repository, 100, { [at('a.html')]: 'two', [at('b/c.html')]: 'one' });
  commitFiles(repository, 200, { [at('a.html')]: 'three', [at('old.html')]: undefined });
  return repository;
}

/** The story, told once in a process: most tests want nothing but a copy of it. */
let story: Record<string, string> | undefined;

export function copyStory(): string {
  story ??= readTree(publishStory(makeRepository()));
  return writeTree(story);
}

/** The last state of the story, as a build would write it. */
export const STATE = { 'index.html': 'one', 'a.html': 'three', 'b/c.html': 'one' };

export const STORY = {
  moments: { at: '+200', from: '+0' },
  resources: ['/ one +0', '/a.html three +200', '/b/c.html one +100'],
  changes: [
    '+100 updated /a.html two',
    '+100 created /b/c.html one',
    '+200 updated /a.html three',
    '+200 deleted /old.html',
  ],
};

export const tell = (site: string) => ({
  moments: tellMoments(site),
  resources: tellResources(site),
  changes: tellChanges(site),
});

export interface Place {
  readonly cwd: string;
  /** From there. */
  readonly site: string;
  readonly history?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line; the report is undefined where it fails. */
export async function run({ cwd, site, history, env }: Place, ...args: string[]) {
  const where = history === undefined ? [] : ['--history', history];
  const { status, stdout, stderr } = await callCli([site, '--url', SITE_URL, '--json', ...where, ...args], {
    cwd,
    env: { HOME: dirname(cwd), SOURCE_DATE_EPOCH: `${BEGIN + 1000}`, ...env },
  });
  const report = status === 0 ? (JSON.parse(stdout) as Report) : undefined;
  return { status, stderr, report, codes: report?.notices.map(({ code }) => code) };
}
