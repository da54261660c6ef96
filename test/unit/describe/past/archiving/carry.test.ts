/** What is carried on from a live site is what its names say, the newest first, and no more than may be fetched. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { carrySnapshots } from '../../../../../src/describe/past/archiving/carry.js';
import {
  type ArchivedText,
  composeResourceList,
} from '../../../../../src/describe/past/archiving/compose.js';
import { MOST_CARRIED } from '../../../../../src/history/live/budget.js';
import { serializeResource } from '../../../../../src/standard/xml/serialize.js';
import { startHost } from '../../../../support/host.js';
import { makeFolder } from '../../../../support/site.js';

function put(folder: string, { path, bytes }: ArchivedText): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
}

/** A host with an archive of so many Resource Lists, each in two parts. */
async function startArchive(count: number) {
  const host = await startHost(makeFolder());
  const { url } = host;
  const place = { url, set: undefined, up: `${url}resourcesync/capabilitylist.xml` };
  const rows = Array.from({ length: 10 }, (_, index) =>
    Buffer.from(serializeResource({ uri: `${url}${index}`, path: '', length: index, hash: 'md5:00' })),
  );
  const lists = Array.from({ length: count }, (_, month) => {
    const at = new Date(Date.UTC(2020, month, 1));
    return { at, texts: composeResourceList(place, at, rows, { entries: 5, bytes: 50_000_000 }) };
  });
  for (const { texts } of lists) for (const text of texts) put(host.folder, text);
  const snapshots = lists.map(({ at, texts }) => ({ at, uri: texts.at(-1)?.uri ?? '' }));
  const bytes = lists.map(({ texts }) => texts.reduce((sum, text) => sum + text.bytes.length, 0));
  return { host, url, lists, snapshots, bytes };
}

test('documents with parts are carried on as they are; those that the site holds are not fetched', async () => {
  const { host, url, lists, snapshots, bytes } = await startArchive(6);
  const site = makeFolder();
  for (const text of lists[2]?.texts ?? []) put(site, text);
  const added: ArchivedText[] = [];
  const place = { site, url, budget: { rest: MOST_CARRIED } };
  const told = await carrySnapshots(place, snapshots, (text) => added.push(text));
  expect(told).toEqual({ entries: snapshots, notices: [] });
  const all = lists.toReversed().flatMap(({ texts }) => texts);
  expect(added).toEqual(all);
  expect(host.asked).toHaveLength(5 * 3);
  expect(bytes.every((one) => one > 0)).toBe(true);
});

test('no more is fetched than may be, and the newest come first', async () => {
  const { url, snapshots, bytes } = await startArchive(9);
  const most = (bytes[0] ?? 0) * 4 + 10;
  const added: ArchivedText[] = [];
  const place = { site: makeFolder(), url, budget: { rest: most } };
  const told = await carrySnapshots(place, snapshots, (text) => added.push(text));
  expect(told.entries).toEqual(snapshots.slice(-4));
  expect(added.reduce((sum, text) => sum + text.bytes.length, 0)).toBeLessThanOrEqual(most);
  expect(told.notices).toMatchObject([{ code: 'archive-shortened', archive: 'resource-list-archive' }]);
});
