/** Recorders that meet, and recorders that die: nothing is lost. */

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { describeAt, readDocuments, SITE_URL, tellMoments } from '../support/changes.js';
import { BEGIN, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { chainOf, change, done, POSIX, REF, runAt } from '../support/record.js';
import { some, stride } from '../support/seed.js';
import { CLI, makeSite, requireProgram, runProgram } from '../support/site.js';

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

  /** What a run writes that finds history as it was after a commit. */
  async function describeAsOf(commit: string, worktree: string) {
    const site = join(worktree, 'copy');
    cpSync(join(worktree, 'dist'), site, { recursive: true });
    gitText(worktree, 'update-ref', 'refs/resync-static/check', commit);
    await describeAt(100_000, { site, history: 'snapshots:check' });
    const documents = readDocuments(site);
    rmSync(site, { recursive: true });
    return documents;
  }

  test('one that is overtaken while it records, several times, comes after the other', async () => {
    const rivals = 3;
    const [tree = '', rival = ''] = makeWorktrees(2);
    const site = join(tree, 'dist');
    const config = { site, record: true, history: 'snapshots:site' };
    await describeAt(0, config);
    change(site, { 'mine.html': 'one' });
    let run = 0;

    const report = await describeAt(1000, config, ({ stage }) => {
      if (stage !== 'record' || run === rivals) return;
      run++;
      change(join(rival, 'dist'), { 'rival.html': `rival ${run}` });
      const args = [CLI, 'dist', '--url', SITE_URL, ...recording];
      const env = { PATH: process.env['PATH'], HOME: rival, SOURCE_DATE_EPOCH: `${BEGIN + 1000}` };
      const { status, stderr } = spawnSync(process.execPath, args, { cwd: rival, env, encoding: 'utf8' });
      expect({ status, stderr }).toMatchObject({ status: 0 });
    });

    expect([run, report.publication?.recorded]).toEqual([rivals, true]);
    const chain = chainOf(tree, ref);
    expect(chain).toHaveLength(1 + rivals + 1);
    const states = chain.slice(1).map((commit) => readCommit(tree, commit));
    expect(states.slice(0, -1).map((state) => state['rival.html'])).toEqual(
      Array.from({ length: rivals }, (_, index) => `rival ${index + 1}`),
    );
    expect(states.at(-1)).toMatchObject({ 'mine.html': 'one', 'shared.html': 'one' });
    expect(states.at(-1)).not.toHaveProperty(['rival.html']);
    expect(readDocuments(site)).toEqual(await describeAsOf(chain.at(-1) ?? '', tree));
  });

  test('one that is overtaken by its own state has nothing to keep', async () => {
    const [tree = '', rival = ''] = makeWorktrees(2);
    const site = join(tree, 'dist');
    const report = await describeAt(1000, { site, record: true, history: 'snapshots:site' }, ({ stage }) => {
      if (stage !== 'record') return;
      const args = [CLI, 'dist', '--url', SITE_URL, ...recording];
      const env = { PATH: process.env['PATH'], HOME: rival, SOURCE_DATE_EPOCH: `${BEGIN + 900}` };
      spawnSync(process.execPath, args, { cwd: rival, env });
    });
    expect(report.publication).toMatchObject({ pending: false, recorded: false });
    expect(chainOf(tree, ref)).toHaveLength(1);
    expect(tellMoments(site)).toEqual({ at: '+900', from: '+900' });
  });

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

      for (let step = 1, asked = 1; step <= asked; step += stride(2)) {
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
      expect(overtaken).toBeGreaterThan(1);
    },
  );

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

describe('a recorder that is killed', () => {
  /** Kills a run so many milliseconds after git has begun to take in the snapshot, if it still runs then. */
  async function killWhileRecording(repository: string, seconds: number, delay: number) {
    const packs = () =>
      readdirSync(join(repository, '.git/objects/pack')).filter((name) => name.startsWith('tmp_')).length;
    const before = packs();
    const child = spawn(process.execPath, [CLI, 'dist', '--url', SITE_URL, '--record'], {
      cwd: repository,
      env: { PATH: process.env['PATH'], HOME: repository, SOURCE_DATE_EPOCH: `${BEGIN + seconds}` },
      stdio: 'ignore',
    });
    const timer = setInterval(() => {
      if (packs() === before) return;
      clearInterval(timer);
      setTimeout(() => child.kill('SIGKILL'), delay);
    }, 1);
    await once(child, 'exit');
    clearInterval(timer);
  }

  test('at any moment leaves the old or the new snapshot, and the next one goes on', async () => {
    const states = (round: number) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `folder-${index % 7}/${index}.bin`,
          createHash('sha512').update(`${index} ${round}`).digest('hex').repeat(300),
        ]),
      );
    await Promise.all(
      some([0, 1], 2).map(async (lane) => {
        const repository = makeRepository();
        makeSite(states(-1), join(repository, 'dist'));
        expect(await runAt(0, repository, ['--record'])).toMatchObject(done);
        for (const [round, delay] of [0, 5, 15, 35, 80].entries()) {
          const before = chainOf(repository);
          makeSite(states(round), join(repository, 'dist'));
          await killWhileRecording(repository, round, delay + lane);

          const after = chainOf(repository);
          expect(after.slice(0, before.length)).toEqual(before);
          expect(after.length - before.length).toBeLessThanOrEqual(1);
          for (const commit of after.slice(before.length)) {
            expect(readCommit(repository, commit)).toEqual(states(round));
          }
          expect(await runAt(round, repository, ['--record'])).toMatchObject(done);
          expect(readCommit(repository, REF)).toEqual(states(round));
          expect(chainOf(repository)).toHaveLength(before.length + 1);
          // The git of a run that was killed may take a moment to see that nobody talks to it any more.
          const check = () => runProgram('git', ['fsck', '--strict'], { cwd: repository });
          await expect.poll(async () => (await check()).status, { timeout: 30_000 }).toBe(0);
        }
      }),
    );
  });
});
