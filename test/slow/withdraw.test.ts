/** Taking something down: not a byte of it stays below `resourcesync/`, and what happened is still told. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { entriesOf, parseXml, readSource } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { makeSite } from '../support/site.js';
import { checkLinked, listVersionFiles, readInventory, readLinked, serveAll } from '../support/versions.js';
import { findText } from '../support/withdrawn.js';

const SECRET = 'xyzzy';
const EVERYTHING: Partial<UserConfig> = { versions: true, dumps: true, page: true, feed: { limit: 3 } };

/** The attributes of changes, without their links. */
const factsOf = (site: string, url: string) =>
  readLinked(site, url).map(({ uri, md }) => JSON.stringify([uri, md]));

/** States of a site: a page and a file that are to be forgotten, among others. */
const STATES: readonly Readonly<Record<string, string | undefined>>[] = [
  { 'index.html': pageOf('Home', 'home'), 'other.txt': 'other' },
  { 'staff/index.html': pageOf(`Staff ${SECRET}`, SECRET), 'staff/pay.json': `{"${SECRET}":1}` },
  { 'other.txt': 'another' },
  { 'staff/index.html': pageOf(`Staff ${SECRET}`, `more ${SECRET}`), 'staff/pay.json': `{"${SECRET}":2}` },
  { 'staff/index.html': undefined, 'staff/pay.json': undefined },
  { 'other.txt': 'the last', 'last.txt': 'last' },
];

test.each([
  ['globs', ['staff/**']],
  ['URLs', [`${SITE_URL}staff/`, `${SITE_URL}staff/pay.json`]],
])('with git, what %s name is gone, and its facts stay', async (_, withdraw) => {
  const repository = makeRepository();
  const site = join(repository, 'site');
  for (const [step, files] of STATES.entries()) {
    const named = Object.entries(files).map(([path, text]) => [`site/${path}`, text]);
    commitFiles(repository, step * 100, Object.fromEntries(named));
  }
  const config = { site, history: 'HEAD:site', ...EVERYTHING };
  await describeAt(1000, config);
  const before = readDocuments(site);
  const facts = factsOf(site, SITE_URL);
  expect((await findText(site, SECRET)).length).toBeGreaterThan(6);

  const report = await describeAt(1000, { ...config, withdraw: [...withdraw] });
  expect(await findText(site, SECRET)).toEqual([]);
  expect(factsOf(site, SITE_URL)).toEqual(facts);
  const told = readLinked(site, SITE_URL);
  expect(told.filter(({ uri }) => uri.includes('staff') && !uri.includes('resourcesync'))).toHaveLength(6);
  for (const { uri, memento } of told) if (uri.includes('staff')) expect(memento).toBeUndefined();
  expect(checkLinked(told, serveAll(site, SITE_URL))).toBe(3);
  expect(readInventory(site)).toEqual(listVersionFiles(site));
  expect(report.notices).toContainEqual(expect.objectContaining({ code: 'withdrawn', changes: 4 }));
  expect(report.notices).toContainEqual(
    expect.objectContaining({ code: 'change-dump-shortened', reason: 'withdrawn' }),
  );
  const { findings } = await audit({ source: site, url: SITE_URL });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect((await describeAt(1000, { ...config, withdraw: [...withdraw] })).removed).toEqual([]);
  // A run that names it no longer publishes all bytes again.
  await describeAt(1000, config);
  expect(readDocuments(site)).toEqual(before);
});

test('without a history, it is not packed, and it is told that it is still there', async () => {
  const site = makeSite({ 'index.html': 'home', 'a.txt': SECRET, 'b.txt': 'b' });
  const config: Partial<UserConfig> = { site, history: 'none', dumps: true };
  await describeAt(0, config);
  const report = await describeAt(0, { ...config, withdraw: ['a.txt', 'c.txt'] });
  expect(await findText(site, SECRET)).toEqual([]);
  expect(report.notices).toContainEqual(
    expect.objectContaining({ code: 'withdrawn-but-present', count: 1, example: `${SITE_URL}a.txt` }),
  );
  expect(report.notices).toContainEqual(
    expect.objectContaining({ code: 'withdraw-without-effect', name: 'c.txt' }),
  );
  const [set] = readSource(site, SITE_URL).sets;
  expect(set?.resources.map(({ uri }) => uri)).toContain(`${SITE_URL}a.txt`);
  const [packed] = set?.resourceDump.entries ?? [];
  const manifest = readDocuments(site)[packed?.uri.replace(SITE_URL, '').replace('.zip', '.xml') ?? ''] ?? '';
  expect(entriesOf(parseXml(manifest)).map(({ uri }) => uri)).toEqual([SITE_URL, `${SITE_URL}b.txt`]);
});
