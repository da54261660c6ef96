/** What a mirror keeps as bytes comes back as it was. */

import { describe, expect, test } from 'vitest';
import { startTable } from '../../../src/base/columns/table.js';
import { startEntries, startFiles } from '../../../src/mirror/plan/columns.js';
import type { Kept, Outcome, Want } from '../../../src/mirror/plan/model.js';
import { startOutcomes } from '../../../src/mirror/plan/outcomes.js';
import type { Entry } from '../../../src/source/sets/entry.js';

const SHA = `sha-256:${'ab'.repeat(32)}`;
const FILE: Kept = { path: 'a/b.html', length: 5, hash: SHA, sets: [1] };

test.each<[string, Partial<Entry>]>([
  ['all that most say', { hash: `md5:${'0f'.repeat(16)} ${SHA}`, length: '12', type: 'text/html' }],
  ['nothing', {}],
  ['what is no number, and no digest', { hash: 'crc:zz', length: '+3', encoding: 'gzip' }],
  ['copies', { copies: [{ rel: 'memento', uri: 'https://b/é' }] }],
])('an entry that says %s', (_, says) => {
  const nothing = { hash: undefined, length: undefined, type: undefined, encoding: undefined };
  const entry = { uri: 'https://a/x', ...nothing, ...says };
  const table = startTable(startEntries());
  table.set(entry.uri, entry);
  expect(table.get(entry.uri)).toEqual(entry);
});

describe('files', () => {
  test.each<[string, string, Kept]>([
    ['at the end of its URL', 'https://a/a/b.html', FILE],
    ['elsewhere', 'https://a/a/%C3%A9', { ...FILE, path: 'a/é.html' }],
    ['of several sets', 'https://a/a/b.html', { ...FILE, sets: [1, 2] }],
    ['that no digest is listed of', 'https://a/x', { ...FILE, validators: { etag: '"é"' } }],
    ['of which nothing is known', 'https://a/x', { ...FILE, validators: {} }],
  ])('%s', (_, uri, kept) => {
    const files = startFiles([[uri, kept]]);
    const number = files.find(uri) ?? -1;
    expect([files.get(uri), files.at(number), files.uriAt(number)]).toEqual([kept, kept, uri]);
    expect([files.pathAt(number), files.setsAt(number)]).toEqual([kept.path, kept.sets]);
    expect(files.countUnverified()).toBe(kept.validators === undefined ? 0 : 1);
  });

  test('are replaced, removed, and put back under the same number', () => {
    const unverified = { ...FILE, validators: { etag: 'x' } };
    const files = startFiles([
      ['https://a/1', FILE],
      ['https://a/2', unverified],
    ]);
    files.set('https://a/1', { ...unverified, length: 6 });
    files.delete('https://a/2');
    files.delete('https://a/3');
    expect([...files]).toEqual([['https://a/1', { ...unverified, length: 6 }]]);
    expect([files.size, files.countUnverified(), files.has('https://a/2')]).toEqual([1, 1, false]);
    files.set('https://a/2', FILE);
    expect([files.size, files.countUnverified(), files.find('https://a/2')]).toEqual([2, 1, 1]);
  });
});

test('the last outcome of each counts, in the order of the plan', () => {
  const wants = ['a', 'b', 'c', 'd'].map((path, number): Want => {
    const entry = { uri: `https://a/${path}`, hash: SHA, length: '5', type: undefined, encoding: undefined };
    return { number, entry, path, sets: [1], kept: undefined };
  });
  const [a, b, c, d] = wants as [Want, Want, Want, Want];
  const failed: Outcome = { kind: 'failed', reason: 'missing', found: '404' };
  const outcomes = startOutcomes(wants);
  expect([[...outcomes], outcomes.size, outcomes.has(a)]).toEqual([[], 0, false]);
  outcomes.set(d, failed);
  outcomes.set(c, { kind: 'right', kept: { ...FILE, path: 'c' } });
  outcomes.set(b, failed);
  expect([...outcomes.failed()]).toEqual([
    [b, failed],
    [d, failed],
  ]);
  expect(outcomes.isUnverified).toBe(false);
  outcomes.set(b, { kind: 'ready', kept: { ...FILE, path: 'b', validators: {} } });
  outcomes.set(a, { kind: 'ready' });
  expect([...outcomes]).toEqual([
    [a, { kind: 'ready' }],
    [b, { kind: 'ready', kept: { ...FILE, path: 'b', validators: {} } }],
    [c, { kind: 'right', kept: { ...FILE, path: 'c' } }],
    [d, failed],
  ]);
  expect([outcomes.size, outcomes.isUnverified, outcomes.failed().length]).toEqual([4, true, 1]);
});
