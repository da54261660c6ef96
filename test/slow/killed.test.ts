import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describe as describeSite } from '../../src/index.js';
import { stride } from '../support/seed.js';
import { configured, killAtStep, makeFolder, makeSite, readTree, runCli } from '../support/site.js';
import {
  CONFIGS,
  type ConfigName,
  expectDone,
  HANGS,
  makeConfigs,
  readDocuments,
  SITE_URL,
} from './publishing.js';

describe('a run that is killed', () => {
  test.each<{ from: ConfigName; to: ConfigName; documents: number }>([
    { from: 'three sets', to: 'two sets, one of them new', documents: 5 },
    { from: 'two sets, one of them new', to: 'one set', documents: 3 },
    { from: 'one set', to: 'three sets', documents: 7 },
  ])(
    'before any one of its steps leaves whole documents, and the next run clears up ($from, then $to)',
    async ({ from, to, documents }) => {
      const configs = makeConfigs(makeFolder());
      const origin = makeSite({ 'index.html': 'home', 'a.txt': 'a', 'b/c.txt': 'c' });
      expectDone(await runCli([origin, '--config', configs[from]]));
      let steps = 0;
      let finished = false;

      const killAt = async (step: number) => {
        const site = makeFolder();
        cpSync(origin, site, { recursive: true });
        const killed = await runCli([site, '--config', configs[to]], { ...HANGS, env: killAtStep(step) });
        if (killed.status === 0) {
          finished = true;
        } else {
          // Windows has no signals, only a status.
          expect(killed.stderr).toBe('');
          steps = Math.max(steps, step);
          expect(readDocuments(site).size).toBeGreaterThanOrEqual(3);
        }
        await describeSite({ site, url: SITE_URL, ...CONFIGS[to] });
        expect(readDocuments(site).size).toBe(documents);
        const left = Object.keys(readTree(site)).filter((path) => /resourcesync|resync-static/.test(path));
        expect(left).toHaveLength(documents);
        expect(existsSync(join(site, '.resync-static'))).toBe(false);
        rmSync(site, { recursive: true });
      };
      const by = stride(5);
      for (let step = 1; !finished; step += 4 * by) {
        await Promise.all([0, 1, 2, 3].map((turn) => killAt(step + turn * by)));
      }

      // Every document is opened, written and moved; fewer steps would mean that some are not seen.
      expect(steps).toBeGreaterThan(3 * documents);
    },
  );
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
    // What comes then is publishing.
    if (Object.keys(files).every((path) => left[path] === after[path])) break;
  }
});
