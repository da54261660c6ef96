/** Taking something down: not a byte of it stays below `resourcesync/`, and what happened is still told. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Notice } from '../../src/base/notices.js';
import { formatNotice } from '../../src/cli/words/notices.js';
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

/** What the notice says of what came back. */
const returnedOf = ({ notices }: Report) => notices.filter(({ code }) => code === 'withdrawn-before');

function commitStates(repository: string, folder = 'site/'): void {
  for (const [step, files] of STATES.entries()) {
    const named = Object.entries(files).map(([path, text]) => [`${folder}${path}`, text]);
    commitFiles(repository, step * 100, Object.fromEntries(named));
  }
}

const PAY = `${SITE_URL}staff/pay.json`;
const STAFF = `${SITE_URL}staff/`;

test.each<[string, Partial<UserConfig>, object]>([
  ['versions', { versions: true }, { changes: 4, files: 2, examples: [STAFF, PAY] }],
  ['archived versions', { versions: true, archives: { period: 'day' } }, { changes: 4, files: 2 }],
  // A package holds all of a publication.
  ['packages', { dumps: true }, { changes: 5, files: 3, examples: [STAFF, PAY, `${SITE_URL}other.txt`] }],
  ['both', { versions: true, dumps: true }, { changes: 4, files: 2, examples: [STAFF, PAY] }],
])('a run that names it no longer gives all bytes back, and says so: %s', async (_, options, told) => {
  const repository = makeRepository();
  const site = join(repository, 'site');
  commitStates(repository);
  const config = { site, history: 'HEAD:site', ...options };
  const first = await describeAt(1000, config);
  const before = readDocuments(site);
  const withdrawn = await describeAt(2000, { ...config, withdraw: ['staff/**'] });
  expect(await findText(site, SECRET)).toEqual([]);

  const after = await describeAt(3000, config);
  expect(readDocuments(site)).toEqual(before);
  expect(returnedOf(after)).toEqual([
    expect.objectContaining({ code: 'withdrawn-before', severity: 'warning', ...told }),
  ]);
  expect([first, withdrawn, await describeAt(4000, config)].flatMap(returnedOf)).toEqual([]);
});

test('what is named still is not told of, and as many are named as fit into a line', async () => {
  const repository = makeRepository();
  const site = join(repository, 'site');
  const names = ['a', 'b', 'c', 'd', 'e'].map((name) => `site/${name}.txt`);
  commitFiles(repository, 0, { 'site/index.html': 'home' });
  commitFiles(repository, 100, Object.fromEntries(names.map((name) => [name, name])));
  commitFiles(repository, 200, {
    'site/index.html': 'new',
    ...Object.fromEntries(names.map((name) => [name, undefined])),
  });
  const config = { site, history: 'HEAD:site', versions: true };
  await describeAt(1000, { ...config, withdraw: ['*.txt'] });
  const [notice] = returnedOf(await describeAt(2000, { ...config, withdraw: ['c.txt'] }));
  const examples = ['a', 'b', 'd'].map((name) => `${SITE_URL}${name}.txt`);
  expect(notice).toMatchObject({ changes: 4, files: 4, examples });
  const line = `${formatNotice(notice as Notice)}`;
  expect(line).toContain(`of ${examples.join(', ')} and 1 more. If they were withdrawn`);
});

test('where documents are committed, an empty folder knows of the publication before', async () => {
  const repository = makeRepository();
  commitStates(repository, '');
  const build = () =>
    makeSite(
      { 'index.html': pageOf('Home', 'home'), 'other.txt': 'the last', 'last.txt': 'last' },
      join(repository, 'out'),
    );
  const describeBranch = async (seconds: number, more: Partial<UserConfig>) => {
    rmSync(join(repository, 'out'), { recursive: true, force: true });
    const site = build();
    const report = await describeAt(seconds, { site, history: 'main', versions: true, dumps: true, ...more });
    const files = Object.entries(readDocuments(site)).filter(([path]) => !path.endsWith('.zip'));
    commitFiles(repository, seconds, Object.fromEntries(files));
    return report;
  };
  await describeBranch(1000, { withdraw: ['staff/**'] });
  expect(returnedOf(await describeBranch(2000, {}))).toMatchObject([{ changes: 4, examples: [STAFF, PAY] }]);
  expect(returnedOf(await describeBranch(3000, {}))).toEqual([]);
});

test('a URL of another site is a mistake', async () => {
  const config = { site: makeSite({ 'index.html': 'a' }), withdraw: ['https://elsewhere.example/a'] };
  await expect((async () => describeAt(0, config))()).rejects.toThrow(/not below https:\/\/example\.org\//);
});
