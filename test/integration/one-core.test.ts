/** A machine with one core writes the documents that others write. */

import { describe, expect, test } from 'vitest';
import { createFiles, FILES, readDescribed } from '../support/deterministic.js';
import { describeManyPackages } from '../support/many-packages.js';
import { requireProgram } from '../support/site.js';

const bind = () => [requireProgram('taskset', 'util-linux'), '-c', '0'];

// Other systems cannot bind a process to a core.
describe.runIf(process.platform === 'linux')('on one core as on several', () => {
  test('the documents are the same', async () => {
    const documents = await readDescribed(createFiles(FILES), {}, bind());
    expect(documents).toEqual(await readDescribed(createFiles(FILES)));
  });

  test('the packages are the same', async () => {
    expect(await describeManyPackages({}, bind())).toEqual(await describeManyPackages({}));
  });
});
