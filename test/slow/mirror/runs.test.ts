/** Runs that meet on one folder, and runs that follow each other in one process. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { makeFolder, runCli } from '../../support/site.js';
import { startWatch } from '../../support/watch.js';

const FIRST = { 'index.html': 'home', 'a/index.html': 'a', 'a/b.html': 'b', 'caf\u00e9.txt': 'c' };

// docs/mirror.md: "a run waits for the one before"
test('runs that begin at once wait for each other: each file is fetched once, and told once', async () => {
  const source = await startSource();
  await source.publish(0, FIRST);
  const folder = makeFolder();
  const changes = join(makeFolder(), 'changes.ndjson');
  const all = await Promise.all(
    [1, 2, 3].map(() => runCli(['mirror', source.url, folder, '--changes', changes])),
  );
  expect(all.map(({ status }) => status)).toEqual([0, 0, 0]);
  expect(readCopy(folder)).toEqual(source.listed());
  const files = source.asked.filter((path) => !/resourcesync|robots/.test(path));
  expect(files.sort()).toEqual(['/', '/a/', '/a/b.html', '/caf\u00e9.txt']);
  expect(readFileSync(changes, 'utf8').trim().split('\n')).toHaveLength(4);
});

// docs/mirror.md: "The environment variable hides it from other users of the machine".
test('runs go on with --every, and send the header of the environment', async () => {
  const seen = new Set<string | undefined>();
  const source = await startSource({}, (_, __, request) => {
    seen.add(request.headers['x-token'] as string | undefined);
    return false;
  });
  await source.publish(0, { 'a.txt': 'a' });
  const [folder, changes] = [makeFolder(), join(makeFolder(), 'changes')];
  const runs = startWatch([source.url, folder, '--every', '200ms', '--json', '--changes', changes], {
    verb: 'mirror',
    env: { RESYNC_HEADER: 'X-Token: secret' },
  });
  await runs.next();
  await source.publish(60, { 'b.txt': 'b' });
  await runs.until(() => existsSync(join(folder, 'b.txt')));
  const { status, stdout } = await runs.end();
  expect(status).toBe(0);
  const reports = stdout.split('\n').map((line) => JSON.parse(line));
  expect(reports.length).toBeGreaterThanOrEqual(2);
  expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(2);
  expect(readFileSync(changes, 'utf8').trim().split('\n')).toHaveLength(2);
  expect([...seen]).toEqual(['secret']);
  expect(stdout).not.toContain('secret');
});

// docs/copies.md: "With `--every` and `--follow`, the bounds are those of each run."
test('many runs may receive more than one may', async () => {
  const source = await startSource();
  const folder = makeFolder();
  await source.publish(0, { 'a.bin': '0'.repeat(60_000) });
  const runs = startWatch([source.url, folder, '--every', '200ms', '--max-bytes', '100kB', '--json'], {
    verb: 'mirror',
  });
  const file = join(folder, 'a.bin');
  const holds = (edit: number) => existsSync(file) && readFileSync(file, 'latin1').startsWith(`${edit}`);
  for (let edit = 1; edit < 5; edit++) {
    await runs.until(() => holds(edit - 1));
    await source.publish(60 * edit, { 'a.bin': `${edit}`.repeat(60_000) });
  }
  await runs.until(() => holds(4));
  expect(await runs.end()).toMatchObject({ status: 0, stdout: expect.not.stringContaining('bound-reached') });
  const least = copy(source.url, makeFolder(), { maxBytes: 50_000 });
  await expect(least).rejects.toMatchObject({ code: 'bound-reached' });
});
