/** A machine with one core writes the documents that others write. */

import { describe, expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { makeHostileSite } from '../support/hostile.js';
import { describeManyPackages } from '../support/many-packages.js';
import { CLI, requireProgram, runProgram } from '../support/site.js';

const bind = () => [requireProgram('taskset', 'util-linux'), '-c', '0'];

async function describeHostile(before: readonly string[]) {
  const { site } = makeHostileSite();
  const [program = '', ...args] = [...before, process.execPath, CLI, site, '--url', 'https://example.org/'];
  const env = { SOURCE_DATE_EPOCH: '1700000000' };
  expect(await runProgram(program, args, { env })).toMatchObject({ status: 0 });
  return readDocuments(site);
}

// Other systems cannot bind a process to a core.
describe.runIf(process.platform === 'linux')('on one core as on several', () => {
  test('the documents are the same', async () => {
    expect(await describeHostile(bind())).toEqual(await describeHostile([]));
  });

  test('the packages are the same', async () => {
    expect(await describeManyPackages({}, bind())).toEqual(await describeManyPackages({}));
  });
});
