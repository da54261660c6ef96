/** Repositories of strangers: whatever they hold, they run nothing, are asked nothing, and answer in words. */

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/describe/report.js';
import { datetimeAt, describeAt, readDocuments, SITE_URL, tellChanges } from '../support/changes.js';
import { BEGIN, commitAll, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { some } from '../support/seed.js';
import { callCli, makeFolder, makeSite, requireProgram } from '../support/site.js';
import { startWatch } from '../support/watch.js';
import {
  FETCHING,
  type Lost,
  makeBareTrap,
  makeOtherSettings,
  makePreparedTrap,
  type Trap,
} from './traps.js';

const POSIX = process.platform !== 'win32';

/** Runs the command line from a folder that has nothing to do with the site. */
async function run(site: string, ...args: string[]) {
  const cwd = makeFolder();
  const env = { HOME: cwd, SOURCE_DATE_EPOCH: `${BEGIN + 1000}` };
  const { status, stdout, stderr } = await callCli([site, '--url', SITE_URL, '--json', ...args], {
    cwd,
    env,
  });
  return { status, stderr, report: status === 0 ? (JSON.parse(stdout) as Report) : undefined };
}

/** Everything that may be asked of a site, in any order. */
const WAYS: readonly (readonly string[])[] = [
  [],
  ['--dumps'],
  ['--record'],
  ['--record', '--history', 'snapshots', '--dumps'],
  ['--history', 'HEAD'],
  ['--history', 'main:dist'],
];

async function runIn({ site, sprung }: Trap, ways = WAYS): Promise<void> {
  for (const args of ways) {
    const { status, stderr } = await run(site, ...args);
    expect([0, 1, 2]).toContain(status);
    expect(stderr).not.toMatch(/\n {4}at |internal/i);
    expect({ args, sprung: sprung() }).toEqual({ args, sprung: [] });
  }
}

async function watchIn({ site, sprung }: Trap): Promise<void> {
  const cwd = makeFolder();
  const watch = startWatch([site, '--url', SITE_URL, '--json'], { cwd, env: { HOME: cwd } });
  await watch.next();
  await watch.end();
  expect(sprung()).toEqual([]);
}

// SECURITY.md: "A cloned repository runs nothing."
describe('a repository of a stranger runs nothing', () => {
  test.each(FETCHING)(
    'where the site looks like a bare one, or something is missing: %s',
    async (_, settings) => {
      for (const trap of [makeBareTrap(settings, 'HEAD'), makePreparedTrap(settings, 'HEAD^{tree}')]) {
        await runIn(trap, WAYS.slice(0, 1));
        // The trap is set.
        trap.spring('log', '--raw');
        expect(trap.sprung()).toHaveLength(1);
      }
    },
  );

  const [[, makeSshSettings] = ['', () => '']] = FETCHING;

  test.each<[Lost, number]>([
    ['HEAD', 0],
    ['HEAD^{tree}', 1],
    ['HEAD~1:old', 2],
  ])('whatever it is asked for, without %s', async (lost, first) => {
    const bare = makeBareTrap(makeSshSettings, lost);
    await runIn(bare, some(WAYS, 3, first));
    // Nothing is around it now, so that it is the one which --history names.
    rmSync(join(bare.site, '../.git'), { recursive: true });
    await runIn(bare, some([...WAYS.slice(3), ['--history', 'main']], 3, first));
    await runIn(makePreparedTrap(makeSshSettings, lost), some(WAYS, 3, first));
  });

  test('while it is watched', async () => {
    await watchIn(makeBareTrap(makeSshSettings, 'HEAD'));
    await watchIn(makePreparedTrap(makeSshSettings, 'HEAD^{tree}'));
  });

  test('whatever else its settings and hooks name', async () => {
    const trap = makePreparedTrap(makeOtherSettings);
    await runIn(trap);
    trap.spring('update-ref', 'refs/heads/other', 'HEAD');
    trap.spring('diff', 'HEAD~1');
    trap.spring('status');
    expect(trap.sprung()).toEqual(
      expect.arrayContaining(['diff-of-x', 'fsmonitor', 'reference-transaction']),
    );
  });

  // The git of this machine may be older than 2.54, which is the first one that runs such hooks.
  test.runIf(POSIX)('by a hook that its settings name: it is switched off by its name', async () => {
    const { site } = makePreparedTrap((command) => `[hook "odd.name = x"]\n command = ${command('hook')}\n`);
    const real = requireProgram('git', 'git');
    const shim = makeSite({
      git: `#!/bin/sh
      case " $* " in *" fast-import "*) '${real}' config --get 'hook.odd.name = x.enabled' > "$0.seen" ;; esac
      exec '${real}' "$@"
      `,
    });
    chmodSync(join(shim, 'git'), 0o755);
    const { status } = await callCli([site, '--url', SITE_URL, '--record', '--history', 'snapshots'], {
      cwd: shim,
      env: { HOME: shim, PATH: `${shim}${delimiter}${process.env['PATH']}` },
    });
    expect(status).toBe(0);
    expect(readFileSync(join(shim, 'git.seen'), 'utf8')).toBe('false\n');
  });

  // The repository holds a script with the name of git.
  test.runIf(POSIX)('also where PATH leads into it', async () => {
    const repository = makeRepository();
    const mark = join(makeFolder(), 'sprung');
    commitFiles(repository, 0, { 'dist/a.html': 'one', git: `#!/bin/sh\ntouch '${mark}'\n` });
    chmodSync(join(repository, 'git'), 0o755);
    const { status, stderr } = await callCli(['dist', '--url', SITE_URL, '--quiet'], {
      cwd: repository,
      env: { HOME: repository, PATH: ['.', '', process.env['PATH']].join(delimiter) },
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(existsSync(mark)).toBe(false);
  });
});

describe('a snapshot is recorded on a ref of its own, or not at all', () => {
  const REF = 'refs/resync-static/dist';
  const SNAPSHOTS = ['--record', '--history', 'snapshots'];

  function makeRecorded(): { repository: string; site: string; refs: () => string } {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'readme.md': 'one' });
    const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    return { repository, site, refs: () => gitText(repository, 'for-each-ref') };
  }

  test.each(['refs/heads/main', 'refs/heads/other'])('where it stands for %s', async (target) => {
    const { repository, site, refs } = makeRecorded();
    gitText(repository, 'symbolic-ref', REF, target);
    const before = refs();
    const { status, stderr } = await run(site, ...SNAPSHOTS);
    expect(status).toBe(1);
    expect(stderr).toContain(`${REF} in ${repository} is a symbolic ref to ${target}`);
    expect(refs()).toBe(before);
    expect(readDocuments(site)).toEqual({});
    gitText(repository, ...(/git (symbolic-ref --delete \S+),/.exec(stderr)?.[1]?.split(' ') ?? []));
    expect(await run(site, ...SNAPSHOTS)).toMatchObject({ status: 0 });
    expect(refs()).toContain(REF);
  });

  // Windows makes symbolic links for administrators only.
  test.runIf(POSIX).each([
    ['the folder of refs', 'refs/resync-static', '../refs/heads'],
    ['the log of the ref', 'logs/refs/resync-static/main', '../../../../outside'],
  ])('where %s is a symbolic link', async (_, link, target) => {
    const { repository, site, refs } = makeRecorded();
    const outside = makeSite({ outside: '' }, repository);
    mkdirSync(join(repository, '.git', link, '..'), { recursive: true });
    symlinkSync(target, join(repository, '.git', link));
    const before = refs();
    const { status, stderr } = await run(site, '--record', '--history', 'snapshots:main');
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(repository, '.git', link)} is a symbolic link`);
    expect(refs()).toBe(before);
    expect(readFileSync(join(outside, 'outside'), 'utf8')).toBe('');
    expect(readDocuments(site)).toEqual({});
  });

  test('where git was killed and has left a lock: the file to remove is told', async () => {
    const { repository, site } = makeRecorded();
    // For ever, if the repository is asked.
    gitText(repository, 'config', 'core.filesRefLockTimeout', '-1');
    const lock = join(repository, '.git', `${REF}.lock`);
    makeSite({ [`.git/${REF}.lock`]: '' }, repository);
    const { status, stderr } = await run(site, ...SNAPSHOTS);
    expect(status).toBe(1);
    expect(stderr).toContain(`remove ${lock}, and run again`);
    expect(readDocuments(site)).toEqual({});
    rmSync(lock);
    expect(await run(site, ...SNAPSHOTS)).toMatchObject({ status: 0 });
  });
});

describe('a file that git has lost', () => {
  test('is named, with its commit, and a smaller window does without it', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    commitFiles(repository, 0, { 'dist/a.html': 'one' });
    const commit = commitFiles(repository, 86_400, { 'dist/a.html': 'two' });
    const lost = gitText(repository, 'rev-parse', 'HEAD:dist/a.html');
    commitFiles(repository, 50 * 86_400, { 'dist/a.html': 'three' });
    rmSync(join(repository, '.git/objects', lost.slice(0, 2), lost.slice(2)));
    const config = { site, history: 'HEAD:dist' };
    for (const noindex of ['keep', 'skip'] as const) {
      const failing = describeAt(60 * 86_400, { ...config, noindex });
      await expect(failing).rejects.toMatchObject({ code: 'git-failed' });
      const { message } = (await failing.catch((error: unknown) => error)) as Error;
      for (const word of ['a.html', commit, lost, 'changes.window', '--history none']) {
        expect(message).toContain(word);
      }
    }
    await describeAt(60 * 86_400, { ...config, changes: { window: 10 } });
    expect(tellChanges(site)).toEqual([`+${50 * 86_400} updated /a.html three`]);
  });
});

// SECURITY.md: "A folder that looks like a bare repository is ignored, unless you set `--history`."
describe('a bare repository', () => {
  /** A site in a folder that somebody laid out as a bare repository, with another history than that around it. */
  function makeBareSite(around: string): string {
    const origin = makeRepository();
    commitFiles(origin, 0, { 'a.html': 'one' });
    commitFiles(origin, 100, { 'a.html': 'two' });
    const site = join(around, 'dist');
    git(around, ['clone', '--quiet', '--bare', origin, site]);
    return makeSite({ 'a.html': 'three' }, site);
  }

  const tellPages = (site: string) => tellChanges(site).filter((line) => line.includes('.html'));

  test('in the place of the site, or around it, is not its history', async () => {
    const site = makeBareSite(makeFolder());
    makeSite({ 'www/a.html': 'two' }, site);
    for (const folder of [site, join(site, 'www')]) {
      const { status, report } = await run(folder);
      expect(status).toBe(0);
      expect(report?.notices).toMatchObject([{ code: 'no-history' }]);
    }
  });

  test('in the place of the site is passed by for the repository around it', async () => {
    const repository = makeRepository();
    const site = makeBareSite(repository);
    commitAll(repository, BEGIN + 500);
    makeSite({ 'a.html': 'four' }, site);
    commitAll(repository, BEGIN + 600);
    const { report } = await run(site);
    expect(report?.publication).toMatchObject({ from: datetimeAt(500), pending: false });
    expect(tellPages(site)).toEqual(['+600 updated /a.html four']);
    await run(site, '--history', 'HEAD:dist');
    expect(tellPages(site)).toEqual(['+600 updated /a.html four']);
  });

  test('is the history where --history names it', async () => {
    const site = makeBareSite(makeFolder());
    const { status } = await run(site, '--history', 'main');
    expect(status).toBe(0);
    expect(tellPages(site)).toEqual(['+100 updated /a.html two', '+1000 updated /a.html three']);
  });
});

// SECURITY.md: "`core.worktree`, replaced objects and grafts are ignored."
describe('settings of a repository lead nowhere else', () => {
  test('core.worktree', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.html': 'one' });
    commitFiles(repository, 100, { 'dist/a.html': 'two' });
    for (const worktree of ['/', '/nowhere', '../..', 'dist']) {
      gitText(repository, 'config', 'core.worktree', worktree);
      const { status } = await run(join(repository, 'dist'));
      expect({ worktree, status }).toEqual({ worktree, status: 0 });
      expect(tellChanges(join(repository, 'dist'))).toEqual(['+100 updated /a.html two']);
    }
  });

  test('an endless list of names is not read', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.html': 'one' });
    gitText(repository, 'config', 'mailmap.file', '/dev/zero');
    expect(await run(join(repository, 'dist'))).toMatchObject({ status: 0 });
  });

  test('bytes are those of their id, whatever is to be put in their place', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.html': 'one' });
    commitFiles(repository, 100, { 'dist/a.html': 'two' });
    const lie = gitText(repository, 'rev-parse', 'HEAD~1:dist/a.html');
    const truth = gitText(repository, 'rev-parse', 'HEAD:dist/a.html');
    commitFiles(repository, 200, { 'dist/a.html': 'three' });
    gitText(repository, 'replace', truth, lie);
    makeSite({ '.git/info/grafts': `${gitText(repository, 'rev-parse', 'HEAD')}\n` }, repository);
    expect(await run(join(repository, 'dist'))).toMatchObject({ status: 0 });
    expect(tellChanges(join(repository, 'dist'))).toEqual([
      '+100 updated /a.html two',
      '+200 updated /a.html three',
    ]);
  });
});
