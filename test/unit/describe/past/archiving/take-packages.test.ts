/** Packages of archived dumps are what is listed of them, no more than may be fetched, and hold nothing that is withdrawn. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { MadePackage } from '../../../../../src/describe/dumps/job.js';
import { startTakingPackages } from '../../../../../src/describe/past/archiving/live-dumps.js';
import { parseStanding } from '../../../../../src/describe/standing.js';
import type { LivePackage } from '../../../../../src/history/live/published.js';
import { describeAt } from '../../../../support/changes.js';
import { startHost } from '../../../../support/host.js';
import { makeFolder, makeSite } from '../../../../support/site.js';

/** A live site with one package, and a way to take it. */
async function publish() {
  const site = makeSite({ 'index.html': 'home', 'staff.txt': 'secret' });
  const host = await startHost(site);
  await describeAt(0, { site, url: host.url, history: 'none', dumps: true });
  const dump = await parseStanding(readFileSync(join(site, 'resourcesync/resourcedump.xml')));
  if (dump?.kind !== 'resource-dump') throw new Error('there is no Resource Dump');
  const [listed] = dump.packages;
  if (listed === undefined) throw new Error('there is no package');
  const take = async (
    wanted: LivePackage,
    { most = listed.length, withdrawn = '', made = [] as readonly MadePackage[] } = {},
  ) => {
    const place = { site: makeFolder(), url: host.url, set: undefined, staging: makeFolder() };
    const taking = { ...place, budget: { rest: most }, withdrawn: (uri: string) => uri === withdrawn };
    const taker = await startTakingPackages(taking, new Map(made.map((one) => [one.path, one])));
    return await taker([wanted]);
  };
  return { host, site, listed, take };
}

test('a package is fetched once, where there is room for it', async () => {
  const { host, site, listed, take } = await publish();
  const taken = await take(listed);
  if (typeof taken === 'string') throw new Error(taken);
  const [one] = taken;
  expect(one).toMatchObject({ uri: listed.uri, hash: listed.hash, isCurrent: false });
  const files = (one?.files ?? []).map((file) => ('file' in file ? (file.file ?? '') : ''));
  for (const [index, path] of [listed.uri, listed.contents].entries()) {
    const live = readFileSync(join(site, path.slice(host.url.length)));
    expect(readFileSync(files[index] ?? '').equals(live)).toBe(true);
  }
  host.asked.length = 0;
  expect(await take(listed, { most: listed.length - 1 })).toBe('lost');
  // What this run makes is not fetched either.
  expect(await take(listed, { most: 0, made: taken })).toEqual(taken);
  expect(await take({ ...listed, length: 1 }, { made: taken })).toBe('lost');
  expect(host.asked).toEqual([]);
});

test('a package that holds what is withdrawn is not taken', async () => {
  const { host, listed, take } = await publish();
  expect(await take(listed, { withdrawn: `${host.url}staff.txt` })).toBe('withdrawn');
  expect(await take(listed, { withdrawn: `${host.url}other.txt` })).toHaveLength(1);
});

test('a package that is not what is listed, or is no package of ours, is not taken', async () => {
  const { host, site, listed, take } = await publish();
  const uri = `${host.url}resourcesync/../index.html`;
  expect(await take({ ...listed, uri })).toBe('lost');
  expect(await take({ ...listed, contents: uri })).toBe('lost');
  expect(host.asked).toEqual([]);
  expect(await take({ ...listed, hash: listed.hash.replace(/md5:./, 'md5:-') })).toBe('lost');
  const copy = join(site, listed.contents.slice(host.url.length));
  // Its name tells another one.
  writeFileSync(copy, readFileSync(copy, 'utf8').replace('staff.txt', 'other.txt'));
  expect(await take(listed)).toBe('lost');
});
