/** Patches of JSON files: in Change Lists, in packages, and carried on from the live site. */

import { join } from 'node:path';
import { applyPatch } from 'rfc6902';
import { expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { audit } from '../../src/index.js';
import { describeAt, readDocuments, SITE_URL } from '../support/changes.js';
import { entriesOf, parseXml } from '../support/documents.js';
import { commitFiles, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { makeFolder, makeSite } from '../support/site.js';
import {
  checkLinked,
  listVersionFiles,
  readInventory,
  readLinked,
  serveAll,
  takeLinks,
} from '../support/versions.js';

const rows = (count: number, indent: number | string = 1) =>
  `${JSON.stringify(
    Array.from({ length: count }, (_, id) => ({ id, text: 'the same' })),
    null,
    indent,
  )}\n`;
const VERSIONS = { patches: ['**/*.json'] };

const patchesOf = (site: string, url: string) =>
  readLinked(site, url).map(
    ({ uri, patch }) => `${uri.slice(url.length)} ${patch === undefined ? '-' : 'patch'}`,
  );

test('an update of a JSON file has a patch where that is short, in lists and packages', async () => {
  const repository = makeRepository();
  commitFiles(repository, 0, {
    'dist/index.html': 'home',
    'dist/a.json': rows(60),
    'dist/b.json': rows(60),
    'dist/c.json': '[1.0]',
  });
  commitFiles(repository, 100, {
    'dist/a.json': rows(61),
    'dist/b.json': rows(61, 4),
    'dist/c.json': '[2.0]',
  });
  commitFiles(repository, 200, { 'dist/a.json': rows(60), 'dist/d.json': rows(1) });
  const site = join(repository, 'dist');
  makeSite({ 'b.json': rows(60, 4) }, site);
  const config: Partial<UserConfig> = { site, history: 'HEAD:dist', versions: VERSIONS, dumps: true };
  await describeAt(1000, config);
  expect(patchesOf(site, SITE_URL)).toEqual([
    'a.json patch',
    'b.json -',
    'c.json -',
    'a.json patch',
    'd.json -',
    'b.json patch',
  ]);
  const served = serveAll(site, SITE_URL);
  expect(checkLinked(readLinked(site, SITE_URL), served)).toBe(6 + 3);
  expect(readInventory(site)).toEqual(listVersionFiles(site));

  // By itself it leads from the version before to this one.
  const [first] = readLinked(site, SITE_URL);
  expect(first?.patch).toMatchObject({ type: 'application/json-patch+json' });
  const value = JSON.parse(rows(60));
  expect(applyPatch(value, JSON.parse(`${served.get(first?.patch?.['href'] ?? '')}`))).toEqual([null]);
  expect(value).toEqual(JSON.parse(rows(61)));

  const documents = readDocuments(site);
  const manifests = Object.keys(documents).filter((path) => /changedump-\d+T\d+Z\.xml$/.test(path));
  const packed = manifests.flatMap((path) => entriesOf(parseXml(documents[path] ?? '')).map(takeLinks));
  expect(packed.map(({ patch }) => patch?.['path']?.replace(/\d+T\d+Z/, '#'))).toEqual([
    '/changes/#/a.json-patch',
    undefined,
    undefined,
    '/changes/#/a.json-patch',
    undefined,
    '/changes/#/b.json-patch',
  ]);
  const { findings } = await audit({ source: site, url: SITE_URL });
  expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);

  const before = readDocuments(site);
  expect((await describeAt(1000, config)).removed).toEqual([]);
  expect(readDocuments(site)).toEqual(before);

  await describeAt(1000, { ...config, withdraw: ['a.json'] });
  expect(patchesOf(site, SITE_URL)).toEqual([
    'a.json -',
    'b.json -',
    'c.json -',
    'a.json -',
    'd.json -',
    'b.json patch',
  ]);
  await describeAt(1000, { ...config, versions: true });
  expect(Object.keys(readDocuments(site)).filter((path) => path.endsWith('-patch'))).toEqual([]);
});

test('where the live site keeps the history, it has the version before, and the patches of before', async () => {
  const host = await startHost(makeFolder());
  for (const [step, count] of [60, 61, 62, 62].entries()) {
    const site = makeSite({ 'index.html': 'home', 'a.json': rows(count) });
    const report = await describeAt(step * 86_400, {
      ...{
        site,
        url: host.url,
        urls: 'file',
        history: 'published',
        versions: VERSIONS,
        changes: { period: 'day' },
      },
    });
    host.folder = site;
    const told = readLinked(site, host.url);
    expect(patchesOf(site, host.url)).toEqual(Array(Math.min(step, 2)).fill('a.json patch'));
    expect(checkLinked(told, serveAll(site, host.url, 'file'))).toBe(2 * told.length);
    expect(readInventory(site)).toEqual(listVersionFiles(site));
    expect(report.notices.map(({ code }) => code)).not.toContain('versions-lost');
  }
});
