/** One URL, one name: addresses that the documents of a Source spell in more than one way (RFC 3986 §6.2.2). */

import { expect, test } from 'vitest';
import { audit } from '../../../src/audit/index.js';
import { startHandMade } from '../../support/lists.js';
import { copy, readCopy } from '../../support/mirror.js';
import { makeFolder } from '../../support/site.js';

test('a resource is asked for as it is listed', async () => {
  const asked: (string | undefined)[] = [];
  const { source, lists, put } = await startHandMade({
    answer: (_, __, { url }) => {
      asked.push(url);
      return false;
    },
  });
  const files = { 'a%2bb.txt': '1', 'c%7e.txt': '2' };
  put({ 'a+b.txt': '1', 'c~.txt': '2', 'resourcelist.xml': lists.resources(0, files) });
  put({ 'changelist.xml': lists.changes(0, []) });
  const folder = makeFolder();
  expect(await copy(source, folder)).toMatchObject({ inSync: true, created: 2 });
  expect(readCopy(folder)).toEqual({ 'a+b.txt': '1', 'c~.txt': '2' });
  for (const path of Object.keys(files)) expect(asked).toContain(`/${path}`);
});

test('two spellings in one list are one resource; with other bytes, nothing is believed', async () => {
  const { url, source, lists, put } = await startHandMade();
  put({ 'kept.txt': 'kept', 'é(1).txt': 'one', 'changelist.xml': lists.changes(0, []) });
  put({
    'resourcelist.xml': lists.resources(0, {
      'kept.txt': 'kept',
      '%C3%A9(1).txt': 'one',
      'é%281%29.txt': 'one',
    }),
  });
  const folder = makeFolder();
  expect(await copy(source, folder)).toMatchObject({ inSync: true, created: 2 });
  const codes = async () => (await audit({ source })).findings.map(({ code }) => code);
  expect(await codes()).toContain('entry-repeated');
  const before = readCopy(folder);
  for (const files of [
    { '%C3%A9(1).txt': 'one', '%c3%a9(1).txt': 'two' },
    { 'new.txt': 'one', './new.txt': 'other' },
    { 'new.txt': 'one', '%6Eew.txt': 'two' },
  ]) {
    put({
      'new.txt': 'one',
      'resourcelist.xml': lists.resources(1, files),
      'changelist.xml': lists.changes(1, []),
    });
    await expect(copy(source, folder)).rejects.toThrow(/it is listed twice, with different bytes/);
    expect(readCopy(folder)).toEqual(before);
    expect(await codes()).toContain('entry-contradicted');
  }
  expect(url).toMatch(/^http:/);
});

test('an address with a line break is refused, and the line is told', async () => {
  const { source, lists, put } = await startHandMade();
  put({ 'a.txt': 'a', 'resourcelist.xml': lists.resources(0, { 'a.txt&#10;x': 'a' }) });
  put({ 'changelist.xml': lists.changes(0, []) });
  const folder = makeFolder();
  await expect(copy(source, folder)).rejects.toThrow(/white space or a control character .*line \d/s);
});

test.each([
  ['UTF-8', 'é.txt'],
  ['Latin-1', Buffer.from('\xe9.txt', 'latin1')],
  ['escapes', '%C3%A9.txt'],
])('a redirect in %s is followed as browsers do', async (_, target) => {
  const location = Buffer.from(target).toString('latin1');
  const { source, lists, put } = await startHandMade({
    answer(path, response, { url }) {
      if (path === '/a.txt') response.writeHead(302, { location: `/to/${location}` }).end();
      else if (url === '/to/%C3%A9.txt' || url === '/to/%E9.txt') response.end('moved');
      else return false;
      return true;
    },
  });
  put({
    'resourcelist.xml': lists.resources(0, { 'a.txt': 'moved' }),
    'changelist.xml': lists.changes(0, []),
  });
  const folder = makeFolder();
  expect(await copy(source, folder)).toMatchObject({ inSync: true });
  expect(readCopy(folder)).toEqual({ 'a.txt': 'moved' });
});

// docs/copies.md: "or not in UTF-8".
test.each(['%F6.txt', 'd/%E9.html', '100%25/%FF', 'd/%ED%A0%80.txt'])(
  '%s, which is no text, is no index.html',
  async (path) => {
    const bytes = new Map([
      [`/${path}`, 'latin-1'],
      ['/d/', 'folder'],
      ['/', 'home'],
    ]);
    const { source, lists, put } = await startHandMade({
      answer(_, response, { url = '' }) {
        const text = bytes.get(url);
        if (text !== undefined) response.end(text);
        return text !== undefined;
      },
    });
    put({
      'resourcelist.xml': lists.resources(0, { [path]: 'latin-1', 'd/': 'folder', '': 'home' }),
      'changelist.xml': lists.changes(0, []),
    });
    const folder = makeFolder();
    expect(await copy(source, folder)).toMatchObject({ inSync: true, created: 3 });
    const { 'index.html': home, 'd/index.html': below, ...rest } = readCopy(folder);
    expect([home, below]).toEqual(['home', 'folder']);
    expect(Object.entries(rest)).toEqual([[expect.stringMatching(/^~/), 'latin-1']]);
  },
);
