/** The comparison of dumps with lists (§9) of a Source that escapes more characters than it has to. */

import { expect, test } from 'vitest';
import { ChangeDumpComparison, DumpComparison } from '../../../../src/audit/agreement/dumps.js';
import { addChanges, addResource, createSet } from '../../../../src/audit/agreement/set.js';
import { Bounds } from '../../../../src/source/web/bounds.js';
import type { CheckCode } from '../../../../src/standard/rules/checks.js';
import { parseDocument } from '../../../../src/standard/xml/read.js';

const [FROM, TIME] = ['2026-03-01T00:00:00Z', '2026-03-02T09:00:00Z'];

const parse = (facts: string) =>
  parseDocument([
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
    <url><loc>https://example.org/%7Ea</loc><rs:md length="1" ${facts}/></url></urlset>`,
  ]);

test('a manifest with the same addresses as the list agrees with it, however both are spelled', async () => {
  const found: CheckCode[] = [];
  const flag = (code: CheckCode) => void found.push(code);
  const bounds = new Bounds({});
  const set = createSet();
  const [list, changes] = [await parse(''), await parse(`change="updated" datetime="${TIME}"`)];
  for (const entry of list.entries) addResource(set, 'resourcelist.xml', entry, { flag, bounds });
  addChanges(set, 'changelist.xml', changes, bounds);
  const interval = { from: new Date(FROM), until: undefined };
  for (const [comparison, read] of [
    [new DumpComparison(set, 'resourcedump.xml', undefined, flag), await parse('path="/a"')],
    [new ChangeDumpComparison(set, interval, flag), changes],
  ] as const) {
    comparison.add('manifest.xml', read);
    comparison.finish();
  }
  bounds.stop();
  expect(found).toEqual([]);
});
