/** `describe` with a history from git against `describe` without one, and reading it against git itself. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSite, ownProgram } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeRepository, PASTS, type Past, wordPast } from '../corpora/repositories.js';
import { wholeRun } from '../measure.js';
import { runForText } from '../processes.js';
import { compare, type Section } from '../section.js';

const LOG =
  'git log --first-parent -m --raw -z --no-renames --no-abbrev --format=%H HEAD -- site > /dev/null';
const CAT = 'git cat-file --batch --buffer < superseded.txt > /dev/null';

export const sections = [
  withAndWithout('history-1k-publications', PASTS.publications1k, 1500),
  withAndWithout('history-10k-publications', PASTS.publications10k, 6000),
  readingAndGit('history-reading', PASTS.publications1k, 1.2),
  readingAndGit('history-reading-10k', PASTS.publications10kOf20),
  readingLog('history-log-10k', PASTS.publications10kOf20, 1.1),
  withArchives('archives-three-years', PASTS.threeYears),
];

/** @param adds milliseconds that the history may add */
function withAndWithout(name: string, past: Past, adds: number): Section {
  const folder = folderOf(past.name);
  return compare({
    name,
    subject: wordPast(past),
    tools: ['git'],
    prepare: async () => {
      await makeRepository(past);
    },
    reset: () => undescribe(join(folder, 'site')),
    finish: () => undescribe(join(folder, 'site')),
    a: wholeRun('describe with the history from git', describeSite('site'), folder),
    b: wholeRun('describe without history', describeSite('site', '--history', 'none'), folder),
    target: { adds },
  });
}

/** All changes are listed in either, so that both read the same versions. */
function withArchives(name: string, past: Past): Section {
  const folder = folderOf(past.name);
  const config = '--config=../all-changes.json';
  return compare({
    name,
    subject: wordPast(past),
    tools: ['git'],
    prepare: async () => {
      const folder = await makeRepository(past);
      const changes = { window: 36_500 };
      writeFileSync(join(folder, '../all-changes.json'), JSON.stringify({ changes }));
      writeFileSync(join(folder, '../archives.json'), JSON.stringify({ changes, archives: true }));
    },
    reset: () => undescribe(join(folder, 'site')),
    finish: () => undescribe(join(folder, 'site')),
    a: wholeRun(
      'describe with archives of months',
      describeSite('site', '--config=../archives.json'),
      folder,
    ),
    b: wholeRun('describe without', describeSite('site', config), folder),
    target: { ratio: 1.5 },
  });
}

function readingAndGit(name: string, past: Past, ratio?: number): Section {
  return reading(past, {
    name,
    a: ['only reading the history and its digests', 'digests'],
    b: ['git log --raw -z, then git cat-file --batch', `set -e; ${LOG}; ${CAT}`],
    ratio,
  });
}

/** What happened, and no digests. */
function readingLog(name: string, past: Past, ratio: number): Section {
  return reading(past, {
    name,
    a: ['only reading the history', 'log'],
    b: ['git log --raw -z', LOG],
    ratio,
  });
}

interface Reading {
  readonly name: string;
  readonly a: readonly [label: string, what: string];
  readonly b: readonly [label: string, script: string];
  readonly ratio?: number | undefined;
}

function reading(past: Past, { name, a: [label, what], b: [gitLabel, script], ratio }: Reading): Section {
  const folder = folderOf(past.name);
  return compare({
    name,
    subject: wordPast(past),
    tools: ['bash', 'git'],
    prepare: async () => listSuperseded(await makeRepository(past)),
    reset: () => undescribe(join(folder, 'site')),
    a: wholeRun(label, ownProgram('read-history', what), folder),
    b: wholeRun(gitLabel, ['bash', '-c', script], folder),
    target: ratio === undefined ? undefined : { ratio },
  });
}

/** Lists the versions that are read from git: all but the newest of each file, and those of the first publication. */
async function listSuperseded(folder: string): Promise<void> {
  const argv = ['log', '--raw', '--no-abbrev', '--no-renames', '--format=', 'HEAD', '--', 'site'] as const;
  const log = await runForText(['git', ...argv], { cwd: folder });
  const seen = new Set<string>();
  const superseded = log.split('\n').flatMap((line) => {
    const [, , , blob = '', kind = '', path] = line.split(/[ \t]/);
    if (path === undefined) return [];
    if (!seen.has(path)) {
      seen.add(path);
      return [];
    }
    return kind === 'A' ? [] : [blob];
  });
  writeFileSync(join(folder, 'superseded.txt'), `${superseded.join('\n')}\n`);
}
