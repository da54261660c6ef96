/** The rehearsal of a release: in empty folders, from the package as it would be published. */

import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACTION } from '../../bundle.mjs';
import { ROOT } from '../support/documentation.js';
import { build, readExamples, tellListed } from '../support/frameworks.js';
import { fewer } from '../support/seed.js';
import { serve } from '../support/server.js';
import { makeFolder, makeForFile, makeSite, readTree, requireProgram, runProgram } from '../support/site.js';
import { VITEPRESS } from '../support/vite-project.js';
import { installNode, installPackages } from './programs/install.js';

const SITE_URL = 'https://example.org/';
const CLI = 'node_modules/resync-static/dist/lib/main.js';

const { version: VERSION, peerDependencies: PEERS } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** Runs npm, which has to succeed; returns what it prints. */
async function npmIn(cwd: string, ...args: readonly string[]): Promise<string> {
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' };
  const env = { ...(process.env as Record<string, string>), ...quiet };
  const { status, stdout, stderr } = await runProgram('npm', args, { cwd, env });
  expect(status, `npm ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** The package, packed. */
const tarball = makeForFile(async () => {
  const folder = makeFolder();
  await npmIn(ROOT, 'pack', '--ignore-scripts', '--pack-destination', folder);
  return join(folder, `resync-static-${VERSION}.tgz`);
});

/** The lock of a project that has what this one has locked: npm asks nobody which versions there are. */
function lockAsHere(): Record<string, string> {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  return { 'package-lock.json': JSON.stringify({ lockfileVersion: 3, packages: { ...packages, '': {} } }) };
}

const makeProject = (files: Readonly<Record<string, string>>) =>
  makeSite({ 'package.json': '{ "type": "module", "private": true }', ...files });

/** A project in which the package is installed. */
const installed = makeForFile(async () => {
  const project = makeProject({
    'dist/index.html': '<!doctype html><title>Home</title>',
    'dist/a.txt': 'a',
    'dist/é "ü".txt': 'ü',
  });
  await npmIn(project, 'install', '--save-dev', tarball());
  return project;
});

test('npx describes a folder', async () => {
  const folder = makeSite({ 'dist/index.html': 'home' });
  const command = ['resync-static', 'dist', '--url', SITE_URL];
  const told = await npmIn(folder, 'exec', '--yes', `--package=${tarball()}`, '--', ...command);
  expect(told).toMatch(/^Listed +1 resource, 4 B$/m);
  expect(tellListed(join(folder, 'dist'), SITE_URL)).toEqual(['']);
  expect(readdirSync(folder)).toEqual(['dist']);
});

test('what is installed is what was packed, by its digest', async () => {
  const check = (packed: string) =>
    runProgram('bash', [join(ROOT, '.ci/check-installed'), installed(), packed], {
      env: process.env as Record<string, string>,
    });
  expect(await check(tarball())).toMatchObject({ status: 0 });
  const other = join(makeSite({ 'other.tgz': 'other bytes' }), 'other.tgz');
  expect(await check(other)).toMatchObject({ status: 1, stderr: expect.stringContaining('Installed is') });
});

/** All that can run it: the oldest and the newest Node that we promise, and others that run what is written for Node. */
async function findRuntimes(): Promise<Record<string, readonly string[]>> {
  // Their scripts only move these programs.
  const modules = await installPackages('--ignore-scripts', 'bun', 'deno');
  const program = (scope: string, ...path: string[]) => {
    const [name = ''] = readdirSync(join(modules, scope));
    const folder = join(modules, scope, name, ...path);
    const [file = ''] = readdirSync(folder).filter((one) => /^(?:bun|deno)(?:\.exe)?$/.test(one));
    return join(folder, file);
  };
  return {
    'Node 20': [await installNode(20)],
    'one core': [requireProgram('taskset', 'util-linux'), '-c', '0', await installNode(20)],
    'Node 24': [await installNode(24)],
    bun: [program('@oven', 'bin')],
    deno: [program('@deno'), 'run', '--allow-all'],
  };
}

test('Node 20 on many cores and one, Node 24, bun, deno and the bundle of the action write the same, find no error, and copy the same', async () => {
  const project = installed();
  const site = join(project, 'dist');
  const url = await serve(site);
  const programs = Object.entries(await findRuntimes()).map(
    ([name, words]) => [name, [...words, CLI]] as const,
  );
  const bundle = ['the action', [process.execPath, join(ACTION, 'lib/main.js')]] as const;
  const written: Record<string, unknown> = {};
  for (const [name, [program = '', ...words]] of [...programs, bundle]) {
    const run = async (...args: string[]) => {
      const env = { HOME: makeFolder(), SOURCE_DATE_EPOCH: '1700000000' };
      const { status, stdout, stderr } = await runProgram(program, [...words, ...args], {
        cwd: project,
        env,
      });
      expect(status, `${name} ${args.join(' ')}\n${stdout}${stderr}`).toBe(0);
      return stdout;
    };
    const copy = join(makeFolder(), 'copy');
    rmSync(join(site, 'resourcesync'), { recursive: true, force: true });
    await run('dist', '--url', url, '--dumps', '--sitemap', '--history', 'none');
    written[name] = readTree(site);
    expect(JSON.parse(await run('audit', 'dist', '--json')), name).toMatchObject({ errors: 0 });
    await run('mirror', url, copy);
    expect(readTree(copy), name).toMatchObject({ 'a.txt': 'a' });
  }
  for (const tree of Object.values(written)) expect(tree).toEqual(written['Node 20']);
});

/** Folders of packages, and the bytes of all files. */
function measure(project: string): { packages: number; bytes: number } {
  const modules = join(project, 'node_modules');
  const { packages } = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8'));
  const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((file) =>
    file.isFile(),
  );
  const sizes = files.map((file) => statSync(join(file.parentPath, file.name)).size);
  return { packages: Object.keys(packages).length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
}

interface Framework {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  /** Its command line, in `node_modules`, and what builds. */
  readonly command: readonly [script: string, ...args: string[]];
  readonly site: string;
  readonly listed: readonly string[];
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: '@11ty/eleventy',
    files: { 'index.md': '# Home', 'public/robots.txt': '', ...readExamples('docs/eleventy.md') },
    command: ['@11ty/eleventy/cmd.cjs'],
    site: '_site',
    listed: ['', 'robots.txt'],
  },
  {
    name: 'vite',
    files: {
      'index.html': '<!doctype html><title>Home</title>',
      'vite.config.js': readExamples('docs/vite.md')['vite.config.js'] ?? '',
    },
    command: ['vite/bin/vite.js', 'build'],
    site: 'dist',
    listed: [''],
  },
  {
    name: 'vitepress',
    files: {
      ...VITEPRESS,
      '.vitepress/config.js': readExamples('docs/vite.md')['.vitepress/config.js'] ?? '',
    },
    command: ['vitepress/bin/vitepress.js', 'build'],
    site: '.vitepress/dist',
    listed: ['', 'about.html', 'guide/', 'robots.txt', 'sitemap.xml'],
  },
];

// Each of the others brings as many packages again, and is built elsewhere in the version that we have.
test.each(FRAMEWORKS.slice(0, fewer(3, 1)))(
  '$name in the oldest version that we promise: installed, the page of the documentation works',
  async ({ name, files, command: [script, ...args], site, listed }) => {
    const project = makeProject({ ...files, ...lockAsHere() });
    const [oldest] = /\d+\.\d+\.\d+/.exec(PEERS[name]) ?? [];
    await npmIn(project, 'install', '--save-dev', `${name}@${oldest}`);
    const before = measure(project);
    await npmIn(project, 'install', '--save-dev', tarball());
    const after = measure(project);
    expect(after.packages - before.packages).toBeLessThanOrEqual(25);
    expect(after.bytes - before.bytes).toBeLessThanOrEqual(8_000_000);

    await build([process.execPath, join(project, 'node_modules', script)], project, args);
    expect(tellListed(join(project, site), SITE_URL)).toEqual(expect.arrayContaining([...listed]));
  },
);
