/** Facts about a page, read in one pass: the same whatever else is requested. */

import { expect, test } from 'vitest';
import { makePageReader } from '../../../../src/files/page/facts/facts.js';
import {
  covers,
  type PageWishes,
  seenNoindex,
  unpackLinks,
  unpackRecord,
  unpackSeen,
} from '../../../../src/files/page/facts/seen.js';
import { readRecord } from '../../../../src/files/page/record.js';

const url = 'https://example.org/';
const HEADS: PageWishes = {
  noindex: true,
  canonical: true,
  leads: true,
  links: true,
  lists: true,
  texts: false,
};

function read(bytes: Uint8Array, wishes: PageWishes): string {
  const reader = makePageReader({ wishes, url, urls: 'file' });
  // Without texts, a thread has no more than the beginning of a long file.
  const some = wishes.texts ? bytes : bytes.subarray(0, 256 * 1024);
  return reader.read('a.html', { bytes: some, length: bytes.length, content: 'a blob' });
}

const SAYING = `<link rel="canonical" href="/b"><meta name="robots" content="noindex"><link rel="license" href="/c">
<link rel="resourcesync" href="/d.xml"><title>A\tpage</title><p>text`;
const filled = (before: string, behind: string | Buffer = '') =>
  Buffer.concat([Buffer.from(before.padEnd(300_000, ' ')), Buffer.from(behind)]);

test.each([
  ['that says nothing', Buffer.from('a')],
  ['that says all', Buffer.from(SAYING)],
  ['that says all, and is long', filled(SAYING, 'b')],
  ['that says it too late', filled('<head>', SAYING)],
  ['that is in no UTF-8 far behind', filled(SAYING, Buffer.from([0xff]))],
  ['that is binary far behind', filled(SAYING, Buffer.from([0]))],
  ['that is cut in a character', Buffer.from(`${SAYING}${'a'.repeat(256 * 1024 - SAYING.length - 1)}ü`)],
  ['of 256 KB', Buffer.from(SAYING.padEnd(256 * 1024, ' '))],
  ['in an unknown encoding', Buffer.from(`<meta charset="x-unheard-of">${SAYING}\xe9`, 'latin1')],
  ['in UTF-16', Buffer.from(`\ufeff${SAYING}`, 'utf16le')],
  [
    'that is longer than any that is read',
    Buffer.concat([Buffer.from(SAYING), Buffer.alloc(17_000_000, 'a')]),
  ],
])('a page %s', (_, bytes) => {
  const head = read(bytes, HEADS);
  const all = read(bytes, { ...HEADS, texts: true });
  expect(unpackSeen(all)).toEqual(unpackSeen(head));
  expect(seenNoindex(all)).toBe(unpackSeen(head).noindex);
  expect(unpackLinks(all)).toEqual(unpackLinks(head));
  expect(unpackRecord(head)).toBeUndefined();
  expect(unpackRecord(all)).toEqual(readRecord(bytes, { uri: `${url}a.html`, url }));
  expect([head, all].map(covers({ ...HEADS, texts: true }))).toEqual([false, true]);
});

test.each([
  ['0;url=/b', `${url}b`],
  [' 0, URL = "/b" x ', `${url}b`],
  ['5 ', `${url}a.html`],
  // A pattern that goes back at each space would take minutes.
  [`0;url=/b${' '.repeat(200_000)}c`, `${url}a.html`],
])('the address to which a page leads', (content, leads) => {
  const page = Buffer.from(`<meta http-equiv="refresh" content='${content}'>`);
  expect(unpackSeen(read(page, HEADS)).leads).toBe(leads);
});
