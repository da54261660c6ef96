import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Tests that import `src/` or `adapters/` get the modules that `tsc` made, because these find their threads. Tests that run
// a command, or a framework, run what users get: `dist/`. `npm test` builds both first.
const alias = [{ find: /^((?:\.\.\/){2,})((?:src|adapters)\/.*\.js)$/, replacement: '$1.tmp/modules/$2' }];

const isCi = process.env['CI'] !== undefined;

/** Ends tests that hang. No test is late on a busy machine. */
const TIMEOUT = 900_000;

const project = (
  name: string,
  more: { include?: string[]; env?: Record<string, string>; isolate?: boolean } = {},
) => ({
  resolve: { alias },
  test: {
    name,
    // What tsc and the bundler made need not be made again: Node loads it as it is.
    server: { deps: { external: [/\/\.tmp\/modules\//, /\/dist\/lib\//] } },
    include: more.include ?? [`test/${name}/**/*.test.ts`],
    isolate: more.isolate ?? true,
    restoreMocks: true,
    // What runs leave among a user's caches is not to be met by another user's tests.
    env: { XDG_CACHE_HOME: resolve('.tmp/cache'), ...more.env },
    testTimeout: TIMEOUT,
    hookTimeout: TIMEOUT,
    expect: { poll: { timeout: TIMEOUT } },
  },
});

/** Tests of random or many like cases: `npm test` tries a few, and the project `slow` many. CI leaves it at the few. */
const MANY = ['test/property/**/*.test.ts'];

/** Files that take longest, or wait longest. They begin first, so that the last workers do not wait for one of them. */
const LONG = [
  'integration/main-text',
  'integration/starters',
  'slow/last-updated',
  'integration/people',
  'integration/rehearsal',
  'integration/astro7',
  'slow/adapters/docusaurus',
  'slow/adapters/astro',
  'integration/generators',
  'slow/adapters/vite',
  'slow/action',
  'slow/adapters/eleventy',
  'slow/killed',
  'slow/combinations',
  'slow/strangers',
  'slow/unreachable',
];

/** The folders of `npm test`, which runs them as one project: each project has workers of its own, and each worker loads all modules. */
const QUICK = ['unit', 'property', 'conformance', 'e2e'];

/** Tests that leave nothing behind in their process: the next file runs in it, with what is loaded and compiled. */
const QUICK_OPTIONS = { isolate: false };

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((name) => moduleId.includes(`test/${name}.`));
      return place === -1 ? LONG.length : place;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    // Many tests wait, for other programs or for bounds of time: two files more than there are cores keep the cores busy.
    maxWorkers: availableParallelism() + 2,
    maxConcurrency: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      ...(process.argv.some((one) => /^(?:--project=)?quick$/.test(one))
        ? [project('quick', { ...QUICK_OPTIONS, include: [`test/{${QUICK.join(',')}}/**/*.test.ts`] })]
        : QUICK.map((name) => project(name, QUICK_OPTIONS))),
      project('slow', isCi ? {} : { include: ['test/slow/**/*.test.ts', ...MANY], env: { THOROUGH: '1' } }),
      project('integration'),
    ],
  },
});
