/** Facts of pages that runs keep for later ones. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packSeen, TEXT_ALONE, type WantedFacts } from '../../../../src/files/page/facts/seen.js';
import { PageRecords } from '../../../../src/files/page/records.js';
import { makeSite } from '../../../support/site.js';

const url = 'https://example.org/';
const WANTED: WantedFacts = { wishes: { ...TEXT_ALONE, noindex: true }, url, urls: 'directory' };

function makeProject(): string {
  const project = makeSite({ 'package.json': '{}', 'site/a.html': 'a' });
  mkdirSync(join(project, 'node_modules'));
  return join(project, 'site');
}

function see(content: string): string {
  return packSeen({ uri: `${url}a.html`, content: content.repeat(20) }, WANTED.wishes, {
    facts: { noindex: false, lists: [], feed: false },
    record: { text: content.repeat(8), title: 'A', lang: undefined, isEncodingUnknown: false },
    links: [],
  });
}

test('the version of a page that was seen last is known, also if it is one from before', () => {
  const site = makeProject();
  const seenLater = [];
  for (const content of ['aa', 'bb', 'aa']) {
    const records = new PageRecords(site, url);
    seenLater.push(records.list(WANTED)('a.html'));
    records.add(see(content));
    records.save();
  }
  const last = new PageRecords(site, url);
  const known = last.list(WANTED);
  expect([...seenLater, known('a.html')]).toEqual([undefined, see('aa'), see('bb'), see('aa')]);
  expect([known('b.html'), known('a.txt')]).toEqual([undefined, undefined]);
  expect(last.list({ ...WANTED, wishes: { ...WANTED.wishes, links: true } })('a.html')).toBeUndefined();
  const texts = ['aa', 'bb', 'cc'].map((content) =>
    last.find({ uri: `${url}a.html`, content: content.repeat(20) }),
  );
  expect(texts.map((record) => record?.text)).toEqual(['aa'.repeat(8), 'bb'.repeat(8), undefined]);
});

test('a question is worked out once, and again if there was no answer', async () => {
  const site = makeProject();
  const answers: (string | undefined)[] = [];
  for (const [question, answer] of [
    ['one', undefined],
    ['one', 'a\tb\n'],
    ['one', 'another'],
    ['two', ''],
    ['two', 'another'],
  ] as const) {
    const records = new PageRecords(site, url);
    answers.push(await records.ask(`${url}a.html`, question, async () => answer));
    records.save();
  }
  expect(answers).toEqual([undefined, 'a\tb\n', 'a\tb\n', '', '']);
});

test('facts of a page are not those of another site, of which the page had the same URL', () => {
  const site = makeProject();
  const records = new PageRecords(site, url);
  records.add(see('aa'));
  records.save();
  const known = ['https://example.org/', 'https://example.org/b/'].map((siteUrl) =>
    new PageRecords(site, siteUrl).find({ uri: `${url}a.html`, content: 'aa'.repeat(20) }),
  );
  expect(known.map((record) => record?.text)).toEqual(['aa'.repeat(8), undefined]);
});
