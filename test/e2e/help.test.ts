/** The command `help` prints the pages of the manual, which the package has. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { COMMANDS } from '../../src/cli/arguments/table.js';
import { PAGES, ROOT, readPage } from '../support/documentation.js';
import { callCli } from '../support/site.js';

const TOPICS = PAGES.filter((page) => page.startsWith('docs/')).map((page) => page.slice('docs/'.length));

test.each(TOPICS)('help %s prints the page without its marks', async (topic) => {
  const { status, stdout, stderr } = await callCli(['help', topic]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [, title = ''] = /^# (.*)$/m.exec(readPage(`docs/${topic}`)) ?? [];
  expect(stdout.startsWith(`${title}\n\n`)).toBe(true);
  const text = stdout.replaceAll(/^ {4}.*$/gm, '');
  expect(text).not.toMatch(/`|^#|^\||\]\([\w-]+\.md|<!-- .*npm run docs/m);
  const tooLong = text.split('\n').filter((line) => line.length > 80 && line.trim().includes(' '));
  expect(tooLong.filter((line) => line.trim().split(' ').length > 2)).toEqual([]);
});

test('every page that a page names is one that help prints', async () => {
  for (const topic of TOPICS) {
    const { stdout } = await callCli(['help', topic]);
    const named = [...stdout.replaceAll(/\s+/g, ' ').matchAll(/\(help ([\w.-]+)\)/g)].map(
      ([, name = '']) => name,
    );
    const known = ['manual', ...TOPICS, ...TOPICS.map((one) => one.replace(/\.md$/, ''))];
    expect(known).toEqual(expect.arrayContaining(named));
    for (const name of named) expect([...COMMANDS] as string[]).not.toContain(name);
  }
});

test.each(COMMANDS)('the help of %s names a page that is there', async (command) => {
  const { stdout } = await callCli(['help', command]);
  const [, page = ''] = /\nMore: resync-static help (\S+)\n$/.exec(stdout) ?? [];
  expect(TOPICS).toContain(`${page.replace(/\.md$/, '')}.md`);
  expect((await callCli(['help', page])).stdout).not.toBe(stdout);
});

test('a path is no topic', async () => {
  const { status, stderr } = await callCli(['help', '../CHANGELOG']);
  expect({ status, stderr }).toEqual({
    status: 2,
    stderr: expect.stringContaining('nor a page of the manual'),
  });
});

test('the package has the manual', () => {
  const { files }: { files: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  expect(files).toContain('docs/*.md');
  // What people read in a terminal names no page that is not there.
  const absent = files.filter((name) => name.startsWith('!docs/')).map((name) => name.slice('!docs/'.length));
  const shipped = PAGES.filter((page) => !absent.includes(basename(page)));
  const links = shipped.flatMap((page) => readPage(page).match(/(?<=\]\()[\w-]+\.md/g) ?? []);
  expect(absent.length).toBeGreaterThan(0);
  expect(links.filter((link) => absent.includes(link))).toEqual([]);
});
