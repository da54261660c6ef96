/** Sites whose files are other bytes than git has under their names: with other line ends, or in place of pointers. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../src/describe/report.js';
import { diff } from '../../src/index.js';
import { describeAt, hashesOf, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { makeSite } from '../support/site.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/** Commits two states, and writes the site as it is checked out somewhere. */
function checkOut(first: Files, second: Files, present: Files): string {
  const repository = makeRepository();
  commitFiles(repository, 0, inDist(first));
  commitFiles(repository, 100, inDist(second));
  return join(makeSite(inDist(present), repository), 'dist');
}

const inDist = (files: Files) =>
  Object.fromEntries(Object.entries(files).map(([path, content]) => [`dist/${path}`, content]));

/** Each change and its digest, and whether the lists agree with one another and with the files. */
async function describeBytes(site: string, config = {}) {
  const report = await describeAt(1000, { site, hash: ['sha-256'], ...config });
  const source = readSource(site, SITE_URL);
  const changes = source.sets[0]?.changes ?? [];
  for (const [uri, hash] of hashesOf(source)) {
    expect(hash).toBe(
      `sha-256:${sha256(readFileSync(join(site, decodeURIComponent(uri.slice(SITE_URL.length)) || 'index.html')))}`,
    );
    const newest = changes.findLast((change) => change.uri === uri);
    if (newest !== undefined) expect(newest.md['hash']).toBe(hash);
  }
  return {
    pending: report.publication?.pending,
    told: changes.map(({ uri, md }) => `${md['change']} ${uri.slice(SITE_URL.length)}`),
    hashes: changes.map(({ md }) => md['hash']),
    lineEnds: noticesOf(report, 'line-ends-differ'),
    codes: report.notices.map(({ code }) => code),
  };
}

const noticesOf = ({ notices }: Report, wanted: string) => notices.filter(({ code }) => code === wanted);

const warning = (count: number, example: string) => [
  { code: 'line-ends-differ', severity: 'warning', count, example },
];

describe('line ends', () => {
  const LF = { 'index.html': '<p>\none\n', 'a.css': 'p {\n}\n', 'b.css': 'p {\n}\n' };

  test.each([
    ['core.autocrlf', ['-c', 'core.autocrlf=true'], undefined],
    ['an attribute', ['--no-checkout'], '* text eol=crlf\n'],
  ])('that %s has changed are no change', async (_, options, attributes) => {
    const origin = makeRepository();
    commitFiles(origin, 0, inDist(LF));
    commitFiles(origin, 100, { 'dist/index.html': '<p>\ntwo\n' });
    const clone = cloneOf(origin, ...options);
    if (attributes !== undefined) {
      makeSite({ '.git/info/attributes': attributes }, clone);
      git(clone, ['checkout', '--quiet']);
    }
    const site = join(clone, 'dist');
    expect(readFileSync(join(site, 'a.css'), 'utf8')).toBe('p {\r\n}\r\n');
    expect(await describeBytes(site, { sitemap: true })).toMatchObject({
      pending: false,
      told: ['updated '],
      lineEnds: warning(3, 'index.html'),
      codes: expect.not.arrayContaining(['build-not-reproducible']),
    });
    expect(readFileSync(join(site, 'sitemap.xml'), 'utf8')).toContain('2023-11-14T22:15:00Z');
    expect((await diff({ site, url: SITE_URL })).changes).toEqual([]);
  });

  const long = `${'x'.repeat(65_535)}\n`.repeat(20);
  const SAME: Record<string, [committed: string | Uint8Array, present: string | Uint8Array]> = {
    'in some lines only': ['a\nb\n', 'a\r\nb\n'],
    'where some are so in git, too': ['a\r\nb\nc\n', 'a\r\nb\r\nc\r\n'],
    'of a file with a lone CR': ['a\rb\nc\r', 'a\rb\r\nc\r'],
    'of a file without a last line end': ['\n\na', '\r\n\r\na'],
    'of a large file': [long, long.replaceAll('\n', '\r\n')],
    'of text that is not UTF-8': [Buffer.from([0xe9, 10]), Buffer.from([0xe9, 13, 10])],
  };
  const OTHER: typeof SAME = {
    'of binary files': ['PNG\r\n\0\n', 'PNG\r\n\0\r\n'],
    'that were CRLF': ['a\r\nb\r\n', 'a\nb\n'],
    'beside another word': ['a\nb\n', 'a\r\nc\r\n'],
    'after a CR': ['a\r\n', 'a\r\r\n'],
    'where git is to change none': ['a\nb\n', 'a\r\nb\r\n'],
    'that are more lines': ['a\n', 'a\r\n\r\n'],
  };

  test('are no change, whatever kind of text has them, and a change otherwise', async () => {
    const cases = { ...SAME, ...OTHER };
    const pick = (of: (pair: (typeof SAME)[string]) => string | Uint8Array) =>
      Object.fromEntries(Object.entries(cases).map(([what, pair]) => [`${what}.txt`, of(pair)]));
    const before = Object.fromEntries(Object.keys(cases).map((what) => [`${what}.txt`, 'before']));
    const site = checkOut(
      { ...before, '.gitattributes': '"where git is to change none.txt" -text\n' },
      pick(([committed]) => committed),
      pick(([, present]) => present),
    );
    const { pending, told, lineEnds } = await describeBytes(site);
    expect(pending).toBe(true);
    expect(lineEnds).toMatchObject([{ count: Object.keys(SAME).length }]);
    const times = (what: string) =>
      told.filter((line) => decodeURIComponent(line) === `updated ${what}.txt`).length;
    for (const what of Object.keys(SAME)) expect([what, times(what)]).toEqual([what, 1]);
    for (const what of Object.keys(OTHER)) expect([what, times(what)]).toEqual([what, 2]);
  });
});

describe('pointers', () => {
  const [OLD, NEW] = ['old picture '.repeat(500), 'new picture '.repeat(600)];
  const lfs = (content: string, { host = 'git-lfs', before = '', size = content.length, after = '' } = {}) =>
    `version https://${host}.github.com/spec/v1\n${before}oid sha256:${sha256(content)}\nsize ${size}\n${after}`;

  test.each<[what: string, pointTo: (content: string) => string]>([
    ['of Git LFS', lfs],
    ['of its first version', (content) => lfs(content, { host: 'hawser' })],
    [
      'of its extensions',
      (content) =>
        lfs(`stored: ${content}`, {
          before: `ext-0-case sha256:${sha256(content)}\next-1-pack sha256:${sha256(`cased: ${content}`)}\n`,
        }),
    ],
    ['of git-annex', (content) => `/annex/objects/SHA256E-s${content.length}--${sha256(content)}.png\n`],
  ])('%s stand for what they name, without a program that the repository names', async (_, pointTo) => {
    const site = checkOut(
      { 'a.png': 'before', '.gitattributes': '*.png filter=trap -text\n' },
      { 'a.png': pointTo(OLD) },
      {},
    );
    const repository = join(site, '..');
    commitFiles(repository, 200, { 'dist/a.png': pointTo(NEW) });
    const trap = join(repository, 'trap');
    for (const way of ['clean', 'smudge', 'process'])
      git(repository, ['config', `filter.trap.${way}`, `touch ${trap}`]);
    makeSite({ 'a.png': NEW }, site);
    const { hashes, ...rest } = await describeBytes(site, { dumps: { changes: true } });
    expect(hashes).toEqual([`sha-256:${sha256(OLD)}`, `sha-256:${sha256(NEW)}`]);
    expect(rest).toMatchObject({
      pending: false,
      lineEnds: [],
      codes: expect.arrayContaining(['change-dump-shortened']),
    });
    expect(existsSync(trap)).toBe(false);
    makeSite({ 'a.png': OLD }, site);
    expect(await describeBytes(site)).toMatchObject({ pending: true });
  });

  test('are none where they are not written as programs write them', async () => {
    const texts: Record<string, string> = {
      'of another version': lfs(OLD).replace('v1', 'v9'),
      'with more behind it': lfs(OLD, { after: '<p>and so on</p>\n' }),
      'in a page': `<pre>${lfs(OLD)}</pre>`,
      'with a size that is none': lfs(OLD).replace(/size \d+/, 'size 1e3'),
      'with a size that no file has': lfs(OLD).replace(/size \d+/, 'size 99999999999999999999'),
      'with half a digest': lfs(OLD).replace(/(?<=sha256:\w{32})\w+/, ''),
      'of 1,024 bytes': lfs(OLD, { before: `ext-0-${'a'.repeat(1024)} sha256:${sha256(OLD)}\n` }),
      'with lines in another order': lfs(OLD).replace(/(oid .*\n)(size .*\n)/, '$2$1'),
    };
    const fill = (of: (what: string) => string) =>
      Object.fromEntries(Object.keys(texts).map((what) => [`${what}.txt`, of(what)]));
    const site = checkOut(
      fill(() => 'before'),
      fill((what) => texts[what] ?? ''),
      fill(() => OLD),
    );
    const { told, hashes } = await describeBytes(site);
    for (const [what, text] of Object.entries(texts)) {
      const own = hashes.filter(
        (_, index) => decodeURIComponent(told[index] ?? '') === `updated ${what}.txt`,
      );
      expect([what, own]).toEqual([what, [text, OLD].map((content) => `sha-256:${sha256(content)}`)]);
    }
  });
});
