/** Files that change between scan and pack: no package holds anything else than what is listed. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { DUMPS_URL } from '../support/dumps.js';
import { change, describeDumps, runAt } from '../support/packing.js';
import { makeSite } from '../support/site.js';

describe('a file that changes between scan and pack', () => {
  /** The configuration is asked for links when everything has been read, and nothing has been packed. */
  const configThat = (act: string) => {
    const folder = makeSite({
      'config.mjs': `import fs from 'node:fs';
        let done = false;
        export default {
          url: ${JSON.stringify(DUMPS_URL)},
          links: () => { if (!done) { done = true; const file = process.env.FILE; ${act} } return []; },
        };`,
    });
    return ['--config', join(folder, 'config.mjs')];
  };
  const EDIT = (at: string) => `const handle = fs.openSync(file, 'r+'); fs.writeSync(handle, '!', ${at});`;

  test.each<[what: string, act: string, length: number]>([
    ['is edited in its second piece', EDIT('300_000'), 1_000_000],
    ['is edited at its end, in a package too large for the memory', EDIT('(70 << 20) - 1'), 70 << 20],
    ['grows from nothing', "fs.appendFileSync(file, '!');", 0],
    ['is cut short', 'fs.truncateSync(file, 99);', 100],
    ['is removed', 'fs.rmSync(file);', 100],
  ])('is noticed: it %s', async (_, act, length) => {
    const site = makeSite({ 'a.txt': 'a', 'z.txt': 'z' });
    await describeDumps(0, site);
    change(site, { 'm.mp4': Buffer.alloc(length, 'x') });
    const documents = readDocuments(site);

    const { status, stderr } = await runAt(0, site, [...configThat(act), '--dumps'], {
      env: { FILE: join(site, 'm.mp4') },
    });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^Error .*m\.mp4 is no longer what was described.*\nRun again/),
    });
    expect(readDocuments(site)).toEqual(documents);
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });
});
