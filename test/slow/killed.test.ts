/** A run that is killed leaves whole documents, packages, versions and pages, and the next run does the rest. */

import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/index.js';
import { openDumps } from '../support/dumps.js';
import { BEGIN, commitFiles, makeRepository } from '../support/git.js';
import { stride } from '../support/seed.js';
import { configured, killAtStep, makeFolder, makeSite, readTree, runCli } from '../support/site.js';
import { checkLinked, listVersionFiles, readInventory, readLinked, serveAll } from '../support/versions.js';
import { CONFIGS, expectDone, SITE_URL } from './publishing.js';

const rows = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => ({ id })));
const RICH = { versions: true, dumps: { maxEntries: 2 } } as const;
const PUBLICATION = { 'dist/a.html': 'three', 'dist/b.json': rows(42), 'dist/c/d.html': 'new' };

type Options = Partial<UserConfig>;

describe('a run that is killed', () => {
  test.each<[what: string, before: Options, after: Options, files?: Readonly<Record<string, string>>]>([
    ['sets come and go', CONFIGS['three sets'], CONFIGS['two sets, one of them new']],
    ['a publication comes, with versions and packages', RICH, RICH, PUBLICATION],
    ['something is withdrawn', RICH, { ...RICH, withdraw: ['a.html'] }],
    ['versions and packages end', RICH, {}],
  ])('before any one of its steps leaves whole documents, and the next run clears up: %s', async (...row) => {
    const [, before, after, files] = row;
    const origin = makeRepository();
    commitFiles(origin, 0, { 'dist/index.html': 'one', 'dist/a.html': 'one', 'dist/b.json': rows(40) });
    commitFiles(origin, 100, { 'dist/a.html': 'two', 'dist/b.json': rows(41), 'dist/c.txt': 'c' });
    const run = (cwd: string, more = {}) =>
      runCli(['dist', '--url', SITE_URL, '--history', 'HEAD:dist', '--config', 'options.json'], {
        cwd,
        env: { SOURCE_DATE_EPOCH: `${BEGIN + 1000}`, ...more },
      });
    const place = (options: Options) => makeSite({ 'options.json': JSON.stringify(options) }, origin);
    const copyOrigin = () => {
      const copy = makeFolder();
      cpSync(origin, copy, { recursive: true });
      return copy;
    };
    place(before);
    expectDone(await run(origin));
    if (files !== undefined) commitFiles(origin, 200, files);
    place(after);
    const done = copyOrigin();
    expectDone(await run(done));
    const expected = readTree(join(done, 'dist'));

    let steps = 0;
    let finished = false;
    const killAt = async (step: number) => {
      const cwd = copyOrigin();
      const site = join(cwd, 'dist');
      const killed = await run(cwd, killAtStep(step));
      if (killed.status === 0) finished = true;
      else {
        // Windows has no signals, only a status.
        expect(killed.stderr).toBe('');
        steps = Math.max(steps, step);
      }
      await openDumps(site);
      checkLinked(readLinked(site, SITE_URL), serveAll(site, SITE_URL));
      // Every version is known to be ours, so that the next run may remove it.
      const listed = Object.keys(readInventory(site));
      expect(listed).toEqual(expect.arrayContaining(Object.keys(listVersionFiles(site))));
      const next = await run(cwd);
      expectDone(next);
      expect(next.stderr).not.toContain('Waiting');
      expect(readTree(site)).toEqual(expected);
      expect(existsSync(join(site, '.resync-static'))).toBe(false);
      rmSync(cwd, { recursive: true });
    };
    const by = stride(19, 2);
    for (let step = 1; !finished; step += 4 * by) {
      await Promise.all([0, 1, 2, 3].map((turn) => killAt(step + turn * by)));
    }

    // Documents are opened, written and moved; fewer steps would mean that some are not seen.
    expect(steps).toBeGreaterThan(16);
  });
});

const PAGE = '<!doctype html><html><head><title>A</title></head><body>A</body></html>\n';

test('a run that edits pages leaves each whole, whenever it is killed, and the next run finishes', async () => {
  const files = { 'a.html': PAGE, 'b.html': PAGE, 'robots.txt': 'User-agent: *\n' };
  const options = ['--url', SITE_URL, '--robots', ...configured({ htmlLinks: true })];
  const env = { SOURCE_DATE_EPOCH: '1700000000' };
  const done = makeSite(files);
  await runCli([done, ...options], { env });
  const after = readTree(done);
  for (let step = 1; ; step += stride(3)) {
    const site = makeSite(files);
    const { signal } = await runCli([site, ...options], { env: { ...env, ...killAtStep(step) }, cwd: site });
    const left = readTree(site);
    for (const [path, content] of Object.entries(files)) {
      expect([content, after[path]], `${path} at step ${step}`).toContain(left[path]);
    }
    expect(signal).toBe('SIGKILL');
    expect(await runCli([site, ...options], { env })).toMatchObject({ status: 0 });
    expect(readTree(site)).toEqual(after);
    // Later steps only move documents into place.
    if (Object.keys(files).every((path) => left[path] === after[path])) break;
  }
});
