/** `describe` of sites of several sizes against programs that only digest, and against Node alone. */

import { writeFileSync } from 'node:fs';
import { describeSite } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeSite, type Shape, SITES, wordShape } from '../corpora/sites.js';
import { type Side, wholeRun } from '../measure.js';
import { allowMemory, type Comparison, compare } from '../section.js';

const COREUTILS = ['bash', 'find', 'xargs', 'sha256sum', 'md5sum'];
const EMPTY = folderOf('empty.mjs');

export const sections = [
  compare({
    ...describing('files-20k', SITES.files20k),
    b: coreutilsPasses(SITES.files20k, 500),
    tools: COREUTILS,
    target: { ratio: 1 },
  }),
  compare({
    ...describing('files-200k', SITES.files200k),
    b: coreutilsPasses(SITES.files200k, 500),
    tools: COREUTILS,
    target: { ratio: 0.8 },
  }),
  // By 500, all 20 files are digested by one process; by 10, by two at once.
  compare({
    ...describing('files-100mb', SITES.files100mb),
    b: coreutilsPasses(SITES.files100mb, 500),
    tools: COREUTILS,
    target: { ratio: 0.55 },
  }),
  compare({
    ...describing('files-100mb-two-processes', SITES.files100mb),
    b: coreutilsPasses(SITES.files100mb, 10),
    tools: COREUTILS,
    memory: undefined,
  }),
  compare({
    ...describing('small-site', SITES.small),
    b: wholeRun('an empty Node process', [process.execPath, EMPTY]),
    target: { ratio: 2 },
  }),
];

function describing(name: string, shape: Shape): Omit<Comparison, 'b'> {
  const site = folderOf(shape.name);
  const argv = describeSite(site, '--history', 'none');
  return {
    name,
    subject: wordShape(shape),
    prepare: async () => {
      await makeSite(shape);
      writeFileSync(EMPTY, '');
    },
    reset: () => undescribe(site),
    finish: () => undescribe(site),
    a: wholeRun('describe', argv),
    memory: { argv, limit: allowMemory(shape.files) },
  };
}

/** @param batch files for each process; two processes run at once */
function coreutilsPasses({ name }: Shape, batch: number): Side {
  const pass = (sum: string) => `find . -type f -print0 | xargs -0 -P2 -n ${batch} ${sum} > /dev/null`;
  const script = `set -euo pipefail; ${pass('sha256sum')}; ${pass('md5sum')}`;
  return wholeRun(
    `two coreutils passes (sha256sum, then md5sum, ${batch} files a process)`,
    ['bash', '-c', script],
    folderOf(name),
  );
}
