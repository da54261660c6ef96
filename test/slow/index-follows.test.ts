/** An index that follows a site by what a mirror hands over: as good as one that is built from nothing, and for less. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { readPage } from '../../src/index.js';
import { ROOT } from '../support/command.js';
import { readCopy, startSource } from '../support/mirror.js';
import { makeRandom } from '../support/random.js';
import { stride } from '../support/seed.js';
import { makeFolder, runCli } from '../support/site.js';

const OPTIONS = { idField: 'uri', fields: ['title', 'text'], storeFields: ['title', 'text'] };
const WORDS = ['heron', 'lamp', 'ledger', 'tide', 'map', 'stair', 'garden', 'bell', 'winter', 'ferry'];

/** A third of the times, it fails: before it does anything, or once the index is written. */
const COMMAND = `
import { readFileSync } from 'node:fs';
const order = Number(readFileSync(process.env.ORDER, 'utf8'));
if (order < 1 / 6) process.exit(1);
process.on('exit', () => { if (order < 1 / 3) process.exitCode = 1; });
await import(${JSON.stringify(join(ROOT, 'demo-site/index.mjs'))});
`;

interface Page {
  readonly text: string;
  readonly script: number;
}

const write = ({ text, script }: Page) =>
  `<!doctype html><html lang="en"><head><title>On ${text.split(' ')[0]}</title><script src="/app.${script}.js"></script></head><body><main class="c${script}"><h1>${text}</h1></main></body></html>`;

// docs/index-a-site.md: "At least once."
test('after each of many publications, with a command that fails a third of the time', async () => {
  const random = makeRandom();
  const choose = (count: number) => Math.floor(random() * count);
  const makeText = () => Array.from({ length: 8 }, () => WORDS[choose(WORDS.length)]).join(' ');
  let asked = 0;
  const source = await startSource({}, () => {
    asked++;
    return false;
  });
  const [folder, place] = [makeFolder(), makeFolder()];
  const [command, order, index] = ['command.mjs', 'order', 'index.json'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(command, COMMAND);
  const env = { INDEX: index, ORDER: order };
  const args = [
    'mirror',
    source.url,
    folder,
    '--run',
    `"${process.execPath}" ${command}`,
    '--json',
    '--max-delete',
    '100%',
  ];
  const run = () => {
    // The first one of all fails.
    writeFileSync(order, `${changed > 12 || refusals > 0 ? random() : 0.2}`);
    return runCli(args, { env });
  };

  const pages = new Map<string, Page>();
  let [changed, indexed, refusals] = [0, 0, 0];
  for (let step = 0; step < 40 / stride(4); step++) {
    const files: Record<string, string | undefined> = { 'data.json': `{"step":${step}}` };
    for (const [path, { text }] of pages) {
      const dice = random();
      if (dice < 0.1) {
        pages.delete(path);
        files[path] = undefined;
        continue;
      }
      if (dice < 0.3) changed++;
      // Every build gives the script another name.
      const page = { text: dice < 0.3 ? `${makeText()} ${step}` : text, script: step };
      pages.set(path, page);
      files[path] = write(page);
    }
    for (let count = step === 0 ? 12 : choose(3); count > 0; count--) {
      const page = { text: makeText(), script: step };
      changed++;
      pages.set(`p${step}-${count}.html`, page);
      files[`p${step}-${count}.html`] = write(page);
    }
    await source.publish(step * 60, files);

    let isTaken = false;
    for (let tries = 0; !isTaken; tries++) {
      expect(tries).toBeLessThan(40);
      asked = 0;
      const { status, stdout, stderr } = await run();
      const { created, updated, handed, inSync } = JSON.parse(stdout);
      expect({ inSync, stdout: inSync ? '' : stdout }).toEqual({ inSync: true, stdout: '' });
      expect(asked).toBeLessThanOrEqual(6 + created + updated);
      if (handed?.taken === false) refusals++;
      else if (handed !== undefined) indexed += Number(/(\d+) pages indexed/.exec(stderr)?.[1]);
      isTaken = status === 0;
    }
    const kept = MiniSearch.loadJSON(readFileSync(index, 'utf8'), OPTIONS);
    const anew = new MiniSearch(OPTIONS);
    for (const path of pages.keys()) {
      const { title, text } = readPage(readFileSync(join(source.site, path))) ?? {};
      anew.add({ uri: `${source.url}${path}`, title, text });
    }
    const tell = (one: MiniSearch) =>
      WORDS.flatMap((word) =>
        one.search(word).map(({ id, title, text }) => `${word} ${id} ${title} ${text}`),
      ).sort();
    expect(Object.keys(readCopy(folder)).sort()).toEqual(Object.keys(source.listed()).sort());
    expect(kept.documentCount).toBe(anew.documentCount);
    expect(tell(kept)).toEqual(tell(anew));
  }
  expect(refusals).toBeGreaterThan(0);
  expect(indexed).toBeLessThanOrEqual(changed);
});
