/** Publications that we keep ourselves: what a snapshot holds, what else stays as it is, and that none is lost. */

import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import {
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellMoments,
  tellResources,
} from '../support/changes.js';
import { BEGIN, cloneOf, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { makeHostileSite } from '../support/hostile.js';
import {
  CLI,
  handOver,
  makeSite,
  ORDINARY_USER,
  type RunOptions,
  readTree,
  requireProgram,
  runCli,
  runProgram,
} from '../support/site.js';

const REF = 'refs/resync-static/dist';
const POSIX = process.platform !== 'win32';

type Files = Readonly<Record<string, string | undefined>>;

/** Writes files, or removes files and folders that are undefined, one after another. */
function change(site: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(site, path), { recursive: true });
    else makeSite({ [path]: content }, site);
  }
}

/** Commits of a ref, oldest first. */
function chainOf(repository: string, ref = REF): string[] {
  return gitText(repository, 'log', '--first-parent', '--reverse', '--format=%H', ref).split('\n');
}

/** Runs the command line so many seconds after the beginning, in the work tree around a site. */
function runAt(seconds: number, repository: string, args: readonly string[], options: RunOptions = {}) {
  return runCli(['dist', '--url', SITE_URL, ...args], {
    cwd: repository,
    env: { HOME: repository, SOURCE_DATE_EPOCH: `${BEGIN + seconds}` },
    ...options,
  });
}

const done = { status: 0, signal: null, stderr: expect.not.stringContaining('Error') };

describe('one publication after another', () => {
  test('makes a Change List that grows, and what was pending becomes permanent as it was', async () => {
    const repository = makeRepository();
    const site = makeSite({}, join(repository, 'dist'));
    mkdirSync(site);
    const states: Files[] = [
      { 'index.html': 'one', 'a.html': 'one' },
      { 'a.html': 'two', 'b.html': 'one' },
      { 'index.html': undefined },
      { 'a.html': 'one', 'index.html': 'one' },
      { 'a.html': undefined, 'b.html': undefined },
    ];
    let lines: string[] = [];
    for (const [index, files] of states.entries()) {
      const now = 1000 * index;
      change(site, files);

      const pending = await describeAt(now, { site });
      expect(pending.publication).toMatchObject({ pending: true, recorded: false });
      const documents = readDocuments(site);
      const kept = await describeAt(now, { site, record: true });
      expect(kept.publication).toMatchObject({ pending: true, recorded: true });
      // Until it is kept, nothing is known of the first state but that it stands now.
      if (index > 0) expect(readDocuments(site)).toEqual(documents);
      const recorded = readDocuments(site);
      const later = await describeAt(now + 500, { site });
      expect(later.publication).toMatchObject({ pending: false, recorded: false });
      expect(readDocuments(site)).toEqual(recorded);

      expect(chainOf(repository)).toHaveLength(index + 1);
      expect(tellMoments(site)).toEqual({ at: `+${now}`, from: '+0' });
      const told = tellChanges(site);
      expect(told.slice(0, lines.length)).toEqual(lines);
      lines = told;
    }
    expect(lines).toEqual([
      '+1000 updated /a.html two',
      '+1000 created /b.html one',
      '+2000 deleted /',
      '+3000 created / one',
      '+3000 updated /a.html one',
      '+4000 deleted /a.html',
      '+4000 deleted /b.html',
    ]);
    expect(tellResources(site)).toEqual(['/ one +3000']);
  });

  test('appends nothing and writes nothing where nothing has changed', async () => {
    const repository = makeRepository();
    const site = makeSite(
      { 'a.html': 'one', '404.html': 'one', 'drafts/b.html': 'one' },
      join(repository, 'dist'),
    );
    const config = { site, record: true, exclude: ['drafts/**'] };
    await describeAt(0, config);
    const stamps = () =>
      Object.keys(readTree(repository)).map((path) => {
        const { ino, mtimeNs, ctimeNs } = statSync(join(repository, path), { bigint: true });
        return { path, ino, mtimeNs, ctimeNs };
      });
    const before = stamps();

    const report = await describeAt(1000, config);

    expect(report.publication).toMatchObject({ pending: false, recorded: false });
    expect(stamps()).toEqual(before);
    // What is no resource is no change either.
    change(site, { '404.html': 'two', 'drafts/b.html': 'two' });
    await describeAt(2000, config);
    expect(chainOf(repository)).toHaveLength(1);
  });

  test('is at least a second after the one before it, whatever SOURCE_DATE_EPOCH says', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    const moments = [1000, 0, 1000, 1003];
    for (const [index, now] of moments.entries()) {
      change(site, { 'a.html': `state ${index}` });
      await describeAt(now, { site, record: true });
      const recorded = readDocuments(site);
      await describeAt(now, { site });
      expect(readDocuments(site)).toEqual(recorded);
    }
    const dates = gitText(repository, 'log', '--reverse', '--format=%ct', REF).split('\n');
    const expected = [1000, 1001, 1002, 1003];
    expect(dates.map((date) => Number(date) - BEGIN)).toEqual(expected);
    expect(tellChanges(site).map((line) => line.split(' ')[0])).toEqual(
      expected.slice(1).map((moment) => `+${moment}`),
    );
  });

  test('says the same before and after it is kept, also behind one that changed no URL and a clock set back', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'about.html': 'one' }, join(repository, 'dist'));
    const config = { site, urls: 'bare' } as const;
    await describeAt(0, { ...config, record: true });
    change(site, { 'about.html': undefined, 'about/index.html': 'one' });
    await describeAt(1000, { ...config, record: true });
    change(site, { 'about/index.html': 'two' });

    await describeAt(500, config);
    const pending = readDocuments(site);
    await describeAt(500, { ...config, record: true });
    expect(readDocuments(site)).toEqual(pending);
    await describeAt(2000, config);
    expect(readDocuments(site)).toEqual(pending);
  });

  test('makes the same commits in every repository', async () => {
    const states: Files[] = [
      { 'a.html': 'one', 'ö/b c.txt': 'one' },
      { 'a.html': 'two' },
      { ö: undefined, 'd.html': 'three' },
    ];
    const record = async (repository: string) => {
      const site = join(repository, 'dist');
      mkdirSync(site);
      for (const [index, files] of states.entries()) {
        change(site, files);
        await describeAt(1000 * index, { site, record: true });
      }
      return chainOf(repository);
    };
    const [plain, other] = [makeRepository(), makeRepository()];
    commitFiles(other, 0, { 'readme.md': 'one' });
    for (const setting of [
      ['user.name', 'Somebody'],
      ['user.email', 'somebody@example.org'],
      ['commit.gpgSign', 'true'],
      ['i18n.commitEncoding', 'ISO-8859-1'],
      ['core.compression', '9'],
      ['fastimport.unpackLimit', '1'],
      ['core.logAllRefUpdates', 'always'],
      ['core.autocrlf', 'true'],
      ['core.sharedRepository', 'group'],
    ]) {
      gitText(other, 'config', ...setting);
    }
    const commits = await record(plain);
    expect(await record(other)).toEqual(commits);
    expect(commits).toHaveLength(3);
  });
});

describe('a snapshot', () => {
  const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
  const contents = {
    'crlf.txt': 'one\r\ntwo\r\n',
    'lf.txt': 'one\ntwo\n',
    'mixed.txt': 'one\r\ntwo\nthree\r',
    'lower case.html': '<p>lower case</p>',
    'ident.txt': '$Id$ $Id: something $\n',
    'utf-16.txt': Buffer.from('\ufeffutf-16\r\n', 'utf16le'),
    'every byte.bin': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    'pointer.psd': LFS,
    'large.psd': Buffer.alloc(200_000, 'a\r\n'),
    'empty.txt': '',
    'sub/empty': '',
  };

  test.each<[what: string, attributes: string, settings: [string, string][]]>([
    ['text conversion by attributes', '* text=auto eol=crlf', []],
    ['text conversion that is forced', '* text eol=lf', []],
    [
      'text conversion by settings',
      '',
      [
        ['core.autocrlf', 'true'],
        ['core.safecrlf', 'true'],
        ['core.eol', 'crlf'],
      ],
    ],
    ['encodings and identifiers', '*.txt working-tree-encoding=UTF-16LE ident', []],
    [
      'filters',
      '* filter=upper',
      [
        ['filter.upper.clean', 'tr a-z A-Z'],
        ['filter.upper.smudge', 'tr a-z A-Z'],
      ],
    ],
    [
      'a filter as that of LFS, without which git gives up',
      '*.psd filter=lfs diff=lfs merge=lfs -text',
      [
        ['filter.lfs.clean', 'false'],
        ['filter.lfs.smudge', 'false'],
        ['filter.lfs.process', 'false'],
        ['filter.lfs.required', 'true'],
      ],
    ],
    [
      'settings about storage',
      '*.psd binary delta',
      [
        ['core.bigFileThreshold', '1'],
        ['core.compression', '0'],
        ['core.precomposeUnicode', 'true'],
        ['pack.packSizeLimit', '1m'],
      ],
    ],
  ])('holds the bytes of the files: %s', async (_, attributes, settings) => {
    const repository = makeRepository();
    for (const setting of settings) gitText(repository, 'config', ...setting);
    makeSite({ '.gitattributes': attributes, '.git/info/attributes': attributes }, repository);
    const site = makeSite({ ...contents, '.gitattributes': attributes }, join(repository, 'dist'));
    await describeAt(0, { site, record: true });
    const [first] = chainOf(repository);
    const before = readCommit(repository, first ?? '');
    for (const [path, content] of Object.entries(contents)) {
      expect.soft(before[path], path).toBe(Buffer.from(content).toString('latin1'));
    }
    expect(Object.keys(before).sort()).toEqual(Object.keys(contents).sort());

    // Later ones hold what has changed, read in another way.
    const changed = Object.fromEntries(
      Object.entries(contents).map(([path, content]) => [
        path,
        Buffer.concat([Buffer.from('x\r\n'), Buffer.from(content)]),
      ]),
    );
    makeSite(changed, site);
    await describeAt(1000, { site, record: true });
    const after = readCommit(repository, REF);
    for (const [path, content] of Object.entries(changed)) {
      expect.soft(after[path], path).toBe(content.toString('latin1'));
    }
    expect(await describeAt(2000, { site })).toMatchObject({ publication: { pending: false } });
  });

  // Elsewhere, file systems take names that differ in case alone for one.
  test.runIf(process.platform === 'linux')(
    'holds all names, also where git is told that case does not count',
    async () => {
      const repository = makeRepository();
      gitText(repository, 'config', 'core.ignoreCase', 'true');
      const files = { 'a.html': 'one', 'A.html': 'two', 'x/1.html': 'one', 'X/2.html': 'two' };
      const site = makeSite(files, join(repository, 'dist'));
      await describeAt(0, { site, record: true });
      expect(readCommit(repository, REF)).toEqual(files);
      expect(await describeAt(1000, { site })).toMatchObject({ publication: { pending: false } });
    },
  );

  test('holds names that go wrong wherever a name is taken for more than a name', async () => {
    const { site, paths } = makeHostileSite();
    git(site, ['init', '--quiet']);
    const ref = 'refs/resync-static/_root';
    const expectSame = () => {
      const standing = readTree(site);
      const resources = Object.entries(standing).filter(([path]) => paths.includes(path));
      expect(readCommit(site, ref)).toEqual(Object.fromEntries(resources));
    };
    await describeAt(0, { site, record: true });
    expectSame();
    expect(Object.keys(readCommit(site, ref))).toHaveLength(paths.length);

    for (const [index, path] of paths.entries()) {
      if (index % 3 === 0) rmSync(join(site, path));
      if (index % 3 === 1) makeSite({ [path]: `changed ${path}` }, site);
    }
    await describeAt(1000, { site, record: true });
    expectSame();
    const kinds = tellChanges(site).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(new Set(kinds)).toEqual(new Set(['+1000 deleted', '+1000 updated']));
    expect(kinds).toHaveLength(Math.ceil((2 * paths.length) / 3));
    expect(await describeAt(2000, { site })).toMatchObject({ publication: { pending: false } });
  });

  test('holds resources only: nothing that is left out, no document of ours', async () => {
    const repository = makeRepository();
    const site = makeSite(
      {
        'index.html': 'one',
        'drafts/a.html': 'one',
        '404.html': 'one',
        '500.html': 'one',
        _headers: 'one',
        '.htaccess': 'one',
        '.well-known/security.txt': 'one',
        'resourcesync/notes.txt': 'one',
        'resourcesync/old/resourcelist.xml': 'one',
      },
      join(repository, 'dist'),
    );
    const config = { site, record: true, exclude: ['drafts/**'], include: ['404.html'] };
    for (const now of [0, 1000]) {
      change(site, { 'index.html': `state ${now}` });
      await describeAt(now, config);
      expect(Object.keys(readCommit(repository, REF)).sort()).toEqual([
        '.well-known/security.txt',
        '404.html',
        'index.html',
        'resourcesync/notes.txt',
      ]);
    }
  });

  test('holds a file where a folder was, and a folder where a file was', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    mkdirSync(site);
    const states: Files[] = [
      { thing: 'one', 'a/b/c.txt': 'one', 'z.txt': 'one' },
      { thing: undefined, 'thing/x.txt': 'one', 'thing/y/z.txt': 'one' },
      { a: undefined, 'a/b': 'two' },
      { a: undefined, thing: undefined },
      { a: 'three', thing: 'three' },
      { a: undefined, 'a/b/c.txt': 'one', thing: undefined, 'thing/x.txt': 'one' },
    ];
    for (const [index, files] of states.entries()) {
      change(site, files);
      await describeAt(1000 * index, { site, record: true });
      const standing = Object.entries(readTree(site)).filter(([path]) => !/resourcesync/.test(path));
      expect(readCommit(repository, REF)).toEqual(Object.fromEntries(standing));
    }
    expect(tellChanges(site)).toEqual([
      '+1000 deleted /thing',
      '+1000 created /thing/x.txt one',
      '+1000 created /thing/y/z.txt one',
      '+2000 created /a/b two',
      '+2000 deleted /a/b/c.txt',
      '+3000 deleted /a/b',
      '+3000 deleted /thing/x.txt',
      '+3000 deleted /thing/y/z.txt',
      '+4000 created /a three',
      '+4000 created /thing three',
      '+5000 deleted /a',
      '+5000 created /a/b/c.txt one',
      '+5000 deleted /thing',
      '+5000 created /thing/x.txt one',
    ]);
  });

  // Windows knows no executable files.
  test.runIf(POSIX)('holds an executable file as any other, and its mode is no change', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'run.sh': 'one' }, join(repository, 'dist'));
    chmodSync(join(site, 'run.sh'), 0o755);
    await describeAt(0, { site, record: true });
    chmodSync(join(site, 'run.sh'), 0o644);
    await describeAt(1000, { site, record: true });
    expect(gitText(repository, 'ls-tree', REF)).toMatch(/^100644 blob \w+\trun\.sh$/);
    expect(chainOf(repository)).toHaveLength(1);
  });

  test('holds 20 MB in one file and in many, and nothing is said about it', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    for (const now of [0, 1000]) {
      const bytes = randomBytes(20_000_000);
      const parts = Array.from({ length: 100 }, (_, index): [string, Buffer] => [
        `parts/${index}.bin`,
        bytes.subarray(200_000 * index, 200_000 * (index + 1)),
      ]);
      makeSite({ 'large.bin': bytes, ...Object.fromEntries(parts) }, site);

      const result = await runAt(now, repository, ['--record', '--quiet']);

      expect(result).toEqual({
        status: 0,
        signal: null,
        stdout: '',
        stderr: now === 0 ? '' : expect.stringMatching(/^Note Changes are known from [^\n]*\n$/),
      });
      expect(digest(git(repository, ['cat-file', 'blob', `${REF}:large.bin`]))).toBe(digest(bytes));
      const parted = Array.from({ length: 100 }, (_, index) => `${REF}:parts/${index}.bin\n`).join('');
      const ids = git(repository, ['cat-file', '--batch-check=%(objectsize)'], parted).toString();
      expect(ids).toBe('200000\n'.repeat(100));
      expect(gitText(repository, 'ls-tree', '-r', '--name-only', REF).split('\n')).toHaveLength(101);
    }
  });

  test('has a ref of its own for every place of a site', async () => {
    const places = [
      'dist',
      'packages/web/dist',
      'with space/öffentlich',
      '-dash/--record',
      '@/@{1}',
      'a..b/.hidden/x.lock/end.',
      '%25/100%',
    ];
    const repository = makeRepository();
    const sites = places.map((place) => makeSite({ 'a.html': place }, join(repository, place)));
    for (const site of sites) {
      expect((await describeAt(0, { site, record: true })).publication).toMatchObject({ recorded: true });
    }
    for (const site of sites) {
      expect((await describeAt(10, { site })).publication).toMatchObject({ pending: false });
    }
    const refs = gitText(repository, 'for-each-ref', '--format=%(refname)').split('\n');
    expect(refs).toHaveLength(places.length);
    expect(refs).toEqual(expect.arrayContaining([REF, 'refs/resync-static/packages/web/dist']));
    for (const ref of refs) expect(ref).toMatch(/^refs\/resync-static\//);
  });

  test('cannot be kept for a site in the folder of another one, which git has no name for, and says so', async () => {
    const repository = makeRepository();
    const outer = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    const inner = makeSite({ 'b.html': 'one' }, join(repository, 'dist/inner'));
    await describeAt(0, { site: outer, record: true });
    const run = describeAt(1000, { site: inner, record: true });
    await expect(run).rejects.toMatchObject({
      name: 'ResyncError',
      message: expect.stringContaining(`${REF}/inner`),
    });
    expect(readDocuments(inner)).toEqual({});
    await describeAt(1000, { site: inner, record: true, history: 'snapshots:inner' });
    expect(gitText(repository, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      REF,
      'refs/resync-static/inner',
    ]);
  });
});

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
    ['hooks in their usual place', []],
    [
      'hooks elsewhere, and reflogs of all refs',
      [
        ['core.hooksPath', '.git/more-hooks'],
        ['core.logAllRefUpdates', 'always'],
      ],
    ],
    ['a monitor of the file system', [['core.fsmonitor', '.git/hooks/fsmonitor']]],
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

  /** A run whose build goes on while it records. */
  async function failToRecord() {
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
    return { before, after: read() };
  }

  test('and where it fails, nothing in the repository that could be seen', async () => {
    const { before, after } = await failToRecord();
    expect(after.git).toEqual(before.git);
  });

  test('and where it fails, the documents are those of the run before', async () => {
    const { before, after } = await failToRecord();
    expect(after.documents).toEqual(before.documents);
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

  test.each<[what: string, before: number, rivals: number]>([
    ['the first snapshot', 0, 1],
    ['a later one', 2, 1],
    ['a later one, several times', 1, 3],
  ])('one that is overtaken while it records %s comes after the other', async (_, before, rivals) => {
    const [tree = '', rival = ''] = makeWorktrees(2);
    const site = join(tree, 'dist');
    const config = { site, record: true, history: 'snapshots:site' };
    for (let index = 0; index < before; index++) {
      change(site, { 'before.html': `before ${index}` });
      await describeAt(100 * index, config);
    }
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
    expect(chain).toHaveLength(before + rivals + 1);
    const states = chain.slice(before).map((commit) => readCommit(tree, commit));
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

      for (let step = 1, asked = 1; step <= asked; step++) {
        if (existsSync(join(repository, '.git', ref))) gitText(repository, 'update-ref', '-d', ref);
        if (before > 0) await describeAt(0, config);
        const tip = before > 0 ? gitText(repository, 'rev-parse', ref) : '';
        const parents = before > 0 ? ['-p', tip] : [];
        const rival = gitText(repository, 'commit-tree', '-m', 'Rival', ...parents, tree);
        change(site, { 'a.html': `state ${step}` });
        // Stands in for git: asks it, and lets the other move the ref after the n-th question, if it is still there.
        const shim = makeSite({
          asked: '',
          git: `#!/bin/sh
          echo >> "$0.asked"
          [ $(wc -l < "$0.asked") -eq ${step} ] || exec '${real}' "$@"
          '${real}' "$@"
          status=$?
          cd '${repository}' && '${real}' update-ref ${ref} ${rival} '${tip || '0'.repeat(40)}' && touch "$0.overtaken"
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
      [0, 1].map(async (lane) => {
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
    expect(stderr).toMatch(/no publication before this one in refs\/resync-static\/dist.*fetch the ref/);
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
