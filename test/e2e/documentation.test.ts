/** The README and the pages of `docs/`: what they show is what happens, and what they link to is there. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { COMMANDS, flagsOf } from '../../src/cli/arguments/table.js';
import { PAGES, ROOT, readBlocks, readPage, readRows, shapeOf } from '../support/documentation.js';
import { makeProject } from '../support/frameworks.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { ACTION } from '../support/runner.js';
import { callCli, makeFolder, makeSite, readTree, runProgram } from '../support/site.js';

const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const DESCRIBE = ['./dist', '--url', 'https://example.org/'];

/** A repository with a site in `dist/` that has been published twice. */
function makePublished(): string {
  const folder = makeRepository();
  commitFiles(folder, 0, { 'dist/index.html': 'a', 'dist/about/index.html': 'b', 'dist/404.html': 'c' });
  commitFiles(folder, 60, { 'dist/index.html': 'd', 'dist/news/index.html': 'e', 'dist/map.svg': '<svg/>' });
  return folder;
}

test('the README shows what its command prints', async () => {
  const cwd = makePublished();
  const command = [...DESCRIBE, '--sitemap', '--page', '--feed'];
  expect(readPage('README.md')).toContain(`\n    npx resync-static ${command.join(' ')}\n`);
  const [shown = ''] = readBlocks('README.md', '');
  expect(shapeOf((await callCli(command, { cwd })).stdout)).toBe(shapeOf(shown));
});

test('the reference shows an entry that is written', async () => {
  const cwd = makePublished();
  await callCli(DESCRIBE, { cwd });
  const [entry = ''] = readBlocks('docs/reference.md', 'xml');
  const list = readFileSync(join(cwd, 'dist/resourcesync/resourcelist.xml'), 'utf8').split('\n');
  expect(list.map(shapeOf)).toContain(shapeOf(entry));
});

test('the reference names the files that are written', async () => {
  const cwd = makePublished();
  await callCli([...DESCRIBE, '--dumps', '--sitemap', '--page', '--feed'], { cwd });
  const [, section = ''] = readPage('docs/reference.md').split('\n## Files\n');
  const named = section.match(/(?<=`)[\w./-]+(?=`)/g) ?? [];
  const added = Object.keys(readTree(join(cwd, 'dist'))).filter((path) => /resourcesync|^sitemap/.test(path));
  const packages = added.filter((path) => /dump-[\da-zA-Z]+\.(?:zip|xml)$/.test(path));
  expect(packages.length).toBeGreaterThanOrEqual(4);
  expect(named).toEqual(expect.arrayContaining(added.filter((path) => !packages.includes(path))));
});

test.each([
  ['README.md', ['--sitemap', '--page', '--feed']],
  ['docs/audit.md', ['--dumps']],
] as const)('%s shows what an audit prints when a page has been changed', async (page, flags) => {
  const cwd = makePublished();
  await callCli([...DESCRIBE, ...flags], { cwd });
  appendFileSync(join(cwd, 'dist/about/index.html'), '<!-- Served by a host -->');
  expect(readPage(page)).toContain('\n    npx resync-static audit ./dist\n');
  const shown = readBlocks(page, '').find((block) => block.startsWith('Read '));
  const { status, stdout } = await callCli(['audit', './dist'], { cwd });
  expect(status).toBe(1);
  expect(shapeOf(stdout)).toBe(shapeOf(shown ?? ''));
});

test('the README shows lines that the pages about frameworks show, too', () => {
  const rows = readRows('README.md', '## In your build');
  const lines = rows.flatMap(([page = '', line = '']) => {
    const [, path] = /\]\((docs\/\w+\.md)/.exec(page) ?? [];
    return path === undefined ? [] : [{ path, line: line.replaceAll('`', '') }];
  });
  expect(lines).toHaveLength(8);
  for (const { path, line } of lines) expect(readPage(path)).toContain(line);
});

test.each(PAGES)('%s shows a workflow whole, if it records', (page) => {
  for (const text of readBlocks(page, 'yaml').filter((block) => block.includes('record: true'))) {
    expect(text).toContain('command: push');
    expect(parse(text)).toMatchObject({ permissions: { contents: 'write' } });
    if (text.includes('upload-pages-artifact')) expect(text).toContain('include-hidden-files: true');
  }
});

test('the page about the action has every input and output', () => {
  const rows = readRows('docs/github-pages.md', '## The action').map(([cell = '']) => cell);
  const names = rows.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  const { outputs }: { outputs: object } = parse(readPage('action.yml'));
  expect(names).toEqual([...Object.keys(ACTION.inputs), ...Object.keys(outputs)]);
});

test.each(PAGES)('%s has whole tables, on renderers that split code at a bar, too', (page) => {
  const lines = readPage(page)
    .replace(/^```.*?^```$/gms, '')
    .split('\n');
  const broken = lines.filter((line, place) => {
    const previous = lines[place - 1] ?? '';
    return /^\|/.test(line) && /^\|/.test(previous) && countCells(line) !== countCells(previous);
  });
  expect(broken).toEqual([]);
});

const countCells = (row: string) => row.replace(/\\\|/g, '').split('|').length;

test.each(PAGES)('%s names this version only', (page) => {
  const named = readPage(page).matchAll(/resync-static(?:@v|-)(\d+\.\d+\.\d+)/g);
  expect([...named].map(([, name]) => name).filter((name) => name !== version)).toEqual([]);
});

test.each(PAGES)('%s links to pages and headings that exist', (page) => {
  const targets = [...readPage(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
    ([, target = '']) => target,
  );
  const broken = targets.filter((target) => {
    const [path = '', heading] = target.split('#');
    const file = path === '' ? page : join(dirname(page), path);
    return !existsSync(join(ROOT, file)) || (heading !== undefined && !headingsOf(file).includes(heading));
  });
  expect(broken).toEqual([]);
});

/** As GitHub makes them from headings. */
function headingsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
}

test('every command line uses flags that its command takes', () => {
  const lines = PAGES.flatMap((page) =>
    [...readPage(page).matchAll(/\bresync-static((?: [^\s`"|;#]+)+)/g)].map(([, words = '']) => words),
  ).filter((words) => words.includes(' --'));
  expect(lines.length).toBeGreaterThan(15);
  const wrong = lines.filter((words) => {
    const command = COMMANDS.find((name) => words.startsWith(` ${name} `)) ?? 'describe';
    const known = flagsOf(command).map(({ name }) => `--${name}`);
    return (words.match(/(?<= )--[a-z-]+/g) ?? []).some((flag) => !known.some((name) => name === flag));
  });
  expect(wrong).toEqual([]);
});

const SITE = { 'dist/index.html': 'a', 'dist/data/map.geojson': '{}', 'dist/404.html': 'c' };

/** The examples of a page in TypeScript, by the name in their first line. */
function readScripts(page: string): Record<string, string> {
  const blocks = readBlocks(page, 'ts').map((code) => [/^\/\/ (\S+)\n/.exec(code)?.[1], code]);
  return Object.fromEntries(blocks);
}

test('the configuration of the reference works', async () => {
  const { 'resync-static.config.ts': config = '' } = readScripts('docs/reference.md');
  const cwd = makeProject([], { ...SITE, 'resync-static.config.ts': config });
  expect(await callCli([], { cwd })).toMatchObject({ status: 0 });
  const list = readFileSync(join(cwd, 'dist/resourcesync/data/resourcelist.xml'), 'utf8');
  expect(list).toContain('href="https://mirror.example/data/map.geojson"');
  expect(list).toContain('type="application/geo+json"');
});

test('the configurations of the page about the past work', async () => {
  const configs = readBlocks('docs/past.md', 'js');
  expect(configs.length).toBeGreaterThanOrEqual(3);
  for (const config of configs) {
    const cwd = makeProject([], { ...SITE, 'resync-static.config.mjs': config });
    expect(await callCli([], { cwd })).toMatchObject({ status: 0 });
  }
});

const BUILD_COMMAND = /npm run build && npx resync-static (dist --url https:\/\/example\.org\/ [^"`\n]*)/g;
const COMMANDS_OF_HOSTS = PAGES.flatMap((page) =>
  Array.from(readPage(page).matchAll(BUILD_COMMAND), ([, command = '']) => [page, command] as const),
);

test('hosts have build commands', () => expect(COMMANDS_OF_HOSTS).toHaveLength(5));

test.each(COMMANDS_OF_HOSTS)('%s: %s continues what is live', async (page, command) => {
  const [config = '{}'] = readBlocks(page, 'json').filter((block) => block.startsWith('{ "headers":'));
  const host = await startHost(makeFolder());
  for (const text of ['one', 'two']) {
    const files = { 'dist/index.html': 'home', 'dist/about.html': text, 'resync-static.config.json': config };
    const cwd = makeSite(files);
    const args = command.replace('https://example.org/', host.url).split(' ');
    expect(await callCli(args, { cwd })).toMatchObject({ status: 0 });
    host.folder = join(cwd, 'dist');
  }
  const list = readFileSync(join(host.folder, 'resourcesync/changelist.xml'), 'utf8');
  expect(list.match(/<loc>.*?<rs:md change="\w+"/g)).toEqual([
    expect.stringMatching(`^<loc>${host.url}about</loc>.*"updated"$`),
  ]);
});

test('describe and audit as the pages show them', async () => {
  const { 'describe.ts': describing = '' } = readScripts('docs/reference.md');
  const { 'audit.ts': auditing = '' } = readScripts('docs/audit.md');
  const cwd = makeProject([], { ...SITE, 'describe.mjs': describing, 'audit.mjs': auditing });
  const described = await runProgram(process.execPath, ['describe.mjs'], { cwd });
  expect(described.stdout).toMatch(/^2 undefined \[/);
  const audited = await runProgram(process.execPath, ['audit.mjs'], { cwd });
  expect(audited).toMatchObject({ status: 0, stderr: '' });
  expect(audited.stdout).toMatch(/^describedby-missing note 1 \{/);
});

test('watch as the reference shows it, ended by Ctrl-C', async () => {
  const { 'watch.ts': watching = '' } = readScripts('docs/reference.md');
  const cwd = makeProject([], { ...SITE, 'watch.mjs': watching });
  const child = spawn(process.execPath, ['watch.mjs'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [first] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(first).toBe('2\n');
  child.kill('SIGINT');
  expect(await once(child, 'close')).toEqual([0, null]);
});
