/** Where the built package is: the only file of the bench that names its command line and its modules. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Argv } from './processes.js';

export type { Report } from 'resync-static';

/** The package is found by its name, because the compiled bench is not beside it. */
const PACKAGE = new URL('.', import.meta.resolve('resync-static/package.json'));
const CLI = fileURLToPath(new URL('dist/lib/main.js', PACKAGE));

/** Everything that is made for measuring lives here. It is not tracked and may be deleted at any time. */
export const BENCH_FOLDER = join(fileURLToPath(PACKAGE), '.tmp', 'bench');

/** What runs keep for the next, in the project that the sites are in. */
export const CACHE_FOLDER = join(fileURLToPath(PACKAGE), 'node_modules', '.cache', 'resync-static');

/** The command line that users get, with these arguments. */
export function resyncStatic(...args: readonly string[]): Argv {
  return [process.execPath, CLI, ...args];
}

export function describeSite(site: string, ...options: readonly string[]): Argv {
  return resyncStatic(site, '--url', 'https://example.org/', '--quiet', ...options);
}

/** The flags that take options for which there is no flag: from a configuration of this name. */
export function configured(name: string, options: object): readonly string[] {
  mkdirSync(BENCH_FOLDER, { recursive: true });
  const file = join(BENCH_FOLDER, `${name}.json`);
  writeFileSync(file, JSON.stringify(options));
  return ['--config', file];
}

/** One of our own programs in `programs/`. */
export function ownProgram(name: string, ...args: readonly string[]): Argv {
  return [process.execPath, fileURLToPath(new URL(`programs/${name}.js`, import.meta.url)), ...args];
}

/** Loaded one by one, so that a program that is measured loads nothing else. */
export const load = {
  config: (): Promise<typeof import('../.tmp/modules/src/config/resolve.js')> =>
    import(at('config/resolve.js')),
  findHistory: (): Promise<typeof import('../.tmp/modules/src/history/find.js')> =>
    import(at('history/find.js')),
  readHistory: (): Promise<typeof import('../.tmp/modules/src/history/read.js')> =>
    import(at('history/read.js')),
  digestBlobs: (): Promise<typeof import('../.tmp/modules/src/history/git/digest-blobs.js')> =>
    import(at('history/git/digest-blobs.js')),
  listen: (): Promise<typeof import('../.tmp/modules/src/describe/watch/listen.js')> =>
    import(at('describe/watch/listen.js')),
};

function at(path: string): string {
  return new URL(`.tmp/modules/src/${path}`, PACKAGE).href;
}
