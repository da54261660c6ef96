/** `describe --dumps` after one edit, with the former packages at hand, against the first run. */

import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describeSite, type Report } from '../built.js';
import { undescribe } from '../corpora/once.js';
import { makeRandom, pick } from '../corpora/random.js';
import { type Side, wholeRun } from '../measure.js';
import { type Argv, run, runForText } from '../processes.js';
import { compare, type Section, type Target } from '../section.js';
import { type Corpus, NOISE, PAGES } from './dumps.js';

const EDITED = 'edited.html';

/** What of the two runs is compared. */
interface Part {
  readonly words: string;
  readonly side: (label: string, argv: Argv) => Side;
  readonly target?: Target;
}

const PACKING: Part = {
  words: 'only the making of packages',
  side: (label, argv) => ({ label, time: () => timePacking(argv) }),
  target: { ratio: 0.1, strict: true },
};
const WHOLE: Part = { words: 'the whole run', side: wholeRun };

export const sections = [
  afterEdit('dumps-noise-again-packing', NOISE, PACKING),
  afterEdit('dumps-noise-again', NOISE, WHOLE),
  afterEdit('dumps-pages-again-packing', PAGES, PACKING),
  afterEdit('dumps-pages-again', PAGES, WHOLE),
];

function afterEdit(name: string, { site, subject, make }: Corpus, { words, side, target }: Part): Section {
  const describe = describeSite(site, '--history', 'none', '--dumps');
  const random = makeRandom();
  let edited = '';
  const edit = () => writeFileSync(edited, `edit ${random()}`);
  const begin = () => {
    rmSync(edited, { force: true });
    undescribe(site);
    // Somewhere in the site, and each time elsewhere.
    edited = join(pickFolder(pickFolder(site, random), random), EDITED);
    edit();
  };
  const restore = () => {
    undescribe(site);
    removeEdits(site);
  };
  return compare({
    name,
    subject: `${subject}, one of them edited, ${words}`,
    // An interrupted bench may have left an edit.
    prepare: async () => {
      await make();
      restore();
    },
    reset: async (turn) => {
      if (turn === 'b') return begin();
      if (!existsSync(edited)) {
        begin();
        await run(describe);
      }
      edit();
    },
    finish: restore,
    a: side('describe --dumps again', describe),
    b: side('describe --dumps for the first time', describe),
    target,
  });
}

/** @returns what the stage took in which packages are made, as the report tells it */
async function timePacking(argv: Argv): Promise<number> {
  const report: Report = JSON.parse(
    await runForText([...argv, '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  return report.durations.pack;
}

function pickFolder(folder: string, random: () => number): string {
  const folders = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && !/^\.|^resourcesync$/.test(entry.name),
  );
  return folders.length === 0 ? folder : join(folder, pick(folders, random).name);
}

function removeEdits(site: string): void {
  const paths = readdirSync(site, { recursive: true, encoding: 'utf8' });
  for (const path of paths.filter((path) => basename(path) === EDITED)) rmSync(join(site, path));
}
