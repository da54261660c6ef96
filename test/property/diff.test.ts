/** The laws of comparing: hunks lead from one text to the other, and are as short as they can be. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitLines } from '../../src/base/text/match.js';
import { Comparer } from '../../src/diff/compare.js';
import { maskText } from '../../src/diff/text/alike.js';
import { findExcerpt, holdsExcerpt } from '../../src/diff/text/excerpt.js';
import { compareLines } from '../../src/diff/text/lines.js';
import { checkLaw, fewer } from '../support/seed.js';

/** Few different lines, so that much is equal; the last may have no end. */
const textOf = fc
  .tuple(
    fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd><e\n', 'é\r\n'), { maxLength: 30 }),
    fc.constantFrom('', 'a', '<>'),
  )
  .map(([lines, end]) => lines.join('') + end);
const budgets = fc.constantFrom(1_000_000, 40, 0);

/** The length of a longest common subsequence, from a table. */
function countCommon(before: readonly string[], after: readonly string[]): number {
  let row = new Array<number>(after.length + 1).fill(0);
  for (const line of before) {
    const next = [0];
    for (const [index, other] of after.entries()) {
      next.push(line === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

const words = (from: number, to: number) =>
  fc.array(fc.constantFrom(...'sea añil öl a&b <i> 海辺 שלום 👩‍🚀 no'.split(' ')), {
    minLength: from,
    maxLength: to,
  });

test('an excerpt has the words that changed, wherever they stand', async () => {
  const passages = fc.array(fc.tuple(fc.constantFrom(...'p li td h2'.split(' ')), words(1, 120)), {
    minLength: 1,
    maxLength: 8,
  });
  const edit = fc.record({ at: fc.nat(), place: fc.nat(), gone: fc.nat({ max: 3 }), said: words(1, 6) });
  await checkLaw(
    'excerpts',
    fc.property(passages, edit, (page, { at, place, gone, said }) => {
      const [tag = '', old = []] = page[at % page.length] ?? [];
      const from = place % (old.length + 1);
      // Words that stand nowhere else.
      const edited = old.toSpliced(from, gone, 'new1', ...said, 'new2');
      const write = (list: readonly (readonly [string, readonly string[]])[]) =>
        Buffer.from(
          `<title>${list.length}</title>${list.map(([tag, text]) => `<${tag}>${text.join(' ').replace(/&/g, '&amp;').replace(/</g, '&lt;')}</${tag}>`).join('')}`,
        );
      const before = write(page);
      const after = write(page.with(at % page.length, [tag, edited]));
      const excerpt = findExcerpt(before, after);
      expect(excerpt).toContain(['new1', ...said, 'new2'].join(' '));
      expect(excerpt?.length).toBeLessThanOrEqual(160);
      expect(excerpt).not.toMatch(/^\p{Cs}|\p{Cs}$/u);
      expect(excerpt !== undefined && holdsExcerpt(after, excerpt, (text) => text)).toBe(true);
    }),
    Math.max(200, fewer(2000, 200)),
  );
});

test('hunks lead from before to after, whatever the budget', async () => {
  await checkLaw(
    'hunks',
    fc.property(textOf, textOf, budgets, (before, after, left) => {
      const [a, b] = [splitLines(before), splitLines(after)];
      const hunks = compareLines(a, b, { left });
      let [result, place]: [string, number] = ['', 0];
      for (const hunk of hunks) {
        result +=
          a.slice(place, hunk.before).join('') + b.slice(hunk.after, hunk.after + hunk.added).join('');
        place = hunk.before + hunk.removed;
      }
      expect(result + a.slice(place).join('')).toBe(after);
      expect(hunks.every(({ removed, added }) => removed + added > 0)).toBe(true);
    }),
    fewer(2000, 300),
  );
});

test('no shorter way is possible', async () => {
  await checkLaw(
    'shortest',
    fc.property(textOf, textOf, (before, after) => {
      const [a, b] = [splitLines(before), splitLines(after)];
      const common = countCommon(a, b);
      const hunks = compareLines(a, b, { left: 1_000_000 });
      expect(hunks.reduce((sum, { added }) => sum + added, 0)).toBe(b.length - common);
      expect(hunks.reduce((sum, { removed }) => sum + removed, 0)).toBe(a.length - common);
    }),
    fewer(2000, 300),
  );
});

test('any bytes are compared, and nothing throws', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
  );
  const types = fc.constantFrom('text/html', 'text/plain', undefined, 'image/png');
  await checkLaw(
    'any bytes',
    fc.property(fc.array(fc.tuple(bytes, bytes, types), { maxLength: 8 }), (versions) => {
      const comparer = new Comparer('https://example.org/');
      for (const [index, [before, after, type]] of versions.entries()) {
        const path = `${index}`;
        comparer.add({ change: 'updated', uri: path, path, type, length: after.length }, { before, after });
      }
      const { changes, groups } = comparer.finish();
      expect(changes.map(({ path }) => Number(path))).toEqual([...versions.keys()]);
      for (const { id, count } of groups) {
        expect(count).toBeGreaterThan(1);
        expect(changes.filter(({ group }) => group === id)).toHaveLength(count);
      }
    }),
    fewer(1000, 200),
  );
});

test('texts that differ only in numbers are alike', async () => {
  const word = fc.constantFrom('alpha', '<h1>', '</p>', 'utf8', '(', '…', '"', 'page', '\n', 'é', 'B3xKq9Zd');
  const number = fc.nat({ max: 2 ** 40 });
  await checkLaw(
    'masked',
    fc.property(fc.array(fc.tuple(word, number, number), { maxLength: 20 }), (parts) => {
      const before = parts.map(([text, one]) => `${text} ${one}`).join(' ');
      const after = parts.map(([text, , other]) => `${text} ${other}`).join(' ');
      expect(maskText(after)).toBe(maskText(before));
      expect(maskText(before)).toBe(parts.map(([text]) => `${text === 'B3xKq9Zd' ? '…' : text} …`).join(' '));
    }),
    fewer(1000, 200),
  );
});
