/** `describe --rows` of ten million rows against reading them and writing as many bytes as its documents have. */

import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { resyncStatic } from '../built.js';
import { folderOf, makeOnce } from '../corpora/once.js';
import { wholeRun } from '../measure.js';
import { run } from '../processes.js';
import { compare, type Section } from '../section.js';

const ROWS = 10_000_000;
const NAME = 'rows-10m';

const folder = folderOf(NAME);
const documents = join(folder, 'lists');
const rows = join(folder, 'rows.csv.gz');
const describe = resyncStatic(
  'describe',
  '--rows',
  rows,
  '--url',
  'https://example.org/',
  '--into',
  documents,
  '--quiet',
);
const read = `gzip -dc ${rows} | wc -l`;
const write = `cat ${documents}/resourcesync/*.xml > ${folder}/written`;

export const sections: readonly Section[] = [
  {
    ...compare({
      name: NAME,
      subject: `${ROWS.toLocaleString('en-US')} rows`,
      tools: ['gzip', 'wc', 'cat'],
      prepare: async () => {
        await makeOnce(NAME, { rows: ROWS }, () =>
          pipeline(Readable.from(makeRows()), createGzip({ level: 1 }), createWriteStream(rows)),
        );
        await run(describe);
      },
      reset: (side) =>
        rmSync(side === 'a' ? documents : `${folder}/written`, { recursive: true, force: true }),
      a: wholeRun('describe --rows', describe),
      b: wholeRun('gzip -dc | wc -l, and writing the documents', ['sh', '-c', `${read} && ${write}`]),
      target: { ratio: 2 },
      memory: { argv: describe, limit: 500e6 },
    }),
    onlyWhenNamed: 'ten minutes, and 7 GB below .tmp/bench',
  },
];

/** Rows with all columns, in the order of their keys. */
function* makeRows(): Generator<string, void> {
  yield 'key,length,md5,sha256,type,modified\n';
  for (let number = 0; number < ROWS; number++) {
    const digest = createHash('sha256').update(String(number)).digest('hex');
    const modified = new Date(1.7e12 + ((number * 7919) % 2e7) * 1000).toISOString().replace('.000', '');
    const key = `data/${String(number >>> 12).padStart(6, '0')}/item-${String(number).padStart(9, '0')}.html`;
    yield `${key},${(number * 31) % 1_000_000},${digest.slice(32)},${digest},text/html,${modified}\n`;
  }
}
