/**
 * Finds the configuration file, decides whether it is taken, and reads it. Where a Source may have written it, it is not
 * ours. jiti is not loaded where none is code. Then there is what the environment says.
 */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ResyncError } from '../base/errors.js';
import { findAround, isWithin, listAround } from '../base/folders.js';
import { makeConfigError } from '../base/options/mistakes.js';
import { say, sayLines, type Words } from '../base/text/say.js';
import { MIRROR_FOLDER, SOURCE_DESCRIPTION } from '../paths/ours.js';
import type { UserConfig } from './options.js';

/** What is written of a configuration, and where; nothing has been checked yet. */
interface ReadConfig extends FoundConfig {
  readonly config: Partial<UserConfig>;
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

export const CONFIG_FILES = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `resync-static.config.${extension}`,
);
const JSON_FILE = 'resync-static.config.json';
const LEFT = 'is not taken as the configuration:';

interface FoundConfig {
  /** Undefined where there is none that is taken. */
  readonly file: string | undefined;
  /** Names one that is not taken, and says why. */
  readonly note?: Words | undefined;
}

/**
 * Finds the configuration file: in the working directory, or beside the nearest `package.json` at or above it. In a copy
 * that `mirror` keeps, none is taken. From the site itself, only JSON is, because it runs nothing.
 *
 * @param site as it was given, relative to the working directory; undefined where it was not
 * @throws ResyncError `config-invalid` where there are two in one folder, or nothing but code where none is taken
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

/** Those of the first folder that has any. */
function listConfigFiles(cwd: string): string[] {
  const home = listAround(cwd).find((folder) => existsSync(join(folder, 'package.json')));
  return (
    [cwd, home ?? cwd]
      .map((folder) => CONFIG_FILES.map((name) => join(folder, name)).filter((file) => existsSync(file)))
      .find((files) => files.length > 0) ?? []
  );
}

/** The site that the working directory is, or is in: the one that was given, or one that has a Source Description. */
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

/** Options that were meant are not left out in silence. */
function refuseCode(file: string, site: string): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`${file} ${LEFT} it is code, and the working directory is in the site ${site}, which others may have written.\nIf you wrote it, say the same in ${JSON_FILE}, or name it: --config ${file}\nIf you did not, run from another folder, and name the site: resync-static ${site}`,
  );
}

/** Options that come from environment variables. */
interface EnvironmentOptions {
  readonly options: Pick<Partial<UserConfig>, 'history' | 'sign'>;
  /** The variable of each option. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * What the environment says for one run, and how it is called there: `RESYNC_HISTORY` and `RESYNC_SIGNING_KEY` win over a
 * configuration. A key that the variable holds does not become a part of it: it is read when it signs.
 */
export function takeEnvironment(
  {
    RESYNC_HISTORY: history = '',
    RESYNC_SIGNING_KEY: key = '',
  }: Readonly<Record<string, string | undefined>>,
  { sign }: Pick<Partial<UserConfig>, 'sign'>,
): EnvironmentOptions {
  return {
    options: {
      ...(history !== '' && { history }),
      ...(key !== '' && { sign: chooseKey(undefined, sign) }),
    },
    labels: {
      ...(history !== '' && { history: 'RESYNC_HISTORY' }),
      ...(key !== '' && { sign: 'RESYNC_SIGNING_KEY' }),
    },
  };
}

/** Another key than the configuration says, or the one that the environment says, used as the configuration says. */
export function chooseKey(
  key: string | undefined,
  sign: UserConfig['sign'],
): NonNullable<UserConfig['sign']> {
  const { key: _, ...rules } = typeof sign === 'object' ? sign : {};
  return key === undefined ? rules : { ...rules, key };
}
