/** `resync-static diff`, as users run it: what it tells, and that it leaves everything as it is. */

import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { DiffReport } from '../../src/index.js';
import { git, gitText, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { callCli, configured, makeFolder, makeSite, readTree } from '../support/site.js';

const URL_FLAGS = ['--url', 'https://example.org/'];

const page = (title: string, text: string, comment = 'nothing') =>
  `<!doctype html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n<p>${text}</p>\n<!-- ${comment} -->\n</body>\n</html>\n`;

const FIRST: Readonly<Record<string, string>> = {
  'dist/index.html': page('Home', 'Hello'),
  'dist/about/index.html': page('About', 'Us', 'old'),
  'dist/data.json': '{\n  "a": 1\n}\n',
  'dist/picture.png': '\u0089PNG\0one',
  'dist/same.txt': 'the same',
  'dist/gone.txt': 'gone',
  'dist/assets/index-B3xKq9Zd.js': 'one()',
  'dist/assets/style-Cd8fGh2k.css': 'a{}',
};

/** A repository with a site that is recorded. */
async function makeRecorded(files = FIRST, flags: readonly string[] = []): Promise<string> {
  const cwd = makeRepository();
  makeSite(files, cwd);
  const run = await callCli(['dist', ...URL_FLAGS, '--record', ...flags], { cwd });
  expect(run).toMatchObject({ status: 0 });
  return cwd;
}

async function readDiff(cwd: string, ...flags: string[]): Promise<DiffReport> {
  const { stdout, stderr, status } = await callCli(['diff', 'dist', ...URL_FLAGS, '--json', ...flags], {
    cwd,
  });
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
  return JSON.parse(stdout);
}

/** A change in a line: the kind of change, the path, the kind of content, and the passage. */
const tell = ({ changes }: DiffReport) =>
  changes.map(({ change, path, kind, line }) =>
    [change, path, kind, ...(line === undefined ? [] : [line])].join(' '),
  );

/** Every file and folder below a folder, with its bytes, mode and times. */
function readAll(folder: string): Record<string, string> {
  const facts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => {
    const { mode, mtimeNs, ctimeNs, ino, size } = lstatSync(join(folder, path), { bigint: true });
    return [path, [mode, mtimeNs, ctimeNs, ino, size].join(' ')];
  });
  const { mtimeNs } = lstatSync(folder, { bigint: true });
  return { ...Object.fromEntries(facts), '': `${mtimeNs}`, ...readTree(folder) };
}

describe('what changed', () => {
  test('is told with its kind, its size and its passage', async () => {
    const cwd = await makeRecorded();
    makeSite(
      {
        'dist/index.html': page('Home', 'Good morning'),
        'dist/about/index.html': page('About', 'Us', 'new'),
        'dist/data.json': '{\n  "a": 1,\n  "b": 2\n}\n',
        'dist/picture.png': '\u0089PNG\0other',
        'dist/notes/index.html': page('Notes', 'New'),
        'dist/assets/index-Kq9ZdB3x.js': 'two()',
        'dist/assets/style-Gh2kCd8f.css': 'b{}',
      },
      cwd,
    );
    for (const path of ['gone.txt', 'assets/index-B3xKq9Zd.js', 'assets/style-Cd8fGh2k.css']) {
      rmSync(join(cwd, 'dist', path));
    }
    const report = await readDiff(cwd);
    expect(tell(report)).toEqual([
      'updated index.html text <p>Good morning</p>',
      'updated about/index.html markup <!-- new -->',
      'renamed assets/index-Kq9ZdB3x.js data',
      'renamed assets/style-Gh2kCd8f.css data',
      'updated data.json data "a": 1,',
      'deleted gone.txt data',
      'created notes/index.html text',
      'updated picture.png binary',
    ]);
    expect(report.comparedWith).toMatchObject({ history: 'git', ref: 'refs/resync-static/dist', folder: '' });
    expect(report.groups).toMatchObject([{ id: 1, count: 2, kind: 'data', reason: 'renamed' }]);
    expect(report.changes[2]).toMatchObject({
      from: 'https://example.org/assets/index-B3xKq9Zd.js',
      group: 1,
    });
    expect(report.changes[5]).toMatchObject({ length: 4 });

    const { stdout } = await callCli(['diff', 'dist', ...URL_FLAGS], { cwd });
    const lines = stdout.replace(/\(\d{4}-\S+Z\)/, '(…)').split('\n');
    expect(lines).toEqual([
      'Compared with refs/resync-static/dist (…)',
      '',
      'Updated  /             text    118 B',
      'Updated  /about/       markup  105 B',
      'Updated  /data.json    data    23 B',
      'Updated  /picture.png  binary  11 B',
      'Created  /notes/  110 B',
      'Renamed  /assets/index-B3xKq9Zd.js → /assets/index-Kq9ZdB3x.js  (2 such assets)',
      'Deleted  /gone.txt',
      '',
      '4 updated, 1 created, 2 renamed, 1 deleted',
      '',
    ]);
    const verbose = await callCli(['diff', 'dist', ...URL_FLAGS, '--verbose'], { cwd });
    expect(verbose.stdout).toContain('\nUpdated  /             text    118 B  <p>Good morning</p>\n');
    expect(verbose.stdout).toContain('\nRenamed  /assets/style-Cd8fGh2k.css → /assets/style-Gh2kCd8f.css');
  });
});

describe('exit status', () => {
  test('0 where nothing differs, 1 where something does, 2 on errors; 0 and 1 unless it is asked for', async () => {
    const cwd = await makeRecorded();
    const run = (...flags: string[]) => callCli(['diff', ...flags], { cwd });
    const same = await run('dist', ...URL_FLAGS, '--exit-code');
    expect(same.status).toBe(0);
    expect(same.stdout).toContain('\nNothing differs.\n');
    writeFileSync(join(cwd, 'dist/same.txt'), 'another');
    expect(await run('dist', ...URL_FLAGS, '--exit-code')).toMatchObject({ status: 1, stderr: '' });
    expect(await run('dist', ...URL_FLAGS, '--exit-code', '--quiet')).toMatchObject({
      status: 1,
      stdout: '',
    });
    expect(await run('dist', ...URL_FLAGS)).toMatchObject({ status: 0 });
    expect(await run('nowhere', ...URL_FLAGS, '--exit-code')).toMatchObject({ status: 2 });
    expect(await run('nowhere', ...URL_FLAGS)).toMatchObject({ status: 1 });
    expect(await run('dist', ...URL_FLAGS, '--strict')).toMatchObject({ status: 2 });
    const describing = await callCli(['dist', ...URL_FLAGS, '--exit-code'], { cwd });
    expect(describing).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('--exit-code is not an option'),
    });
  });
});

describe('where there is no earlier publication', () => {
  test.each([
    ['in git', makeRepository, [], 'refs/resync-static/dist has no publication'],
    ['without git', makeFolder, [], 'this site has no history'],
    ['with --history none', makeRepository, ['--history', 'none'], 'this site has no history'],
  ])('it says so: %s', async (_, makePlace, flags, words) => {
    const cwd = makePlace();
    makeSite(FIRST, cwd);
    const run = await callCli(['diff', 'dist', ...URL_FLAGS, ...flags, '--exit-code'], { cwd });
    expect(run).toMatchObject({ status: 1, stderr: '' });
    expect(run.stdout).toContain(`There is nothing to compare with: ${words}`);
    const report = await readDiff(cwd, ...flags);
    expect(report).toMatchObject({ changes: [], groups: [] });
    expect(report.comparedWith.at).toBeUndefined();
  });

  test('nor is there on a host that serves nothing yet', async () => {
    const host = await startHost(makeFolder());
    const cwd = makeSite(FIRST);
    const { status, stdout } = await callCli(['diff', 'dist', '--url', host.url, '--history', 'published'], {
      cwd,
    });
    expect(status).toBe(0);
    expect(stdout).toContain(`${host.url}.well-known/resourcesync is not there yet`);
  });
});

describe('with the live site', () => {
  const FLAGS = ['--history', 'published'];

  test('only what changed is fetched, and it is not compared when it is not what its list says', async () => {
    const live = makeSite({
      'index.html': page('Home', 'Hello'),
      'odd.html': page('Odd', 'One'),
      'same.html': 'same',
      'gone.txt': 'gone',
    });
    const host = await startHost(live);
    await callCli([live, '--url', host.url, ...FLAGS]);
    writeFileSync(join(live, 'odd.html'), page('Odd', 'Changed by the host'));
    const site = makeSite({
      'index.html': page('Home', 'Hello you'),
      'odd.html': page('Odd', 'Two'),
      'same.html': 'same',
    });
    host.asked.length = 0;
    host.intercept = ({ url }, response) => {
      if (url !== '/') return false;
      response.end(page('Home', 'Hello'));
      return true;
    };
    const { stdout } = await callCli(['diff', site, '--url', host.url, ...FLAGS, '--json']);
    const report: DiffReport = JSON.parse(stdout);
    expect(tell(report)).toEqual([
      'updated index.html text <p>Hello you</p>',
      'deleted gone.txt data',
      'updated odd.html text',
    ]);
    expect(report.incomplete).toEqual({ wanted: 2, asked: 2, read: 1 });
    expect(host.asked.filter((path) => !path.includes('resourcesync'))).toEqual(['/', '/odd.html']);
    const words = await callCli(['diff', site, '--url', host.url, ...FLAGS]);
    expect(words.stdout).toContain('The live site did not serve 1 file with the bytes that its list says.');
  });

  test('of many, 200 are fetched', async () => {
    const filesOf = (text: string) =>
      Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`${index}.txt`, `${text} ${index}\n`]));
    const live = makeSite(filesOf('one'));
    const host = await startHost(live);
    await callCli([live, '--url', host.url, ...FLAGS]);
    const site = makeSite(filesOf('two'));
    host.asked.length = 0;
    const { stdout } = await callCli(['diff', site, '--url', host.url, ...FLAGS, '--json']);
    const report: DiffReport = JSON.parse(stdout);
    expect(report.changes).toHaveLength(230);
    expect(report.changes.filter(({ line }) => line !== undefined)).toHaveLength(200);
    expect(report.incomplete).toEqual({ wanted: 230, asked: 200, read: 200 });
    expect(host.asked.filter((path) => path.endsWith('.txt'))).toHaveLength(200);
    const words = await callCli(['diff', site, '--url', host.url, ...FLAGS]);
    expect(words.stdout).toContain('A sample: of 230 changed files, 200 were fetched');
  });
});

test.each([
  ['snapshots', ['--record']],
  ['what discovery would edit', ['--record', '--robots', '--dumps']],
])('nothing is written, neither into the site nor into the repository: %s', async (_, given) => {
  const flags = [...given, ...configured({ htmlLinks: given.includes('--robots') })];
  const cwd = await makeRecorded(FIRST, flags);
  makeSite({ 'dist/index.html': page('Home', 'Good morning'), 'dist/new.html': page('New', 'New') }, cwd);
  const before = readAll(cwd);
  const refs = gitText(cwd, 'for-each-ref');
  const objects = git(cwd, ['count-objects', '-v']).toString();
  await readDiff(cwd, ...flags);
  await callCli(['diff', 'dist', ...URL_FLAGS, ...flags, '--verbose'], { cwd });
  expect(readAll(cwd)).toEqual(before);
  expect(gitText(cwd, 'for-each-ref')).toBe(refs);
  expect(git(cwd, ['count-objects', '-v']).toString()).toBe(objects);
});
