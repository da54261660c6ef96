/**
 * Documents and packages are the same, byte for byte, as those of the version that recorded their digests.
 *
 * A change that is meant is recorded with `RECORD=1 npx vitest run --project e2e test/e2e/recorded.test.ts`, and told in
 * CHANGELOG.md: closed lists and packages of users change with it.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { describe } from '../../src/index.js';
import { digestOwn, RECORDED_AT, RECORDED_SITES, type RecordedSite } from './recorded/sites.js';

const RECORD = new URL('./recorded/digests.json', import.meta.url);

beforeAll(() => void vi.stubEnv('SOURCE_DATE_EPOCH', `${RECORDED_AT}`));
afterAll(() => void vi.unstubAllEnvs());

const readRecord = (): Record<string, Record<string, string>> => JSON.parse(readFileSync(RECORD, 'utf8'));

async function describeSite({ make, options }: RecordedSite): Promise<Record<string, string>> {
  const site = make();
  await describe({ site, ...options });
  return digestOwn(site);
}

test.each(Object.entries(RECORDED_SITES))('a site %s', async (name, site) => {
  const digests = await describeSite(site);
  if (process.env['RECORD'] !== undefined) {
    const record = { ...readRecord(), [name]: digests };
    writeFileSync(RECORD, `${JSON.stringify(record, undefined, 2)}\n`);
  }
  expect(Object.keys(digests).length).toBeGreaterThan(3);
  expect(digests).toEqual(readRecord()[name]);
});
