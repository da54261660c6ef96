/** A run over rows that is killed at any step leaves documents and a state from which the same run goes on. */

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from '../support/documents.js';
import { BUCKET_URL } from '../support/rows.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, makeSite, readTree, runCli } from '../support/site.js';

const FIRST = 'key,length,modified\na,1,2026-11-01T00:00:00Z\nb,1,2026-11-01T00:00:00Z\n';
const SECOND = 'key,length,modified\nb,2,2026-11-02T00:00:00Z\nc,1,2026-11-02T00:00:00Z\n';

function describeDay(cwd: string, args: readonly string[], env = {}) {
  const all = ['--url', BUCKET_URL, '--into', 'lists', '--state', 'state', '--quiet', ...args];
  return runCli(all, { cwd, env });
}

test('a run that is killed can be run again, and publishes the same', async () => {
  const folder = makeSite({ 'first.csv': FIRST, 'second.csv': SECOND });
  expect((await describeDay(folder, ['--rows', 'first.csv'])).stderr).toBe('');
  const copy = () => {
    const to = makeFolder();
    cpSync(folder, to, { recursive: true });
    return to;
  };
  const second = ['--rows', 'second.csv', '--before', 'first.csv'];
  const done = copy();
  expect((await describeDay(done, second)).stderr).toBe('');
  const expected = readTree(done);
  const states = [folder, done].map((one) => readFileSync(join(one, 'state'), 'utf8'));

  let step = 1;
  for (let isKilled = true; isKilled; step += stride(5)) {
    const killed = copy();
    isKilled = (await describeDay(killed, second, killAtStep(step))).status !== 0;
    expect(readSource(join(killed, 'lists'), BUCKET_URL).sets[0]?.resources).toHaveLength(2);
    expect(states).toContain(readFileSync(join(killed, 'state'), 'utf8'));
    expect((await describeDay(killed, second)).stderr).toBe('');
    expect(readTree(killed)).toEqual(expected);
  }
  expect(step).toBeGreaterThan(10);
});
