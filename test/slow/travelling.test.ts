/** Snapshots that go from clone to clone by way of a server. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments, tellChanges, tellResources } from '../support/changes.js';
import { cloneOf, commitFiles, git, makeRepository, readCommit } from '../support/git.js';
import { chainOf, runAt } from '../support/record.js';
import { makeSite } from '../support/site.js';

describe('snapshots that travel', () => {
  const refspec = '+refs/resync-static/*:refs/resync-static/*';
  const record = (seconds: number, clone: string) =>
    describeAt(seconds, { site: join(clone, 'dist'), record: true });

  /** A server, and clones of it as CI makes them: fresh, with the build's output untracked. */
  function makeServer() {
    const server = makeRepository('--bare');
    const author = cloneOf(server);
    commitFiles(author, 0, { 'readme.md': 'one', '.gitignore': 'dist/\n' });
    git(author, ['push', '--quiet', 'origin', 'HEAD:refs/heads/main']);
    const build = (files: Readonly<Record<string, string>>, fetches = true) => {
      const clone = cloneOf(server, '--branch', 'main', '--depth', '1');
      if (fetches) git(clone, ['fetch', '--quiet', 'origin', refspec]);
      makeSite(files, join(clone, 'dist'));
      return clone;
    };
    return { server, build };
  }

  const push = (clone: string) => git(clone, ['push', '--quiet', 'origin', 'refs/resync-static/*']);

  test('go on in a fresh clone that has fetched them', async () => {
    const { server, build } = makeServer();
    const first = build({ 'a.html': 'one', 'b.html': 'one' });
    await record(0, first);
    push(first);
    const second = build({ 'a.html': 'two', 'b.html': 'one' });
    await record(1000, second);
    push(second);
    const third = build({ 'a.html': 'two' });
    await record(2000, third);
    push(third);

    expect(tellChanges(join(third, 'dist'))).toEqual(['+1000 updated /a.html two', '+2000 deleted /b.html']);
    expect(tellResources(join(third, 'dist'))).toEqual(['/a.html two +1000']);
    expect(chainOf(server)).toEqual(chainOf(third));

    // One that has not fetched says what is missing.
    const careless = build({ 'a.html': 'two' }, false);
    const { stderr } = await runAt(3000, careless, ['--quiet']);
    expect(stderr).toMatch(/^Warning git has no earlier state of this site.*--record/m);
  });

  test('lose no publication when a push is rejected, and fetching, recording and pushing are done again', async () => {
    const { server, build } = makeServer();
    const first = build({ 'a.html': 'one', 'b.html': 'one' });
    await record(0, first);
    push(first);
    const [left, right] = [
      build({ 'a.html': 'two', 'b.html': 'one' }),
      build({ 'a.html': 'one', 'b.html': 'two' }),
    ];
    for (const clone of [left, right]) await record(1000, clone);
    push(left);
    expect(() => push(right)).toThrow(/rejected/);

    git(right, ['fetch', '--quiet', 'origin', refspec]);
    await record(1000, right);
    push(right);

    expect(chainOf(server).map((commit) => readCommit(server, commit))).toEqual([
      { 'a.html': 'one', 'b.html': 'one' },
      { 'a.html': 'two', 'b.html': 'one' },
      { 'a.html': 'one', 'b.html': 'two' },
    ]);
    expect(tellChanges(join(right, 'dist'))).toEqual([
      '+1000 updated /a.html two',
      '+1001 updated /a.html one',
      '+1001 updated /b.html two',
    ]);
    const recorded = readDocuments(join(right, 'dist'));
    const fresh = build({ 'a.html': 'one', 'b.html': 'two' });
    await describeAt(5000, { site: join(fresh, 'dist') });
    expect(readDocuments(join(fresh, 'dist'))).toEqual(recorded);
  });
});
