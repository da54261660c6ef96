/** `init` in real folders, with nobody to ask: what it finds, what it writes, what it refuses. */

import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pico from 'picocolors';
import { describe, expect, test } from 'vitest';
import { settleInit } from '../../src/cli/init/command.js';
import type { InitOptions } from '../../src/cli/init/model.js';
import { makePlan } from '../../src/cli/init/plan/plan.js';
import { applyPlan, checkLists, hasPages, readGit, readProjectFolder } from '../../src/cli/init/run.js';
import { formatNext, formatPlan } from '../../src/cli/init/words.js';
import { makeColors } from '../../src/cli/words/style.js';
import { expectShown } from '../support/documentation.js';
import { commitFiles, git, makeRepository } from '../support/git.js';
import { makeManifest, plan } from '../support/init.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';

const MANIFEST = makeManifest(['vite'], { build: 'vite build' }, { type: 'module' });
const VITE = {
  'package.json': MANIFEST,
  'vite.config.ts': 'export default {\r\n  base: "/a/",\r\n};\r\n',
  'node_modules/resync-static/package.json': '{}',
  '.gitignore': 'node_modules\ndist\n',
};
const URL_FLAG = ['--url', 'https://birds.example/'];

/** The files of a folder, without those of its repository. */
const filesOf = (folder: string) =>
  Object.fromEntries(Object.entries(readTree(folder)).filter(([path]) => !path.startsWith('.git/')));

const init = (cwd: string, ...args: string[]) => callCli(['init', ...args], { cwd });

/** The plan for a folder. */
const planFor = async (folder: string, site = 'dist') =>
  plan(readProjectFolder(folder), await readGit(folder, site), { site });

/** The decisions of `init` in a folder, with nobody to ask. */
async function settleIn(folder: string, wishes: InitOptions) {
  const settled = await settleInit(folder, wishes, 'resync-static', undefined);
  if (settled === undefined) throw new Error('nobody was asked, and yet nobody answered');
  return settled;
}

const SCRIPTS = { deploy: 'rsync --archive _site/ server:site/', build: 'eleventy' };

const PLAIN = makeColors(pico.createColors(false));

describe('without a yes', () => {
  test('it shows what it would do, changes nothing, and says so', async () => {
    const folder = makeSite(VITE, makeRepository());
    const before = readTree(folder);
    const { status, stdout, stderr } = await init(folder, ...URL_FLAG);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('Found    Vite (vite.config.ts)\n');
    expect(stdout).toContain(
      `\n  +   plugins: [resyncStatic({ url: "https://birds.example/a/", sitemap: true, feed: true, page: true })],\n`,
    );
    expect(stdout).toContain('Nothing was changed. To make these changes, add --yes.\n');
    expect(readTree(folder)).toEqual(before);
  });

  test('the plan is JSON, too', async () => {
    const { stdout } = await init(makeSite(VITE, makeRepository()), ...URL_FLAG, '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ site: 'dist', url: 'https://birds.example/a/', generator: 'Vite', way: 'plugin' },
      keeping: { kind: 'record', ref: 'refs/resync-static/dist' },
      edits: [{ file: 'vite.config.ts' }],
      applied: false,
    });
  });
});

describe('with a yes', () => {
  test('it writes, keeps the mode and the ends of lines, and has nothing to add afterwards', async () => {
    const folder = makeSite(VITE, makeRepository());
    chmodSync(join(folder, 'vite.config.ts'), 0o640);
    const { status, stdout } = await init(folder, ...URL_FLAG, '--yes');
    expect(status, stdout).toBe(0);
    expect(filesOf(folder)).toEqual({
      ...VITE,
      'vite.config.ts':
        'import resyncStatic from "resync-static/vite";\r\n\r\nexport default {\r\n  base: "/a/",\r\n  plugins: [resyncStatic({ url: "https://birds.example/a/", sitemap: true, feed: true, page: true })],\r\n};\r\n',
    });
    expect(statSync(join(folder, 'vite.config.ts')).mode & 0o777).toBe(0o640);
    const before = readTree(folder);
    const again = await init(folder, ...URL_FLAG, '--yes');
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('Set up   in vite.config.ts, which stays as it is\n');
    expect(again.stdout).toMatch(/\nNothing to do\.\n$/);
    expect(readTree(folder)).toEqual(before);
  });

  test('a second run reports an address that differs from the one of the generator', async () => {
    const config = `import resyncStatic from 'resync-static';\nexport default { site: 'https://a.example', integrations: [resyncStatic()] };\n`;
    const files = { ...VITE, 'package.json': makeManifest(['astro']), 'astro.config.mjs': config };
    const { stdout } = await init(makeSite(files, makeRepository()), ...URL_FLAG, '--yes');
    expect(stdout).toContain('Site     dist, published at https://a.example/\n');
    expect(stdout).toContain(
      'To do  In astro.config.mjs, url is https://a.example/, not https://birds.example/. Change it there.\n',
    );
    expect(stdout).toMatch(/\nNothing to write\.\n$/);
  });

  test.each<[what: string, files: Record<string, string>, differences: string[]]>([
    [
      'our own file',
      {
        'resync-static.config.json': '{ "site": "dist", "url": "https://birds.example/" }',
        'dist/index.html': '',
      },
      ['site is dist, not other.', 'urls is directory, not bare.'],
    ],
    [
      'a plugin without options',
      {
        'package.json': makeManifest(['astro']),
        'astro.config.mjs': `import resyncStatic from 'resync-static/astro';\nexport default { site: 'https://birds.example', integrations: [resyncStatic()] };`,
      },
      ['site is dist, not other.', 'urls is directory, not bare.', 'history is auto, not published.'],
    ],
  ])('a second run compares what was asked with the defaults of %s', async (_, files, differences) => {
    const folder = makeSite(files, makeRepository());
    const settled = await settleIn(folder, { site: 'other', urls: 'bare', host: 'vercel' });
    expect(settled.settings).toMatchObject({ site: 'dist', urls: 'directory' });
    const told = makePlan(settled).steps.join('\n');
    for (const difference of differences) expect(told).toContain(`, ${difference} Change it there.`);
  });

  test('a plugin in a comment is not there yet', async () => {
    const config = `// import resyncStatic from 'resync-static/vite';\nexport default {};\n`;
    const { stdout } = await init(makeSite({ ...VITE, 'vite.config.ts': config }), ...URL_FLAG);
    expect(stdout).toContain(`\n  + import resyncStatic from 'resync-static/vite';\n`);
  });

  test('a computed folder that nobody was asked about is called a guess', async () => {
    const config = 'export default { build: { outDir: process.env.OUT } };\n';
    const { stdout } = await init(makeSite({ ...VITE, 'vite.config.ts': config }), ...URL_FLAG);
    expect(stdout).toContain('\nGuess    The folder dist: vite.config.ts or the build command computes it.');
  });

  test('folders that link to each other, and pages of packages, which are not those of the site', async () => {
    const folder = makeSite({ 'lib/a.js': '', 'node_modules/b/index.html': '' });
    for (const name of ['c', 'd', 'e']) symlinkSync('..', join(folder, 'lib', name));
    expect(hasPages(folder)).toBe(false);
    makeSite({ 'index.html': 'home' }, folder);
    expect(hasPages(folder)).toBe(true);
    const { status } = await init(folder, ...URL_FLAG, '--yes');
    expect(status).toBe(0);
  });

  test('a folder that is no repository becomes one, with no package.json at all', async () => {
    const folder = makeSite({ 'public/index.html': 'home' });
    const { status, stdout } = await init(folder, ...URL_FLAG, '-y', '--build');
    expect(status, stdout).toBe(0);
    expect(stdout).toContain('git init  (the repository keeps what you publish)\n');
    expect(stdout).toContain('npx resync-static public\n');
    expect(git(folder, ['for-each-ref']).toString()).toBe('');
    expect(JSON.parse(readFileSync(join(folder, 'resync-static.config.json'), 'utf8'))).toEqual({
      site: 'public',
      url: 'https://birds.example/',
      ...{ sitemap: true, feed: true, page: true },
      history: 'snapshots',
    });
    expect(readFileSync(join(folder, '.git/config'), 'utf8')).not.toMatch(/worktree|hooks/i);
  });

  test('a build that fails says how it ended, and everything is as it was', async () => {
    const files = {
      ...VITE,
      'package.json': makeManifest(['vite'], { build: 'node --eval "process.exit(7)"' }),
    };
    const folder = makeSite(files, makeRepository());
    const { status, stderr } = await init(folder, ...URL_FLAG, '--yes', '--build');
    expect(status).toBe(1);
    expect(stderr).toContain('Error The build ended with 7: npm run build\n');
    expect(stderr).toContain('The changes were undone.');
    expect(filesOf(folder)).toEqual(files);
  });

  test('a site that its host builds can be set up and tried without the web', async () => {
    const page = "fs.mkdirSync('public', { recursive: true }); fs.writeFileSync('public/index.html', 'home')";
    const files = {
      'package.json': makeManifest(['gatsby'], { build: `node --eval "${page}"` }),
      'netlify.toml': '[build]\ncommand = "npm run build"\n',
      'node_modules/resync-static/package.json': '{}',
      '.gitignore': 'node_modules\n',
    };
    const folder = makeSite(files, makeRepository());
    const flags = ['--url', 'https://birds.invalid/', '--yes', '--build'];
    const { status, stdout, stderr } = await init(folder, ...flags);
    expect(status, stdout + stderr).toBe(0);
    const { 'netlify.toml': host = '', 'resync-static.config.json': config = '' } = filesOf(folder);
    expect(host).toBe(files['netlify.toml']);
    expect(stdout).toContain(
      'In netlify.toml, add this to the end of the build command: && npx resync-static\n',
    );
    expect(JSON.parse(config)).toMatchObject({ site: 'public', history: 'published', headers: 'netlify' });
    expect(stdout).toContain('Commit and push. The next build describes the site, and deploys it.');
  });

  test('a build that writes no page is not set up', async () => {
    const files = {
      'package.json': makeManifest(['next'], { build: 'node --eval "fs.mkdirSync(\'out\')"' }),
      'node_modules/resync-static/package.json': '{}',
      'node_modules/.bin/resync-static': '#!/bin/sh\n',
      '.gitignore': 'node_modules\n',
    };
    const folder = makeSite(files, makeRepository());
    chmodSync(join(folder, 'node_modules/.bin/resync-static'), 0o755);
    const { status, stderr } = await init(folder, ...URL_FLAG, '--yes', '--build');
    expect(status).toBe(1);
    expect(stderr).toContain(
      "Error The build wrote no page into out.\nNext.js writes pages, and no program for a server, with output: 'export' in next.config.\nIf it writes into another folder, name it",
    );
    expect(filesOf(folder)).toEqual(files);
  });
});

describe('the lists after the build', () => {
  const PACKAGE = { 'node_modules/resync-static/package.json': '{}' };

  test('a build that ends well, but lists no page, is not set up', async () => {
    const page = "fs.mkdirSync('dist'); fs.writeFileSync('dist/index.html', 'home')";
    const files = { ...VITE, 'package.json': makeManifest(['vite'], { build: `node --eval "${page}"` }) };
    const folder = makeSite(files, makeRepository());
    const { status, stderr } = await init(folder, ...URL_FLAG, '--yes', '--build');
    expect(status).toBe(1);
    expect(stderr).toContain('Error The build ended well, but ');
    expect(stderr).toContain('lists no page.');
    expect(filesOf(folder)).toEqual({ ...files, 'dist/index.html': 'home' });
  });

  test('a list that is a symbolic link, perhaps to a device, is not read', () => {
    const site = makeSite({ 'other.xml': '<rs:md type="text/html"/>', 'resourcesync/page': '' });
    symlinkSync('../other.xml', join(site, 'resourcesync/resourcelist.xml'));
    expect(() => checkLists(site)).toThrow('lists no page');
  });

  test('a folder of pages that is the project, too', async () => {
    const files = { 'index.html': 'home', 'package.json': '{}', 'package-lock.json': '{}', ...PACKAGE };
    const folder = makeSite(files);
    const { status, stdout } = await init(folder, ...URL_FLAG, '--yes', '--build');
    expect(status, stdout).toBe(0);
    const { 'resourcesync/resourcelist.xml': list = '', '.gitignore': ignored } = filesOf(folder);
    expect([...list.matchAll(/<loc>([^<]*)/g)].map(([, loc]) => loc)).toEqual(['https://birds.example/']);
    expect(ignored).toBe('node_modules/\n');
  });
});

test('the documentation shows what it prints', async () => {
  const files = {
    'package.json': JSON.stringify(JSON.parse(makeManifest(['@11ty/eleventy'], SCRIPTS)), undefined, 2),
    'eleventy.config.js': 'export default function (eleventyConfig) {\n}\n',
    '.gitignore': 'node_modules\n',
  };
  const folder = makeSite(files, makeRepository());
  const settled = await settleIn(folder, { url: 'https://example.org/' });
  const planned = makePlan(settled);
  const shown = [formatPlan(planned, settled, PLAIN), formatNext(planned, settled.settings, PLAIN)];
  expectShown(shown.join('\n'), 'docs/init.md');
});

describe('what is asked of git', () => {
  test('what is tracked, ignored and deployed, below the top and with a detached HEAD', async () => {
    const top = makeRepository();
    commitFiles(top, 0, { '.gitignore': 'out\n', 'web/dist/index.html': 'home' });
    git(top, ['update-ref', 'refs/remotes/origin/gh-pages', 'HEAD']);
    git(top, ['checkout', '--quiet', '--detach']);
    const folder = join(top, 'web');
    expect(await readGit(folder, 'dist')).toEqual({
      deployed: 'origin/gh-pages',
      tracked: true,
      ignored: [],
      ref: 'refs/resync-static/web/dist',
    });
    expect(await readGit(folder, 'out')).toMatchObject({ tracked: false, ignored: ['out'] });
    expect((await planFor(folder)).keeping).toEqual({ kind: 'commits' });
    expect((await planFor(folder, 'out')).keeping).toEqual({ kind: 'branch', ref: 'origin/gh-pages' });
  });

  test('a repository without a commit', async () => {
    const folder = makeRepository();
    expect(await readGit(folder, 'dist')).toMatchObject({ tracked: false, deployed: undefined });
  });
});

describe('files that must not be written', () => {
  const CODE = 'export default {};\n';
  const { 'vite.config.ts': _config, ...REST } = VITE;

  test.each<[what: string, make: (file: string) => void]>([
    ['a symbolic link', (file) => symlinkSync(join(makeSite({ 'a.ts': CODE }), 'a.ts'), file)],
    ['a read-only file', (file) => writeFileSync(file, CODE, { mode: 0o444 })],
    ['bytes that are no text', (file) => writeFileSync(file, Buffer.from('export {}; // \xff\n', 'latin1'))],
  ])('%s is in no plan, and this is told', async (_, make) => {
    const folder = makeSite(REST, makeRepository());
    make(join(folder, 'vite.config.ts'));
    const planned = await planFor(folder);
    expect(planned.told.join()).toContain(
      'vite.config.ts stays as it is: it is a symbolic link, read-only, or not UTF-8 text. The command runs after the build instead.',
    );
    expect(planned.edits.map(({ file }) => file)).not.toContain('vite.config.ts');
  });

  test('what is planned in its place is done', async () => {
    const folder = makeSite(REST, makeRepository());
    const target = join(makeSite({ 'a.ts': CODE }), 'a.ts');
    symlinkSync(target, join(folder, 'vite.config.ts'));
    await applyPlan(folder, await planFor(folder));
    expect(lstatSync(join(folder, 'vite.config.ts')).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toBe(CODE);
    expect(JSON.parse(readFileSync(join(folder, 'resync-static.config.json'), 'utf8'))).toMatchObject({
      site: 'dist',
    });
  });

  test('a file that changes after the plan was made is left as it is, and so are the others', async () => {
    const folder = makeSite({ 'package.json': MANIFEST });
    const edits = [
      { file: 'new/a.json', before: undefined, after: '{}\n' },
      { file: 'package.json', before: '{}', after: '{ "a": 1 }' },
    ];
    const failure = applyPlan(folder, { edits, makesRepository: false });
    await expect(failure).rejects.toMatchObject({
      code: 'write-failed',
      message: expect.stringContaining(
        'package.json cannot be written: it changed in the meantime.\nNothing was changed.',
      ),
    });
    expect(readTree(folder)).toEqual({ 'package.json': MANIFEST });
  });
});

test('a repository that cannot be made undoes all', async () => {
  const files = { 'package.json': '{}', '.git': 'no repository' };
  const folder = makeSite(files);
  const edits = [{ file: 'package.json', before: '{}', after: '{ "a": 1 }' }];
  const failure = applyPlan(folder, { edits, makesRepository: true });
  await expect(failure).rejects.toMatchObject({ code: 'git-failed' });
  expect(readTree(folder)).toEqual(files);
});

test('an answer that is only a host gets the base path of the generator', async () => {
  const folder = makeSite({
    'package.json': makeManifest(['astro']),
    'astro.config.mjs': `export default { base: '/docs' };`,
  });
  const settled = await settleInit(folder, {}, 'resync-static', {
    ask: async ({ read }) => read('birds.example'),
    confirm: async () => true,
    close: () => undefined,
  });
  expect(settled?.settings.url).toBe('https://birds.example/docs/');
});

describe('folders in which it cannot help', () => {
  const WISHES = { url: 'https://birds.example/' };

  test.each<[what: string, files: Record<string, string>, wishes: InitOptions, words: string]>([
    [
      'a package.json with a mistake',
      { 'package.json': '{ "name": }' },
      WISHES,
      'package.json cannot be read as JSON.',
    ],
    ['an empty folder', {}, WISHES, 'The folder of the site was not found. Name it: '],
    [
      'a folder that is not there',
      {},
      { ...WISHES, site: 'www' },
      'There is no folder www, and no build is known that writes it.',
    ],
    ['no address', VITE, {}, 'The address of the site is not known. Add --url'],
  ])('%s', async (_, files, wishes, words) => {
    const folder = makeSite(files);
    await expect(settleIn(folder, wishes)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining(words),
    });
    expect(readTree(folder)).toEqual(files);
  });

  test('flags of other commands, and values that do not exist, are refused', async () => {
    const folder = makeSite(VITE);
    const foreign = await init(folder, '--record');
    expect(foreign.status).toBe(2);
    expect(foreign.stderr).toContain('--record is not an option of init');
    const { status, stderr } = await init(folder, '../x', '--host', 'here', '--url', 'birds');
    expect(status).toBe(2);
    expect(stderr).toContain('--host must be one of github-pages, netlify, cloudflare, vercel, none');
    expect(stderr).toContain('<site> must be the relative path of a folder inside this one');
    expect(stderr).toContain('--url must be the address of a site');
  });

  test('a folder with the name of the command can still be described', async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, 'init'));
    writeFileSync(join(folder, 'init/index.html'), 'home');
    expect(await callCli(['./init', ...URL_FLAG], { cwd: folder })).toMatchObject({ status: 0 });
  });
});
