/** Recorders that meet, and recorders that die: nothing is lost. */

import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { describeAt, readDocuments } from '../support/changes.js';
import { BEGIN, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { chainOf, change, done, POSIX, REF, runAt } from '../support/record.js';
import { stride } from '../support/seed.js';
import { makeSite, requireProgram } from '../support/site.js';

describe('recorders at once', () => {
  const ref = 'refs/resync-static/site';

  /** Work trees of one repository, each with a copy of the site. */
  function makeWorktrees(count: number): string[] {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'readme.md': 'one' });
    return Array.from({ length: count }, (_, index) => {
      const folder = join(repository, `tree ${index}`);
      gitText(repository, 'worktree', 'add', '--quiet', '--detach', folder);
      makeSite({ 'shared.html': 'one' }, join(folder, 'dist'));
      return folder;
    });
  }

  const recording = ['--record', '--history', 'snapshots:site', '--quiet'];

  /** The output of a run that finds history as it was after a commit. */
  async function describeAsOf(commit: string, worktree: string) {
    const site = join(worktree, 'copy');
    cpSync(join(worktree, 'dist'), site, { recursive: true });
    gitText(worktree, 'update-ref', 'refs/resync-static/check', commit);
    await describeAt(100_000, { site, history: 'snapshots:check' });
    const documents = readDocuments(site);
    rmSync(site, { recursive: true });
    return documents;
  }

  // Windows runs no shell script in the place of git.
  test.runIf(POSIX).each([
    ['the first snapshot', 0],
    ['a later one', 1],
  ])(
    'one that is overtaken between any two of its questions to git comes after the other: %s',
    async (_, before) => {
      const real = requireProgram('git', 'git');
      const path = process.env['PATH'] ?? '';
      const repository = makeRepository();
      const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
      const config = { site, record: true, history: 'snapshots:site' };
      const blob = git(repository, ['hash-object', '-w', '--stdin'], 'rival').toString().trim();
      const tree = git(repository, ['mktree'], `100644 blob ${blob}\trival.html\n`).toString().trim();
      let overtaken = 0;

      for (let step = 1, asked = 1; step <= asked; step += stride(4)) {
        if (existsSync(join(repository, '.git', ref))) gitText(repository, 'update-ref', '-d', ref);
        if (before > 0) await describeAt(0, config);
        const tip = before > 0 ? gitText(repository, 'rev-parse', ref) : '';
        const parents = before > 0 ? ['-p', tip] : [];
        const rival = gitText(repository, 'commit-tree', '-m', 'Rival', ...parents, tree);
        change(site, { 'a.html': `state ${step}` });
        // Stands in for git: asks it, and lets the other move the ref after the n-th question, if it is still there.
        // Two questions at one time may both count as the n-th: the second finds the ref moved, which is no matter.
        const shim = makeSite({
          asked: '',
          git: `#!/bin/sh
          echo >> "$0.asked"
          [ $(wc -l < "$0.asked") -eq ${step} ] || exec '${real}' "$@"
          '${real}' "$@"
          status=$?
          cd '${repository}' && '${real}' update-ref ${ref} ${rival} '${tip || '0'.repeat(40)}' 2> /dev/null && touch "$0.overtaken"
          exit $status
        `,
        });
        chmodSync(join(shim, 'git'), 0o755);
        vi.stubEnv('PATH', `${shim}${delimiter}${path}`);
        const report = await describeAt(1000, config).finally(() => vi.unstubAllEnvs());

        asked = readFileSync(join(shim, 'git.asked'), 'utf8').length;
        expect(report.publication?.recorded).toBe(true);
        const mine = { 'a.html': `state ${step}` };
        const rivals = existsSync(join(shim, 'git.overtaken')) ? [{ 'rival.html': 'rival' }] : [];
        overtaken += rivals.length;
        const states = chainOf(repository, ref).map((commit) => readCommit(repository, commit));
        expect(states.slice(before), `step ${step}`).toEqual([...rivals, mine]);
        const documents = readDocuments(site);
        await describeAt(2000, { ...config, record: false });
        expect(documents, `step ${step}`).toEqual(readDocuments(site));
      }
      expect(overtaken).toBeGreaterThan(0);
    },
  );

  // docs/history.md: "If two machines deploy at once, git refuses the second push."
  test('lose no publication, and the documents of each agree with history', async () => {
    const trees = makeWorktrees(3);
    for (let round = 0; round < 2; round++) {
      const marks = trees.map((_, lane) => `lane ${lane} round ${round}`);
      const results = await Promise.all(
        trees.map((tree, lane) => {
          change(join(tree, 'dist'), { 'mark.html': marks[lane], [`${lane}-${round}.html`]: 'one' });
          return runAt(1000 * round, tree, recording);
        }),
      );
      for (const result of results) expect(result).toMatchObject(done);

      const chain = chainOf(trees[0] ?? '', ref);
      const told = chain.map((commit) => gitText(trees[0] ?? '', 'cat-file', 'blob', `${commit}:mark.html`));
      expect(told).toHaveLength(trees.length * (round + 1));
      expect(told.slice(-trees.length).sort()).toEqual(marks);
      for (const [lane, tree] of trees.entries()) {
        const commit = chain[told.indexOf(marks[lane] ?? '')] ?? '';
        expect(readDocuments(join(tree, 'dist'))).toEqual(await describeAsOf(commit, tree));
      }
    }
    gitText(trees[0] ?? '', 'fsck', '--strict');
  });
});

// Windows runs no shell script in the place of git.
test.runIf(POSIX)(
  'a recorder that is killed leaves the old or the new snapshot, and the next one goes on',
  async () => {
    const real = requireProgram('git', 'git');
    const states = (round: number) =>
      Object.fromEntries(
        Array.from({ length: 20 }, (_, index) => [
          `folder-${index % 7}/${index}.bin`,
          createHash('sha512').update(`${index} ${round}`).digest('hex').repeat(300),
        ]),
      );
    const repository = makeRepository();
    makeSite(states(-1), join(repository, 'dist'));
    expect(await runAt(0, repository, ['--record'])).toMatchObject(done);
    // A program in the place of git kills its parent: before it takes in a snapshot, in between, and after.
    const ways = [
      ['', 0],
      [`head -c 1000 > "$0.part"; '${real}' "$@" < "$0.part"`, 0],
      [`head -c 300000 > "$0.part"; '${real}' "$@" < "$0.part"`, 0],
      [`'${real}' "$@"`, 1],
    ] as const;
    for (const [round, [way, kept]] of ways.entries()) {
      const shim = makeSite({
        git: `#!/bin/sh
        case " $* " in *" fast-import "*) ;; *) exec '${real}' "$@" ;; esac
        ${way}
        kill -9 $PPID
      `,
      });
      chmodSync(join(shim, 'git'), 0o755);
      const before = chainOf(repository);
      makeSite(states(round), join(repository, 'dist'));
      const env = {
        HOME: repository,
        SOURCE_DATE_EPOCH: `${BEGIN + round}`,
        PATH: `${shim}${delimiter}${process.env['PATH']}`,
      };
      expect(await runAt(round, repository, ['--record'], { env })).toMatchObject({ signal: 'SIGKILL' });

      const after = chainOf(repository);
      expect(after.slice(0, before.length)).toEqual(before);
      expect(after).toHaveLength(before.length + kept);
      if (kept > 0) expect(readCommit(repository, after.at(-1) ?? '')).toEqual(states(round));
      expect(await runAt(round, repository, ['--record'])).toMatchObject(done);
      expect(readCommit(repository, REF)).toEqual(states(round));
      expect(chainOf(repository)).toHaveLength(before.length + 1);
      gitText(repository, 'fsck', '--strict');
    }
  },
);
