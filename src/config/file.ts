/** Finds and reads the configuration file, unless a Source may have written it. Also reads options from the environment. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResyncError } from '../base/errors.js';
import { findAround, isWithin, listAround } from '../base/folders.js';
import { makeConfigError } from '../base/options/mistakes.js';
import { say, sayLines, type Words } from '../base/text/say.js';
import { decodeUnmarked } from '../base/text/utf8.js';
import { MIRROR_FOLDER, SOURCE_DESCRIPTION } from '../paths/ours.js';
import type { UserConfig } from './options.js';

/** A configuration as written, unchecked. */
interface ReadConfig extends FoundConfig {
  readonly config: Partial<UserConfig>;
}

/** Finds and reads the configuration file. @param site as the user wrote it; undefined if not given @throws ResyncError `config-unreadable`, `config-invalid` */
export async function readConfig(cwd: string, site: string | undefined): Promise<ReadConfig> {
  const { file, note } = findConfigFile(cwd, site);
  if (file === undefined) return { file, config: {}, note };
  const config = await loadConfigFile(file);
  // Refuses code in the site that it configures: later runs would refuse it, too, as the site then has a Source Description.
  const own = site === undefined && isCode(file) ? config.site : undefined;
  if (typeof own === 'string' && isWithin(cwd, own)) throw refuseCode(file, own);
  return { file, config, note };
}

/**
 * Reads a file: runs JavaScript and TypeScript, parses JSON. A relative `site` is resolved; the options are not checked yet.
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
    if (!isCode(file)) return JSON.parse(decodeUnmarked(readFileSync(file)));
    // `jiti` is slow to load, and not needed for JSON.
    const { createJiti } = await import('jiti');
    // Lets `import { defineConfig } from 'resync-static'` work without an installed package, as with npx.
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

export const CONFIG_FILES = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `resync-static.config.${extension}`,
);
const JSON_FILE = 'resync-static.config.json';
const LEFT = 'is not taken as the configuration:';

interface FoundConfig {
  /** Path of the configuration file; undefined if none is found and trusted. */
  readonly file: string | undefined;
  readonly note?: Words | undefined;
}

/**
 * Finds the configuration file in the working directory, or beside the nearest `package.json` above. Ignores files in copies
 * that `mirror` keeps; in the site itself, accepts only JSON, which runs no code.
 * @param site as the user wrote it, relative to the working directory
 * @throws ResyncError `config-invalid` for two files in a folder, or refused code
 */
function findConfigFile(cwd: string, site: string | undefined): FoundConfig {
  const files = listConfigFiles(cwd);
  const [first, second] = files;
  if (first === undefined) return { file: undefined };
  const copy = findAround(cwd, MIRROR_FOLDER);
  if (copy !== undefined) return { file: undefined, note: noteInCopy(first, copy) };
  const published = findSite(cwd, site);
  if (published !== undefined) return chooseInSite(files, published);
  if (second !== undefined)
    throw makeConfigError([`${first} and ${second} both exist. Keep one, or choose one with --config`]);
  return { file: first };
}

function listConfigFiles(cwd: string): string[] {
  const home = listAround(cwd).find((folder) => existsSync(join(folder, 'package.json')));
  const list = (folder: string) =>
    CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file));
  const files = list(cwd);
  return files.length > 0 || home === undefined ? files : list(home);
}

/** Finds the site that contains the working directory: the given one, or one with a Source Description. */
function findSite(cwd: string, site: string | undefined): string | undefined {
  const given = site === undefined ? undefined : resolve(cwd, site);
  if (given !== undefined && isWithin(cwd, given)) return given;
  return findAround(cwd, SOURCE_DESCRIPTION);
}

function chooseInSite(files: readonly string[], site: string): FoundConfig {
  const code = files.find(isCode);
  const json = files.find((file) => !isCode(file));
  if (code === undefined) return { file: json };
  if (json === undefined) throw refuseCode(code, site);
  return {
    file: json,
    note: say`${code} ${LEFT} ${json} is. From the site itself, code is taken only by its name: --config ${code}`,
  };
}

function isCode(file: string): boolean {
  return !file.endsWith('.json');
}

function noteInCopy(file: string, copy: string): Words {
  return say`${file} ${LEFT} the working directory is in ${copy}, a copy that mirror keeps, and a Source may have written the file. If you wrote it, name it: --config ${file}`;
}

/** Makes the error for a configuration file with code in the site. To ignore the file could drop options that the user wants. */
function refuseCode(file: string, site: string): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`${file} ${LEFT} it is code, and the working directory is in the site ${site}, which others may have written.\nIf you wrote it, say the same in ${JSON_FILE}, or name it: --config ${file}\nIf you did not, run from another folder, and name the site: resync-static ${site}`,
  );
}

interface EnvironmentOptions {
  readonly options: Pick<Partial<UserConfig>, 'history' | 'sign'>;
  readonly labels: Readonly<Record<string, string>>;
}

/** Reads options from the environment, which win over a configuration. The signing key is read later, for signing. */
export function readEnvironment({
  RESYNC_HISTORY: history = '',
  RESYNC_SIGNING_KEY: key = '',
}: Readonly<Record<string, string | undefined>>): EnvironmentOptions {
  return {
    options: { ...(history !== '' && { history }), ...(key !== '' && { sign: {} }) },
    labels: {
      ...(history !== '' && { history: 'RESYNC_HISTORY' }),
      ...(key !== '' && { sign: 'RESYNC_SIGNING_KEY' }),
    },
  };
}
