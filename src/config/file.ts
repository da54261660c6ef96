/** Finds and reads the configuration file. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResyncError } from '../errors.js';
import { say, sayLines } from '../text/say.js';
import { makeConfigError } from './mistakes.js';
import type { UserConfig } from './options.js';

const CONFIG_FILES = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `resync-static.config.${extension}`,
);

/**
 * Finds the configuration file: in the working directory, or beside the nearest `package.json` above it.
 *
 * @throws ResyncError `config-invalid` when there are two of them in one folder
 */
export function findConfigFile(cwd: string): string | undefined {
  const [here, ...above] = ancestors(cwd);
  const home = [here, ...above].find(
    (folder) => folder !== undefined && existsSync(join(folder, 'package.json')),
  );
  for (const folder of new Set([here, home])) {
    if (folder === undefined) continue;
    const [first, second] = CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
    if (second !== undefined)
      throw makeConfigError([`${first} and ${second} both exist. Keep one, or choose one with --config`]);
    if (first !== undefined) return first;
  }
  return undefined;
}

function ancestors(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
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
    if (file.endsWith('.json')) return JSON.parse(readFileSync(file, 'utf8'));
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
