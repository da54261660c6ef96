import { defineConfig } from 'vitest/config';

// The tests import `src/` and run `dist/`: what is tested is what users get, threads and all. `npm test` builds first.
const alias = [{ find: /^(\.\.?\/.*)src\/(.*)\.js$/, replacement: '$1dist/src/$2.js' }];

const project = (name: string, timeout: number) => ({
  resolve: { alias },
  test: { name, include: [`test/${name}/**/*.test.ts`], testTimeout: timeout, hookTimeout: timeout },
});

export default defineConfig({
  test: {
    // The default leaves a core free, which most tests do anyway: they wait for other programs.
    maxWorkers: '100%',
    projects: [
      project('unit', 20_000),
      project('property', 120_000),
      project('conformance', 60_000),
      project('e2e', 300_000),
      project('integration', 600_000),
    ],
  },
});
