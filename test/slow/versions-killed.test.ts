/** A run with versions that is killed: what is linked is there, and what is not ours is never touched. */

import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SITE_URL } from '../support/changes.js';
import { BEGIN, commitFiles, makeRepository } from '../support/git.js';
import { stride } from '../support/seed.js';
import { killAtStep, makeFolder, makeSite, readTree, runCli } from '../support/site.js';
import { checkLinked, listVersionFiles, readInventory, readLinked, serveAll } from '../support/versions.js';

const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id })));
const ARGS = ['dist', '--url', SITE_URL, '--history', 'HEAD:dist', '--config', 'options.json'];

/** Every second step, and fewer in CI. */
const STRIDE = stride(15, 2);

const VERSIONS = { versions: true };
const PUBLICATION = { 'dist/a.html': 'three', 'dist/b.json': rows(42), 'dist/c/d.html': 'new' };

test.each([
  ['a publication comes', VERSIONS, VERSIONS, PUBLICATION],
  [
    'something is withdrawn',
    { versions: true, dumps: true },
    { versions: true, dumps: true, withdraw: ['a.html'] },
    undefined,
  ],
  ['versions begin', {}, VERSIONS, undefined],
  ['versions end', { versions: true }, {}, undefined],
] as const)('before one of its steps, while %s', async (_, before, after, files) => {
  const origin = makeRepository();
  commitFiles(origin, 0, { 'dist/index.html': 'one', 'dist/a.html': 'one', 'dist/b.json': rows(40) });
  commitFiles(origin, 100, { 'dist/a.html': 'two', 'dist/b.json': rows(41) });
  const env = { SOURCE_DATE_EPOCH: `${BEGIN + 1000}` };
  const place = (options: object) => makeSite({ 'options.json': JSON.stringify(options) }, origin);
  place(before);
  expect(await runCli(ARGS, { cwd: origin, env })).toMatchObject({ status: 0 });
  if (files !== undefined) commitFiles(origin, 200, files);
  place(after);
  const done = makeFolder();
  cpSync(origin, done, { recursive: true });
  expect(await runCli(ARGS, { cwd: done, env })).toMatchObject({ status: 0 });
  const expected = readTree(join(done, 'dist'));

  let steps = 0;
  let finished = false;
  const killAt = async (step: number) => {
    const cwd = makeFolder();
    cpSync(origin, cwd, { recursive: true });
    const site = join(cwd, 'dist');
    const killed = await runCli(ARGS, {
      cwd,
      env: { ...env, ...killAtStep(step) },
    });
    if (killed.status === 0) finished = true;
    else steps = Math.max(steps, step);
    checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL));
    // Every file of ours is known to be, so that the next run may remove it.
    const listed = readInventory(site);
    for (const path of Object.keys(listVersionFiles(site))) expect(Object.keys(listed)).toContain(path);
    expect(await runCli(ARGS, { cwd, env })).toMatchObject({ status: 0 });
    expect(readTree(site)).toEqual(expected);
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
    rmSync(cwd, { recursive: true });
  };
  for (let step = 1; !finished; step += 4 * STRIDE) {
    await Promise.all([0, 1, 2, 3].map((more) => killAt(step + more * STRIDE)));
  }
  expect(steps).toBeGreaterThan(16);
});
