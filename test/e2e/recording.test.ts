import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments } from '../support/changes.js';
import { commitFiles, gitText, makeRepository } from '../support/git.js';
import { chainOf, change, done, POSIX, REF, runAt } from '../support/record.js';
import { handOver, makeSite, ORDINARY_USER, readTree } from '../support/site.js';

// docs/history.md: "Your branches, index and working tree stay the same."
describe('recording touches nothing else', () => {
  /** A repository in use: branches, a tag, a stash, something staged, something not, hooks of all kinds. */
  function makeUsedRepository(): { repository: string; marker: string } {
    const repository = makeRepository();
    const marker = join(repository, 'a hook has run');
    commitFiles(repository, 0, { 'readme.md': 'one', '.gitignore': 'dist/\na hook has run\n' });
    commitFiles(repository, 10, { 'readme.md': 'two', 'other.md': 'one' });
    gitText(repository, 'tag', '-a', '-m', 'tag', 'v1');
    gitText(repository, 'branch', 'side', 'HEAD~1');
    gitText(repository, 'update-ref', 'refs/remotes/origin/main', 'HEAD~1');
    writeFileSync(join(repository, 'readme.md'), 'stashed');
    gitText(repository, 'stash');
    writeFileSync(join(repository, 'other.md'), 'staged');
    gitText(repository, 'add', 'other.md');
    writeFileSync(join(repository, 'other.md'), 'not staged');
    writeFileSync(join(repository, 'untracked.md'), 'untracked');
    const script = `#!/bin/sh\necho "$0" >> '${marker}'\n`;
    for (const hook of [
      'reference-transaction',
      'pre-commit',
      'prepare-commit-msg',
      'commit-msg',
      'post-commit',
      'post-index-change',
      'post-checkout',
      'post-rewrite',
      'pre-auto-gc',
      'fsmonitor',
    ]) {
      for (const folder of ['.git/hooks', '.git/more-hooks']) {
        makeSite({ [`${folder}/${hook}`]: script }, repository);
        chmodSync(join(repository, folder, hook), 0o755);
      }
    }
    makeSite({ 'dist/index.html': 'one' }, repository);
    return { repository, marker };
  }

  test.each<[what: string, settings: [string, string][]]>([
    ['hooks in their usual place', [['core.fsmonitor', '.git/hooks/fsmonitor']]],
    [
      'hooks elsewhere, and reflogs of all refs',
      [
        ['core.hooksPath', '.git/more-hooks'],
        ['core.logAllRefUpdates', 'always'],
      ],
    ],
  ])('in the repository, and no hook runs: %s', async (_, settings) => {
    const { repository, marker } = makeUsedRepository();
    for (const setting of settings) gitText(repository, 'config', ...setting);
    const site = join(repository, 'dist');
    rmSync(marker, { force: true });
    const fingerprint = () => {
      const { ino, mtimeNs } = statSync(join(repository, '.git/index'), { bigint: true });
      const others = Object.entries(readTree(repository)).filter(
        ([path]) => !/^\.git\/objects\/|^\.git\/(?:logs\/)?refs\/resync-static\/|^dist\//.test(path),
      );
      return { index: [ino, mtimeNs], others };
    };
    const before = fingerprint();

    for (const now of [0, 1000, 2000]) {
      change(site, { 'index.html': `state ${now}`, [`${now}.html`]: 'one' });
      await describeAt(now, { site, record: true, history: 'snapshots' });
    }

    expect(chainOf(repository)).toHaveLength(3);
    expect(fingerprint()).toEqual(before);
    expect(existsSync(marker)).toBe(false);
    // The hooks are alive.
    gitText(repository, 'update-ref', 'refs/heads/another', 'HEAD');
    expect(existsSync(marker)).toBe(true);
  });

  test('and where it fails because the build goes on, all is as it was', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'a.html': 'one', 'b.html': 'one' }, join(repository, 'dist'));
    await describeAt(0, { site, record: true });
    change(site, { 'a.html': 'two' });
    // Objects that nothing refers to do no harm.
    const others = () =>
      Object.entries(readTree(join(repository, '.git'))).filter(([path]) => !path.startsWith('objects/'));
    const read = () => ({ documents: readDocuments(site), git: others() });
    const before = read();
    const run = describeAt(1000, { site, record: true }, ({ stage }) => {
      if (stage === 'record') change(site, { 'a.html': 'three' });
    });
    await expect(run).rejects.toMatchObject({
      code: 'file-changing',
      message: expect.stringContaining(join(site, 'a.html')),
    });
    expect(read()).toEqual(before);
  });

  // On Windows, chmod cannot make a folder read-only.
  test.runIf(POSIX)(
    'and where the repository is read-only, the documents are those of the run before',
    async () => {
      const repository = makeRepository();
      const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
      handOver(repository);
      expect(await runAt(0, repository, ['--record'], ORDINARY_USER)).toMatchObject(done);
      const documents = readDocuments(site);
      change(site, { 'a.html': 'two' });
      const tip = readFileSync(join(repository, '.git', REF), 'utf8');
      const objects = join(repository, '.git/objects');
      const folders = [objects, ...readdirSync(objects).map((name) => join(objects, name))];
      for (const folder of folders) chmodSync(folder, 0o555);

      const { status, stderr } = await runAt(1000, repository, ['--record'], ORDINARY_USER);

      for (const folder of folders) chmodSync(folder, 0o755);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^Error git cannot be used in .*fast-import.*permission/is),
      });
      expect(readDocuments(site)).toEqual(documents);
      expect(readFileSync(join(repository, '.git', REF), 'utf8')).toBe(tip);
    },
  );
});
