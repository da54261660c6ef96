/** Archives, from what a run writes to what other tools make of it. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { UserConfig } from '../../src/index.js';
import { readArchived, readArchives } from '../support/archives.js';
import { describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  serveAll,
  takeLinks,
} from '../support/versions.js';

const DAY = 86_400;
const MONTHS = 6;

/** A site with a publication in the middle of each of some months. */
function publishMonths(months = MONTHS): string {
  const folder = makeRepository();
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let month = 0; month < months; month++) {
    commitFiles(folder, month * 31 * DAY, {
      'site/index.html': `home ${month}`,
      [`site/${month}.html`]: `page ${month}`,
      ...(month > 2 && { [`site/${month - 2}.html`]: undefined }),
    });
  }
  return folder;
}

const NOW = MONTHS * 31 * DAY;
const CONFIG = { history: 'HEAD:site', archives: true } as const satisfies Partial<UserConfig>;

const namesOf = (site: string) => Object.keys(readArchived(site)).sort();
const codesOf = ({ notices }: { readonly notices: readonly { readonly code: string }[] }) =>
  notices.map(({ code }) => code);
const archivesOf = (site: string, url = SITE_URL) => {
  const [set] = readSource(site, url).sets;
  return set === undefined ? {} : readArchives(site, url, set.capabilityList);
};

test('archives are documents of ours: listed nowhere else, told in the report, and gone when switched off', async () => {
  const site = join(publishMonths(), 'site');
  const before = readSourceOf(site, await describeAt(NOW, { site, history: 'HEAD:site' }));
  const report = await describeAt(NOW, { ...CONFIG, site });
  const archived = readArchived(site);
  expect(Object.keys(archived)).toHaveLength(2 * (MONTHS - 1) - 1);
  expect(report.archives).toEqual({
    documents: Object.keys(archived).length,
    bytes: Object.values(archived).reduce((sum, text) => sum + text.length, 0),
  });
  expect(readSourceOf(site, report).resources).toEqual(before.resources);
  expect(report.skipped['own-document']).toBeGreaterThan(0);

  const off = await describeAt(NOW, { site, history: 'HEAD:site' });
  expect(off.archives).toBeUndefined();
  expect(off.removed).toEqual(expect.arrayContaining(Object.keys(archived)));
  expect(readDocuments(site)).toEqual(before.documents);
});

function readSourceOf(site: string, { resources }: { readonly resources: number }) {
  return { resources, documents: readDocuments(site) };
}

test('other options give other names, and never other bytes under a name', async () => {
  const site = join(publishMonths(), 'site');
  const first = await describeAt(NOW, { ...CONFIG, site });
  expect(codesOf(first)).not.toContain('archives-renamed');
  const before = readArchived(site);
  const second = await describeAt(NOW, { ...CONFIG, site, hash: ['sha-256'] });
  expect(second.notices).toMatchObject([{ code: 'archives-renamed', count: 9 }]);
  expect(namesOf(site).filter((name) => name in before)).toEqual([]);
  expect(namesOf(site)).toHaveLength(Object.keys(before).length);
  await describeAt(NOW, { ...CONFIG, site });
  expect(readArchived(site)).toEqual(before);
});

test('what is older than it is to be kept goes with its versions, and the rest stays as it is', async () => {
  const site = join(publishMonths(), 'site');
  const config = { ...CONFIG, site, versions: true };
  const checkVersions = () => {
    const { 'changelist-archive': lists = [] } = archivesOf(site);
    const archived = lists.flatMap(({ entries }) => entries.map(takeLinks));
    expect(readInventory(site)).toEqual(listVersionFiles(site));
    return checkLinked([...archived, ...readLinked(site, SITE_URL)], serveAll(site, SITE_URL));
  };
  await describeAt(NOW, config);
  const all = readArchived(site);
  const versions = checkVersions();
  const { removed } = await describeAt(NOW, { ...config, archives: { keep: 70 } });
  const kept = readArchived(site);
  expect(removed.filter((name) => name in all)).toEqual(
    Object.keys(all)
      .filter((name) => !(name in kept))
      .sort(),
  );
  expect(all).toMatchObject(kept);
  expect(checkVersions()).toBeLessThan(versions);
  const { 'changelist-archive': lists = [], 'resourcelist-archive': snapshots = [] } = archivesOf(site);
  expect(lists.length).toBeGreaterThan(0);
  // The first state that is kept is one to which the first changes lead.
  expect((snapshots[0]?.md['at'] ?? '') >= (lists[0]?.md['from'] ?? '')).toBe(true);
  await describeAt(NOW, { ...config, archives: { keep: 1 } });
  expect(namesOf(site)).toEqual([]);
  expect(checkVersions()).toBeGreaterThan(0);
  expect(readFileSync(join(site, 'resourcesync/changelist.xml'), 'utf8')).not.toContain('rel="archives"');
});

test('a document that is damaged is written again; a foreign one is not touched', async () => {
  const site = join(publishMonths(), 'site');
  await describeAt(NOW, { ...CONFIG, site });
  const before = readArchived(site);
  const [name = ''] = namesOf(site);
  writeFileSync(join(site, name), `${before[name]?.slice(0, -1)}!`);
  const { documents } = await describeAt(NOW, { ...CONFIG, site });
  expect(documents.filter(({ changed }) => changed).map(({ path }) => path)).toEqual([name]);
  expect(readArchived(site)).toEqual(before);
  writeFileSync(join(site, name), 'mine');
  await expect(describeAt(NOW, { ...CONFIG, site })).rejects.toMatchObject({ code: 'not-ours' });
  expect(readFileSync(join(site, name), 'utf8')).toBe('mine');
});
