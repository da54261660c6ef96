/** Archives beside versions: what is archived leads to versions as what is listed today does, and what is withdrawn is in neither. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { audit } from '../../src/index.js';
import { readArchives } from '../support/archives.js';
import { describeAt, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { pageOf } from '../support/people.js';
import { readTree } from '../support/site.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  serveAll,
  takeLinks,
} from '../support/versions.js';

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
