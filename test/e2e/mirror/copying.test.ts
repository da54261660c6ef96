/** A copy of a Source is what the Source lists, the first time and every time after. */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { makeFolder, readTree } from '../../support/site.js';

const FIRST = {
  'index.html': 'home',
  'a/index.html': 'a',
  'a/b.html': 'b',
  'data/x y.csv': '1,2',
  'caf\u00e9.txt': 'c',
};

/** A Source that was copied, and what copies it again. */
async function startCopied() {
  const source = await startSource();
  await source.publish(0, FIRST);
  const folder = makeFolder();
  const run = (more?: Parameters<typeof copy>[2]) => copy(source.url, folder, more);
  await run();
  return { source, folder, run };
}

// docs/mirror.md: "Later runs fetch only what changed."
test('the first run copies all, the next ones what changed', async () => {
  const source = await startSource();
  const { asked } = source;
  const folder = join(makeFolder(), 'new', 'copy');
  await source.publish(0, FIRST);
  const first = await copy(source.url, folder);
  expect(first).toMatchObject({
    inSync: true,
    created: 5,
    updated: 0,
    deleted: 0,
    unverified: 0,
    failed: [],
  });
  expect(first.sets).toMatchObject([{ way: 'list', reason: 'first' }]);
  expect(readCopy(folder)).toEqual(source.listed());

  asked.length = 0;
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 0, unchanged: 5 });
  expect(asked.filter((path) => !/resourcesync|robots/.test(path))).toEqual([]);
  expect(asked.length).toBeLessThan(5);

  await source.publish(60, { 'a/b.html': 'b2', 'a/c.html': 'c', 'data/x y.csv': undefined });
  asked.length = 0;
  const second = await copy(source.url, folder);
  expect(second).toMatchObject({ inSync: true, created: 1, updated: 1, deleted: 1, unchanged: 3 });
  expect(second.sets).toMatchObject([{ way: 'changes' }]);
  expect(asked.filter((path) => !/resourcesync|robots/.test(path)).sort()).toEqual([
    '/a/b.html',
    '/a/c.html',
  ]);
  expect(readCopy(folder)).toEqual(source.listed());
  expect(existsSync(join(folder, 'data'))).toBe(false);
  expect(Object.keys(readTree(folder)).filter((path) => /ready|journal|lock|staged/.test(path))).toEqual([]);
});

// docs/mirror.md: "`--changes <file>` appends a line of JSON for every file".
test('many runs, with every change in a file for the next program', async () => {
  const source = await startSource();
  const folder = makeFolder();
  const changes = join(makeFolder(), 'changes.ndjson');
  for (let step = 0; step < 7; step++) {
    await source.publish(step * 60, {
      'index.html': `${step}`,
      [`n/${step}.txt`]: `${step}`,
      ...(step > 3 && { [`n/${step - 3}.txt`]: undefined }),
    });
    expect(await copy(source.url, folder, { changes })).toMatchObject({ inSync: true });
  }
  expect(readCopy(folder)).toEqual(source.listed());
  const lines = readFileSync(changes, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ change }) => change === 'deleted')).toHaveLength(3);
  expect(lines.filter(({ path }) => path === 'index.html').map(({ change }) => change)).toEqual([
    'created',
    ...Array(6).fill('updated'),
  ]);
  expect(lines[0]).toEqual({
    change: 'created',
    uri: source.url,
    path: 'index.html',
    length: 1,
    hash: expect.stringMatching(/^sha-256:[\da-f]{64}$/),
    kind: 'text',
  });
});

// docs/copies.md: "Your own files stay." "The report names a file of yours that is in the way."
test('files that are there already are kept when they are right, and never overwritten when they are not', async () => {
  const source = await startSource();
  await source.publish(0, FIRST);
  const folder = makeFolder();
  write(folder, 'a/b.html', 'b');
  write(folder, 'index.html', 'mine');
  write(folder, 'mine.txt', 'mine');
  const report = await copy(source.url, folder);
  expect(report).toMatchObject({ inSync: false, created: 3 });
  expect(report.failed).toMatchObject([{ path: 'index.html', reason: 'in-the-way' }]);
  expect(readCopy(folder)).toEqual({ ...source.listed(), 'index.html': 'mine', 'mine.txt': 'mine' });
  rmSync(join(folder, 'index.html'));
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 1 });
  await source.publish(60, { 'a/b.html': undefined });
  expect(await copy(source.url, folder)).toMatchObject({ inSync: true, deleted: 1 });
  expect(readCopy(folder)).toEqual({ ...source.listed(), 'mine.txt': 'mine' });
});

// docs/copies.md: "If it is lost or damaged, the next run compares every file with the lists, and deletes nothing."
test('a memory that cannot be read deletes nothing', async () => {
  const { source, folder, run } = await startCopied();
  await source.publish(60, { 'a/b.html': undefined, 'a/c.html': 'c' });
  const [state = ''] = Object.keys(readTree(folder)).filter((path) => path.includes('state/base'));
  const text = readFileSync(join(folder, state), 'utf8');
  for (const damage of [
    text.slice(0, -9),
    text.split('\n').toSpliced(1, 1).join('\n'),
    text.replace(/"sha-256:/, '"'),
    text.replace('{"kind":"file"', '{"kind":"file'),
    'x',
    '',
    text.replace('"path":"a/b.html"', '"path":"../b.html"'),
    text.replace('"path":"a/b.html"', '"path":".resync-mirror/x"'),
  ]) {
    writeFileSync(join(folder, state), damage);
    expect(await run()).toMatchObject({ inSync: true, deleted: 0 });
    expect(readCopy(folder)).toEqual({ ...source.listed(), 'a/b.html': 'b' });
    for (const path of Object.keys(readTree(folder)))
      if (path.includes('/state/')) rmSync(join(folder, path));
  }
});

// docs/copies.md: "A site that suddenly shrinks deletes nothing."
test('an emptied Source deletes nothing past the limit', async () => {
  const { source, folder, run } = await startCopied();
  await source.publish(60, { 'a/index.html': undefined, 'a/b.html': undefined, 'data/x y.csv': undefined });
  const stopped = await run();
  expect(stopped).toMatchObject({ inSync: false, stopped: true, deleted: 0, held: 3 });
  expect(Object.keys(readCopy(folder))).toHaveLength(5);
  expect(await run()).toMatchObject({ stopped: true, held: 3 });
  expect(await run({ maxDelete: 0 })).toMatchObject({ stopped: true, held: 3 });
  expect(await run({ maxDelete: 3 })).toMatchObject({
    inSync: true,
    deleted: 3,
    held: 0,
  });
  expect(readCopy(folder)).toEqual(source.listed());
});

test('a dry run tells what would be done, and writes nothing', async () => {
  const source = await startSource();
  await source.publish(0, FIRST);
  const folder = join(makeFolder(), 'copy');
  expect(await copy(source.url, folder, { dryRun: true })).toMatchObject({
    inSync: false,
    created: 5,
    dryRun: true,
  });
  expect(existsSync(folder)).toBe(false);
  await copy(source.url, folder);
  expect(await copy(source.url, folder, { dryRun: true })).toMatchObject({ inSync: true });
  const before = readTree(folder);
  await source.publish(60, { 'a/b.html': 'b2', 'a/c.html': 'c', 'data/x y.csv': undefined });
  expect(await copy(source.url, folder, { dryRun: true })).toMatchObject({
    created: 1,
    updated: 1,
    deleted: 1,
  });
  expect(readTree(folder)).toEqual(before);
});

// docs/copies.md: "Later damage to the copy is found only with `--verify`".
test('damaged files are found and mended', async () => {
  const { source, folder, run } = await startCopied();
  write(folder, 'a/b.html', 'B');
  rmSync(join(folder, 'index.html'));
  expect(await run()).toMatchObject({ inSync: true, updated: 0 });
  expect(await run({ verify: true })).toMatchObject({
    inSync: true,
    updated: 2,
    unchanged: 3,
  });
  expect(readCopy(folder)).toEqual(source.listed());
});

test('a folder is the copy of one Source', async () => {
  const [one, other] = [await startSource(), await startSource()];
  await one.publish(0, FIRST);
  await other.publish(0, FIRST);
  const folder = makeFolder();
  await copy(one.url, folder);
  await expect(copy(other.url, folder)).rejects.toMatchObject({ code: 'config-invalid' });
});
