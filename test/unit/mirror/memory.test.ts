/** The memory of a folder, over many runs and through damage. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type MirrorHead, readLine } from '../../../src/mirror/memory/format.js';
import { closeJournal, compact, readJournal, writeJournal } from '../../../src/mirror/memory/journal.js';
import { applyLine, lastNumber, readFiles, readLastHead } from '../../../src/mirror/memory/state.js';
import { FileTable } from '../../../src/mirror/plan/columns.js';
import type { Line } from '../../../src/mirror/plan/lines.js';
import type { Kept } from '../../../src/mirror/plan/model.js';
import { listFiles } from '../../../src/mirror/plan/settle.js';
import { addressOf } from '../../../src/paths/address.js';
import { holdFolder } from '../../../src/paths/held/folder.js';
import { makeFolder } from '../../support/site.js';

const headOf = (number: number): MirrorHead => ({
  format: 1,
  number,
  source: 'https://a/',
  beginning: 'https://a/x',
  pinned: [],
  sets: [{ id: 1, uri: 'https://a/c', moment: number }],
  documents: [],
  missing: [],
  only: [],
  allow: [],
  files: 1,
  held: 0,
  unverified: 0,
  whole: number === 1,
});
const file = (path: string, hash = 'md5:00', more: Partial<Kept> = {}): Line => ({
  kind: 'file',
  uri: addressOf(`https://a/${path}`),
  kept: { path, length: 1, hash, sets: [1], ...more },
});
const gone = (path: string): Line => ({
  kind: 'gone',
  uri: addressOf(`https://a/${path}`),
  path,
  isTaken: false,
});

function makeMemory() {
  const memory = holdFolder(makeFolder());
  memory.makeFolder('staged');
  const scratch = memory.hold('staged');
  onTestFinished(() => {
    for (const held of [scratch, memory]) held.close();
  });
  const files = new FileTable();
  const add = (number: number, lines: readonly Line[]) => {
    writeJournal(memory, scratch, { head: headOf(number), lines });
    expect([...(readJournal(memory)?.lines ?? [])]).toEqual(
      lines.map((line) => expect.objectContaining(line)),
    );
    closeJournal(memory, headOf(number));
    for (const line of lines) applyLine(files, line);
  };
  return { memory, scratch, files, add };
}

test('what runs add is read back, and put together', () => {
  const { memory, scratch, files, add } = makeMemory();
  expect(readLastHead(memory)).toBeUndefined();
  expect(readFiles(memory)).toBeUndefined();
  add(1, [file('a'), file('b', 'sha-256:00', { validators: { etag: '"x"' } })]);
  add(2, [file('a', 'md5:01'), file('c\n"')]);
  const { uri, kept } = {
    uri: addressOf('https://a/a'),
    kept: { path: 'a', length: 1, hash: 'md5:02', sets: [1] },
  };
  const staged = '0'.repeat(32);
  add(3, [
    { ...gone('b'), time: 5 },
    { kind: 'file', uri, kept, staged, change: 'updated', time: 6 },
  ]);
  expect(readLastHead(memory)).toEqual(headOf(3));
  const read = () => [...(readFiles(memory) ?? [])];
  expect(read()).toEqual([...files]);
  compact(memory, scratch, headOf(3), listFiles(files));
  expect(readdirSync(join(memory.path, 'state'))).toEqual(['base-00000003']);
  expect(read()).toEqual([...files]);
  add(4, [gone('a')]);
  expect(read()).toEqual([...files]);
  expect([lastNumber(memory), files.size]).toEqual([4, 1]);
});

test('lines are read that are longer than what is read at once', () => {
  const { memory, files, add } = makeMemory();
  add(1, [file('a'), file(`${'é'.repeat(100_000)}/b`), file('c'), file('d'.repeat(300_000)), file('e')]);
  expect([...(readFiles(memory) ?? [])]).toEqual([...files]);
  expect(files.size).toBe(5);
});

test('a journal that is damaged says nothing', () => {
  const { memory, scratch } = makeMemory();
  writeJournal(memory, scratch, { head: headOf(1), lines: [file('a')] });
  const name = join(memory.path, 'journal');
  writeFileSync(name, readFileSync(name, 'utf8').slice(0, -4));
  expect(readJournal(memory)).toBeUndefined();
});

test.each(['"soon"', '8640000000000001'])('%s is no time of a change', (time) =>
  expect(() => readLine(`{"kind":"gone","uri":"https://a/x","path":"x","time":${time}}`)).toThrow(
    'not a line',
  ),
);
