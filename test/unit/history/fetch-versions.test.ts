/** What is carried on from the live site is bounded: what matters most comes first. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { saveVersions } from '../../../src/history/past/fetch-versions.js';
import { startHost } from '../../support/host.js';
import { makeFolder } from '../../support/site.js';

test('no more is fetched than may be, and the first come first', async () => {
  const host = await startHost(makeFolder());
  const target = makeFolder();
  const wanted = ['aaaa', 'bbbbbbbb', 'cccc', 'dddd'].map((text, index) => {
    writeFileSync(join(host.folder, `${index}`), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    const facts = { length: text.length, hash: `sha-256:${sha256}` };
    return { uri: `${host.url}${index}`, ...facts, file: join(target, `${index}`) };
  });
  const budget = { rest: 9 };
  const saved = await saveVersions(host.url, wanted, budget);
  expect([...saved].map(({ uri }) => uri.slice(host.url.length)).sort()).toEqual(['0', '2']);
  expect(readFileSync(join(target, '2'), 'utf8')).toBe('cccc');
  expect(host.asked.toSorted()).toEqual(['/0', '/2']);
  // What is left is for others.
  expect(budget.rest).toBe(1);
});
