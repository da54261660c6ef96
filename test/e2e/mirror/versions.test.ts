/** A copy of a Source whose resources have versions: what an entry promises can still be had. */

import { expect, test } from 'vitest';
import { copy, readCopy, startSource } from '../../support/mirror.js';
import { makeFolder, readTree } from '../../support/site.js';

// docs/copies.md: "Changes during a run do no harm."
test('the version that an entry promises is taken where the resource has changed again, and only there', async () => {
  const later = new Map<string, { readonly status: number; readonly text: string }>();
  const source = await startSource({ versions: true }, (path, response) => {
    const answer = later.get(path);
    if (answer !== undefined) response.writeHead(answer.status).end(answer.text);
    return answer !== undefined;
  });
  const { asked } = source;
  const folder = makeFolder();
  await source.publish(0, { 'index.html': 'home', 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  await copy(source.url, folder);
  await source.publish(60, { 'a.txt': 'a2', 'b.txt': 'b2', 'c.txt': 'c2' });
  // Two have changed again since the lists were written, one beyond all measure; one is gone.
  later.set('/a.txt', { status: 200, text: 'a3' });
  later.set('/b.txt', { status: 200, text: 'b'.repeat(5_000_000) });
  later.set('/c.txt', { status: 404, text: 'gone' });
  asked.length = 0;
  const report = await copy(source.url, folder);
  expect(report).toMatchObject({ updated: 2, inSync: false });
  expect(readCopy(folder)).toEqual({ 'index.html': 'home', 'a.txt': 'a2', 'b.txt': 'b2', 'c.txt': 'c' });
  const versions = asked.filter((path) => path.startsWith('/resourcesync/versions/'));
  expect(new Set(versions.map((path) => path.slice(-6)))).toEqual(new Set(['/a.txt', '/b.txt']));

  // If all resources are as listed, no version is requested, and none becomes part of the copy.
  later.clear();
  asked.length = 0;
  await source.publish(120, { 'a.txt': 'a4' });
  expect(await copy(source.url, folder)).toMatchObject({ updated: 2, inSync: true });
  expect(asked.filter((path) => path.startsWith('/resourcesync/versions/'))).toEqual([]);
  expect(Object.keys(readTree(folder)).filter((path) => path.includes('versions/'))).toEqual([]);
});
