/** Flags and options that are gone: each says what serves instead, once, and takes its value with it. */

import { audit, describe as describeSite, mirror } from 'resync-static';
import { expect, test } from 'vitest';
import { callIn, expectNothingWritten } from '../support/command.js';

const MIRROR = ['mirror', 'https://a.example/', 'copy'];

test.each<[args: string[], says: string]>([
  [[...MIRROR, '--rate', '1MB'], '--rate is gone. Use --requests'],
  [['mirror', '--rate=1MB', ...MIRROR.slice(1)], '--rate is gone. Use --requests'],
  [['mirror', '--no-delete', ...MIRROR.slice(1)], '--no-delete is gone. Use --max-delete 0'],
  [['audit', '--against', 'dist', 'https://a.example/'], '--against is gone. Compare'],
  [[...MIRROR, '--run', 'node index.mjs'], '--run is gone. Use --changes'],
  [[...MIRROR, '--parcel', 'site.zip'], '--parcel is gone. Carry the folder'],
  [[...MIRROR, '--since', '2026-11-20'], '--since is gone from mirror. A run copies'],
])('%j', async (args, says) => {
  const { status, stdout, stderr, folder } = await callIn({}, args);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain(`1 mistake\n  ${says}`);
  expectNothingWritten(folder);
});

test.each<[run: () => Promise<unknown>, says: string]>([
  [() => mirror({ source: 'https://a.example/', folder: 'x', rate: '1MB' } as object as never), 'rate is'],
  [() => mirror({ source: 'https://a.example/', folder: 'x', deletes: false } as object as never), 'deletes'],
  [() => audit({ source: '.', against: 'x' } as object as never), 'against is gone. Compare'],
])('options of the library: %s', async (run, says) => {
  await expect(run()).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining(says),
  });
});

test.each<[options: object, says: string]>([
  [{ versions: { patches: ['*.json'] } }, 'versions.patches is gone. Publish'],
  [{ feed: { entries: 'publication' } }, 'feed.entries is gone. Each changed page'],
  [{ feed: { changes: 'text' } }, 'feed.changes is gone. The feed tells'],
  [{ page: { excerpts: 'both' } }, 'page.excerpts is gone'],
  [{ sets: [{ name: 'a', noindex: 'skip' }] }, 'sets[0].noindex is gone. Use noindex for all sets'],
  [{ sets: [{ name: 'a' }, { name: 'b', noindex: 'keep' }] }, 'sets[1].noindex is gone'],
])('options of the configuration: %j', async (options, says) => {
  const config = { site: '.', url: 'https://a.example/', ...options };
  await expect(describeSite(config)).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/: 1 mistake\n {2}/),
  });
  await expect(describeSite(config)).rejects.toThrow(says);
});
