/** Repositories of all kinds and in all conditions: where history is found, and what is said where it is not. */

import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  datetimeAt,
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellResources,
} from '../support/changes.js';
import { cloneOf, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { copyStory, type Place, publishStory, run, STATE, STORY, tell } from '../support/places.js';
import { CLI, callCli, makeFolder, makeSite, runProgram } from '../support/site.js';

describe('history is found', () => {
  test.each<[where: string, make: () => Place]>([
    ['in a work tree', () => ({ cwd: copyStory(), site: 'dist' })],
    [
      'at a path with a space, letters of many languages, and what git could take for a pattern',
      () => ({ cwd: publishStory(makeRepository(), '[di]!(s)t/(日本 glob)'), site: '[di]!(s)t/(日本 glob)' }),
    ],
    [
      'in a linked work tree',
      () => {
        const tree = join(makeFolder(), 'linked tree');
        const repository = copyStory();
        git(repository, ['worktree', 'add', '--quiet', '-b', 'linked', tree]);
        return { cwd: tree, site: 'dist' };
      },
    ],
    [
      'in a submodule',
      () => {
        const outer = makeRepository();
        commitFiles(outer, 0, { 'readme.md': 'one', 'dist/outer.html': 'one' });
        git(outer, ['submodule', '--quiet', 'add', copyStory(), 'parts/inner']);
        return { cwd: outer, site: 'parts/inner/dist' };
      },
    ],
    [
      'in a repository of SHA-256',
      () => ({ cwd: publishStory(makeRepository('--object-format=sha256')), site: 'dist' }),
    ],
    [
      'in a bare repository, as from a hook',
      () => ({
        cwd: cloneOf(copyStory(), '--bare'),
        site: makeSite(STATE),
        history: 'main:dist',
        env: { GIT_DIR: '.', GIT_QUARANTINE_PATH: '/nowhere' },
      }),
    ],
    [
      'in a work tree, as from a hook of another repository',
      () => {
        const other = makeRepository();
        const env = {
          GIT_DIR: join(other, '.git'),
          GIT_WORK_TREE: other,
          GIT_INDEX_FILE: join(other, '.git/index'),
          GIT_PREFIX: 'x/',
          GIT_OBJECT_DIRECTORY: join(other, '.git/objects'),
        };
        return { cwd: copyStory(), site: 'dist', env };
      },
    ],
    [
      'in a folder of a branch, for a site that is not tracked here',
      () => {
        const repository = publishStory(makeRepository(), 'public/site');
        git(repository, ['branch', 'deploy']);
        git(repository, ['rm', '-r', '--quiet', 'public']);
        commitFiles(repository, 900, { 'source.md': 'one' });
        makeSite(STATE, join(repository, 'dist'));
        return { cwd: repository, site: 'dist', history: 'deploy:public/site' };
      },
    ],
  ])('%s', async (_, make) => {
    const place = make();
    const { status, stderr, report, codes } = await run(place);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(tell(join(report?.site ?? ''))).toEqual(STORY);
    expect(codes).toEqual(['changes-known-from']);
    expect(report?.publication).toMatchObject({ from: datetimeAt(0), pending: false, recorded: false });
  });

  test('and nothing of what git keeps is listed where the site is the top of the repository', async () => {
    const repository = publishStory(makeRepository(), '');
    git(repository, ['submodule', '--quiet', 'add', publishStory(makeRepository(), ''), 'inner']);
    await describeAt(1000, { site: repository });
    expect(tellResources(repository).filter((line) => /\.git(?!modules)/.test(line))).toEqual([]);
    expect(tellResources(repository).map((line) => line.split(' ')[0])).toContain('/a.html');
  });
});

/** Reads its own copy: the limit is that of a process. */
const RUN_MODULE = new URL('../../.tmp/modules/src/history/git/run.js', import.meta.url).href;

describe('without history', () => {
  test('there is no Change List outside a repository, and a notice', async () => {
    const site = makeSite(STATE);
    const { status, report, codes } = await run({ cwd: makeFolder(), site });
    expect({ status, codes }).toEqual({ status: 0, codes: ['no-history'] });
    expect(report).not.toHaveProperty('publication');
    expect(Object.keys(readDocuments(site))).not.toContain('resourcesync/changelist.xml');
  });

  test('a repository around the working directory is asked only when it is named', async () => {
    const repository = copyStory();
    const site = makeSite(STATE);
    expect(await run({ cwd: repository, site })).toMatchObject({ codes: ['no-history'] });
    expect(await run({ cwd: repository, site, history: 'snapshots:x' })).toMatchObject({
      codes: ['no-publication', 'sitemap-feed-page'],
    });
    expect(await run({ cwd: repository, site, history: 'snapshots:x' }, '--record')).toMatchObject({
      status: 0,
    });
    expect(gitText(repository, 'ls-tree', '-r', '--name-only', 'refs/resync-static/x').split('\n')).toEqual([
      'a.html',
      'b/c.html',
      'index.html',
    ]);
    makeSite({ 'index.html': 'two' }, site);
    expect(await run({ cwd: join(repository, 'other'), site, history: 'snapshots:x' })).toMatchObject({
      report: { publication: { pending: true }, changes: { created: 0, updated: 1, deleted: 0 } },
    });
    expect(await run({ cwd: repository, site, history: 'main:dist' })).toMatchObject({ status: 0 });
    expect(tellChanges(site).slice(0, -1)).toEqual(STORY.changes);
  });

  // docs/history.md: "The oldest publication in git is the *baseline*"
  test('before the first commit, this run is the baseline', async () => {
    const repository = makeRepository();
    const site = makeSite(STATE, join(repository, 'dist'));
    const { status, report } = await run({ cwd: repository, site });
    expect(status).toBe(0);
    expect(report?.notices).toMatchObject([
      { code: 'no-publication', ref: 'refs/resync-static/dist' },
      { code: 'sitemap-feed-page' },
    ]);
    expect(tellChanges(site)).toEqual([]);
  });

  test.each<[what: string, history: string, named: string, make: () => string]>([
    ['a branch that does not exist', 'gh-pages', 'gh-pages', () => copyStory()],
    ['a branch that was not fetched', 'origin/gh-pages:docs', 'origin/gh-pages', () => cloneOf(copyStory())],
  ])('%s is an error that names it and says what to do', async (_, history, named, make) => {
    const repository = make();
    const site = makeSite(STATE, join(repository, 'dist'));
    const { status, stderr } = await run({ cwd: repository, site, history });
    expect(status).toBe(1);
    expect(stderr).toContain(`There is no ${named} in `);
    expect(stderr).toContain('git fetch');
    expect(stderr).not.toMatch(/\n {4}at /);
    expect(readDocuments(site)).toEqual({});
  });

  test.each(['snapshots', 'main:dist'])('outside a repository, --history %s is an error', async (history) => {
    const site = makeSite(STATE);
    const { status, stderr } = await run({ cwd: makeFolder(), site, history });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error There is no git repository around .*\n.*git init.*--history none/);
    expect(readDocuments(site)).toEqual({});
  });

  const damaged = { '.git/HEAD': '', '.git/objects/info/packs': '', '.git/refs/heads/main': '' };
  test.each<[what: string, files: Readonly<Record<string, string>>, says: RegExp]>([
    [
      'file .git that leads nowhere',
      { '.git': 'gitdir: /host/repo/.git/worktrees/x\n' },
      /the file \.git leads to no repository: .*\/host\/repo\/\.git\/worktrees\/x/,
    ],
    [
      'file .git that is something else',
      { '.git': 'see the readme\n' },
      /the file \.git leads to no repository: .*\.git/,
    ],
    ['folder .git that is damaged', damaged, /the folder \.git is damaged/],
  ])('a %s is an error, and the repository around it is left alone', async (_, files, says) => {
    const around = makeRepository();
    commitFiles(around, 0, { 'work/dist/index.html': 'one' });
    const cwd = makeSite(files, join(around, 'work'));
    const { status, stderr } = await run({ cwd, site: 'dist', history: 'snapshots:x' }, '--record');
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(says) });
    expect(stderr).toMatch(/\n.*--history none/);
    const recorded = await callCli(['record', 'dist'], { cwd, env: { HOME: around } });
    expect(recorded).toMatchObject({ status: 1, stderr: expect.stringMatching(says) });
    expect(await run({ cwd, site: 'dist', history: 'none' })).toMatchObject({ status: 0 });
    expect(gitText(around, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  });

  test.runIf(process.platform !== 'win32')(
    'too many open files, with which git cannot start, are named',
    async () => {
      const program = `
      const { askGit } = await import(${JSON.stringify(RUN_MODULE)});
      const { openSync } = await import('node:fs');
      try { for (;;) openSync('/dev/null'); } catch {}
      await askGit({ root: '.' }, ['version']).catch(({ message }) => console.log(message));`;
      const limited = 'ulimit -n 64; exec "$@"';
      const node = [process.execPath, '--input-type=module', '--eval', program];
      expect(await runProgram('sh', ['-c', limited, 'sh', ...node])).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('git cannot be used in .: too many files are open'),
      });
    },
  );

  describe('because there is no git', () => {
    const runWithoutGit = (site: string, ...args: string[]) =>
      runProgram(process.execPath, [CLI, site, '--url', SITE_URL, '--quiet', ...args], {
        cwd: dirname(site),
        env: { PATH: makeFolder() },
      });

    test('there is no Change List, and a notice says why', async () => {
      const site = join(copyStory(), 'dist');
      expect(await runWithoutGit(site)).toEqual({
        status: 0,
        signal: null,
        stdout: '',
        stderr: expect.stringMatching(
          /^Note No Change List was written: .*git is not installed.*\. \(no-history\)\n$/,
        ),
      });
      expect(Object.keys(readDocuments(site))).not.toContain('resourcesync/changelist.xml');
    });

    test.each([['--history', 'main:dist'], ['--history', 'snapshots'], ['--record']])(
      '%s %s is an error that says what to do',
      async (...args) => {
        const site = join(copyStory(), 'dist');
        const { status, stderr } = await runWithoutGit(site, ...args);
        expect(status).toBe(1);
        expect(stderr).toMatch(/^Error There is no git.*\n.*install (?:git|it)/);
        expect(readDocuments(site)).toEqual({});
      },
    );
  });
});
