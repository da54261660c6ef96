/** Takes what the sections `mirror-delay` and `scale-…` measured into the documentation: figures, charts and tables. */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../built.js';
import { drawDelays, writeDelays } from '../delay/draw.js';
import { drawScale } from '../scale/draw.js';
import { writeTable } from '../scale/table.js';

const docs = join(BENCH_FOLDER, '../../docs');

draw('delay', 'speed.md', '| there and back |', drawDelays, writeDelays);
draw('scale', 'scale.md', '| files |', drawScale, writeTable);

/**
 * @param name of the figures, and of the chart
 * @param head with which the table of the page begins
 */
function draw<T extends { readonly machine: string }>(
  name: string,
  page: string,
  head: string,
  drawChart: (figures: T) => string,
  writeRows: (figures: T) => string,
): void {
  const measured = join(BENCH_FOLDER, `${name}.json`);
  const kept = join(docs, `pictures/${name}.json`);
  if (existsSync(measured)) copyFileSync(measured, kept);
  const figures: T = JSON.parse(readFileSync(kept, 'utf8'));
  writeFileSync(join(docs, `pictures/${name}.svg`), drawChart(figures));
  const lines = readFileSync(join(docs, page), 'utf8').split('\n');
  const machine = lines.findIndex((line) => line.startsWith('Measured on '));
  lines[machine] = `Measured on ${figures.machine}.`;
  const begin = lines.findIndex((line) => line.startsWith(head));
  const rows = lines.slice(begin).findIndex((line) => !line.startsWith('|'));
  lines.splice(begin, rows, writeRows(figures).trimEnd());
  writeFileSync(join(docs, page), lines.join('\n'));
}
