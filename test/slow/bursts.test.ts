/** A site that is watched while it is edited without a pause. */

import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { makeRandom } from '../support/random.js';
import { makeSite } from '../support/site.js';
import { describeCopy, isCurrent, startIn } from '../support/watched.js';

test('of a thousand edits in bursts, none is lost', async () => {
  const random = makeRandom();
  const upTo = (number: number) => Math.floor(random() * number);
  const site = makeSite({ 'index.html': 'home' });
  for (let file = 0; file < 200; file++) makeSite({ [`${file % 7}/${file % 20}/${file}.txt`]: '0' }, site);
  const watching = startIn(site);
  await watching.next();

  for (let edit = 0; edit < 1000; ) {
    for (let burst = 1 + upTo(100); burst > 0 && edit < 1000; burst--, edit++) {
      const file = upTo(220);
      const path = join(site, `${file % 7}/${file % 20}/${file}.txt`);
      const way = upTo(12);
      // As long as the last edit of the file, or nearly so.
      const bytes = `${1000 + edit}`;
      if (way === 0) rmSync(path, { force: true });
      else if (way === 1) rmSync(join(site, `${file % 7}`), { recursive: true, force: true });
      else if (way === 2) {
        makeSite({ [`${edit}.part`]: bytes }, site);
        mkdirSync(join(path, '..'), { recursive: true });
        renameSync(join(site, `${edit}.part`), path);
      } else makeSite({ [path.slice(site.length + 1)]: bytes }, site);
      if (way === 3) await sleep(upTo(30));
    }
    await sleep(upTo(600));
    if (upTo(4) === 0) await watching.until(() => isCurrent(site));
  }
  await watching.until(() => isCurrent(site));
  await watching.end();
  expect(readDocuments(site)).toEqual(await describeCopy(site));
});
