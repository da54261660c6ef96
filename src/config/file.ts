/** Reads the configuration file; jiti is not loaded where none is code. */

import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResyncError } from '../base/errors.js';
import { say, sayLines, type Words } from '../base/text/say.js';
import { isWithin } from './finding/around.js';
import { findConfigFile, isCode, refuseCode } from './finding/find.js';
import type { UserConfig } from './options.js';

/** What is written of a configuration, and where; nothing has been checked yet. */
export interface ReadConfig {
  /** Undefined where there is no file that is taken. */
  readonly file: string | undefined;
  readonly config: Partial<UserConfig>;
  /** Names a file that is not taken, and says why. */
  readonly note: Words | undefined;
}

/**
 * Finds the configuration file and reads it.
 *
 * @param site as it was given
 * @throws ResyncError `config-unreadable`, `config-invalid`
 */
export async function readConfig(cwd: string, site: string | undefined): Promise<ReadConfig> {
  const { file, note } = findConfigFile(cwd, site);
  if (file === undefined) return { file, config: {}, note };
  const config = await loadConfigFile(file);
  // Later runs will know the site by its Source Description, and refuse the file; so does the first one.
  const own = site === undefined && isCode(file) ? config.site : undefined;
  if (typeof own === 'string' && isWithin(cwd, own)) throw refuseCode(file, own);
  return { file, config, note };
}

/**
 * Reads a configuration file; TypeScript and ES modules run, JSON is read. A relative `site` is taken from the file's
 * folder. What it holds is checked later, by `resolveConfig`.
 *
 * @throws ResyncError `config-unreadable`
 */
export async function loadConfigFile(file: string): Promise<Partial<UserConfig>> {
  const value = await readConfigFile(file);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ResyncError(
      'config-unreadable',
      say`${file} does not export a configuration.\nWrite: export default defineConfig({ url: "https://example.org/" })`,
    );
  }
  if ('site' in value && typeof value.site === 'string') {
    return { ...value, site: resolve(dirname(file), value.site) };
  }
  return value;
}

async function readConfigFile(file: string): Promise<unknown> {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error('there is no such file');
    if (!isCode(file)) return JSON.parse(readFileSync(file, 'utf8'));
    const { createJiti } = await import('jiti');
    // `import { defineConfig } from 'resync-static'` works even where the package is not installed, as under npx.
    const self = fileURLToPath(new URL('../index.js', import.meta.url));
    const jiti = createJiti(import.meta.url, {
      alias: { 'resync-static': self },
      fsCache: false,
      moduleCache: false,
    });
    return await jiti.import(file, { default: true });
  } catch (error) {
    throw new ResyncError(
      'config-unreadable',
      say`The configuration file ${file} cannot be read: ${sayLines((error instanceof Error ? error.message : String(error)).replace(/\nRequire stack:.*/s, ''))}`,
      { cause: error },
    );
  }
}
