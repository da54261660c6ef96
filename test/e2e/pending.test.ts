/** A pending state keeps its moment, and a run that finds nothing new writes nothing. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { datetimeAt, describeAt, tellChanges } from '../support/changes.js';
import { BEGIN, commitAll, makeRepository } from '../support/git.js';
import { findKept } from '../support/kept.js';
import { callCli, makeSite, readTree } from '../support/site.js';

const PAGES = { 'index.html': 'one', 'a & b.html': 'one', 'é/index.html': 'one' };

function makeProject(): { readonly repository: string; readonly site: string } {
  const repository = makeRepository();
  const site = join(repository, 'dist');
  makeSite(PAGES, site);
  return { repository, site };
}

/** Documents that have a moment, too: dumps, the page and the feed. */
const FULL: Partial<UserConfig> = {
  dumps: true,
  feed: true,
  page: true,
  sitemap: true,
  changefreq: { '**': 'daily' },
};

test('a state before the first publication keeps its moment until it changes', async () => {
  const { site } = makeProject();
  const first = await describeAt(0, { site });
  expect(first.publication).toMatchObject({ pending: true, place: 'snapshots' });
  expect(first.publication).not.toHaveProperty('newest');
  const tree = readTree(site);

  const second = await describeAt(60, { site });
  expect(second.at).toBe(datetimeAt(0));
  expect(second.documents.some(({ changed }) => changed)).toBe(false);
  expect(readTree(site)).toEqual(tree);

  makeSite({ 'index.html': 'two' }, site);
  expect((await describeAt(120, { site })).at).toBe(datetimeAt(120));
  expect((await describeAt(180, { site })).at).toBe(datetimeAt(120));
});

// docs/history.md: "With snapshots, a pending file keeps the time of the first run that listed it."
test('what differs from a snapshot keeps its moment, and is recorded with that of the run that records', async () => {
  const { site } = makeProject();
  const config = { site, ...FULL, sets: [{ name: 'some', include: ['é/**'] }, { name: 'all' }] };
  await describeAt(0, { ...config, record: true });
  const nothing = await describeAt(10, config);
  expect(nothing).toMatchObject({
    at: datetimeAt(0),
    publication: { pending: false, newest: datetimeAt(0) },
  });
  makeSite({ 'index.html': 'two' }, site);
  await describeAt(20, config);
  const tree = readTree(site);
  expect(await describeAt(30, config)).toMatchObject({
    at: datetimeAt(20),
    changes: { created: 0, updated: 1, deleted: 0 },
    publication: { pending: true, newest: datetimeAt(0) },
  });
  expect(readTree(site)).toEqual(tree);

  // A state that was deployed again is not pending, and is new when it comes back.
  makeSite({ 'index.html': 'one' }, site);
  expect(await describeAt(40, config)).toMatchObject({ at: datetimeAt(0), publication: { pending: false } });
  makeSite({ 'index.html': 'two' }, site);
  expect((await describeAt(50, config)).at).toBe(datetimeAt(50));
  expect((await describeAt(60, { ...config, record: true })).at).toBe(datetimeAt(60));
});

describe('where each build empties the folder', () => {
  /** A build that makes everything anew, so many seconds after the beginning. */
  const rebuild = (site: string, seconds: number, text: string, options: Partial<UserConfig> = {}) => {
    rmSync(site, { recursive: true });
    makeSite({ ...PAGES, 'index.html': text }, site);
    return describeAt(seconds, { site, ...options });
  };
  const recordOf = (site: string) => callCli(['record', site], { cwd: join(site, '..') });

  test('a state that was built again has the bytes that were deployed, and can be recorded', async () => {
    const { site } = makeProject();
    let seconds = 0;
    for (const text of ['one', 'two']) {
      const at = seconds + 10;
      expect((await rebuild(site, at, text, FULL)).at).toBe(datetimeAt(at));
      const deployed = readTree(site);
      expect((await rebuild(site, at + 10, text, FULL)).at).toBe(datetimeAt(at));
      expect(readTree(site)).toEqual(deployed);
      const { status, stdout, stderr } = await recordOf(site);
      expect(status, stderr).toBe(0);
      expect(stdout).toContain(datetimeAt(at));
      seconds = at + 40;
      expect(await rebuild(site, seconds, text, FULL)).toMatchObject({
        at: datetimeAt(at),
        publication: { pending: false },
      });
    }
    expect(tellChanges(site)).toEqual(['+60 updated / two']);
  });

  test('another state has another moment, and so has one that comes back', async () => {
    const { site } = makeProject();
    await rebuild(site, 10, 'one');
    expect((await rebuild(site, 20, 'two')).at).toBe(datetimeAt(20));
    expect((await rebuild(site, 30, 'one')).at).toBe(datetimeAt(30));
    await recordOf(site);
    expect((await rebuild(site, 40, 'two')).at).toBe(datetimeAt(40));
    // The deployed state is built again: nothing is pending any more.
    expect((await rebuild(site, 50, 'one')).at).toBe(datetimeAt(30));
    expect((await rebuild(site, 60, 'two')).at).toBe(datetimeAt(60));
    expect((await rebuild(site, 65, 'two')).at).toBe(datetimeAt(60));
    // A clock that goes back is not believed to be ahead.
    expect((await rebuild(site, 55, 'two')).at).toBe(datetimeAt(55));
  });

  test('what was left with anything else in it is not taken', async () => {
    const { repository, site } = makeProject();
    makeSite({ 'package.json': '{}', 'node_modules/a/index.js': '' }, repository);
    const others = [
      { state: '0'.repeat(64) },
      { site: '/' },
      { at: 'yesterday' },
      { at: '2999-01-01T00:00:00Z' },
      { format: 'resync-static pending 2' },
      { more: 1 },
    ];
    await rebuild(site, 10, 'one');
    for (const [index, other] of others.entries()) {
      const [file = ''] = findKept(repository);
      writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...other }));
      const seconds = 20 + index;
      expect((await rebuild(site, seconds, 'one')).at, JSON.stringify(other)).toBe(datetimeAt(seconds));
    }
  });
});

test('a moment is not kept past a publication', async () => {
  const { repository, site } = makeProject();
  await describeAt(350, { site });
  commitAll(repository, BEGIN + 400);
  makeSite({ 'index.html': 'two' }, site);
  expect((await describeAt(500, { site })).at).toBe(datetimeAt(500));
  expect((await describeAt(600, { site })).at).toBe(datetimeAt(500));
  expect(tellChanges(site)).toEqual([expect.stringMatching(/^\+500 updated/)]);
});
