/** Rows say the same as files: `describe --rows` publishes of a tree written as rows what `describe` publishes of the tree. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { datetimeAt } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { BUCKET_URL, describeRows, listRows, makeCsv } from '../support/rows.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';
import { describeStory } from '../support/story.js';

type Files = Readonly<Record<string, string>>;

const COLUMNS = ['modified', 'key', 'sha256', 'type', 'length', 'md5'];
const TYPES = { '.txt': 'text/plain', '.html': 'text/html', '': undefined };

const name = fc.string({
  unit: fc.constantFrom(...'ab Z%&\'"<>,;?#+~=@\n\r\té\u{1f600}\ue000'),
  maxLength: 6,
});
// A folder and a file never have one name.
const path = fc
  .record({
    folders: fc.array(name, { maxLength: 2 }),
    file: name,
    ending: fc.constantFrom(...(Object.keys(TYPES) as (keyof typeof TYPES)[])),
  })
  .map(({ folders, file, ending }) => [...folders.map((one) => `d${one}`), `f${file}${ending}`].join('/'));
const text = fc.constantFrom('', 'a', 'b', 'c'.repeat(1000));
const tree = fc.dictionary(path, text, { maxKeys: 12 });

/** The second publication keeps some files of the first one, edits some, drops some, and adds others. */
const twoTrees = fc
  .record({ first: tree, added: tree, edits: fc.array(fc.option(text), { minLength: 12, maxLength: 12 }) })
  .map(({ first, added, edits }) => {
    const kept = Object.entries(first).flatMap(([key, content], index) =>
      edits[index] === null ? [] : [[key, index % 2 === 0 ? content : (edits[index] ?? content)]],
    );
    return [
      { ...first, number: '1' },
      { ...added, ...Object.fromEntries(kept), number: '2' },
    ] as [Files, Files];
  });

/** All that is said of resources and changes, in an order of its own. */
function readEntries(site: string) {
  const [set] = readSource(site, BUCKET_URL).sets;
  const word = (entries: NonNullable<typeof set>['resources'] = []) =>
    entries
      .map(({ uri, md, element }) => {
        const lastmod = element.children.find((one) => one.name === 'lastmod')?.text;
        return JSON.stringify([uri, lastmod, Object.entries(md).sort()]);
      })
      .sort();
  return { resources: word(set?.resources), changes: word(set?.changes) };
}

function writeRows(files: Files, modified: (key: string) => string): Buffer {
  const rows = listRows(files, modified).map((row) => {
    const [, ending = ''] = /(\.[a-z]+)$/.exec(String(row['key'])) ?? [];
    return { ...row, type: TYPES[ending as keyof typeof TYPES] };
  });
  return makeCsv(COLUMNS, rows);
}

const law = fc.asyncProperty(twoTrees, async ([first, second]) => {
  const gone = Object.keys(first).filter((key) => second[key] === undefined);
  const stepOf = (files: object) =>
    Object.fromEntries(Object.entries(files).map(([key, content]) => [`dist/${key}`, content]));
  const site = await describeStory(
    [
      stepOf(first),
      { ...stepOf(second), ...Object.fromEntries(gone.map((key) => [`dist/${key}`, undefined])) },
    ],
    { url: BUCKET_URL, urls: 'file' },
  );
  const folder = makeFolder();
  const [before, at] = [datetimeAt(0), datetimeAt(100)];
  await describeRows(
    folder,
    writeRows(first, () => before),
    ['--state', 'state'],
  );
  writeFileSync(
    join(folder, 'before.csv'),
    writeRows(first, () => before),
  );
  const today = writeRows(second, (key) => (first[key] === second[key] ? before : at));
  const { stderr } = await describeRows(folder, today, ['--state', 'state', '--before', 'before.csv']);
  expect(stderr).toBe('');
  const lists = join(folder, 'lists');
  expect(readEntries(lists)).toEqual(readEntries(site));
  const { findings } = await audit({ source: makeSite(second, lists), url: BUCKET_URL, urls: 'file' });
  expect(findings.filter(({ code }) => code !== 'describedby-missing')).toEqual([]);
});

test('a tree written as rows has the same entries and changes as the tree', () =>
  checkLaw('rows', law, fewer(100, 12)));
