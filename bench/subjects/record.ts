/** `describe --record` against what git itself does to see, or to store, the same files. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSite } from '../built.js';
import { copyOnce, folderOf, undescribe } from '../corpora/once.js';
import { git, makeRepository, PASTS, REPOSITORY_FILES } from '../corpora/repositories.js';
import { count } from '../corpora/sites.js';
import { wholeRun } from '../measure.js';
import { run } from '../processes.js';
import { compare, type Section } from '../section.js';

const NAME = 'repository-to-record';
const FOLDER = folderOf(NAME);
const SITE = join(FOLDER, 'site');
const FILES = `${count(REPOSITORY_FILES)} files`;

export const sections = [
  againstStatus('record-nothing-changed', `${FILES}, nothing changed`, 1),
  againstStatus('record-one-change', `${FILES}, one file changed`, 2),
  compare({
    name: 'record-first-time',
    subject: `${FILES}, nothing recorded yet`,
    tools: ['bash', 'git'],
    prepare: makeUnrecorded,
    reset: forget,
    finish: forget,
    a: wholeRun('describe --record', describeSite('site', '--record'), FOLDER),
    b: wholeRun(
      'git add -A, then git write-tree',
      ['bash', '-c', 'set -e; git add -A; git write-tree > /dev/null'],
      FOLDER,
    ),
    target: { ratio: 0.5 },
  }),
];

/** Recording adds at most so many times a warm `git status` of the same files. */
function againstStatus(name: string, subject: string, times: number): Section {
  const describe = describeSite('site', '--history', 'snapshots:bench');
  const record = [...describe, '--record'] as const;
  const script = `"$@"; for i in $(seq ${times}); do git status --short > /dev/null; done`;
  let edits = 0;
  return compare({
    name,
    subject,
    tools: ['bash', 'git'],
    prepare: async () => {
      await makeUnrecorded();
      if (!existsSync(join(FOLDER, '.git'))) await git(FOLDER, 'init', '--quiet');
      await git(FOLDER, 'add', '--all');
      await commit();
      await run(record, { cwd: FOLDER });
    },
    reset: async () => {
      if (times > 1) writeFileSync(join(SITE, '0', '0', 'index.html'), `edit ${edits++} ${process.pid}`);
      await git(FOLDER, 'status', '--short', '--untracked-files=no');
    },
    a: wholeRun('describe --record', record, FOLDER),
    b: wholeRun(
      `describe, then git status${times > 1 ? `, ${times} times` : ''}`,
      ['bash', '-c', script, 'bash', ...describe],
      FOLDER,
    ),
    target: { ratio: 1 },
  });
}

/** What git tidies up afterwards is waited for: it would disturb what is measured, and outlive the bench. */
async function commit(): Promise<void> {
  const settings = ['user.name=T', 'user.email=t@example.org', 'gc.autoDetach=false'];
  const flags = settings.flatMap((setting) => ['-c', setting]);
  await git(FOLDER, ...flags, 'commit', '--quiet', '--allow-empty', '-m', 'x');
}

/** A site to record, in a folder of its own: what the repository published last, without its history. */
async function makeUnrecorded(): Promise<void> {
  const published = join(await makeRepository(PASTS.publications1k), 'site');
  undescribe(published);
  await copyOnce(published, NAME, 'site');
}

async function forget(): Promise<void> {
  rmSync(join(FOLDER, '.git'), { recursive: true, force: true });
  await git(FOLDER, 'init', '--quiet');
  undescribe(SITE);
}
