/** `audit` of a site in a folder against `describe` of the same: both read every byte of it. */

import { execFileSync } from 'node:child_process';
import { comparisons as describeComparisons } from './describe.mjs';

/** @typedef {import('./measure.mjs').Comparison} Comparison */

/** @type {Comparison[]} */
export const comparisons = describeComparisons
  .filter(({ name }) => name === 'M' || name === 'L')
  .map((comparison) => {
    const { name, title, setup, reset, a: describe, resources } = comparison;
    const [node, cli = '', site = ''] = describe.argv;
    return {
      name: `A${name}`,
      title,
      setup: () => {
        setup();
        reset('a');
        execFileSync(node, describe.argv.slice(1), { stdio: 'ignore' });
      },
      // Each audit finds what the describing before it wrote, and each describing an undescribed site.
      reset: (side) => (side === 'b' ? reset('a') : undefined),
      a: { label: 'audit', argv: [node, cli, 'audit', site, '--quiet'] },
      b: describe,
      // Promised are a time for 20,000 files, and 250 MB for 200,000 entries; what a small site needs is Node's own.
      target: name === 'L' ? undefined : { ratio: 1.5 },
      resources: name === 'L' ? resources : undefined,
      tools: [],
    };
  });
