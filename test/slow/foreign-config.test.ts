/**
 * A Source's file is never our configuration: commands that run where a mirror, or somebody else, has put files.
 *
 * Holds "No code from a copy or a site" of SECURITY.md.
 */

import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listedUris, SITE_URL } from '../support/command.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { buildSite, ENV, findKept, makeProject } from '../support/kept.js';
import { copy, readCopy, startSource } from '../support/mirror.js';
import { runAction, startJob } from '../support/runner.js';
import { callCli, makeFolder, makeForFile, makeSite, type RunResult, runCli } from '../support/site.js';
import { startWatch } from '../support/watch.js';

const CODE = ['ts', 'mts', 'js', 'mjs'].map((extension) => `resync-static.config.${extension}`);
const LEFT = 'is not taken as the configuration:';
// Nobody listens there, and `notify` hears of it at once.
const URL_FLAG = ['--url', 'http://127.0.0.1:9/'];
const JSON_CONFIG = JSON.stringify({ url: SITE_URL, urls: 'file', exclude: ['**/*.json', '*.mjs'] });

/** Code that leaves a mark when it runs, and whether it has. */
function makeTrap() {
  const mark = join(makeFolder(), 'mark');
  const code = (site = '.') => `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(mark)}, '');
    export default { site: ${JSON.stringify(site)}, url: '${SITE_URL}', urls: 'file' };\n`;
  return { code, hasRun: () => existsSync(mark), reset: () => rmSync(mark, { force: true }) };
}

/** A copy that `mirror` made of a Source that publishes whatever somebody might take up. */
const made = makeForFile(async () => {
  const trap = makeTrap();
  const code = trap.code();
  const source = await startSource({ include: ['node_modules/**'] });
  await source.publish(0, {
    'index.html': 'home',
    'package.json': '{"type":"module","scripts":{"build":"node resync-static.config.mjs"}}',
    'resync-static.config.mjs': code,
    'node_modules/resync-static/package.json': '{"main":"index.js"}',
    'node_modules/resync-static/index.js': code,
    'sub/index.html': 'sub',
    'sub/package.json': '{}',
    'sub/resync-static.config.mjs': code,
    'deep/er/index.html': 'deep',
  });
  const folder = join(makeFolder(), 'copy');
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
  expect(readCopy(folder)).toEqual(source.listed());
  expect(Object.keys(readCopy(folder))).toHaveLength(9);
  return { folder, trap };
});

/** That copy at a place of its own, and a link into it. */
function makeCopy() {
  const { trap } = made();
  trap.reset();
  const home = makeFolder();
  const folder = join(home, 'copy');
  cpSync(made().folder, folder, { recursive: true });
  symlinkSync(join(folder, 'sub'), join(home, 'link'));
  return { folder, home, trap };
}

/** Runs a command; one that watches, until it has described once. */
async function run(cwd: string, command: string, ...args: string[]): Promise<RunResult> {
  if (command !== 'watch') return callCli([command, ...args], { cwd });
  const watched = startWatch([...args, '--json'], { cwd });
  await watched.next();
  const { status } = await watched.end();
  return { status, signal: null, stdout: '', stderr: watched.stderr() };
}

const COMMANDS: readonly (readonly [command: string, ...more: string[]])[] = [
  ['describe'],
  ['diff'],
  ['watch'],
  ['audit'],
  ['notify', '--hub', 'http://127.0.0.1:9/', '--wait', '1s'],
];

describe('in a copy that mirror keeps, and in every folder of it', () => {
  // "no configuration is taken unless `--config` names it: the run goes on without, and says so"
  test.each(COMMANDS)('%s takes none, and says so', async (command, ...more) => {
    const { folder, home, trap } = makeCopy();
    const places = [
      ['copy', folder],
      ['copy/sub', join(folder, 'sub')],
      // Both the link and the nearest `package.json` are misleading.
      ['link', join(folder, 'sub')],
      ['copy/deep/er', folder],
    ] as const;
    for (const [place, around] of command === 'describe' ? places : places.slice(0, 1)) {
      const { status, stderr } = await run(join(home, place), command, '.', ...URL_FLAG, ...more);
      const file = join(around, 'resync-static.config.mjs');
      expect(trap.hasRun(), place).toBe(false);
      expect(stderr).toContain(`Note ${file} ${LEFT}`);
      expect(stderr).toContain(`--config ${file}\n`);
      // There is nothing to audit yet, and nobody to tell.
      if (!['audit', 'notify'].includes(command)) expect(status, stderr).toBe(0);
    }
  });

  test.each(['resync-static.config.ts', 'resync-static.config.json'])(
    '%s is not read, whatever else is there',
    async (name) => {
      const { folder, trap } = makeCopy();
      rmSync(join(folder, 'resync-static.config.mjs'));
      makeSite({ [name]: name.endsWith('json') ? '{' : trap.code() }, folder);
      const { status, stderr } = await run(folder, 'describe', '.', ...URL_FLAG);
      expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 0, hasRun: false });
      expect(stderr).toContain(`Note ${join(folder, name)} ${LEFT}`);
    },
  );

  test('a run that names no site ends with that', async () => {
    const { folder, trap } = makeCopy();
    const { status, stderr } = await run(folder, 'describe');
    expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 2, hasRun: false });
    expect(stderr).toContain(LEFT);
    expect(stderr).toContain('<site> is missing');
  });

  // "`init` does nothing there"
  test('init does nothing', async () => {
    const { folder, trap } = makeCopy();
    const before = readCopy(folder);
    for (const [place, ...sites] of [['.'], ['.', '.'], ['.', 'sub'], ['sub'], ['deep/er']] as const) {
      const args = [...sites, ...URL_FLAG, '--yes', '--build'];
      const { status, stderr } = await run(join(folder, place), 'init', ...args);
      expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 2, hasRun: false });
      expect(stderr).toContain(`This folder is in ${folder}, a copy that mirror keeps`);
    }
    expect(readCopy(folder)).toEqual(before);
  });

  test('the GitHub Action takes none, either', async () => {
    const { folder, trap } = makeCopy();
    const inputs = { site: '.', url: SITE_URL, history: 'none' };
    const { status, stderr } = await runAction(startJob(folder), inputs);
    expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 0, hasRun: false });
    expect(stderr).toContain(LEFT);
  });

  test('what --config names is taken, and nothing is said', async () => {
    const { folder, trap } = makeCopy();
    for (const args of [['.'], []]) {
      const named = ['--config', 'resync-static.config.mjs'];
      const { status, stderr } = await run(folder, 'describe', ...args, ...named);
      expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 0, hasRun: true });
      expect(stderr).not.toContain(LEFT);
    }
  });

  // "It is not taken out of a copy that `mirror` keeps."
  test('options that an integration seems to have left are not taken', async () => {
    const project = makeProject();
    await buildSite(join(project, 'dist'));
    expect(findKept(project)).toHaveLength(1);
    const runThere = () =>
      callCli(['dist', ...URL_FLAG, '--history', 'none', '--verbose'], { cwd: project, env: ENV });
    expect((await runThere()).stderr).toContain('The options are those of the last build');
    makeSite({ '.resync-mirror/state/base': '' }, project);
    expect((await runThere()).stderr).not.toContain('The options are those of the last build');
  });

  // "run it from another folder and name the site"
  test('from the folder above, its own configuration counts, wherever the site is', async () => {
    const { home, trap } = makeCopy();
    makeSite({ 'resync-static.config.mjs': trap.code('./copy'), 'package.json': '{}' }, home);
    const { status, stderr } = await run(home, 'describe', 'copy');
    expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 0, hasRun: true });
    expect(stderr).not.toContain(LEFT);
  });
});

/** A site with code in it that nobody named: a copy without its memory, or a repository that is published as it is. */
function makePublished(files: Readonly<Record<string, string>> = {}) {
  const trap = makeTrap();
  const home = makeSite({
    'site/index.html': 'home',
    'site/sub/index.html': 'sub',
    'site/sub/package.json': '{"type":"module"}',
    ...Object.fromEntries(
      Object.entries(files).map(([path, text]) => [`site/${path}`, text === '' ? trap.code() : text]),
    ),
  });
  symlinkSync(join(home, 'site'), join(home, 'link'));
  return { home, site: join(home, 'site'), trap };
}

/** A run that has to end by itself; one that would watch needs a process for that. */
const runShortly = (cwd: string, ...args: string[]) =>
  args[0] === 'watch' ? runCli(args, { cwd }) : callCli(args, { cwd });

describe('from the site itself', () => {
  // "From the site itself, code is an error unless `--config` names it. The site is the folder that you name …"
  test.each(COMMANDS)('%s takes no code, and says what to do', async (command, ...more) => {
    const name = 'resync-static.config.mjs';
    const { home, site, trap } = makePublished({ [name]: '', [`sub/${name}`]: '', 'package.json': '{}' });
    const places = [
      ['site', '.', site],
      ['site', '../link', site],
      ['link', '.', site],
      ['site/sub', '.', join(site, 'sub')],
      ['site/sub', '..', join(site, 'sub')],
    ] as const;
    for (const [cwd, named, around] of command === 'describe' ? places : places.slice(0, 1)) {
      const { status, stderr } = await runShortly(join(home, cwd), command, named, ...URL_FLAG, ...more);
      expect({ status, hasRun: trap.hasRun() }, `${cwd} ${named}`).toEqual({ status: 2, hasRun: false });
      const file = join(around, name);
      expect(stderr).toContain(`Error ${file} ${LEFT}`);
      expect(stderr).toContain(`--config ${file}\n`);
    }
  });

  test.each(CODE)('%s is code, whatever package.json says', async (name) => {
    for (const type of ['module', 'commonjs']) {
      const { site, trap } = makePublished({ [name]: '', 'package.json': JSON.stringify({ type }) });
      const { status } = await runShortly(site, '.', ...URL_FLAG);
      expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 2, hasRun: false });
    }
  });

  // "… or one with a Source Description; the working directory is that folder, or lies in it."
  test('a site that has a Source Description need not be named', async () => {
    const { site, trap } = makePublished({
      'resync-static.config.mjs': '',
      '.well-known/resourcesync': '<urlset/>',
      'package.json': '{}',
    });
    for (const cwd of [site, join(site, '.well-known')]) {
      const { status, stderr } = await runShortly(cwd);
      expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 2, hasRun: false });
      expect(stderr).toContain(`the working directory is in the site ${site}`);
    }
  });

  test('code that turns out to be about its own folder is an error from the first run on', async () => {
    const { site } = makePublished({ 'resync-static.config.mjs': '' });
    const { status, stderr } = await runShortly(site);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(LEFT) });
    expect(existsSync(join(site, 'resourcesync'))).toBe(false);
  });

  // "A configuration in JSON runs nothing, and is read there."
  test.each([['.'], []])('JSON is read, with the site named or not: %s', async (...sites) => {
    const { site } = makePublished({
      'resync-static.config.json': JSON_CONFIG.replace('{', '{"site":".",'),
      'package.json': '{}',
    });
    for (const _ of ['first', 'second']) {
      const { status, stderr } = await runShortly(site, ...sites);
      expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining(LEFT) });
      expect(listedUris(site)).toEqual([`${SITE_URL}index.html`, `${SITE_URL}sub/index.html`]);
    }
  });

  test('init says that code which is there will not be taken, and does not run it', async () => {
    const trap = makeTrap();
    const repository = makeRepository();
    commitFiles(repository, 0, { 'index.html': 'home', 'resync-static.config.mjs': trap.code() });
    const args = ['init', '.', '--url', SITE_URL, '--yes'];
    const { status, stdout } = await callCli(args, { cwd: repository });
    expect({ status, hasRun: trap.hasRun() }).toEqual({ status: 0, hasRun: false });
    expect(stdout).toContain('To do  resync-static.config.mjs is code, and lies in the site');
    const built = await runCli([...args, '--build'], { cwd: repository });
    expect({ status: built.status, hasRun: trap.hasRun() }).toEqual({ status: 1, hasRun: false });
    expect(built.stderr).toContain(LEFT);
  });
});
