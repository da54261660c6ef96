/** One configuration for integration and command line: taken, won over by flags, or held against a file. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { AdapterOptions } from '../../adapters/run.js';
import { readDocuments } from '../support/changes.js';
import { SITE_URL } from '../support/command.js';
import { buildSite, ENV, makeProject } from '../support/kept.js';
import { callCli, makeSite, runCli } from '../support/site.js';

const OPTIONS: AdapterOptions = {
  exclude: ['drafts'],
  sets: [
    { name: 'pages', include: ['**/*.html'] },
    { name: 'data', include: ['data/**'] },
  ],
};
const FILE = { url: SITE_URL, urls: 'clean', ...OPTIONS };
const NOTE =
  'Note The options are those of the last build with resync-static/astro: urls, exclude, sets, url. Flags win over them.\n';

async function makeBuilt(options: AdapterOptions = OPTIONS): Promise<{ project: string; site: string }> {
  const project = makeProject();
  const site = join(project, 'dist');
  await buildSite(site, options);
  return { project, site };
}

const run = (cwd: string, ...args: string[]) => callCli(args, { cwd, env: ENV });
const namesIn = (site: string) => Object.keys(readDocuments(site)).sort();

test('a run takes the options, says so with --verbose, and leaves them for the next one', async () => {
  const { project, site } = await makeBuilt();
  const documents = readDocuments(site);
  expect(Object.keys(documents)).toContain('resourcesync/data/resourcelist.xml');
  for (const args of [[], ['--verbose'], ['--json'], ['--quiet', '--verbose']]) {
    const { status, stderr } = await run(project, 'dist', ...args);
    expect(status).toBe(0);
    expect(stderr.includes(NOTE)).toBe(args.includes('--verbose'));
    expect(readDocuments(site)).toEqual(documents);
  }
  // A later run writes other lists, and what comes after it still knows.
  for (const seconds of ['1700000100', '1700000200']) {
    const env = { SOURCE_DATE_EPOCH: seconds };
    const { stderr } = await callCli([site, '--verbose'], { cwd: '/', env });
    expect(stderr).toContain(NOTE);
    expect(namesIn(site)).toEqual(Object.keys(documents).sort());
  }
});

describe('without a folder, diff, audit and record take the site that the last build wrote', () => {
  test('and say which', async () => {
    const { project } = await makeBuilt({});
    const first = 'Note The site is dist, which the last build wrote.\n';
    expect(await run(project, 'diff')).toMatchObject({ status: 0, stderr: expect.stringContaining(first) });
    // Nothing is served at the address, so the record of it says why it cannot be.
    expect(await run(project, 'record')).toMatchObject({ stderr: expect.stringMatching(`^${first}`) });
    const audited = await run(project, 'audit');
    expect(audited).toMatchObject({ stderr: first });
    expect(audited.stdout).toContain('Checked  3 resources');
    // A site that is named, in a file too, is taken.
    expect((await run(project, 'diff', 'dist')).stderr).not.toContain('The site is');
    makeSite(
      { 'resync-static.config.json': JSON.stringify({ site: 'dist', url: SITE_URL, urls: 'clean' }) },
      project,
    );
    expect(await run(project, 'diff')).toMatchObject({ status: 0, stderr: '' });
  });

  test('but of several, or of one that has changed since, they ask for its name', async () => {
    const { project, site } = await makeBuilt();
    makeSite({ 'index.html': '' }, join(project, 'docs/dist'));
    await buildSite(join(project, 'docs/dist'));
    expect(await run(project, 'diff')).toEqual({
      status: 2,
      signal: null,
      stdout: '',
      stderr:
        'Error The command cannot run: 1 mistake\n  No site is named. Builds have described dist, docs/dist. Name one: resync-static diff dist\n',
    });
    expect((await run(join(project, 'docs'), 'diff')).stderr).toContain('The site is dist,');
    rmSync(site, { recursive: true });
    expect((await run(project, 'diff')).stderr).toContain('The site is docs/dist,');
    rmSync(join(project, 'docs/dist/resourcesync'), { recursive: true });
    expect((await run(project, 'diff')).stderr).toContain('<site> is missing. Give the folder');
  });
});

test('flags win over them, for one run', async () => {
  const { project, site } = await makeBuilt({ ...OPTIONS, dumps: { changes: false, maxEntries: 1 } });
  const documents = readDocuments(site);
  const flags = ['--url', 'https://other.example/', '--urls', 'file', '--exclude', 'data'];
  const { status, stderr } = await run(project, 'dist', '--verbose', ...flags);
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: expect.stringContaining(': sets, dumps. Flags win'),
  });
  const list = readDocuments(site)['resourcesync/pages/resourcelist.xml'];
  expect(list).toContain('<loc>https://other.example/drafts/a.html</loc>');
  expect(list).toContain('<loc>https://other.example/index.html</loc>');
  expect(namesIn(site)).toContain('resourcesync/pages/resourcedump.xml');
  await run(project, 'dist');
  expect(readDocuments(site)).toEqual(documents);
});

test.each<[what: string, file: object, args: string[]]>([
  ['says the same', FILE, []],
  [
    'says less than the flags',
    { url: SITE_URL, urls: 'file', sets: OPTIONS.sets },
    ['--exclude=drafts', '--urls=clean'],
  ],
])('a configuration file that %s is used', async (_, file, args) => {
  const { project, site } = await makeBuilt();
  const documents = readDocuments(site);
  makeSite({ 'resync-static.config.json': JSON.stringify(file) }, project);
  const { status, stderr } = await run(project, 'dist', ...args);
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('The options are') });
  expect(readDocuments(site)).toEqual(documents);
});

test.each<[what: string, file: object, mistakes: string[]]>([
  [
    'says less',
    { url: SITE_URL, urls: 'clean' },
    [
      'exclude is ["drafts"] in resync-static/astro, but not set in this file. Say the same in both',
      'sets is [{"name":"pages","include":["**/*.html"]},{"name":"data","include":["data/**"]}] in resync-static/astro, but not set in this file. Say the same in both',
    ],
  ],
  [
    'says otherwise',
    { ...FILE, url: 'https://other.example/', urls: undefined, robots: true },
    [
      'url is "https://example.org/" in resync-static/astro, but "https://other.example/" in this file. Say the same in both',
      'urls is "clean" in resync-static/astro, but not set in this file. Say the same in both',
      'robots is not set in resync-static/astro, but true in this file. Say the same in both',
    ],
  ],
])('a configuration file that %s is an error that names both', async (_, file, mistakes) => {
  const { project, site } = await makeBuilt();
  const documents = readDocuments(site);
  makeSite({ 'resync-static.config.json': JSON.stringify(file) }, project);
  for (const command of ['describe', 'diff', 'watch']) {
    const { status, stderr } = await run(project, command, 'dist');
    expect(status).toBe(2);
    const shown = mistakes.map((mistake) =>
      mistake.length > 200 ? '  sets is [{"name":"pages"' : `  ${mistake}\n`,
    );
    expect(stderr).toContain(
      `The command cannot run with the configuration ${join(project, 'resync-static.config.json')}: ${mistakes.length} mistakes\n`,
    );
    for (const text of shown) expect(stderr).toContain(text);
  }
  expect(readDocuments(site)).toEqual(documents);
});

test('functions cannot be kept: the options belong into a file', async () => {
  const links = () => [{ rel: 'license', href: 'https://example.org/license' }];
  const { project } = await makeBuilt({ links });
  // Code in a file that changes is read once in a process.
  const runAnew = () => runCli(['dist'], { cwd: project, env: ENV });
  const { status, stderr } = await runAnew();
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr:
      'Error The command cannot run: 1 mistake\n  resync-static/astro has links as a function, which this run cannot know. Put the options into resync-static.config.mjs, and import them where you configure resync-static/astro\n',
  });
  // Whoever does so has no contradiction.
  const config = `export default { url: '${SITE_URL}', urls: 'clean', links: ${links.toString()} };`;
  makeSite({ 'resync-static.config.mjs': config }, project);
  expect(await runAnew()).toMatchObject({ status: 0 });
  makeSite({ 'resync-static.config.mjs': config.replace('links', 'type') }, project);
  const other = await runAnew();
  expect(other.status).toBe(2);
  expect(other.stderr).toContain('  type is not set in resync-static/astro, but a function in this file.');
  expect(other.stderr).toContain('  links is a function in resync-static/astro, but not set in this file.');
});
