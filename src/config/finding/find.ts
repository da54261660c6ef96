/** Finds the configuration file, and decides whether it is taken: where a Source may have written it, it is not ours. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ResyncError } from '../../base/errors.js';
import { say, type Words } from '../../base/text/say.js';
import { MIRROR_FOLDER, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { makeConfigError } from '../schema/mistakes.js';
import { findAround, isWithin, listAncestors } from './around.js';

export const CONFIG_FILES = ['ts', 'mts', 'js', 'mjs', 'json'].map(
  (extension) => `resync-static.config.${extension}`,
);
const JSON_FILE = 'resync-static.config.json';
const LEFT = 'is not taken as the configuration:';

export interface FoundConfig {
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
export function findConfigFile(cwd: string, site: string | undefined): FoundConfig {
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
  const home = [cwd, ...listAncestors(cwd)].find((folder) => existsSync(join(folder, 'package.json')));
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

export function isCode(file: string): boolean {
  return !file.endsWith('.json');
}

function noteInCopy(file: string, copy: string): Words {
  return say`${file} ${LEFT} the working directory is in ${copy}, a copy that mirror keeps, and a Source may have written the file. If you wrote it, name it: --config ${file}`;
}

/** Options that were meant are not left out in silence. */
export function refuseCode(file: string, site: string): ResyncError {
  return new ResyncError(
    'config-invalid',
    say`${file} ${LEFT} it is code, and the working directory is in the site ${site}, which others may have written.\nIf you wrote it, say the same in ${JSON_FILE}, or name it: --config ${file}\nIf you did not, run from another folder, and name the site: resync-static ${site}`,
  );
}
