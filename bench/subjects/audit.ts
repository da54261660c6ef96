/** `audit` of a site in a folder against `describe` of the same: both read every byte of it. */

import { describeSite, resyncStatic } from '../built.js';
import { folderOf, undescribe } from '../corpora/once.js';
import { makeSite, type Shape, SITES, wordShape } from '../corpora/sites.js';
import { wholeRun } from '../measure.js';
import { run } from '../processes.js';
import { allowMemory, type Comparison, compare } from '../section.js';

export const sections = [
  // A time is promised for 20,000 files, and memory for 200,000: what a small site needs is Node's own.
  compare({ ...auditing('audit-20k', SITES.files20k), target: { ratio: 1.5 }, memory: undefined }),
  compare(auditing('audit-200k', SITES.files200k)),
];

function auditing(name: string, shape: Shape): Comparison {
  const site = folderOf(shape.name);
  const audit = resyncStatic('audit', site, '--quiet');
  const describe = describeSite(site, '--history', 'none');
  return {
    name,
    subject: wordShape(shape),
    prepare: async () => {
      await makeSite(shape);
      undescribe(site);
      await run(describe, { stdio: 'ignore' });
    },
    // Each audit finds what the run before it wrote, and each `describe` finds a site without documents.
    reset: (side) => (side === 'b' ? undescribe(site) : undefined),
    finish: () => undescribe(site),
    a: wholeRun('audit', audit),
    b: wholeRun('describe', describe),
    memory: { argv: audit, limit: allowMemory(shape.files) },
  };
}
