/** The command line as a person or a script meets it: what it takes, what it says, what it returns. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, FLAGS, findCommand, flagsOf } from '../../src/cli/arguments/table.js';
import { callIn, ESCAPE, expectNothingWritten, ROOT, runIn, SITE_URL } from '../support/command.js';
import { CLI, makeFolder, makeSite, runProgram } from '../support/site.js';

const ASIDE = 'is not an option of the command line. Write';
const MIRROR = 'mirror https://a.example/ copy';
const MOST_BYTES = '--max-bytes must be a number of bytes above 0, such as 500MB or 2GB, but is "lots"';
const MOST_TIME = '--max-time must be a time above 0, such as 90s, 10m or 2h, but is "soon"';

describe('mistakes are reported at once, under the names that were written, with status 2', () => {
  test.each<[line: string, ...says: string[]]>([
    ['', '<site> is missing. Give the folder', '--url is missing. Give the absolute'],
    ['dist', '--url is missing'],
    ['--url URL', '<site> is missing'],
    [' --url URL', '<site> must be the folder that the build writes'],
    ['describe dist public --url URL', 'Give only one site, not dist, public'],
    ['dist --url URL --jsno', '--jsno is not an option. Did you mean --json?'],
    ['dist --url URL --exclud=x', '--exclud is not an option. Did you mean --exclude?'],
    ['--ulr URL dist', '--ulr is not an option. Did you mean --url?', '--url is missing'],
    ['dist --url URL --frobnicate', '--frobnicate is not an option. The options are --url, --config,'],
    ['--noindex skip ./dist --url URL', `--noindex ${ASIDE} noindex into the configuration file`],
    ['dist --url URL --json=yes', '--json takes no value, but has "yes"'],
    ['dist --url', '--url needs a value'],
    ['dist --url --quiet', '--url needs a value. If --quiet is the value, write --url=--quiet'],
    ['dist --url URL --exclude --exclude', '--exclude needs a value'],
    [
      'build ./dist --url URL',
      'build is not a command, and there is no folder of this name. The commands are',
    ],
    ['wach dist', 'wach is not a command, and there is no folder of this name. Did you mean watch?'],
    ['dist --url example.org', '--url must be the absolute http(s) URL'],
    ['dist --url https://example.org/?page', '--url must be'],
    ['dist --url https://me:pw@example.org/', '--url must be'],
    ['dist --url URL --urls clan', '--urls must be one of'],
    ['dist --url URL --include /a', '--include must be a glob relative to the site'],
    ['dist --url http://a.example/ --history published', '--url must begin with https'],
    ['dist --url URL --history published --record', '--record does not go with history published'],
    ['dist --url URL --history published:x', '--history must be'],
    ['watch dist --url URL --record', '--record does not work with watch. Record what you deploy'],
    ['dist --url URL --hash md5', `--hash ${ASIDE} hash into the configuration file`],
    ['channel URL --connections 5', `--connections ${ASIDE} connections into the configuration file`],
    ['channel', '<URL> is missing. Give an http(s) URL without password'],
    ['channel ./dist', '<URL> must be an http(s) URL'],
    ['channel URL --every now', '--every must be a time from 1s to 1d'],
    ['channel URL --dumps', '--dumps is not an option of channel'],
    ['audit . --record', '--record is not an option of audit'],
    ['audit', '<site | URL> is missing. Give a folder, or an http(s) URL'],
    ['audit ftp://example.org/', '<site | URL> must be a folder, or an http(s) URL'],
    ['notify file:///dist --hub URL', '<site | URL> must be a folder, or an http(s) URL'],
    ['diff dist --url URL --live', '--live goes with --gone'],
    ['audit dist --sample', '--sample needs a value'],
    ['audit . --sample some', '--sample must be a number of resources, or a share such as 5%, but is "some"'],
    ['audit . --since yesterday', '--since must be a date and time such as 2026-11-20T10:15:00Z'],
    ['audit https://a.example/ --url https://b.example/', '--url is for a folder'],
    ['audit . --served-at http://127.0.0.1/', '--served-at needs the URL of the Source'],
    ['audit . --max-bytes lots --max-time soon', MOST_BYTES, MOST_TIME],
    ['audit . --max-bytes 0 --max-time 0s', '--max-bytes must be', '--max-time must be'],
    ['audit . --max-bytes 10m --max-time 5MB', '--max-bytes must be', '--max-time must be'],
    ['audit . --max-bytes=-1', '--max-bytes must be'],
    ['audit . --max-bytes 9999999TB', '--max-bytes must be'],
    ['mirror', '<URL> is missing', '<folder> is missing'],
    [`${MIRROR} --max-bytes lots --max-time soon`, MOST_BYTES, MOST_TIME],
    [`${MIRROR} --served-at copy`, '--served-at'],
    [`${MIRROR} --max-delete half --requests 1`, '--max-delete must be', '--requests must be'],
    [
      `${MIRROR} --dumps --every soon --header x`,
      '--dumps is not',
      '--every must be a time above 0, such as 90s, 10m or 2h, but is "soon"',
      '--header',
    ],
    [`${MIRROR} --documents --set texts`, 'a copy with all documents has all sets: --documents does'],
    [`${MIRROR} --follow --dry-run`, '--dry-run does not go with --follow'],
    [`${MIRROR} --rate 1MB`, '--rate is gone. Use --requests'],
    [`${MIRROR} --no-delete`, '--no-delete is gone. Use --max-delete 0'],
    [`${MIRROR} --run index.mjs`, '--run is gone. Use --changes'],
    [`${MIRROR} --parcel site.zip`, '--parcel is gone. Carry the folder'],
    [`${MIRROR} --since 2026-11-20`, '--since is gone from mirror. A run copies'],
    ['audit --against dist https://a.example/', '--against is gone. Compare'],
    ['dist --jsno --url --quit', '--jsno is not', '--url needs a value'],
    [
      '--url a.org --urls clan --exclude /a',
      '<site> is missing',
      '--url must',
      '--urls must',
      '--exclude must',
    ],
  ])('%s', async (line, ...says) => {
    const args = line === '' ? [] : line.replaceAll('URL', SITE_URL).split(' ');
    const { status, stdout, stderr, folder } = await callIn({}, args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    const mistakes = stderr.split('\n').filter((text) => text.startsWith('  '));
    expect(mistakes).toHaveLength(says.length);
    for (const words of says) expect(mistakes).toContainEqual(expect.stringContaining(`  ${words}`));
    expectNothingWritten(folder);
  });

  test('nothing at all names what to begin with', async () => {
    const { stderr } = await callIn({}, []);
    expect(stderr).toMatch(/^Note Run resync-static init .*resync-static --help/m);
  });

  test.each(COMMANDS)('what is suggested for a flag is one of %s', async (command) => {
    const own = flagsOf(command).map(({ name }) => `--${name}`);
    const wrong = [...new Set(FLAGS.map(({ name }) => `--${name.slice(0, -1)}q`))];
    const { stderr } = await callIn({}, [command, ...wrong]);
    const suggested = Array.from(stderr.matchAll(/Did you mean (--[a-z-]+)\?/g), ([, name]) => name);
    expect(suggested.length).toBeGreaterThan(0);
    expect(own).toEqual(expect.arrayContaining(suggested));
  });

  const LOCKED = 'http://me:s3cret@127.0.0.1/';
  const lines = COMMANDS.flatMap((command) => {
    const { operands } = findCommand(command);
    const flags = flagsOf(command).filter(({ value = '' }) => value.includes('URL'));
    const site = operands.includes('URL>') && !operands.includes('--url') ? LOCKED : 'dist';
    return [[command, site, 'copy'], ...flags.map(({ name }) => [command, 'dist', `--${name}`, LOCKED])];
  });

  test.each(lines.filter((line) => line.includes(LOCKED)))(
    'no password is printed: %s %s %s',
    async (...line) => {
      for (const more of [[], ['--json']]) {
        const { status, stdout, stderr } = await callIn({}, [...line, ...more]);
        expect(status).not.toBe(0);
        expect(stdout + stderr).not.toContain('s3cret');
      }
    },
  );

  test.each([
    ['mirror', LOCKED, 'copy'],
    ['audit', LOCKED],
    ['dist', '--url', LOCKED],
  ])('a password in a URL belongs into RESYNC_HEADER: %s', async (...line) => {
    expect((await callIn({}, line)).stderr).toContain('RESYNC_HEADER');
  });

  test.each([
    ['help x', 'x is neither a command nor a page of the manual. The commands are describe, watch,'],
    ['help audti', 'audti is neither a command nor a page of the manual. Did you mean audit?'],
    ['help sitmap', 'Did you mean sitemap?'],
  ])('%s', async (line, words) => {
    const { status, stderr } = await callIn({}, line.split(' '));
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining(words) });
  });

  test.each([
    ['--url example.org/docs', 'Did you mean https://example.org/docs?'],
    ['--url localhost:4321', 'Did you mean http://localhost:4321/?'],
  ])('and what may be meant: %s', async (line, words) => {
    const { stderr } = await callIn({}, ['dist', ...line.split(' ')]);
    expect(stderr).toContain(words);
  });

  test.each(['today', '-1'])('SOURCE_DATE_EPOCH=%s', async (value) => {
    const env = { SOURCE_DATE_EPOCH: value };
    const { status, stderr } = await callIn({}, ['dist', '--url', SITE_URL], { env });
    expect(status).toBe(2);
    expect(stderr).toContain(`SOURCE_DATE_EPOCH is "${value}", but must be whole seconds since 1970`);
  });
});

describe('output', () => {
  const describeIn = (files: Readonly<Record<string, string>>, ...args: string[]) =>
    callIn(files, ['dist', '--url', `${SITE_URL}path/`, ...args]);

  test('--json is one JSON object on standard output, and nothing else anywhere', async () => {
    const { status, stdout, stderr, folder } = await describeIn({}, '--json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const report = JSON.parse(stdout);
    expect(report).toMatchObject({
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
          severity: 'detail',
          description: `${SITE_URL}path/.well-known/resourcesync`,
          text: expect.stringMatching(/^The site is under a path/),
          help: 'well-known-under-path',
        },
      ]),
    });
    for (const { path, bytes } of report.documents) {
      expect(readFileSync(join(folder, 'dist', path))).toHaveLength(bytes);
    }
  });

  test.each([
    ['missing --url URL', 1, 'site-unreadable', 'There is no folder'],
    ['dist --url here', 2, 'config-invalid', 'The command cannot run: 1 mistake'],
    ['audit dist --sample x', 2, 'config-invalid', 'The command cannot run: 1 mistake'],
  ])('--json gives the error of %s as JSON, too', async (line, status, code, says) => {
    const outcome = await callIn({}, [...line.replace('URL', SITE_URL).split(' '), '--json']);
    const { error } = JSON.parse(outcome.stdout);
    expect({ status: outcome.status, code: error.code }).toEqual({ status, code });
    expect(error.message).toMatch(new RegExp(`^${says}`));
    expect(outcome.stderr).toBe(`Error ${error.message}\n`);
  });

  test('--verbose adds the time of the stages; --quiet leaves only notices, on standard error', async () => {
    expect((await describeIn({}, '--verbose')).stdout).toMatch(/scan \d+\.\d\d s/);
    const quiet = await describeIn({}, '--quiet');
    expect(quiet).toMatchObject({ status: 0, stdout: '' });
    expect(quiet.stderr).toMatch(/^Note No Change List was written/m);
    for (const line of quiet.stderr.trimEnd().split('\n')) expect(line).toMatch(/^(?:Note|Warning) /);
  });

  // A process looks for a terminal only once.
  test.each([
    { TERM: 'xterm-256color', COLORTERM: 'truecolor' },
    { FORCE_COLOR: '1', CI: 'true' },
  ])('without a terminal there are no colours and no progress: %o', async (env) => {
    const args = ['dist', '--url', `${SITE_URL}path/`, '--verbose'];
    const { stdout, stderr } = await runIn({}, args, { env });
    expect(stdout + stderr).not.toContain(ESCAPE);
    expect(stdout + stderr).not.toContain('\r');
  });

  test('--version is that of the package', async () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(await callIn({}, ['--version'])).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('the word describe may be left out, and a folder may have its name', async () => {
    for (const [folder, line] of [
      ['dist', 'describe dist --url URL'],
      ['describe', 'describe describe --url URL'],
      ['-dist', '--url URL -- -dist'],
    ])
      expect(
        await callIn({ [`${folder}/index.html`]: '' }, String(line).replace('URL', SITE_URL).split(' ')),
      ).toMatchObject({ status: 0 });
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

test.runIf(process.platform === 'linux').each([
  [
    'a report that cannot be written',
    'exec "$@" > /dev/full',
    /^Error Standard output cannot be written: ENOSPC\. /,
  ],
  [
    'a working directory that was removed',
    'rmdir "$PWD"; exec "$@"',
    /^Error The working directory was removed/,
  ],
])('%s is told without a stack trace', async (_, script, says) => {
  const site = makeSite({ 'index.html': 'home' });
  const command = [process.execPath, CLI, site, '--url', SITE_URL, '--history', 'none'];
  const { status, stderr } = await runProgram('sh', ['-c', script, 'sh', ...command], { cwd: makeFolder() });
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(says) });
  expect(stderr).not.toMatch(/\n {4,}at /);
});
