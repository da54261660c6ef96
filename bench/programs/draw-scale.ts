/** Takes what the sections `scale-…` measured into the documentation: figures, chart and table. */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../built.js';
import { drawScale } from '../scale/draw.js';
import type { Figures } from '../scale/figures.js';
import { writeTable } from '../scale/table.js';

const docs = join(BENCH_FOLDER, '../../docs');
const measured = join(BENCH_FOLDER, 'scale.json');
const kept = join(docs, 'pictures/scale.json');
const page = join(docs, 'scale.md');

if (existsSync(measured)) copyFileSync(measured, kept);
const figures: Figures = JSON.parse(readFileSync(kept, 'utf8'));
writeFileSync(join(docs, 'pictures/scale.svg'), drawScale(figures));
const text = readFileSync(page, 'utf8')
  .replace(/^\| files \|.*\n(?:\|.*\n)+/m, writeTable(figures))
  .replace(/^Measured on .*$/m, `Measured on ${figures.machine}.`);
writeFileSync(page, text);
