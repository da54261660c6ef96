/** The figures, the chart and the table of docs/scale.md are of one measurement. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawScale } from '../../bench/scale/draw.js';
import type { Figures } from '../../bench/scale/figures.js';
import { writeTable } from '../../bench/scale/table.js';
import { ROOT, readPage } from '../support/documentation.js';

const read = (name: string) => readFileSync(join(ROOT, 'docs/pictures', name), 'utf8');
const figures: Figures = JSON.parse(read('scale.json'));

test('the chart shows what was measured, from ten thousand files to ten million', () => {
  expect(drawScale(figures)).toBe(read('scale.svg'));
  const files = figures.measurements.map((one) => one.files);
  expect([Math.min(...files), Math.max(...files)]).toEqual([10_000, 10_000_000]);
});

test('the table does, too, and the page says where', () => {
  expect(readPage('docs/scale.md')).toContain(`\n${writeTable(figures)}`);
  expect(readPage('docs/scale.md')).toContain(figures.machine);
});
