/** The three lines of docs/index-a-site.md, as they are written there: an index gets each change at least once. */

import { appendFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../support/command.js';
import { copy, startSource } from '../../support/mirror.js';
import { CLI, makeFolder, runProgram } from '../../support/site.js';

const [, LINES = ''] =
  /```sh\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/index-a-site.md'), 'utf8')) ?? [];
const page = (text: string, script = 'a', menu = 'Home') =>
  `<!doctype html><html lang="en"><head><title>T</title><script src="/${script}.js"></script></head><body><nav>${menu}</nav><main><p>${text}</p></main></body></html>`;

async function startIndexing() {
  const source = await startSource();
  await source.publish(0, { 'a.html': page('heron'), 'b.html': page('lamp') });
  const cwd = makeFolder();
  symlinkSync(join(ROOT, 'demo-site/index.mjs'), join(cwd, 'index.mjs'));
  mkdirSync(join(cwd, 'bin'));
  writeFileSync(
    join(cwd, 'bin/npx'),
    `#!/bin/sh\nshift\nexec env $KILL "${process.execPath}" "${CLI}" "$@"\n`,
    { mode: 0o755 },
  );
  const run = (env: Readonly<Record<string, string>> = {}) =>
    runProgram('sh', ['-c', LINES.replace('https://example.org/', source.url)], {
      cwd,
      env: { ...env, PATH: `${join(cwd, 'bin')}:${process.env['PATH']}` },
    });
  const find = async (word: string) =>
    (await runProgram(process.execPath, ['index.mjs', word], { cwd })).stdout.split('\n')[0];
  return { source, cwd, run, find, has: (name: string) => existsSync(join(cwd, name)) };
}

test('what changed is indexed, what did not is not read, and nothing is left', async () => {
  const { source, run, find, has } = await startIndexing();
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining('2 pages indexed, 2 in') });
  expect(await find('heron')).toBe(`T <${source.url}a.html>`);
  await source.publish(60, { 'a.html': page('heron', 'b'), 'b.html': undefined, 'c.html': page('tide') });
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining('1 pages indexed, 2 in') });
  expect(await find('lamp')).toBe('No page has these words.');
  await source.publish(120, { 'c.html': page('tide', 'a', 'Home, News') });
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining('0 pages indexed, 2 in') });
  expect(await find('tide')).toBe(`T <${source.url}c.html>`);
  const idle = await run();
  expect(idle).toMatchObject({ status: 0, stderr: '', stdout: expect.not.stringContaining('indexed') });
  expect([has('changes.ndjson'), has('taken.ndjson')]).toEqual([false, false]);
});

// docs/index-a-site.md: "Lines that were not taken stay."
test('what the index did not take, it gets again, and then what came since', async () => {
  const { source, run, find, has } = await startIndexing();
  expect((await run({ INDEX: 'no/such/folder' })).status).not.toBe(0);
  await source.publish(60, { 'c.html': page('tide') });
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining('2 pages indexed') });
  expect([has('changes.ndjson'), has('taken.ndjson')]).toEqual([true, false]);
  expect(await run()).toMatchObject({ status: 0, stdout: expect.stringContaining('1 pages indexed, 3 in') });
  expect(await find('tide')).toBe(`T <${source.url}c.html>`);
});

// docs/index-a-site.md: "No half line."
test.each([
  ['half a line of ours', '{"change":"created","uri":"https://a/', ''],
  ['its first characters', '{"cha', ''],
  [
    'half a line behind a whole one',
    '{"change":"deleted","uri":"x"}\n{"change":"up',
    '{"change":"deleted","uri":"x"}\n',
  ],
  ['what somebody else wrote', 'a note', 'a note'],
])('a file that ends with %s', async (_, before, stays) => {
  const source = await startSource();
  await source.publish(0, { 'a.txt': 'a' });
  const changes = join(makeFolder(), 'changes');
  appendFileSync(changes, before);
  await copy(source.url, makeFolder(), { changes });
  const text = readFileSync(changes, 'utf8');
  expect(text.startsWith(stays)).toBe(true);
  expect(text.slice(stays.length)).toMatch(/^\{"change":"created".*\}\n$/);
});
