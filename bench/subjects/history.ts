/** `describe` with a history from git against `describe` without one, and reading it against git itself. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSite, ownProgram } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeRepository, PASTS, type Past, wordPast } from '../corpora/repositories.js';
import { wholeRun } from '../measure.js';
import { runForText } from '../processes.js';
import { compare, type Section } from '../section.js';

const READ_BY_GIT = `
set -euo pipefail
git log --first-parent -m --raw -z --no-renames --no-abbrev --format=%H HEAD -- site > /dev/null
git cat-file --batch --buffer < superseded.txt > /dev/null`;

export const sections = [
  withAndWithout('history-1k-publications', PASTS.publications1k, 1500),
  withAndWithout('history-10k-publications', PASTS.publications10k, 6000),
  readingAndGit('history-reading', PASTS.publications1k),
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
      writeFileSync(
        join(await makeRepository(past), '../all-changes.json'),
        '{ "changes": { "window": 36500 } }',
      );
    },
    reset: () => undescribe(join(folder, 'site')),
    finish: () => undescribe(join(folder, 'site')),
    a: wholeRun('describe with archives of months', describeSite('site', '--archives', config), folder),
    b: wholeRun('describe without', describeSite('site', config), folder),
    target: { ratio: 1.5 },
  });
}

function readingAndGit(name: string, past: Past): Section {
  const folder = folderOf(past.name);
  return compare({
    name,
    subject: wordPast(past),
    tools: ['bash', 'git'],
    prepare: async () => listSuperseded(await makeRepository(past)),
    reset: () => undescribe(join(folder, 'site')),
    a: wholeRun('only reading the history and its digests', ownProgram('read-history'), folder),
    b: wholeRun('git log --raw -z, then git cat-file --batch', ['bash', '-c', READ_BY_GIT], folder),
    target: { ratio: 1.2 },
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
