/** The rehearsal of a release: in empty folders, from a registry that has the package as it would be published. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ACTION } from '../../bundle.mjs';
import { ASTRO_FILES, ASTRO_LISTED } from '../support/astro.js';
import { readDocuments } from '../support/changes.js';
import { build, readExamples, tellListed } from '../support/frameworks.js';
import { listLoaded } from '../support/loaded.js';
import { fewer } from '../support/seed.js';
import { serve } from '../support/server.js';
import { makeFolder, makeSite, readTree, runProgram } from '../support/site.js';
import { VITEPRESS } from '../support/vite-project.js';
import { installNode, installPackages } from './programs/install.js';
import { lockAsHere, npm, PEERS, type Registry, startRegistry, VERSION } from './programs/registry.js';

const SITE_URL = 'https://example.org/';
const CLI = 'node_modules/resync-static/dist/lib/main.js';

let registry: Registry;
beforeAll(async () => {
  registry = await startRegistry();
});
afterAll(() => registry?.stop());

const npmIn = (folder: string, ...args: string[]) => npm(registry.env, folder, ...args);

const makeProject = (files: Readonly<Record<string, string>>) =>
  makeSite({ 'package.json': '{ "type": "module", "private": true }', ...files });

test('npx describes a folder', async () => {
  const folder = makeSite({ 'dist/index.html': 'home' });
  const told = await npmIn(
    folder,
    'exec',
    '--yes',
    '--',
    `resync-static@${VERSION}`,
    'dist',
    '--url',
    SITE_URL,
  );
  expect(told).toMatch(/^Listed +1 resource, 4 B$/m);
  expect(tellListed(join(folder, 'dist'), SITE_URL)).toEqual(['']);
  expect(readdirSync(folder)).toEqual(['dist']);
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
    'Node 24': [await installNode(24)],
    bun: [program('@oven', 'bin')],
    deno: [program('@deno'), 'run', '--allow-all'],
  };
}

test('Node 20 and 24, bun, deno and the bundle of the action write the same, find no error, and copy the same', async () => {
  const project = makeProject({ 'dist/index.html': '<!doctype html><title>Home</title>', 'dist/a.txt': 'a' });
  await npmIn(project, 'install', '--save-dev', 'resync-static');
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
    await run('dist', '--url', url, '--dumps', '--history', 'none');
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
  /** What else is to be seen in the project. */
  readonly check?: (project: string) => Promise<void>;
}

/** Eleventy loads nothing for the plugin that few need. */
async function checkLoaded(project: string): Promise<void> {
  makeSite(
    {
      'plain.config.js': 'export default () => undefined;',
      'plugin.config.js': `import resyncStatic from 'resync-static/eleventy';
export default (config) => config.addPlugin(resyncStatic, { url: '${SITE_URL}' });`,
    },
    project,
  );
  const program = join(project, 'node_modules/@11ty/eleventy/cmd.cjs');
  const plain = await listLoaded([program, '--config=plain.config.js'], project);
  const loaded = await listLoaded([program, '--config=plugin.config.js'], project);
  const added = loaded.filter((url) => url.startsWith('file:') && !plain.includes(url));
  expect(added.some((file) => file.includes('/resync-static/dist/'))).toBe(true);
  expect(added.filter((file) => !/\/(?:resync-static\/dist\/|plugin\.config\.js$)/.test(file))).toEqual([]);
}

const FRAMEWORKS: readonly Framework[] = [
  {
    name: '@11ty/eleventy',
    files: { 'index.md': '# Home', 'public/robots.txt': '', ...readExamples('docs/eleventy.md') },
    command: ['@11ty/eleventy/cmd.cjs'],
    site: '_site',
    listed: ['', 'robots.txt'],
    check: checkLoaded,
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
  async ({ name, files, command: [script, ...args], site, listed, check }) => {
    const project = makeProject({ ...files, ...lockAsHere(registry) });
    const [oldest] = /\d+\.\d+\.\d+/.exec(PEERS[name]) ?? [];
    await npmIn(project, 'install', '--save-dev', `${name}@${oldest}`);
    const before = measure(project);
    await npmIn(project, 'install', '--save-dev', 'resync-static');
    const after = measure(project);
    expect(after.packages - before.packages).toBeLessThanOrEqual(25);
    expect(after.bytes - before.bytes).toBeLessThanOrEqual(8_000_000);

    await build([process.execPath, join(project, 'node_modules', script)], project, args);
    expect(tellListed(join(project, site), SITE_URL)).toEqual(expect.arrayContaining([...listed]));
    await check?.(project);
  },
);

test('astro add writes the configuration; the build goes on without a site, and lists all once there is one', async () => {
  const config = (site: string) => `import { defineConfig } from 'astro/config';

export default defineConfig({${site}});
`;
  const project = makeProject({
    ...ASTRO_FILES,
    ...lockAsHere(registry),
    'package.json': '{ "type": "module", "private": true, "dependencies": { "astro": "5" } }',
    'astro.config.mjs': config(''),
  });
  await npmIn(project, 'install');
  const astro = join(project, 'node_modules/astro/astro.js');
  const added = await runProgram(process.execPath, [astro, 'add', 'resync-static', '--yes'], {
    cwd: project,
    env: { ...registry.env, ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' },
  });
  expect(added.status, added.stdout + added.stderr).toBe(0);
  const written = readFileSync(join(project, 'astro.config.mjs'), 'utf8');
  expect(written).toContain(`import resyncStatic from 'resync-static';`);
  expect(written).toContain('integrations: [resyncStatic()]');

  const warning = /\[WARN\] \[resync-static\] Nothing was listed: /;
  expect(await build([process.execPath, astro], project)).toMatch(warning);
  expect(readDocuments(join(project, 'dist'))).toEqual({});
  makeSite({ 'astro.config.mjs': written.replace('({', `({ site: '${SITE_URL}',`) }, project);
  expect(await build([process.execPath, astro], project)).toContain('[resync-static] Listed ');
  expect(tellListed(join(project, 'dist'), SITE_URL)).toEqual(ASTRO_LISTED);
});
