/** Other options than before decide what is listed: no change tells of that, so no Destination may go by changes alone. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/config/resolve.js';
import { record, type UserConfig } from '../../src/index.js';
import {
  datetimeAt,
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellMoments,
  tellResources,
} from '../support/changes.js';
import { linkOf, readSource } from '../support/documents.js';
import { BEGIN, commitAll, gitText } from '../support/git.js';
import { copy, readCopy } from '../support/mirror.js';
import { REF } from '../support/record.js';
import { serve } from '../support/server.js';
import { makeFolder } from '../support/site.js';
import { followList, startPublishing } from './published-options.js';

const fingerprintOf = (site: string, set = 0) => {
  const list = readSource(site, SITE_URL).sets[set]?.capabilityList;
  return list && linkOf(list, 'urn:resync-static:listing');
};

test('snapshots say by which options they were listed, also where record keeps what was deployed', async () => {
  const { site, repository, publish } = startPublishing('snapshots');
  await publish(0, {}, { record: false });
  const ask = { site, url: SITE_URL };
  await record(ask);
  await publish(1000, {}, { record: false, exclude: ['terms.txt'] });
  expect(tellMoments(site)).toEqual({ at: '+1000', from: '+1000' });
  const documents = readDocuments(site);
  expect(await record({ ...ask, exclude: ['terms.txt'] })).toMatchObject({ recorded: true });
  const message = gitText(repository, 'log', '-1', '--format=%B', REF).trimEnd();
  expect(message).toBe(`Publication\n\nListing: ${fingerprintOf(site)}`);
  await publish(2000, {}, { record: false, exclude: ['terms.txt'] });
  expect(readDocuments(site)).toEqual(documents);
});

test('globs that stand in another order, or twice, are the same options', async () => {
  const fingerprint = (config: Partial<UserConfig>) =>
    resolveConfig({ site: '.', url: SITE_URL, ...config }).sets.map(({ listing }) => listing);
  const one = fingerprint({ exclude: ['a', 'b'], include: ['.c', '404.html'] });
  expect(fingerprint({ include: ['404.html', '.c'], exclude: ['b', 'a', 'b'] })).toEqual(one);
  // Options that do not decide which URLs are listed do not count.
  expect(
    fingerprint({ ...{ exclude: ['a', 'b'], include: ['.c', '404.html'] }, dumps: true, pageLinks: true }),
  ).toEqual(one);
  expect(fingerprint({ exclude: ['a'], include: ['b', '.c', '404.html'] })).not.toEqual(one);
  expect(fingerprint({ url: 'https://example.org/docs/' })).not.toEqual(fingerprint({}));
  const sets = [
    { name: 'a', include: ['**'] },
    { name: 'b', exclude: ['x'] },
  ];
  const [a, b] = fingerprint({ sets });
  expect(a).not.toBe(b);
  expect(fingerprint({ sets: sets.toReversed() })).toEqual([b, a]);
});

test('of several sets, only the one begins anew whose options are others', async () => {
  const { site, publish } = startPublishing('committed');
  const sets = (include: string[]) => ({
    sets: [
      { name: 'pages', include: ['*.html'] },
      { name: 'rest', include },
    ],
  });
  const both = [['*.txt'], ['*.txt'], ['*.txt', '*.xml'], ['*.txt', '*.xml']];
  for (const [index, include] of both.entries())
    await publish(1000 * index, { 'index.html': `${index}`, 'terms.txt': `${index}` }, sets(include));
  expect([0, 1].map((set) => tellMoments(site, set))).toEqual([
    { at: '+3000', from: '+0' },
    { at: '+3000', from: '+2000' },
  ]);
  expect(tellChanges(site, 0).map((line) => line.slice(0, 15))).toEqual([
    '+1000 updated /',
    '+2000 updated /',
    '+3000 updated /',
  ]);
  expect(tellChanges(site, 1)).toHaveLength(1);
});

test('a Capability List without a fingerprint counts as one by the same options', async () => {
  const { site, repository, publish } = startPublishing('committed');
  await describeAt(0, { site, history: 'none' });
  const file = join(site, 'resourcesync/capabilitylist.xml');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/<rs:ln rel="urn:[^>]*>/, ''));
  commitAll(repository, BEGIN);
  await publish(1000, { 'index.html': 'two' }, { exclude: ['terms.txt'] });
  expect(tellMoments(site)).toEqual({ at: '+1000', from: '+0' });
});

describe('where git cannot tell', () => {
  test('a mirror compares the whole list once', async () => {
    const config = { exclude: ['terms.txt'] };
    const served = makeFolder();
    const url = await serve(served);
    const { publish } = startPublishing('lists-apart', url, served);
    const folder = makeFolder();
    const reasons: (string | undefined)[] = [];
    for (const [index, options] of [{}, {}, config, config, {}].entries()) {
      await publish(1000 * index, { 'index.html': `${index}` }, options);
      const report = await copy(url, folder);
      expect(report.inSync).toBe(true);
      reasons.push(report.sets[0]?.way === 'changes' ? 'changes' : report.sets[0]?.reason);
      const listed = readSource(served, url).sets[0]?.resources.map(({ md }) => Number(md['length'])) ?? [];
      const sizes = Object.values(readCopy(folder)).map((text) => Buffer.byteLength(text));
      expect(sizes.sort()).toEqual(listed.sort());
    }
    expect(reasons).toEqual(['first', 'changes', 'options', 'changes', 'options']);
  });

  test('changes.since begins the list', async () => {
    const { site, served, publish } = startPublishing('lists-apart');
    await publish(0, {});
    await publish(1000, { 'terms.txt': 'two' });
    const before = followList(served, undefined);
    const config = { exclude: ['terms.txt'], changes: { since: datetimeAt(1500) } };
    await publish(2000, { 'b.html': 'two' }, config);
    expect(followList(served, before).way).toBe('list');
    expect(tellMoments(site)).toEqual({ at: '+2000', from: '+1500' });
    expect(tellChanges(site)).toEqual(['+2000 updated /b.html two']);
    expect(tellResources(site)).toContain('/ one +0');
    // Nothing was committed since: what is listed is of then, and the same in every run.
    await describeAt(9000, { site, history: 'HEAD:dist', ...config, changes: { since: datetimeAt(2500) } });
    expect(tellMoments(site)).toEqual({ at: '+2500', from: '+2500' });
    const documents = readDocuments(site);
    await describeAt(9999, { site, history: 'HEAD:dist', ...config, changes: { since: datetimeAt(2500) } });
    expect(readDocuments(site)).toEqual(documents);
  });

  test('changes.since of the future is refused', async () => {
    const { site } = startPublishing('lists-apart');
    await expect(describeAt(10, { site, changes: { since: datetimeAt(9999) } })).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(/^changes\.since must not be later than this run \([^)]*\), but is /),
    });
  });
});
