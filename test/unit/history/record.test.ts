/** Recording when something else stands in the place of a file than was described. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordSnapshot } from '../../../src/history/git/record.js';
import { openRepository, type Repository } from '../../../src/history/git/repository.js';
import { BEGIN, gitText, makeRepository } from '../../support/git.js';
import { makeFolder } from '../../support/site.js';

const REF = 'refs/resync-static/dist';
const TEXT = 'a text\n';
const BLOB = createHash('sha1').update(`blob ${TEXT.length}\0${TEXT}`).digest('hex');

test.each([
  ['the file', (file: string) => writeFileSync(file, TEXT), 'recorded'],
  ['other bytes', (file: string) => writeFileSync(file, 'a test\n'), 'refused'],
  ['a pipe', (file: string) => void execFileSync('mkfifo', [file]), 'refused'],
  [
    'a link',
    (file: string) => {
      writeFileSync(`${file}.other`, TEXT);
      symlinkSync(`${file}.other`, file);
    },
    'refused',
  ],
  ['nothing', () => undefined, 'refused'],
])('in the place of a file there is %s', async (_, make, outcome) => {
  const folder = makeRepository('--object-format=sha1');
  const site = makeFolder();
  make(join(site, 'a.txt'));
  const recording = recordSnapshot((await openRepository(folder)) as Repository, site, {
    ref: REF,
    parent: undefined,
    datetime: new Date(BEGIN * 1000),
    source: undefined,
    listings: [],
    removed: [],
    written: [{ path: 'a.txt', length: TEXT.length, blob: BLOB }],
  });
  if (outcome === 'recorded') expect(await recording).toBe(true);
  else await expect(recording).rejects.toMatchObject({ code: 'file-changing' });
  expect(gitText(folder, 'for-each-ref', '--format=%(refname)')).toBe(outcome === 'recorded' ? REF : '');
});
