/** Globs that try ever more ways on a name; each of them took minutes or years. */

import { expect, test } from 'vitest';
import { compileGlobs } from '../../src/paths/selection.js';
import { some } from '../support/seed.js';

const HARMFUL = [
  '+(a|b*)+(a*)x',
  '+(a*)b',
  '*(a*|b)c',
  '@(a*|a*)*(a*)*(a*)b',
  '*a*a*a*a*a*a*a*a*a*a*a*a*b',
  '(a+)+b',
  '+(@(a|aa))b',
  '**/a/**/a/**/a/**/a/**/a/**/b',
  `${'?(a)'.repeat(40)}b`,
  `${'{a,aa}'.repeat(40)}b`,
];

// Each takes the two seconds that a glob may take: only the engine can stop a regular expression, by its own clock.
test.each(some(HARMFUL, 10))('%s is stopped, with an error in words', (glob) => {
  const matches = compileGlobs([glob], { dot: true });
  expect(() => [`${'a'.repeat(200)}!`, `${'a/'.repeat(200)}!`].map(matches)).toThrow(
    expect.objectContaining({ code: 'config-invalid', message: expect.stringContaining('takes too long') }),
  );
});
