/** Takes what the section `mirror-delay` measured into the documentation: figures, chart and table. */

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH_FOLDER } from '../built.js';
import { type DelayFigures, drawDelays, writeDelays } from '../delay/draw.js';

const docs = join(BENCH_FOLDER, '../../docs');
const measured = join(BENCH_FOLDER, 'delay.json');
const kept = join(docs, 'pictures/delay.json');
const page = join(docs, 'speed.md');

if (existsSync(measured)) copyFileSync(measured, kept);
const figures: DelayFigures = JSON.parse(readFileSync(kept, 'utf8'));
writeFileSync(join(docs, 'pictures/delay.svg'), drawDelays(figures));
const text = readFileSync(page, 'utf8')
  .replace(/^Measured on .*$/m, `Measured on ${figures.machine}.`)
  .replace(/^\| there and back \|.*\n(?:\|.*\n)+/m, writeDelays(figures));
writeFileSync(page, text);
