/** Records of pages: what is kept of a version, and given back by a later run. */

import { afterEach, expect, test, vi } from 'vitest';
import { PageRecords } from '../../../../src/files/page/records.js';
import { makeFolder } from '../../../support/site.js';

const url = 'https://example.org/';
const version = { uri: url, content: 'a blob' };

afterEach(() => vi.unstubAllEnvs());

function openRecords(): () => PageRecords {
  vi.stubEnv('XDG_CACHE_HOME', makeFolder());
  const site = makeFolder();
  return () => new PageRecords(site, url);
}

test.each([
  ['with a title and a language', '<html lang=" pt-BR "><title>a\tb\n c</title>d', 'pt-BR', 'a b c'],
  ['without either', '<p>a', undefined, undefined],
  ['with a language that is none', `<html lang="${'a'.repeat(101)}"><title>b</title>`, undefined, 'b'],
  ['with a title that no title is', `<title>${'a'.repeat(999)}\u{1f600}</title>`, undefined, 'a'.repeat(999)],
])('a page %s is read once, and found again', (_, page, lang, title) => {
  const open = openRecords();
  const records = open();
  expect(records.find(version)).toBeUndefined();
  const record = records.read(version, Buffer.from(page));
  expect(record).toEqual({
    text: expect.stringMatching(/^[\da-f]{16}$/),
    lang,
    title,
    isEncodingUnknown: false,
  });
  records.save();
  expect(open().find(version)).toEqual(record);
  expect(open().find({ ...version, content: 'another' })).toBeUndefined();
  expect(open().find({ ...version, uri: `${url}b` })).toBeUndefined();
});

test('pages in an encoding that is not known are remembered as such', () => {
  const open = openRecords();
  const records = open();
  const page = Buffer.from('<meta charset="x-unheard-of">');
  expect(records.read(version, page)?.isEncodingUnknown).toBe(true);
  records.save();
  expect(open().find(version)?.isEncodingUnknown).toBe(true);
});
