/** A folder that a link replaces at any moment while a run works in it: nothing is changed where the link leads. */

import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt } from '../support/changes.js';
import { copy, readCopy, startSource } from '../support/mirror.js';
import { stride } from '../support/seed.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';

/**
 * Runs with a folder that a link replaces at the n-th moment, and puts it back.
 *
 * @param run calls its argument at each moment of its own
 * @returns whether there was such a moment
 */
async function runSwapped(
  folder: string,
  nth: number,
  run: (atMoment: () => void) => Promise<unknown>,
): Promise<boolean> {
  // Something is in the way wherever the run comes to.
  const names = ['lock.txt', ...Object.keys(readTree(folder))];
  const outside = makeSite(Object.fromEntries(names.map((path) => [path, 'theirs'])));
  const before = readTree(outside);
  const aside = join(makeFolder(), 'aside');
  let moments = 0;
  const running = run(() => {
    if (++moments !== nth || !existsSync(folder)) return;
    renameSync(folder, aside);
    symlinkSync(outside, folder);
  });
  // It may end with words about what stands in its way.
  await running.catch((error) => expect(error).toMatchObject({ name: 'ResyncError' }));
  expect(readTree(outside), `moment ${nth}`).toEqual(before);
  if (existsSync(aside)) {
    rmSync(folder);
    renameSync(aside, folder);
  }
  return moments >= nth;
}

// SECURITY.md: "A mirror writes into its folder, and nowhere else."
describe.runIf(process.platform === 'linux')('a mirror', () => {
  const FIRST = { 'f/g/1.txt': 'one', 'f/g/2.txt': 'one', 'f/g/3.txt': 'one' };

  test.each(['f', 'f/g', '.resync-mirror', '.resync-mirror/state', '.resync-mirror/ready'])(
    'changes nothing where %s leads',
    async (name) => {
      let ask: () => void = () => undefined;
      const source = await startSource({}, () => {
        ask();
        return false;
      });
      await source.publish(0, FIRST);
      for (let [nth, goesOn] = [1, true]; goesOn; nth += stride(2)) {
        const folder = makeFolder();
        await copy(source.url, folder);
        mkdirSync(join(folder, '.resync-mirror/ready'), { recursive: true });
        await source.publish(60 * nth, {
          'f/g/1.txt': `two ${nth}`,
          [`f/g/${nth + 3}.txt`]: 'new',
          [`f/g/${nth + 1}.txt`]: undefined,
        });
        goesOn = await runSwapped(join(folder, name), nth, (atMoment) => {
          ask = atMoment;
          return copy(source.url, folder, { maxDelete: '100%' });
        });
        ask = () => undefined;
        // Lost files are found like other damage.
        const mended = await copy(source.url, folder, { maxDelete: '100%', verify: true });
        expect(mended).toMatchObject({ inSync: true });
        expect(readCopy(folder)).toEqual(source.listed());
      }
    },
  );
});

// SECURITY.md: "On Linux, this holds also while somebody swaps a folder for a link."
describe.runIf(process.platform === 'linux')('a site that is described', () => {
  const sets = ['a', 'b'].map((name) => ({ name, include: [`${name}/**`] }));

  test.each(['resourcesync', '.well-known', '.resync-static', 'resourcesync/b'])(
    'changes nothing where %s leads',
    async (name) => {
      const site = makeSite({ 'a/index.html': 'a', 'b/index.html': 'b' });
      const config = { site, history: 'none', dumps: true, sets } as const;
      await describeAt(0, config);
      for (let [nth, goesOn] = [1, true]; goesOn; nth += stride(2)) {
        makeSite({ 'a/index.html': `a ${nth}`, [`b/${nth}.html`]: 'b' }, site);
        mkdirSync(join(site, '.resync-static'), { recursive: true });
        goesOn = await runSwapped(join(site, name), nth, (atMoment) => describeAt(nth, config, atMoment));
      }
      expect((await describeAt(1000, config)).removed).toBeDefined();
    },
  );
});
