/** The command line as a person or a script meets it: what it takes, what it says, what it returns. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { callIn, ESCAPE, expectNothingWritten, ROOT, runIn, SITE_URL } from '../support/command.js';
import { readSource } from '../support/documents.js';
import { CLI, makeSite } from '../support/site.js';

describe('mistakes on the command line', () => {
  const SOME = ['dist', '--url', SITE_URL];

  const mistakes: { args: string[]; says: string[]; env?: Record<string, string> }[] = [
    { args: [], says: ['  <site> is missing. Give the folder', '  --url is missing. Give the absolute'] },
    { args: ['dist'], says: ['  --url is missing'] },
    { args: ['--url', SITE_URL], says: ['  <site> is missing'] },
    { args: ['', '--url', SITE_URL], says: ['  <site> must be the folder that the build writes'] },
    {
      args: ['describe', 'dist', 'public', '--url', SITE_URL],
      says: ['  Give only one site, not dist, public'],
    },
    { args: [...SOME, '--jsno'], says: ['  --jsno is not an option. Did you mean --json?'] },
    { args: [...SOME, '--exclud=x'], says: ['  --exclud is not an option. Did you mean --exclude?'] },
    { args: [...SOME, '-u'], says: ['  -u is not an option. '] },
    {
      args: [...SOME, '--frobnicate'],
      says: ['  --frobnicate is not an option. The options are --url, --config,'],
    },
    { args: [...SOME, '--json=yes'], says: ['  --json takes no value, but has "yes"'] },
    { args: ['dist', '--url'], says: ['  --url needs a value'] },
    { args: ['dist', '--url='], says: ['  --url needs a value'] },
    {
      args: ['build', './dist', ...SOME.slice(1)],
      says: ['  build is not a command, and there is no folder of this name. The commands are describe,'],
    },
    {
      args: ['wach', 'dist'],
      says: ['  wach is not a command, and there is no folder of this name. Did you mean watch?'],
    },
    { args: ['audti'], says: ['  audti is not a command', 'Did you mean audit?'] },
    { args: ['help', 'audti'], says: ['audti is not a command. Did you mean audit?'] },
    { args: ['help', 'x'], says: ['x is not a command. The commands are describe, watch,'] },
    { args: [...SOME, '--verb'], says: ['  --verb is not an option. Did you mean --verbose?'] },
    { args: ['publish'], says: ['  publish is not a command'] },
    { args: ['dist', '--url', 'example.org/docs'], says: ['Did you mean https://example.org/docs?'] },
    { args: ['dist', '--url', 'localhost:4321'], says: ['Did you mean http://localhost:4321/?'] },
    { args: ['audit', 'dist', '--sample'], says: ['  --sample needs a value'] },
    { args: [...SOME, '--exclude', '--exclude', 'x'], says: ['  --exclude needs a value'] },
    { args: ['dist', '--url', '--json'], says: ['  --url needs a value', '--url=--json'] },
    {
      args: ['dist', '--url', 'example.org'],
      says: ['  --url must be the absolute http(s) URL', '"example.org"'],
    },
    { args: ['dist', '--url', 'ftp://example.org'], says: ['  --url must be the absolute http(s) URL'] },
    { args: ['dist', '--url', 'https://example.org/?page'], says: ['  --url must be', 'without query'] },
    { args: ['dist', '--url', 'https://me:pw@example.org/'], says: ['  --url must be', 'password'] },
    {
      args: [...SOME, '--urls', 'clan'],
      says: ['  --urls must be one of', 'but is "clan". Did you mean clean?'],
    },
    {
      args: [...SOME, '--hash', 'md5,sha256'],
      says: ['  --hash is not an option of the command line. Write hash into the configuration file'],
    },
    {
      args: [
        'dist',
        '--versions',
        '--archives',
        '--headers',
        'netlify',
        '--withdraw',
        'a/**',
        ...SOME.slice(1),
      ],
      says: ['--versions is not', 'Write archives', 'Write headers', 'Write withdraw into the configuration'],
    },
    {
      args: [...SOME, '--include', '/a'],
      says: ['  --include must be a glob relative to the site', 'but is "/a"'],
    },
    { args: [...SOME, '--exclude', '!/a'], says: ['  --exclude must be a glob relative to the site'] },
    {
      args: [...SOME],
      env: { SOURCE_DATE_EPOCH: 'today' },
      says: ['SOURCE_DATE_EPOCH is "today", but must be whole seconds since 1970'],
    },
    { args: [...SOME], env: { SOURCE_DATE_EPOCH: '-1' }, says: ['SOURCE_DATE_EPOCH is "-1"'] },
    {
      args: ['dist', 'public', '--jsno', '--url', '--quit'],
      says: ['--jsno is not', '--url needs a value', 'Give only one site, not dist, public'],
    },
    {
      args: ['--url', 'example.org', '--urls', 'clan', '--exclude', '/a'],
      says: ['<site> is missing', '--url must be', '--urls must be', '--exclude must be'],
    },
    {
      args: [...SOME, '--jsno', '--urls', 'clan'],
      says: ['--jsno is not an option', '--urls must be one of'],
    },
  ];
  for (const { args, says, env = {} } of mistakes) {
    const line = [...Object.entries(env).map((entry) => entry.join('=')), ...args].join(' ');
    test(`are told at once, under the names that were written, with status 2: ${line}`, async () => {
      const { status, stdout, stderr, folder } = await callIn({}, args, { env });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      for (const words of says) expect(stderr).toContain(words);
      const told = [...stderr.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name);
      expect(told).toEqual([...new Set(told)]);
      expectNothingWritten(folder);
    });
  }
});

describe('output', () => {
  test('--json is one JSON object on standard output, and nothing else anywhere', async () => {
    const { status, stdout, stderr, folder } = await runIn({}, [
      'dist',
      '--url',
      `${SITE_URL}path/`,
      '--json',
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      site: join(folder, 'dist'),
      url: `${SITE_URL}path/`,
      description: `${SITE_URL}path/.well-known/resourcesync`,
      resources: 2,
      bytes: 14,
      skipped: {},
      removed: [],
      documents: [
        { path: 'resourcesync/resourcelist.xml', kind: 'resource-list', entries: 2, changed: true },
        { path: 'resourcesync/capabilitylist.xml', kind: 'capability-list', entries: 1, changed: true },
        { path: '.well-known/resourcesync', kind: 'source-description', entries: 1, changed: true },
      ],
      notices: expect.arrayContaining([
        {
          code: 'well-known-under-path',
          severity: 'note',
          description: `${SITE_URL}path/.well-known/resourcesync`,
          text: expect.stringMatching(/^The site is under a path/),
          help: 'well-known-under-path',
        },
      ]),
    });
    const { documents } = JSON.parse(stdout);
    for (const { path, bytes } of documents) {
      expect(readFileSync(join(folder, 'dist', path))).toHaveLength(bytes);
    }
  });

  test.each([
    { args: ['missing', '--url', SITE_URL], status: 1, code: 'site-unreadable', says: 'There is no folder' },
    {
      args: ['dist', '--url', 'here'],
      status: 2,
      code: 'config-invalid',
      says: 'The command cannot run: 1 mistake',
    },
    {
      args: ['audit', 'dist', '--sample', 'x'],
      status: 2,
      code: 'config-invalid',
      says: 'The command cannot run: 1 mistake',
    },
  ])('--json gives the error of $args as JSON, too', async ({ args, status, code, says }) => {
    const outcome = await runIn({}, [...args, '--json']);
    const { error } = JSON.parse(outcome.stdout);
    expect({ status: outcome.status, code: error.code }).toEqual({ status, code });
    expect(error.message).toMatch(new RegExp(`^${says}`));
    expect(outcome.stderr).toBe(`Error ${error.message}\n`);
  });

  test('the report says what was found, written and skipped, and where to begin', async () => {
    const { status, stdout, stderr } = await runIn({ 'dist/.hidden': '', 'dist/404.html': '' }, [
      'dist',
      '--url',
      SITE_URL,
    ]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Listed +2 resources, 14 B$/m);
    expect(stdout).toMatch(/^Skipped +1 dot-file, 1 error page$/m);
    expect(stdout).toMatch(/^Wrote +3 documents, [\d.]+ kB$/m);
    expect(stdout).toMatch(/^ {2}resourcesync\/resourcelist\.xml +Resource List +2 entries +\d+ B$/m);
    expect(stdout).toMatch(
      /Clients \(ResourceSync "Destinations"\) start here: https:\/\/example\.org\/\.well-known\/resourcesync\n$/,
    );
    expect(stderr).not.toContain('Error');
  });

  test('--verbose adds the time of the stages', async () => {
    const args = ['dist', '--url', SITE_URL];
    const { stdout } = await runIn({}, [...args, '--verbose']);
    expect(stdout).toMatch(/scan \d+\.\d\d s/);
    expect((await runIn({}, args)).stdout).not.toMatch(/scan \d/);
  });

  test('--quiet leaves only notices, on standard error', async () => {
    const quiet = await runIn({}, ['dist', '--url', `${SITE_URL}path/`, '--quiet']);
    expect(quiet).toMatchObject({ status: 0, stdout: '' });
    expect(quiet.stderr).toMatch(/^Note The site is under a path/m);
    for (const line of quiet.stderr.trimEnd().split('\n')) expect(line).toMatch(/^(?:Note|Warning) /);
  });

  test.each([
    { what: 'no terminal', args: [], env: {} },
    {
      what: 'no terminal but TERM',
      args: ['--verbose'],
      env: { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    },
    { what: 'NO_COLOR', args: ['--verbose'], env: { NO_COLOR: '1', TERM: 'xterm-256color' } },
    { what: 'no terminal but FORCE_COLOR', args: [], env: { FORCE_COLOR: '1' } },
    { what: 'CI', args: [], env: { CI: 'true' } },
  ])('has no colours and no progress: $what', async ({ args, env }) => {
    const { stdout, stderr } = await runIn({}, ['dist', '--url', `${SITE_URL}path/`, ...args], { env });
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(stdout + stderr).not.toContain('\r');
    const failed = await runIn({}, ['missing', '--url', SITE_URL, ...args], { env });
    expect(failed.stderr).not.toContain(ESCAPE);
  });

  test.each([['--help'], ['-h'], ['help'], ['dist', '--help']])(
    '%s %s tells of every command',
    async (...args) => {
      const { status, stdout, stderr } = await runIn({}, args);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      for (const command of 'describe watch diff audit mirror channel notify init'.split(' '))
        expect(stdout).toMatch(new RegExp(`^  ${command} `, 'm'));
      expect(stdout).toContain('resync-static help <command>');
    },
  );

  test.each([
    ['describe', '-h'],
    ['describe', 'dist', '--help'],
    ['help', 'describe'],
  ])('%s %s tells of every option of the command', async (...args) => {
    const { status, stdout, stderr } = await runIn({}, args);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const options =
      'url config urls include exclude history record dumps robots json quiet verbose version help';
    for (const option of options.split(' ')) expect(stdout).toContain(`--${option}`);
    expect(stdout).not.toContain('--sample');
  });

  const ASIDE = 'is not an option of the command line. Write';
  test.each([
    [['dist', '--ulr', SITE_URL], '--ulr is not an option. Did you mean --url?'],
    [['--ulr', SITE_URL, 'dist'], '--ulr is not an option. Did you mean --url?'],
    [['--dumpz', 'dist', '--url', SITE_URL], '--dumpz is not an option. Did you mean --dumps?'],
    [
      ['dist', '--html-links', '--url', SITE_URL],
      `--html-links ${ASIDE} htmlLinks into the configuration file`,
    ],
    [
      ['dist', '--url', SITE_URL, '--source', SITE_URL],
      `--source ${ASIDE} source into the configuration file`,
    ],
    [
      ['channel', SITE_URL, '--connections', '5'],
      `--connections ${ASIDE} connections into the configuration file`,
    ],
  ])('%j is one mistake', async (args, mistake) => {
    expect(await runIn({ 'dist/index.html': '' }, args)).toMatchObject({
      status: 2,
      stderr: `Error The command cannot run: 1 mistake\n  ${mistake}\n`,
    });
  });

  test('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await runIn({}, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('the word describe may be left out, and a folder may have its name', async () => {
    expect(await runIn({}, ['describe', 'dist', '--url', SITE_URL])).toMatchObject({ status: 0 });
    expect(
      await runIn({ 'describe/index.html': '' }, ['describe', 'describe', '--url', SITE_URL]),
    ).toMatchObject({ status: 0 });
    expect(await runIn({ '-dist/index.html': '' }, ['--url', SITE_URL, '--', '-dist'])).toMatchObject({
      status: 0,
    });
  });

  test.each([
    { url: 'https://example.org', root: 'https://example.org/' },
    { url: 'HTTPS://Example.ORG:443/A/../b', root: 'https://example.org/b/' },
    { url: 'http://[::1]:8080/~me', root: 'http://[::1]:8080/~me/' },
    { url: 'https://bücher.example/straße', root: 'https://xn--bcher-kva.example/stra%C3%9Fe/' },
  ])('the URL of the site is taken as browsers take it: $url', async ({ url, root }) => {
    const { stdout, folder } = await runIn({}, ['dist', '--url', url, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ url: root });
    expect(
      readSource(join(folder, 'dist'), root).sets.flatMap((set) => set.resources.map(({ uri }) => uri)),
    ).toEqual([root, `${root}a.txt`]);
  });
});

test('a reader of the report that goes away is no failure', async () => {
  const site = makeSite({ 'index.html': 'home' });
  const run = spawn(process.execPath, [CLI, site, '--url', SITE_URL], { stdio: ['ignore', 'pipe', 'pipe'] });
  run.stdout.destroy();
  let stderr = '';
  run.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [status] = await once(run, 'close');
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('EPIPE') });
});
