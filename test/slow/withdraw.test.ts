/** Taking something down: not a byte of it stays below `resourcesync/`, and what happened is still told. */

import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import type { Report } from '../../src/describe/report.js';
import { audit } from '../../src/index.js';
import { describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { entriesOf, parseXml, readSource } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite } from '../support/site.js';
import { checkLinked, listVersionFiles, readInventory, readLinked, serveAll } from '../support/versions.js';
import { findText } from '../support/withdrawn.js';

const SECRET = 'xyzzy';
const EVERYTHING: Partial<UserConfig> = { versions: true, dumps: true, page: true, feed: { limit: 3 } };

/** What changes tell, without what they lead to. */
const factsOf = (site: string, url: string) =>
  readLinked(site, url).map(({ uri, md }) => JSON.stringify([uri, md]));

const codesOf = ({ notices }: Report) => notices.map(({ code }) => code);

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

test('with snapshots, from the run on that withdraws', async () => {
  const site = makeSite({ 'index.html': 'home', 'a.txt': 'a' }, join(makeRepository(), 'site'));
  const config = { site, history: 'snapshots', record: true, ...EVERYTHING };
  await describeAt(0, config);
  makeSite({ 'a.txt': SECRET }, site);
  await describeAt(100, config);
  makeSite({ 'a.txt': 'b' }, site);
  await describeAt(200, { ...config, withdraw: ['a.*'] });
  expect(await findText(site, SECRET)).toEqual([]);
});

test('where the live site keeps the history, nothing is carried on of it', async () => {
  const host = await startHost(makeFolder());
  const publish = async (step: number, more: Partial<UserConfig> = {}) => {
    const files: Record<string, string> = {};
    for (const state of STATES.slice(0, step + 1)) {
      for (const [path, text] of Object.entries(state)) {
        if (text === undefined) delete files[path];
        else files[path] = text;
      }
    }
    const site = makeSite(files);
    const config = {
      url: host.url,
      site,
      history: 'published',
      urls: 'file' as const,
      ...EVERYTHING,
      versions: false,
    };
    const report = await describeAt(step * 86_400, { ...config, changes: { period: 'day' }, ...more });
    host.folder = site;
    return { site, report };
  };
  for (let step = 0; step < 4; step++) await publish(step);
  expect((await findText(host.folder, SECRET)).length).toBeGreaterThan(6);
  const { site: before } = await publish(4);
  const facts = factsOf(before, host.url);
  expect((await findText(before, SECRET)).length).toBeGreaterThan(4);
  const { site, report } = await publish(5, { withdraw: ['staff/**'] });
  expect(await findText(site, SECRET)).toEqual([]);
  expect(factsOf(site, host.url).slice(0, facts.length)).toEqual(facts);
  expect(codesOf(report)).toEqual(expect.arrayContaining(['withdrawn', 'change-dump-shortened']));
  // It is not known any more, so it does not come back.
  const { site: after } = await publish(5);
  expect(await findText(after, SECRET)).toEqual([]);
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

test('a URL of another site is a mistake', async () => {
  const config = { site: makeSite({ 'index.html': 'a' }), withdraw: ['https://elsewhere.example/a'] };
  await expect((async () => describeAt(0, config))()).rejects.toThrow(/not below https:\/\/example\.org\//);
});
