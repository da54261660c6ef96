import { defineConfig } from 'vitest/config';

// Tests that import `src/` or `adapters/` get the modules that `tsc` made, because these find their threads. Tests that run
// a command, or a framework, run what users get: `dist/`. `npm test` builds both first.
const alias = [{ find: /^((?:\.\.\/){2,})((?:src|adapters)\/.*\.js)$/, replacement: '$1.tmp/modules/$2' }];

const project = (
  name: string,
  timeout: number,
  more: { include?: string[]; env?: Record<string, string> } = {},
) => ({
  resolve: { alias },
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`, ...(more.include ?? [])],
    env: more.env ?? {},
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

/** Tests of random or many like cases: `npm test` tries a few, and the project `slow` many. */
const MANY = [
  'test/property/**/*.test.ts',
  'test/conformance/corruption.test.ts',
  'test/unit/describe/dumps/pack.test.ts',
  'test/unit/history/git.test.ts',
  'test/unit/paths/selection.test.ts',
];

export default defineConfig({
  test: {
    // Most tests wait for other programs: more of them than cores keep the cores busy.
    maxWorkers: '200%',
    maxConcurrency: 3,
    projects: [
      project('unit', 60_000),
      project('property', 120_000),
      project('conformance', 60_000),
      project('e2e', 300_000),
      project('slow', 900_000, { include: MANY, env: { THOROUGH: '1' } }),
      project('integration', 600_000),
    ],
  },
});
