/** Archives beside versions: what is archived leads to versions as what is listed today does, and what is withdrawn is in neither. */

import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { audit, type Report } from '../../src/index.js';
import { readArchived, readArchives } from '../support/archives.js';
import { datetimeAt, describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { pageOf } from '../support/people.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';
import { writeTree } from '../support/tree.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  serveAll,
  takeLinks,
} from '../support/versions.js';
import { findText } from '../support/withdrawn.js';

const DAY = 86_400;
const SECRET = 'xyzzy';

const indented = (value: unknown) => JSON.stringify(value, null, 2);
const LARGE = Array.from({ length: 200 }, (_, index) => `entry ${index}`);

/** A publication every other day. */
const STATES: readonly Readonly<Record<string, string | undefined>>[] = [
  { 'index.html': pageOf('Home', 'home'), 'data.json': indented([...LARGE, 0]), 'other.txt': 'other' },
  { 'staff/index.html': pageOf(`Staff ${SECRET}`, SECRET), 'staff/pay.json': indented([...LARGE, SECRET]) },
  { 'data.json': indented([...LARGE, 1]), 'staff/pay.json': indented([...LARGE, SECRET, SECRET]) },
  { 'staff/index.html': undefined, 'staff/pay.json': undefined },
  { 'data.json': indented([...LARGE, 2]), 'other.txt': 'another' },
  { 'other.txt': 'the last' },
];
const NOW = 2 * DAY * STATES.length;

function publish(): string {
  const repository = makeRepository();
  onTestFinished(() => rmSync(repository, { recursive: true }));
  for (const [step, files] of STATES.entries()) {
    const named = Object.entries(files).map(([path, text]) => [`site/${path}`, text]);
    commitFiles(repository, step * 2 * DAY, Object.fromEntries(named));
  }
  return join(repository, 'site');
}

/** Only the newest changes are listed; nearly all are archived alone. */
const CONFIG = {
  history: 'HEAD:site',
  changes: { window: 1 },
  archives: { period: 'day', dumps: true },
  versions: true,
  dumps: true,
} as const satisfies Partial<UserConfig>;

/** What the archives of a site name. */
function archivesAt(site: string, url: string) {
  const [set] = readSource(site, url).sets;
  return set === undefined ? {} : readArchives(site, url, set.capabilityList);
}

/** Every change that is archived, with its links. */
function readArchivedChanges(site: string, url = SITE_URL) {
  const archives = archivesAt(site, url);
  return (archives['changelist-archive'] ?? []).flatMap(({ entries }) => entries.map(takeLinks));
}

const errorsOf = async (site: string) => {
  const { findings } = await audit({ source: site, url: SITE_URL });
  return findings.filter(({ severity }) => severity === 'error');
};

test('what is archived leads to versions, which stay as long', async () => {
  const site = publish();
  await describeAt(NOW, { site, ...CONFIG });
  const changes = readArchivedChanges(site);
  const told = changes.map(({ md, uri, memento }) =>
    [md['change'], uri.slice(SITE_URL.length), memento && 'version'].filter(Boolean).join(' '),
  );
  expect(told).toEqual([
    'created staff/ version',
    'created staff/pay.json version',
    'updated data.json version',
    'updated staff/pay.json version',
    'deleted staff/',
    'deleted staff/pay.json',
    'updated data.json version',
    'updated other.txt version',
  ]);
  const listed = readLinked(site, SITE_URL);
  expect(listed.length).toBeLessThan(changes.length);
  const served = serveAll(site, SITE_URL);
  expect(checkLinked(changes, served)).toBe(6);
  expect(checkLinked(listed, served)).toBeGreaterThan(0);
  expect(
    served
      .get(`${SITE_URL}resourcesync/timemaps/data.json.txt`)
      ?.toString()
      .match(/memento"/g),
  ).toHaveLength(2);
  expect(readInventory(site)).toEqual(listVersionFiles(site));
  expect(await errorsOf(site)).toEqual([]);

  const timesOf = () =>
    Object.keys(readTree(site)).map((path) => `${path} ${statSync(join(site, path)).mtimeMs}`);
  const before = timesOf();
  expect((await describeAt(NOW + 100, { site, ...CONFIG })).notices).not.toContainEqual(
    expect.objectContaining({ code: 'archives-renamed' }),
  );
  expect(timesOf()).toEqual(before);

  // What is archived no longer has no version any more.
  await describeAt(NOW, { site, ...CONFIG, archives: { ...CONFIG.archives, keep: 3 } });
  const kept = readArchivedChanges(site);
  expect(kept.map(({ uri }) => uri.slice(SITE_URL.length))).toEqual(['data.json', 'other.txt']);
  expect(Object.keys(listVersionFiles(site)).some((path) => path.includes('staff'))).toBe(false);
  expect(checkLinked([...kept, ...readLinked(site, SITE_URL)], serveAll(site, SITE_URL))).toBeGreaterThan(2);

  await describeAt(NOW, { site, ...CONFIG, versions: false });
  expect(readArchivedChanges(site).filter(({ memento }) => memento)).toEqual([]);
  expect(listVersionFiles(site)).toEqual({});
});

test('what is withdrawn is in no archive, and its facts stay', async () => {
  const site = publish();
  await describeAt(NOW, { site, ...CONFIG });
  const facts = () => readArchivedChanges(site).map(({ uri, md }) => JSON.stringify([uri, md]));
  const before = facts();
  const found = await findText(site, SECRET);
  expect(found.filter((path) => path.includes('.zip!')).length).toBeGreaterThan(3);
  const withdraw = ['staff/**'];
  const report = await describeAt(NOW, { site, ...CONFIG, withdraw });
  expect(await findText(site, SECRET)).toEqual([]);
  expect(facts()).toEqual(before);
  const changes = readArchivedChanges(site);
  for (const { uri, memento } of changes) if (uri.includes('/staff/')) expect(memento).toBeUndefined();
  expect(checkLinked(changes, serveAll(site, SITE_URL))).toBe(3);
  expect(report.notices).toContainEqual(expect.objectContaining({ code: 'withdrawn', changes: 3 }));
  expect(await errorsOf(site)).toEqual([]);
  expect((await describeAt(NOW, { site, ...CONFIG, withdraw })).removed).toEqual([]);
  // The dumps of other moments are as they were.
  expect(
    Object.keys(readArchived(site)).filter((path) => path.includes('dump-archive')).length,
  ).toBeGreaterThan(3);
});

/** Deploys from fresh folders, one state after another; what `of` gives are the options of each. */
async function deployAll(
  of: (step: number) => Partial<UserConfig>,
  steps = STATES.length + 3,
  atEnd: (stop: () => void) => void = onTestFinished,
) {
  const host = await startHost(makeFolder(), atEnd);
  const named = new Map<string, string>();
  const reports: Report[] = [];
  let files: Record<string, string | undefined> = {};
  for (let step = 0; step < steps; step++) {
    files = { ...files, ...STATES[step], 'count.txt': `${step}` };
    const present = Object.entries(files).filter((file): file is [string, string] => file[1] !== undefined);
    const site = makeSite(Object.fromEntries(present));
    const config = { ...LIVE, ...of(step), site, url: host.url };
    reports.push(await describeAt(step * 2 * DAY, config));
    host.folder = site;
    const { findings } = await audit({ source: site, url: host.url, urls: 'file' });
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const served = serveAll(site, host.url, 'file');
    const changes = [...readArchivedChanges(site, host.url), ...readLinked(site, host.url)];
    checkLinked(changes, served);
    expect(readInventory(site)).toEqual(listVersionFiles(site));
    for (const [path, bytes] of Object.entries({ ...readArchived(site), ...listVersionFiles(site) })) {
      if (path.includes('/timemaps/')) continue;
      expect(named.get(path) ?? bytes, path).toBe(bytes);
      named.set(path, bytes);
    }
  }
  return { host, reports, config: { ...LIVE, url: host.url } };
}

const stops: (() => void)[] = [];
afterAll(() => {
  for (const stop of stops) stop();
});

/** All deploys with the same options, and what they left; made once. */
let deployed: Promise<Awaited<ReturnType<typeof deployAll>> & { tree: Record<string, string> }> | undefined;

/** The live site after all deploys, in a folder of the test's own. */
async function startDeployed() {
  deployed ??= deployAll(
    () => ({}),
    undefined,
    (stop) => void stops.push(stop),
  ).then((all) => ({ ...all, tree: readTree(all.host.folder) }));
  const { host, reports, config, tree } = await deployed;
  host.folder = writeTree(tree);
  return { host, reports, config };
}

const LIVE = { ...CONFIG, history: 'published', urls: 'file' } as const satisfies Partial<UserConfig>;

const codesOf = ({ notices }: Report) => notices.map(({ code }) => code);

test('where the live site keeps the history, archives, dumps and versions grow with each deploy from a fresh folder', async () => {
  const counts: number[][] = [];
  const { host, reports } = await startDeployed();
  for (const { archives, versions, notices } of reports) {
    counts.push([archives?.documents ?? 0, versions?.count ?? 0]);
    const codes = notices.map(({ code }) => code);
    for (const code of ['archive-shortened', 'archives-renamed', 'versions-lost', 'change-dump-shortened'])
      expect(codes).not.toContain(code);
  }
  for (const [index, [documents = 0, versions = 0]] of counts.entries()) {
    const [before = -1, fewer = -1] = counts[index - 1] ?? [];
    expect(documents).toBeGreaterThanOrEqual(before);
    expect(versions).toBeGreaterThan(fewer);
  }
  const archives = archivesAt(host.folder, host.url);
  // Each day that is over; the first is the baseline, and has no changes.
  expect(archives['resourcedump-archive']).toHaveLength(STATES.length + 2);
  expect(archives['changedump-archive']).toHaveLength(STATES.length + 1);
});

test('where the live site keeps the history, what is withdrawn goes from archives, and the rest stays', async () => {
  const withdraw = ['staff/**'];
  const { host } = await deployAll((step) => (step < 7 ? {} : { withdraw }), 8);
  expect(await findText(host.folder, SECRET)).toEqual([]);
  const changes = readArchivedChanges(host.folder, host.url);
  expect(changes.filter(({ uri }) => uri.includes('/staff/'))).toHaveLength(5);
  expect(changes.filter(({ memento }) => memento !== undefined)).not.toHaveLength(0);
  const archives = archivesAt(host.folder, host.url);
  // The Resource Dumps of the days that had it are left out; changes begin after it.
  expect(archives['resourcedump-archive']).toHaveLength(5);
  expect(archives['changedump-archive']?.[0]?.md['from']).toBe(datetimeAt(2 * 2 * DAY));
});

test.each<[string, (site: string, path: string) => void]>([
  ['is gone', (site, path) => rmSync(join(site, path))],
  ['is another', (site, path) => writeFileSync(join(site, path), 'x')],
])('a version or package of the live site that %s ends what needs it, and no link dies', async (_, spoil) => {
  const { host, config } = await startDeployed();
  const archives = archivesAt(host.folder, host.url);
  const [first, second] = archives['changedump-archive'] ?? [];
  const [version = ''] = Object.keys(listVersionFiles(host.folder)).filter((path) =>
    path.endsWith('pay.json'),
  );
  const named = second?.entries[0]?.uri.slice(host.url.length) ?? '';
  for (const path of [version, named]) spoil(host.folder, path);
  const site = makeSite({ 'index.html': 'anew' });
  const report = await describeAt(100 * DAY, { ...config, site });
  expect(codesOf(report)).toEqual(
    expect.arrayContaining(['versions-lost', 'archive-shortened', 'archives-renamed']),
  );
  const after = archivesAt(site, host.url)['changedump-archive'] ?? [];
  expect(after.map(({ uri }) => uri)).not.toContain(second?.uri);
  expect(after.map(({ uri }) => uri)).not.toContain(first?.uri);
  expect(after.length).toBeGreaterThan(3);
  const changes = [...readArchivedChanges(site, host.url), ...readLinked(site, host.url)];
  expect(checkLinked(changes, serveAll(site, host.url, 'file'))).toBeGreaterThan(8);
  const { findings } = await audit({ source: site, url: host.url, urls: 'file' });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('what is archived loses its links where versions end, and is otherwise as it was', async () => {
  const { host, config } = await startDeployed();
  const site = makeSite({ 'index.html': 'anew' });
  const report = await describeAt(100 * DAY, { ...config, site, versions: false });
  expect(codesOf(report)).toContain('archives-renamed');
  const facts = (folder: string) =>
    readArchivedChanges(folder, host.url).map(({ uri, md }) => JSON.stringify([uri, md]));
  const before = facts(host.folder);
  expect(facts(site).slice(0, before.length)).toEqual(before);
  expect(listVersionFiles(site)).toEqual({});
  const linking = Object.entries(readDocuments(site)).filter(([, text]) => text.includes('/versions/'));
  expect(linking.filter(([path]) => !path.includes('/changedump-'))).toEqual([]);
  const { findings } = await audit({ source: site, url: host.url, urls: 'file' });
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
});
