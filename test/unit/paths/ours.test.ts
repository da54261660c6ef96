/** The names that we give, and the test of what is ours: they have to agree. */

import { expect, test } from 'vitest';
import {
  isOwnDocument,
  isOwnText,
  isOwnUri,
  MARK_WITHIN,
  nameInterval,
  numberPart,
  OWNER_MARK,
  pathOfDocument,
  pathOfPackage,
  pathOfPart,
  pathOfSignature,
  pathOfSums,
  SOURCE_DESCRIPTION,
} from '../../../src/paths/ours.js';

const moment = new Date('2026-11-20T10:15:00Z');
const names = ['capabilitylist', 'resourcelist', 'resourcedump', 'changelist', 'changedump'] as const;
const SETS = [undefined, 'a', 'set-2'];

const below = (rest: string) => `resourcesync${rest}`;

const made = [
  SOURCE_DESCRIPTION,
  ...SETS.flatMap((set) => [
    ...names.map((name) => pathOfDocument(set, name)),
    ...(['resourcelist', 'resourcedump', 'changedump'] as const).flatMap((name) =>
      [0, 9_998, 9_999].map((index) => pathOfPart(pathOfDocument(set, name), numberPart(index))),
    ),
    ...[1, 2, 12].map((part) => pathOfPart(pathOfDocument(set, 'changelist'), nameInterval(moment, part))),
    pathOfSums(set),
    pathOfSignature(pathOfSums(set)),
    ...['.zip', '.xml'].flatMap((end) => [
      pathOfPackage(set, 'resourcedump', '0123456789abcdef') + end,
      pathOfPackage(set, 'changedump', nameInterval(moment, 1)) + end,
    ]),
  ]),
];

test.each([
  ...made,
  'resourcesync/resourcelist-12345.xml',
  'resourcesync/index.html',
  'resourcesync/changes.atom',
])('%s is ours', (path) => {
  expect(isOwnDocument(path)).toBe(true);
  expect(isOwnUri(`https://example.org/a/${path}`, 'https://example.org/a/')).toBe(true);
  expect(isOwnUri(`https://example.net/a/${path}`, 'https://example.org/a/')).toBe(false);
});

test.each([
  ...['index.html', 'SHA256SUMS', 'a/resourcesync/resourcelist.xml', '.well-known/resourcesync.xml'],
  ...['.well-known/resourcesync/a', 'xwell-known/resourcesync'],
  ...['', '/', '/other.html', '/index-1.html', '/pages/index.html', '/capabilitylist-0001.xml'].map(below),
  ...['/resourcelist-1.xml', '/resourcelist-0001.zip', '/SHA256SUMS.sig.sig', '/resourcedump.zip'].map(below),
  ...['/changelist-0001.xml', '/changedump-20261120T101500Z-2.zip', '/Set/resourcelist.xml'].map(below),
  below('/a/b/resourcelist.xml'),
])('%s is not ours', (path) => {
  expect(isOwnDocument(path)).toBe(false);
});

test('the mark counts near the top of a document only', () => {
  const mark = `<!-- ${OWNER_MARK} -->`;
  expect(isOwnText(`<?xml version="1.0"?>\n${mark}`)).toBe(true);
  expect(isOwnText(' '.repeat(MARK_WITHIN - mark.length) + mark)).toBe(true);
  expect(isOwnText(' '.repeat(MARK_WITHIN - mark.length + 1) + mark)).toBe(false);
  expect(isOwnText(OWNER_MARK)).toBe(false);
});
