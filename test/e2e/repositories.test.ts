/** Repositories of all kinds and in all conditions: where history is found, and what is said where it is not. */

import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/report.js';
import {
  datetimeAt,
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellMoments,
  tellResources,
} from '../support/changes.js';
import { BEGIN, cloneOf, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { CLI, handOver, makeFolder, makeSite, runCli, runProgram } from '../support/site.js';

const POSIX = process.platform !== 'win32';
const ROOT = process.getuid?.() === 0;

/** Three publications of a site, with commits of other things between them. */
function publishStory(repository: string, folder = 'dist'): string {
  const at = (path: string) => (folder === '' ? path : `${folder}/${path}`);
  commitFiles(repository, 0, { [at('index.html')]: 'one', [at('a.html')]: 'one', [at('old.html')]: 'one' });
  commitFiles(repository, 50, folder === '' ? {} : { 'other/readme.md': 'one' });
  commitFiles(repository, 100, { [at('a.html')]: 'two', [at('b/c.html')]: 'one' });
  commitFiles(repository, 200, { [at('a.html')]: 'three', [at('old.html')]: undefined });
  return repository;
}

/** The story, told once: most tests want nothing but a copy of it. */
let story = '';
beforeAll(() => {
  story = mkdtempSync(join(tmpdir(), 'resync-static-story-'));
  git(story, ['init', '--quiet']);
  publishStory(story);
});
afterAll(() => rmSync(story, { recursive: true }));

function copyStory(): string {
  const repository = makeFolder();
  cpSync(story, repository, { recursive: true });
  return repository;
}

/** The last state of the story, as a build would write it. */
const STATE = { 'index.html': 'one', 'a.html': 'three', 'b/c.html': 'one' };
const STORY = {
  moments: { at: '+200', from: '+0' },
  resources: ['/ one +0', '/a.html three +200', '/b/c.html one +100'],
  changes: [
    '+100 updated /a.html two',
    '+100 created /b/c.html one',
    '+200 updated /a.html three',
    '+200 deleted /old.html',
  ],
};
const tell = (site: string) => ({
  moments: tellMoments(site),
  resources: tellResources(site),
  changes: tellChanges(site),
});

interface Place {
  readonly cwd: string;
  /** From there. */
  readonly site: string;
  readonly history?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command line; the report is undefined where it fails. */
async function run({ cwd, site, history, env }: Place, ...args: string[]) {
  const where = history === undefined ? [] : ['--history', history];
  const { status, stdout, stderr } = await runCli([site, '--url', SITE_URL, '--json', ...where, ...args], {
    cwd,
    env: { HOME: dirname(cwd), SOURCE_DATE_EPOCH: `${BEGIN + 1000}`, ...env },
  });
  const report = status === 0 ? (JSON.parse(stdout) as Report) : undefined;
  return { status, stderr, report, codes: report?.notices.map(({ code }) => code) };
}

describe('history is found', () => {
  test.each<[where: string, make: () => Place]>([
    ['in a work tree', () => ({ cwd: copyStory(), site: 'dist' })],
    ['from a folder within the work tree', () => ({ cwd: join(copyStory(), 'other'), site: '../dist' })],
    ['from anywhere else', () => ({ cwd: makeFolder(), site: join(copyStory(), 'dist') })],
    [
      'where another repository is the working directory',
      () => ({ cwd: makeRepository(), site: join(copyStory(), 'dist') }),
    ],
    [
      'where the site is the top of the repository',
      () => ({ cwd: publishStory(makeRepository(), ''), site: '.' }),
    ],
    [
      'at a path with spaces and letters of many languages',
      () => ({
        cwd: publishStory(makeRepository(), 'öffentliche Seiten/日本 site'),
        site: 'öffentliche Seiten/日本 site',
      }),
    ],
    [
      'at a path that git could take for a pattern',
      () => ({ cwd: publishStory(makeRepository(), '[di]!(s)t/(glob)'), site: '[di]!(s)t/(glob)' }),
    ],
    [
      'where HEAD is no branch',
      () => {
        const repository = copyStory();
        git(repository, ['checkout', '--quiet', '--detach']);
        commitFiles(repository, 300, { 'other/readme.md': 'two' });
        return { cwd: repository, site: 'dist' };
      },
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
      'where the repository is kept elsewhere',
      () => {
        const repository = makeRepository(`--separate-git-dir=${join(makeFolder(), 'kept')}`);
        return { cwd: publishStory(repository), site: 'dist' };
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
      'in a sparse checkout',
      () => {
        const clone = cloneOf(copyStory(), '--sparse');
        git(clone, ['sparse-checkout', 'set', 'dist']);
        expect(existsSync(join(clone, 'other'))).toBe(false);
        return { cwd: clone, site: 'dist' };
      },
    ],
    [
      'in a bare repository, for a site elsewhere',
      () => ({
        cwd: cloneOf(copyStory(), '--bare'),
        site: makeSite(STATE),
        history: 'main:dist',
      }),
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
      'on a branch of its own',
      () => {
        const repository = makeRepository();
        commitFiles(repository, 0, { 'source.md': 'one' });
        git(repository, ['fetch', '--quiet', publishStory(makeRepository(), ''), 'main:gh-pages']);
        makeSite(STATE, join(repository, 'dist'));
        return { cwd: repository, site: 'dist', history: 'gh-pages' };
      },
    ],
    [
      'on a branch that was fetched',
      () => {
        const origin = publishStory(makeRepository(), '');
        git(origin, ['branch', '--quiet', '-m', 'gh-pages']);
        git(origin, ['checkout', '--quiet', '--orphan', 'main']);
        commitFiles(origin, 500, { 'source.md': 'one' });
        const clone = cloneOf(origin);
        makeSite(STATE, join(clone, 'dist'));
        return { cwd: clone, site: 'dist', history: 'origin/gh-pages' };
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
    [
      'by the name of a commit',
      () => {
        const repository = copyStory();
        const history = `${gitText(repository, 'rev-parse', 'HEAD')}:dist`;
        commitFiles(repository, 900, { 'dist/index.html': 'two' });
        return { cwd: repository, site: makeSite(STATE), history };
      },
    ],
  ])('%s', async (_, make) => {
    const place = make();
    const { status, stderr, report, codes } = await run(place);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(tell(join(report?.site ?? ''))).toEqual(STORY);
    expect(codes).toEqual(['changes-known-from']);
    expect(report?.publication).toEqual({ from: datetimeAt(0), pending: false, recorded: false });
  });

  // Windows makes symbolic links for administrators only.
  test.runIf(POSIX)('through a symbolic link', async () => {
    const link = join(makeFolder(), 'link');
    symlinkSync(join(copyStory(), 'dist'), link);
    expect(await run({ cwd: dirname(link), site: 'link' })).toMatchObject({ status: 0 });
    expect(tell(link)).toEqual(STORY);
  });

  test('and nothing of what git keeps is listed where the site is the top of the repository', async () => {
    const repository = publishStory(makeRepository(), '');
    git(repository, ['submodule', '--quiet', 'add', publishStory(makeRepository(), ''), 'inner']);
    await describeAt(1000, { site: repository });
    expect(tellResources(repository).filter((line) => /\.git(?!modules)/.test(line))).toEqual([]);
    expect(tellResources(repository).map((line) => line.split(' ')[0])).toContain('/a.html');
  });
});

describe('a shallow clone', () => {
  test('knows what came after its boundary, says so, and invents nothing', async () => {
    const origin = copyStory();
    const [full, shallow] = [cloneOf(origin), cloneOf(origin, '--depth', '2')];
    const [site, cut] = [join(full, 'dist'), join(shallow, 'dist')];
    await describeAt(1000, { site });

    const { report, codes } = await run({ cwd: shallow, site: 'dist' });

    expect(codes).toEqual(['changes-known-from']);
    expect(report?.notices).toMatchObject([
      { code: 'changes-known-from', from: datetimeAt(100), truncated: true },
    ]);
    expect(tell(cut)).toEqual({
      moments: { at: '+200', from: '+100' },
      resources: ['/ one -', '/a.html three +200', '/b/c.html one -'],
      changes: STORY.changes.slice(2),
    });
    const lines = (of: string) => readDocuments(of)['resourcesync/changelist.xml']?.split('\n') ?? [];
    const changes = lines(cut).filter((line) => line.includes('<url>'));
    expect(changes).toEqual(
      lines(site)
        .filter((line) => line.includes('<url>'))
        .slice(2),
    );
  });

  test('names the cure, and the cure works', async () => {
    const origin = copyStory();
    const shallow = cloneOf(origin, '--depth', '2');
    const { stderr } = await runCli(['dist', '--url', SITE_URL, '--quiet'], {
      cwd: shallow,
      env: { HOME: shallow },
    });
    const cure = /git fetch --unshallow/.exec(stderr)?.[0] ?? '';
    expect(stderr).toContain(datetimeAt(100));
    git(shallow, cure.split(' ').slice(1));
    await describeAt(1000, { site: join(shallow, 'dist') });
    expect(tell(join(shallow, 'dist'))).toEqual(STORY);
  });

  test('whose boundary lies before the site knows all', async () => {
    const origin = makeRepository();
    commitFiles(origin, -200, { 'other/readme.md': 'zero' });
    commitFiles(origin, -100, { 'other/readme.md': 'two' });
    const shallow = cloneOf(publishStory(origin), '--depth', '5');
    const { report } = await run({ cwd: shallow, site: 'dist' });
    expect(tell(join(shallow, 'dist'))).toEqual(STORY);
    expect(report?.notices).toMatchObject([
      { code: 'changes-known-from', from: datetimeAt(0), truncated: false },
    ]);
  });

  test('of one commit knows no change, and has that of the work tree for its own', async () => {
    const shallow = cloneOf(copyStory(), '--depth', '1');
    makeSite({ 'index.html': 'two' }, join(shallow, 'dist'));
    await describeAt(1000, { site: join(shallow, 'dist') });
    expect(tell(join(shallow, 'dist'))).toEqual({
      moments: { at: '+1000', from: '+200' },
      resources: ['/ two +1000', '/a.html three -', '/b/c.html one -'],
      changes: ['+1000 updated / two'],
    });
  });

  test('of a linked work tree is shallow, too', async () => {
    const shallow = cloneOf(copyStory(), '--depth', '1');
    const tree = join(makeFolder(), 'tree');
    git(shallow, ['worktree', 'add', '--quiet', '--detach', tree]);
    const { report } = await run({ cwd: tree, site: 'dist' });
    expect(report?.notices).toMatchObject([{ code: 'changes-known-from', truncated: true }]);
    expect(tellResources(join(tree, 'dist'))).toEqual(['/ one -', '/a.html three -', '/b/c.html one -']);
  });
});

describe('a partial clone', () => {
  /** A server that lets clones leave out what they do not need. */
  function makeServer(): string {
    const origin = copyStory();
    gitText(origin, 'config', 'uploadpack.allowFilter', 'true');
    commitFiles(origin, 300, { 'dist/gone.dat': 'four', 'dist/a.html': 'five' });
    commitFiles(origin, 400, { 'dist/gone.dat': undefined, 'dist/a.html': 'three' });
    return origin;
  }
  const objectsOf = (repository: string) =>
    gitText(repository, 'cat-file', '--batch-all-objects', '--batch-check').split('\n').sort();

  test('fetches nothing, and lists without bytes what it does not have', async () => {
    const clone = cloneOf(makeServer(), '--filter=blob:none');
    const before = objectsOf(clone);

    const { report, status } = await run({ cwd: clone, site: 'dist' });

    expect(status).toBe(0);
    expect(objectsOf(clone)).toEqual(before);
    expect(tellChanges(join(clone, 'dist'))).toEqual([
      '+100 updated /a.html -',
      '+100 created /b/c.html one',
      '+200 updated /a.html three',
      '+200 deleted /old.html',
      '+300 updated /a.html -',
      '+300 created /gone.dat -',
      '+400 updated /a.html three',
      '+400 deleted /gone.dat',
    ]);
    const documents = readDocuments(join(clone, 'dist'));
    const [missing] = documents['resourcesync/changelist.xml']?.match(/<rs:md change="updated"[^>]*>/g) ?? [];
    expect(missing).toBe(`<rs:md change="updated" datetime="${datetimeAt(100)}" type="text/html"/>`);
    expect(report?.notices).toContainEqual(expect.objectContaining({ code: 'versions-missing', count: 3 }));
  });

  test('names the cure, and the cure works', async () => {
    const clone = cloneOf(makeServer(), '--filter=blob:none');
    const { stderr } = await runCli(['dist', '--url', SITE_URL, '--quiet'], {
      cwd: clone,
      env: { HOME: clone },
    });
    const cure = /git fetch --refetch --no-filter/.exec(stderr)?.[0] ?? '';
    expect(stderr).toContain('3 versions');
    git(clone, cure.split(' ').slice(1));
    const { codes } = await run({ cwd: clone, site: 'dist' });
    expect(codes).toEqual(['changes-known-from']);
    expect(tellChanges(join(clone, 'dist')).filter((line) => line.endsWith(' -'))).toEqual([]);
  });

  test('without folders is refused: it cannot tell what changed, and fetches nothing to find out', async () => {
    const clone = cloneOf(makeServer(), '--filter=tree:0');
    const before = objectsOf(clone);
    const { status, stderr } = await run({ cwd: clone, site: 'dist' });
    expect(objectsOf(clone)).toEqual(before);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error git cannot be used in .*--history none/s);
    expect(existsSync(join(clone, 'dist/resourcesync'))).toBe(false);
  });
});

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
      codes: ['no-publication'],
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

  test('before the first commit, this run is the baseline', async () => {
    const repository = makeRepository();
    const site = makeSite(STATE, join(repository, 'dist'));
    const { status, report } = await run({ cwd: repository, site });
    expect(status).toBe(0);
    expect(report?.notices).toMatchObject([{ code: 'no-publication', ref: 'refs/resync-static/dist' }]);
    expect(tellChanges(site)).toEqual([]);
  });

  test.each<[what: string, history: string, named: string, make: () => string]>([
    ['a branch that does not exist', 'gh-pages', 'gh-pages', () => copyStory()],
    ['a branch that was not fetched', 'origin/gh-pages:docs', 'origin/gh-pages', () => cloneOf(copyStory())],
    ['a folder that is taken for a part of the branch', 'main/dist', 'main/dist', () => copyStory()],
    ['a branch before its first commit', 'main:dist', 'main', () => makeRepository()],
    ['HEAD before the first commit', 'HEAD', 'HEAD', () => makeRepository()],
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

  test.each([['snapshots'], ['main:dist']])(
    'outside a repository, --history %s is an error',
    async (history) => {
      const site = makeSite(STATE);
      const { status, stderr } = await run({ cwd: makeFolder(), site, history });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Error There is no git repository around .*\n.*git init.*--history none/);
      expect(readDocuments(site)).toEqual({});
    },
  );

  test('that can be written, --record is refused, with the reason', async () => {
    const repository = copyStory();
    for (const [history, reason] of [
      ['auto', 'the site is committed'],
      ['main:dist', 'main is written by whoever deploys'],
      ['none', 'there is no history to keep it in'],
    ]) {
      const { status, stderr } = await run(
        { cwd: repository, site: 'dist', ...(history !== undefined && { history }) },
        '--record',
      );
      expect({ history, status, stderr }).toEqual({
        history,
        status: 2,
        stderr: expect.stringContaining(reason ?? ''),
      });
      expect(stderr).toContain('--history snapshots');
    }
    expect(gitText(repository, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
    expect(readDocuments(join(repository, 'dist'))).toEqual({});
    const outside = await run({ cwd: makeFolder(), site: makeSite(STATE) }, '--record');
    expect(outside).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no git repository around'),
    });
  });

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
        stderr: expect.stringMatching(/^Note No Change List is published: .*there is no git\.\n$/),
      });
      expect(Object.keys(readDocuments(site))).not.toContain('resourcesync/changelist.xml');
    });

    test.each([['--history', 'main:dist'], ['--history', 'snapshots'], ['--record']])(
      '%s %s is an error that says what to do',
      async (...args) => {
        const site = join(copyStory(), 'dist');
        const { status, stderr } = await runWithoutGit(site, ...args);
        expect(status).toBe(1);
        expect(stderr).toMatch(/^Error There is no git.*\n.*install git/);
        expect(readDocuments(site)).toEqual({});
      },
    );
  });
});

describe('a repository that is damaged', () => {
  const REFUSED = { name: 'ResyncError', code: expect.stringMatching(/^(?:git-failed|history-missing)$/) };
  const OBJECTS: [what: string, revision: string][] = [
    ['the newest commit', 'HEAD'],
    ['an older commit', 'HEAD~2'],
    ['the top of the newest commit', 'HEAD^{tree}'],
    ['the folder of the site', 'HEAD:dist'],
    ['a folder of the site in the past', 'HEAD~1:dist'],
    ['a file of the past', 'HEAD~1:dist/a.html'],
  ];
  const DAMAGES: [what: string, damage: (file: string) => void][] = [
    ['garbage', (file) => writeFileSync(file, 'garbage')],
    ['missing', () => undefined],
  ];
  const cases = OBJECTS.flatMap(([object, revision]) =>
    DAMAGES.map(([damage, apply]): [string, string, string, (file: string) => void] => [
      object,
      damage,
      revision,
      apply,
    ]),
  );

  test.each(cases)('is an error: %s is %s; the former documents stay', async (_, __, revision, damage) => {
    const repository = copyStory();
    const site = join(repository, 'dist');
    await describeAt(1000, { site, history: 'HEAD:dist' });
    const documents = readDocuments(site);
    makeSite({ 'index.html': 'five' }, site);
    const id = gitText(repository, 'rev-parse', revision);
    const file = join(repository, '.git/objects', id.slice(0, 2), id.slice(2));
    rmSync(file);
    damage(file);

    for (const history of ['auto', 'HEAD:dist']) {
      const run = describeAt(2000, { site, history });
      await expect.soft(run, history).rejects.toMatchObject(REFUSED);
      expect.soft(readDocuments(site), history).toEqual(documents);
    }
  });

  test.each([
    ['garbage', 'garbage\n'],
    ['empty', ''],
    ['the name of nothing', `${'1'.repeat(40)}\n`],
  ])('is an error: the branch is %s; the former documents stay', async (_, content) => {
    const repository = copyStory();
    const site = join(repository, 'dist');
    await describeAt(1000, { site, history: 'HEAD:dist' });
    const documents = readDocuments(site);
    writeFileSync(join(repository, '.git/refs/heads/main'), content);

    for (const history of ['auto', 'main:dist']) {
      const run = describeAt(2000, { site, history });
      await expect.soft(run, history).rejects.toMatchObject(REFUSED);
      expect.soft(readDocuments(site), history).toEqual(documents);
    }
  });

  test('tells a person what is wrong, in words', async () => {
    const repository = copyStory();
    const id = gitText(repository, 'rev-parse', 'HEAD~1:dist');
    rmSync(join(repository, '.git/objects', id.slice(0, 2), id.slice(2)));
    const { status, stderr } = await run({ cwd: repository, site: 'dist', history: 'HEAD:dist' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error git cannot be used in .*: .*\n.*--history none\.\n$/s);
    expect(stderr).toContain(id);
    expect(stderr).not.toMatch(/\n {4}at /);
  });
});

// Only root can give files to another user.
describe.runIf(ROOT)('a repository of another user', () => {
  test('is an error that names the cause, not a site without history', async () => {
    const repository = handOver(copyStory());
    for (const history of ['auto', 'main:dist', 'snapshots']) {
      const { status, stderr } = await run({ cwd: repository, site: 'dist', history });
      expect({ history, status }).toEqual({ history, status: 1 });
      expect(stderr).toContain('dubious ownership');
      expect(stderr).toContain('safe.directory');
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    expect(readDocuments(join(repository, 'dist'))).toEqual({});
  });

  test('is used where its user says so', async () => {
    const repository = handOver(copyStory());
    const home = makeSite({ '.gitconfig': `[safe]\n\tdirectory = ${repository}\n` });
    const result = await run({ cwd: repository, site: 'dist', env: { HOME: home } });
    expect(result).toMatchObject({ status: 0, codes: ['changes-known-from'] });
    expect(tell(join(repository, 'dist'))).toEqual(STORY);
  });
});

describe('a deploy branch that was replaced', () => {
  test('begins anew: the notice says from when changes are known, and nothing is invented', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'source.md': 'one' });
    const deploy = publishStory(makeRepository(), '');
    git(repository, ['fetch', '--quiet', deploy, 'main:gh-pages']);
    const site = makeSite(STATE, join(repository, 'dist'));
    await describeAt(1000, { site, history: 'gh-pages' });
    expect(tell(site)).toEqual(STORY);

    git(deploy, ['checkout', '--quiet', '--orphan', 'new']);
    commitFiles(deploy, 700, { 'a.html': 'four' });
    git(repository, ['fetch', '--quiet', '--force', deploy, 'new:gh-pages']);
    makeSite({ 'a.html': 'four' }, site);
    const { report, codes } = await run({ cwd: repository, site: 'dist', history: 'gh-pages' });

    expect(codes).toEqual(['changes-known-from']);
    expect(report?.notices).toMatchObject([
      { code: 'changes-known-from', from: datetimeAt(700), truncated: false },
    ]);
    expect(tell(site)).toEqual({
      moments: { at: '+700', from: '+700' },
      resources: ['/ one +700', '/a.html four +700', '/b/c.html one +700'],
      changes: [],
    });
  });

  test('ends nothing that was not listed: later publications are changes again', async () => {
    const repository = publishStory(makeRepository(), '');
    git(repository, ['checkout', '--quiet', '--orphan', 'new']);
    commitFiles(repository, 700, { 'a.html': 'four' });
    commitFiles(repository, 800, { 'a.html': 'five' });
    const site = makeSite({ ...STATE, 'a.html': 'five' }, join(makeFolder(), 'site'));
    await run({ cwd: repository, site, history: 'new' });
    expect(tellChanges(site)).toEqual(['+800 updated /a.html five']);
    expect(tellMoments(site)).toEqual({ at: '+800', from: '+700' });
  });
});
