/** The bounds of a mirror, and how the next run goes on from where one ended. */

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { takeLock } from '../../../src/paths/hold/lock.js';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { measurePeak } from '../../support/peak.js';
import { type Answer, serve } from '../../support/server.js';
import { CLI, callCli, makeFolder, makeSite, runProgram } from '../../support/site.js';

const XML =
  'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"';
const HEAD = '<rs:md capability="resourcelist" at="2026-01-01T00:00:00Z"/>';

/** A Source with ten files that nothing makes shorter, and which of them were asked for. */
async function startLarge(answer: Answer = () => false) {
  const asked: string[] = [];
  const source = await startSource({}, (path, response, request) => {
    if (path.endsWith('.bin')) asked.push(path);
    return answer(path, response, request);
  });
  const files = Array.from({ length: 10 }, (_, index) => [
    `${index}.bin`,
    randomBytes(50_000).toString('hex'),
  ]);
  await source.publish(0, Object.fromEntries(files));
  return { source, asked };
}

// Holds of docs/copies.md: "A run that has met a bound ends", "the next run goes on from there"; of SECURITY.md: "`mirror`
// within its bounds".
test('past --max-bytes, a run ends with words; the next ones go on, and fetch nothing twice', async () => {
  const { source, asked } = await startLarge();
  const folder = makeFolder();
  const args = ['mirror', source.url, folder, '--max-bytes', '450kB', '--concurrency', '2'];
  const first = await callCli(args);
  expect({ status: first.status, stdout: first.stdout }).toEqual({ status: 1, stdout: '' });
  expect(first.stderr).toBe(
    'Error The run ended before the copy was complete: more than 450000 bytes were to be read.\nEvery file in the folder is whole, old or new. Fetched files with a checksum are kept for the next run. Run again to go on, or with a higher --max-bytes.\n',
  );
  expect(readCopy(folder)).toEqual({});
  const statuses: (number | null)[] = [];
  while (statuses.length < 6 && statuses.at(-1) !== 0) statuses.push((await callCli(args)).status);
  expect(statuses.at(-1)).toBe(0);
  expect(statuses.length).toBeGreaterThan(1);
  expect(readCopy(folder)).toEqual(source.listed());
  // Only what was under way when a run ended is asked for again.
  expect(asked.length).toBeLessThanOrEqual(10 + 2 * (1 + statuses.length));
  expect(readdirSync(join(folder, '.resync-mirror')).sort()).toEqual(['.gitignore', 'seal', 'state']);
});

test('what was published before stays, and so does a copy that was right', async () => {
  const { source } = await startLarge();
  const folder = makeFolder();
  await copy(source.url, folder);
  const before = readCopy(folder);
  await source.publish(
    60,
    Object.fromEntries([0, 1, 2].map((index) => [`${index}.bin`, `${'new'.repeat(50_000)}`])),
  );
  await expect(copy(source.url, folder, { maxBytes: 200_000 })).rejects.toMatchObject({
    code: 'bound-reached',
    message: expect.stringContaining('more than 200000 bytes were to be read'),
  });
  expect(readCopy(folder)).toEqual(before);
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 3 });
});

test.each<[string, Answer, Parameters<typeof copy>[2]]>([
  [
    'asks to wait',
    (path, response) => {
      if (path === '/3.bin') response.writeHead(503, { 'retry-after': '60' }).end();
      return path === '/3.bin';
    },
    {},
  ],
  ['hangs before anything is known', (path) => path === '/.well-known/resourcesync', {}],
])('past --max-time, a run ends where a server %s', async (_, answer, more) => {
  let isOdd = true;
  const { source } = await startLarge((...asked) => isOdd && answer(...asked));
  const folder = makeFolder();
  await expect(copy(source.url, folder, { maxTime: '1s', timeout: 60_000, ...more })).rejects.toMatchObject({
    code: 'bound-reached',
    message: expect.stringMatching(/the time is over, after 1 s\.[\s\S]*--max-time/),
  });
  isOdd = false;
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true });
  expect(readCopy(folder)).toEqual(source.listed());
});

/** A Source of a small file and of one whose body has no end, and how much of that was sent. */
async function startEndlessBody(facts: string) {
  const site = makeSite({ 'a.txt': 'a' });
  let sent = 0;
  const url = await serve(site, (path, response) => {
    if (path !== '/endless.bin') return false;
    const piece = Buffer.alloc(65_536);
    const send = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += piece.length;
        if (!response.write(piece)) return;
      }
      response.end();
    };
    response.writeHead(200).on('drain', send);
    send();
    return true;
  });
  const entry = (path: string, more = '') => `<url><loc>${url}${path}</loc>${more}</url>`;
  write(site, 'list.xml', `<urlset ${XML}>${HEAD}${entry('a.txt')}${entry('endless.bin', facts)}</urlset>`);
  return `${url}list.xml`;
}

// Hold of docs/copies.md: "a file without a listed length", "a file with a listed length".
test.each([
  ['not listed', '', 'failed', 'more than 10000000 bytes, and no length is listed', 50_000_000],
  ['listed', '<rs:md length="5"/>', 'different', 'it is more than 5, but 5 is listed', 10_000_000],
])(
  'a body without end, of a file whose length is %s, is not written whole',
  async (_, facts, reason, found, most) => {
    const folder = makeFolder();
    const report = await copy(await startEndlessBody(facts), folder, { maxBytes: '1GB', attempts: 1 });
    expect(report).toMatchObject({ created: 1, inSync: false });
    expect(report.failed).toMatchObject([{ path: 'endless.bin', reason, found }]);
    expect(readCopy(folder)).toEqual({ 'a.txt': 'a' });
    expect(report.bytes).toBeLessThan(most);
  },
);

/** Serves an index of so many lists, each of the same length and with other URLs. */
async function startEndless(parts: number) {
  let read = 0;
  const url = await serve(makeSite({}), (path, response) => {
    const part = /part-(\d+)/.exec(path)?.[1];
    if (part !== undefined) read++;
    const entries = (count: number, name: string, make: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => `<${name}><loc>${url}${make(index)}</loc></${name}>`).join(
        '',
      );
    const text =
      part === undefined
        ? `<sitemapindex ${XML}>${HEAD}${entries(parts, 'sitemap', (index) => `part-${index}.xml`)}</sitemapindex>`
        : `<urlset ${XML}>${HEAD}${entries(50_000, 'url', (index) => `${part}/page-${index}.html`)}</urlset>`;
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text, { level: 1 }));
    return true;
  });
  return { url, read: () => read };
}

// Holds of docs/copies.md: "waiting for another run included".
describe('--max-time counts while a run waits for the lock', () => {
  test.each([
    ['of another run', {}],
    ['of another run, and nothing of the folder is remembered', { 'mine.txt': 'mine' }],
  ])('%s', async (_, files) => {
    const folder = makeSite(files, makeFolder());
    const lock = await takeLock(folder, () => undefined, '.resync-mirror');
    const asked: string[] = [];
    const url = await serve(makeFolder(), (path) => asked.push(path) < 0);
    await expect(copy(url, folder, { maxTime: 1 })).rejects.toMatchObject({
      code: 'bound-reached',
      message: expect.stringContaining('the time is over'),
    });
    expect(asked).toEqual([]);
    lock.release();
  });
});

// Holds of docs/mirror.md: "`--dry-run` changes nothing".
describe('a run with --dry-run that is interrupted leaves nothing', () => {
  test('by SIGTERM', async () => {
    const signal = 'SIGTERM';
    const temporary = makeFolder();
    let ask = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      ask = resolve;
    });
    const url = await serve(makeFolder(), () => {
      ask();
      return true;
    });
    const folder = join(makeFolder(), 'copy');
    const child = spawn(process.execPath, [CLI, 'mirror', url, folder, '--dry-run'], {
      env: { ...process.env, TMPDIR: temporary },
      stdio: 'ignore',
    });
    await asked;
    expect(readdirSync(temporary)).toHaveLength(1);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(folder)).toBe(false);
  });
});

// Holds of docs/copies.md: "lists in memory".
test('an index of 15,000 lists ends the run, once they hold more than may be remembered', async () => {
  const { url, read } = await startEndless(15_000);
  const folder = makeFolder();
  const root = new URL('../../../.tmp/modules/src/mirror/', import.meta.url);
  const program = `
    import { resolveMirror } from '${root}config.js';
    import { mirrorSource } from '${root}mirror.js';
    const config = resolveMirror({ source: '${url}list.xml', folder: ${JSON.stringify(folder)} });
    await mirrorSource({ ...config, mostKept: 10_000_000 }).catch(({ code, message }) => console.log(code, message));`;
  const peak = measurePeak(makeFolder());
  const { stdout } = await runProgram(process.execPath, ['--input-type=module', '-e', program], peak);
  expect(stdout.split('\n')[0]).toBe(
    'bound-reached The run ended before the copy was complete: more than 10000000 bytes of entries were to be remembered.',
  );
  expect(read()).toBeLessThan(10);
  expect(peak.read()).toBeLessThan(300_000);
  expect(readCopy(folder)).toEqual({});
});
