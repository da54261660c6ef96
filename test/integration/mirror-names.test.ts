/** A name that leads to a public address at first, and to a private one later: in another run, and within one. */

import { expect, test } from 'vitest';
import { describe } from '../../src/index.js';
import { CLI, makeFolder, makeSite, requireProgram, runProgram } from '../support/site.js';

const program = new URL('./programs/changing-names.mjs', import.meta.url).pathname;

test.runIf(process.platform === 'linux')('a name does not lead a mirror inside later', async () => {
  const unshare = requireProgram('unshare', 'util-linux');
  requireProgram('ip', 'iproute2');
  const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await describe({ site, url: 'http://site.example:8080/', history: 'none' });
  const namespaces = ['--user', '--map-root-user', '--net', '--mount'];
  const { stdout, stderr, status } = await runProgram(unshare, [
    ...namespaces,
    process.execPath,
    program,
    CLI,
    site,
    makeFolder(),
  ]);
  expect({ stderr, status }).toMatchObject({ status: 0 });
  const { alwaysPrivate, first, later, again, meanwhile } = JSON.parse(stdout);
  expect(alwaysPrivate).toMatchObject({ status: 0, told: { created: 3 }, reached: ['127.0.0.1'] });
  const inSync = { status: 0, told: { inSync: true }, reached: ['93.184.216.34'] };
  expect(first).toMatchObject({ ...inSync, told: { created: 3 } });
  const refused = { status: 1, told: { error: { code: 'source-unreadable' } } };
  expect(later).toMatchObject({ ...refused, reached: [] });
  expect(again).toMatchObject({ ...inSync, told: { unchanged: 3 } });
  // The lists and one file came from outside, before the name led inside.
  expect(meanwhile).toMatchObject({ ...refused, reached: ['93.184.216.34'] });
  for (const { told } of [later, meanwhile])
    expect(told.error.message).toMatch(/127\.0\.0\.1, which is not public/);
});
