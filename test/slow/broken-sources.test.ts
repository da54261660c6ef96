/** Rules between the documents of a Source, its packages and its bytes: each kept, and each broken alone. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type AuditConfig, audit } from '../../src/audit/index.js';
import { addPages, BROKEN_SOURCES, type BrokenSource, withoutDumps } from '../conformance/broken/sources.js';
import { makeDescribedSite, URL_OF_SITE } from '../support/described.js';

async function codesOf(site: string, config: Partial<AuditConfig> = {}): Promise<string[]> {
  const { findings } = await audit({ source: site, url: URL_OF_SITE, ...config });
  return findings.map(({ code }) => code);
}

describe('a Source', () => {
  test('that keeps to everything', async () => {
    const site = await makeDescribedSite();
    expect(await codesOf(site)).toEqual([]);
    await addPages()(site);
    expect(await codesOf(site)).toEqual([]);
    await withoutDumps(site);
    expect(await codesOf(site)).toEqual([]);
  });

  test.each(BROKEN_SOURCES.map(([codes], index) => [[codes].flat().join(', '), index] as const))(
    '%s (%i)',
    async (_, index) => {
      const [codes, change, config] = BROKEN_SOURCES[index] as BrokenSource;
      const site = await makeDescribedSite();
      await change(site);
      const more = config === undefined ? {} : config(await makeDescribedSite());
      expect((await codesOf(site, more)).sort()).toEqual([codes].flat().sort());
      expect(existsSync(join(site, '..', 'evil.html'))).toBe(false);
    },
  );
});
