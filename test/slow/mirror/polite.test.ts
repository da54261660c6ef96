/** The requests of a mirror in the log of a server: how many, how often, and the report of them. */

import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import type { UserConfig } from '../../../src/index.js';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { serve } from '../../support/server.js';
import { callCli, makeFolder } from '../../support/site.js';

interface LogLine {
  readonly path: string;
  /** Milliseconds. */
  readonly time: number;
  readonly agent: string | undefined;
}

/** A Source whose server writes a log; `answer` may answer by itself. */
async function startLogged(
  config: Partial<UserConfig> = {},
  answer: (path: string, response: ServerResponse, log: readonly LogLine[]) => boolean = () => false,
) {
  const log: LogLine[] = [];
  const source = await startSource(config, (path, response, { headers }) => {
    log.push({ path, time: performance.now(), agent: headers['user-agent'] });
    return answer(path, response, log);
  });
  const takeLog = () => log.splice(0);
  return { ...source, log, takeLog };
}

const makeFiles = (count: number, text = 'x') =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, `${text} ${index}`]));

const isFile = ({ path }: LogLine) => /^\/\d+\.txt$/.test(path);

// docs/mirror.md: "The last line of the report counts".
describe('the last line', () => {
  test('counts the requests that the server has, and the bytes', async () => {
    const source = await startLogged();
    const folder = makeFolder();
    await source.publish(0, makeFiles(30));
    const first = await copy(source.url, folder, { from: 'list' });
    expect(first).toMatchObject({ inSync: true, created: 30, unasked: 0 });
    expect(first.requests).toBe(source.takeLog().length);
    const listed = Object.values(source.listed()).reduce((sum, text) => sum + text.length, 0);
    expect(first.bytes).toBeGreaterThan(listed);

    const second = await callCli(['mirror', source.url, folder]);
    const requests = source.takeLog().length;
    expect(requests).toBeLessThanOrEqual(5);
    expect(second.stdout).toMatch(
      new RegExp(
        `\\nIn sync after \\S+ s, as of \\S+Z: ${requests} requests, \\S+ k?B, 30 files needed none\\.\\n$`,
      ),
    );

    await source.publish(60, { '3.txt': 'changed', '4.txt': undefined });
    const third = JSON.parse((await callCli(['mirror', source.url, folder, '--json'])).stdout);
    expect(third).toMatchObject({ updated: 1, deleted: 1, unasked: 28, pauses: [] });
    expect(third.requests).toBe(source.takeLog().length);
  });
});

// docs/mirror.md: "## Few requests".
describe('a limit', () => {
  test('has packages chosen that are not worth it otherwise', async () => {
    const source = await startLogged({ dumps: true });
    const files = makeFiles(25);
    // Files that are not wanted make the package long.
    const more = Object.fromEntries(
      Array.from({ length: 3 }, (_, index) => [
        `large-${index}.txt`,
        Array.from({ length: 60_000 }, (__, line) => `${(line * 7919 * (index + 3)) % 104_729}`).join('\n'),
      ]),
    );
    await source.publish(0, { ...files, ...more });
    const [quick, slow] = [makeFolder(), makeFolder()];
    for (const folder of [quick, slow]) await copy(source.url, folder);
    await source.publish(60, makeFiles(25, 'y'));
    await source.publish(
      120,
      Object.fromEntries(Object.entries(more).map(([path, text]) => [path, `${text}!`])),
    );
    await source.publish(180, more);
    source.takeLog();
    expect(await copy(source.url, quick)).toMatchObject({ inSync: true, updated: 25, unasked: 3 });
    expect(source.takeLog().filter(isFile)).toHaveLength(25);
    const report = await copy(source.url, slow, { requests: '20/s' });
    expect(report).toMatchObject({ inSync: true, updated: 25, unasked: 28 });
    expect(source.takeLog().filter(isFile)).toHaveLength(0);
  });

  test.each(['0/s', '4', '4/h', '1/0', '-1/s', '4 /s', '1e3/s', ''])(
    'of %j is a mistake',
    async (requests) => {
      await expect(copy('https://example.org/', 'copy', { requests })).rejects.toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining('requests must be a number of requests in a second or a minute'),
      });
    },
  );
});

test('--dry-run says what a run takes, and --verbose which files it asks for', async () => {
  const source = await startLogged();
  const folder = makeFolder();
  await source.publish(0, makeFiles(5));
  const dry = ['mirror', source.url, folder, '--dry-run'];
  const told = await callCli([...dry, '--verbose', '--requests', '20/s']);
  source.takeLog();
  const real = await copy(source.url, folder);
  expect(real.requests).toBe(source.takeLog().length);
  const bytes = `${(real.bytes / 1000).toFixed(2)} kB`;
  expect(told.stdout).toContain(`\nWould take  ${real.requests} requests, ${bytes}, at least 0.`);
  for (let file = 0; file < 5; file++) expect(told.stdout).toContain(`\n  ${source.url}${file}.txt\n`);
  const again = JSON.parse((await callCli([...dry, '--json'])).stdout);
  expect(again).toMatchObject({ unchanged: 5, unasked: 5 });
});

// docs/mirror.md: "A busy server is asked less".
describe('a server that is busy', () => {
  test('is asked less often, and no more often than the limit after that', async () => {
    let refused = 0;
    const source = await startLogged({}, (path, response) => {
      if (path !== '/9.txt' || refused++ > 0) return false;
      response.writeHead(429, { 'retry-after': '1' }).end();
      return true;
    });
    await source.publish(0, makeFiles(20));
    const folder = makeFolder();
    const report = await copy(source.url, folder, { requests: '40/s', from: 'list' });
    expect(report).toMatchObject({ inSync: true, created: 20 });
    const [pause, ...others] = report.pauses;
    expect(pause).toMatchObject({ origin: new URL(source.url).origin, reason: 'busy' });
    expect(others).toEqual([]);
    // Half as often as 40 in a second.
    expect(pause?.milliseconds).toBeGreaterThanOrEqual(50);
    const log = source.takeLog();
    const refusal = log.findIndex(({ path }) => path === '/9.txt');
    expect(report.durations.total).toBeGreaterThan(25 * refusal + 1000 + 25 * (log.length - refusal - 2));
    expect(report.requests).toBe(log.length);
  });
});

describe('Crawl-delay', () => {
  const robots = (path: string, response: ServerResponse, seconds: string): boolean => {
    if (path !== '/robots.txt') return false;
    response.end(`User-agent: *\nDisallow: /\nCrawl-delay: ${seconds}\n`);
    return true;
  };

  test('is kept between files, told, and asked for once', async () => {
    const source = await startLogged({}, (path, response) => robots(path, response, '0.2'));
    await source.publish(0, makeFiles(6));
    const folder = makeFolder();
    const { stdout, stderr } = await callCli(['mirror', source.url, folder, '--verbose']);
    expect(stdout).toContain('asks for 0.20 s between files (Crawl-delay in robots.txt).');
    expect(stderr).toContain('To fetch 6 files one by one takes at least 1.20 s');
    const log = source.takeLog();
    expect(log.filter(({ path }) => path === '/robots.txt')).toHaveLength(1);
    const [, seconds] = /resources (\S+) s/.exec(stdout) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(5 * 0.2);
    expect(readCopy(folder)).toEqual(source.listed());
    await copy(source.url, folder);
    expect(source.takeLog().filter(({ path }) => path === '/robots.txt')).toEqual([]);
  });
});

// docs/mirror.md: "`--contact`".
test('servers are told who asks, and whom to write to', async () => {
  const source = await startLogged();
  await source.publish(0, makeFiles(2));
  await callCli(['mirror', source.url, join(makeFolder(), 'a'), '--contact', 'https://example.org/bot']);
  const agents = new Set(source.takeLog().map(({ agent }) => agent));
  expect([...agents]).toEqual([
    expect.stringMatching(/^resync-static\/\d+\.\d+\.\d+ \(\+https:\/\/example\.org\/bot\)$/),
  ]);
  await callCli(['mirror', source.url, join(makeFolder(), 'b')]);
  expect(source.takeLog()[0]?.agent).toMatch(/^resync-static\/\d+\.\d+\.\d+$/);
});

test.each(['me', 'a@b\r\nX-Evil: 1', 'a)@example.org', 'https://example.org/\\', 'mé@example.org', 'a @b'])(
  'a contact such as %j is a mistake',
  async (contact) => {
    const url = await serve(makeFolder());
    await expect(copy(url, 'copy', { contact })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('contact must be a mail address or an http(s) URL'),
    });
  },
);

test.for<[what: string, headers: Record<string, string | string[]>]>([
  [
    'one long header',
    {
      link: Array.from(
        { length: 600 },
        (_, item) => `</item/${item}>; rel="item"; type="application/pdf"`,
      ).join(', '),
    },
  ],
  [
    'many headers',
    Object.fromEntries(Array.from({ length: 700 }, (_, item) => [`x-${item}`, 'a'.repeat(40)])),
  ],
])('heads of more than 16 kB are read: %s', async ([, headers]) => {
  const source = await startLogged({}, (path, response) => {
    if (path === '/1.txt' || path === '/resourcesync/changelist.xml')
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    return false;
  });
  await source.publish(0, makeFiles(3));
  expect(await copy(source.url, makeFolder())).toMatchObject({ inSync: true, created: 3 });
  const { findings } = await audit({ source: source.url });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
