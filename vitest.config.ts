import { defineConfig } from 'vitest/config';

// The tests import `src/` and run `dist/`: what is tested is what users get, threads and all. `npm test` builds first.
const alias = [{ find: /^(\.\.?\/.*)src\/(.*)\.js$/, replacement: '$1dist/src/$2.js' }];

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

/** Random tests that `npm test` runs a few times, and the project `slow` many times. */
const RANDOM = [
  'test/property/{history,memory,people,published}.test.ts',
  'test/conformance/corruption.test.ts',
];

export default defineConfig({
  test: {
    // The default leaves a core free, which most tests do anyway: they wait for other programs.
    maxWorkers: '100%',
    projects: [
      project('unit', 60_000),
      project('property', 120_000),
      project('conformance', 60_000),
      project('e2e', 300_000),
      project('slow', 900_000, { include: RANDOM, env: { THOROUGH: '1' } }),
      project('integration', 600_000),
    ],
  },
});
