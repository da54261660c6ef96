/** The bounds that pages promise are those that the code has, where reaching one takes minutes or gigabytes. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8').replace(/\s+/g, ' ');

/** The value of a constant: a product or a power of numbers. */
function readConstant(path: string, name: string): number {
  const written = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(read(path))?.[1];
  if (written === undefined) throw new Error(`${path} has no constant ${name}`);
  const power = (text: string) =>
    text
      .split('**')
      .map(Number)
      .reduce((base, exponent) => base ** exponent);
  return written
    .replaceAll('_', '')
    .replace(/([^*])\*(?!\*)/g, '$1,')
    .split(',')
    .map(power)
    .reduce((product, factor) => product * factor);
}

const MINUTE = 60_000;

// `test/slow/mirror/bounds.test.ts` and `test/e2e/audit-bounds.test.ts` reach bounds that are set lower.
test.each([
  ['SECURITY.md', 'ends after 15 minutes', 'src/history/live/reader.ts', 'TOTAL_TIME', 15 * MINUTE],
  ['SECURITY.md', 'for at most a minute', 'src/describe/join/check.ts', 'TOTAL_TIME', MINUTE],
  ['SECURITY.md', 'at most 1 MB of each', 'src/describe/join/check.ts', 'MOST_BYTES', 1_000_000],
  [
    'docs/notification.md',
    '512 MB of lists, 2 minutes',
    'src/tell/channel/run.ts',
    'POLL_BYTES',
    512_000_000,
  ],
  ['docs/notification.md', '512 MB of lists, 2 minutes', 'src/tell/channel/run.ts', 'POLL_TIME', 2 * MINUTE],
  [
    'docs/copies.md',
    'at most 16 GiB, and at most 1 MiB over its listed length',
    'src/source/origin/origin.ts',
    'MOST_BYTES',
    16 * 2 ** 30,
  ],
  [
    'docs/copies.md',
    'at most 16 GiB, and at most 1 MiB over its listed length',
    'src/source/origin/origin.ts',
    'MOST_LONGER',
    2 ** 20,
  ],
  ['docs/copies.md', '- documents: 20,000;', 'src/source/sets/reader.ts', 'MOST_DOCUMENTS', 20_000],
])('%s: "%s" is what %s says with %s', (page, sentence, file, name, value) => {
  expect(read(page)).toContain(sentence);
  expect(readConstant(file, name)).toBe(value);
});
