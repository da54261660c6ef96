/** The tables of the documentation name the checks that there are, and say of them what is so. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHECKS } from '../../src/standard/rules/checks.js';
import { PAGES, ROOT } from '../support/documentation.js';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

test('docs/conformance.md names checks that exist, or says why there is none', () => {
  const page = read('docs/conformance.md');
  const demands = [...page.matchAll(/^- \*\*(.+)\*\* (.+?\.) (`.*|None: \w.*)$/gm)];
  expect(demands).toHaveLength(page.match(/^- /gm)?.length ?? 0);
  for (const [, sections, demand, checks = ''] of demands) {
    const codes = [...checks.matchAll(/`([a-z0-9-]+)`/g)].map(([, code]) => code);
    expect(Object.keys(CHECKS), `${sections} ${demand}`).toEqual(expect.arrayContaining(codes));
    if (codes.length === 0) expect(checks).toMatch(/^None: /);
  }
  const listed = demands.flatMap(([, sections = '']) => sections.split(', '));
  expect(listed.length).toBeGreaterThan(90);
  const sections = new Set(listed);
  for (const section of [
    '§6.1',
    '§6.3.2',
    '§6.3.3',
    '§7',
    '§8',
    '§9',
    '§10.1',
    '§10.2',
    '§11.1',
    '§11.2',
    '§12.1',
    '§12.2',
    '§13.1',
    '§13.2',
    '§14.4',
    '§14.8',
    'Appendix A',
    'Archives §3',
    'Archives §5',
  ]) {
    expect(sections).toContain(section);
  }
});

// A promise ends with a file and its titles, or with several of these: `e2e/one`: `a title`, `another one`; `e2e/two`: `a third one`
test('SECURITY.md names tests that are there', () => {
  const named = [...read('SECURITY.md').matchAll(/`([a-z\d-]+\/[\w/-]+)`: ((?:`[^`]+`(?:, )?)+)/g)];
  const titles = named.flatMap(([, file = '', list = '']) =>
    Array.from(list.matchAll(/`([^`]+)`/g), ([, title = '']) => ({ file, title })),
  );
  expect(titles.length).toBeGreaterThanOrEqual(15);
  const missing = titles.filter(({ file, title }) => {
    const path = `test/${file}.test.ts`;
    const text = existsSync(join(ROOT, path)) ? read(path) : '';
    return !["'", '"', '`'].some((quote) => text.includes(quote + title + quote));
  });
  expect(missing).toEqual([]);
});

const FOLDERS = ['unit', 'property', 'conformance', 'e2e', 'slow', 'integration'].map(
  (name) => `test/${name}`,
);
const PAGE = /(?:docs\/[\w-]+|SECURITY)\.md/;
/** Comments, with the marks of their lines. */
const COMMENT = /(?:^ *(?:\/\/|\/?\*+) .*\n)+/gm;
/** A passage without marks of Markdown, of comments, and of the end of a sentence. */
const simplify = (text: string) =>
  text
    .replace(/\n *(?:\/\/|\*+) /g, ' ')
    .replace(/\]\([^)]*\)|[*`[\]]|[.,;]$/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

test('pages have the sentences that tests say they hold', () => {
  const pages = simplify([...PAGES, 'SECURITY.md'].map(read).join('\n'));
  const quoted = FOLDERS.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => read(`${folder}/${name}`).match(COMMENT) ?? [])
      .filter((comment) => PAGE.test(comment))
      .flatMap((comment) => Array.from(comment.matchAll(/"([^"]{8,})"/g), ([, quote = '']) => quote)),
  );
  expect(quoted.length).toBeGreaterThan(100);
  expect(quoted.filter((quote) => !pages.includes(simplify(quote)))).toEqual([]);
});
