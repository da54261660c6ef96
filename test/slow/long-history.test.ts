/** Reading a history that is so long that several processes share it. */

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readPublications } from '../../src/history/git/log.js';
import { openRepository, type Repository } from '../../src/history/git/repository.js';
import type { Publication } from '../../src/history/plan/replay.js';
import { BEGIN, git, gitText, makeRepository } from '../support/git.js';
import { makeRandom } from '../support/random.js';

const COMMITS = 603;

/** Commits of which some edit the site, some remove from it, some are merges, and some touch other files alone. */
function makeLongHistory(settings: readonly string[] = []) {
  const random = makeRandom();
  const upTo = (number: number) => Math.floor(random() * number);
  const folder = makeRepository('--object-format=sha1');
  const held = new Set<string>();
  const made: (Omit<Publication, 'id'> & { readonly commit: number })[] = [];
  let stream = `commit refs/heads/side\nmark :${COMMITS + 1}\ncommitter T <> 1 +0000\ndata 0\nM 644 inline side.txt\ndata 1\ns\n`;
  for (let commit = 1; commit <= COMMITS; commit++) {
    // The clock of whoever commits may stand still, or run backwards.
    const seconds = BEGIN + commit * 10 - upTo(30);
    stream += `commit refs/heads/main\nmark :${commit}\ncommitter T <> ${seconds} +0000\ndata 0\n`;
    if (commit > 1) stream += `from :${commit - 1}\n`;
    if (commit > 1 && upTo(10) === 0) stream += `merge :${COMMITS + 1}\n`;
    const changes = new Map<string, string | undefined>();
    for (let edit = upTo(4); edit > 0; edit--) {
      const path = `${upTo(9)}/ü ${upTo(30)}.txt`;
      if (changes.has(path)) continue;
      if (held.has(path) && random() < 0.4) {
        held.delete(path);
        changes.set(path, undefined);
        stream += `D dist/${path}\n`;
      } else {
        const content = `${commit} ${path}`;
        held.add(path);
        changes.set(
          path,
          createHash('sha1')
            .update(`blob ${Buffer.byteLength(content)}\0${content}`)
            .digest('hex'),
        );
        stream += `M 644 inline dist/${path}\ndata ${Buffer.byteLength(content)}\n${content}\n`;
      }
    }
    if (changes.size === 0) stream += `M 644 inline other.txt\ndata ${`${commit}`.length}\n${commit}\n`;
    const sorted = [...changes].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    if (sorted.length > 0) {
      made.unshift({ commit, seconds, changes: sorted.map(([path, blob]) => ({ path, blob })) });
    }
  }
  git(folder, [...settings, 'fast-import', '--quiet'], stream);
  const ids = gitText(folder, 'log', '--first-parent', '--format=%H', 'main').split('\n');
  const expected = made.map(({ commit, ...rest }) => ({ id: ids[COMMITS - commit], ...rest }));
  return { folder, tip: ids[0] ?? '', expected };
}

async function open(folder: string): Promise<Repository> {
  const repository = await openRepository(folder);
  if (repository === undefined) throw new Error('there is no repository');
  return repository;
}

describe('a long history', () => {
  test('is read whole, newest first, however many processes share it', async () => {
    const { folder, tip, expected } = makeLongHistory();
    const read: Publication[] = [];
    for await (const publication of readPublications(await open(folder), tip, 'dist')) read.push(publication);
    expect(read.length).toBeGreaterThan(400);
    expect(read).toEqual(expected);
  });
});
