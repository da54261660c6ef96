/** Where the options of an integration are kept for other runs on the same site, and what they are bound to. */

import { createHash } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { unlessRefused } from '../../base/errors.js';
import { MIRROR_FOLDER, pathOfDocument } from '../../paths/ours.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { findAround, listAncestors } from '../finding/around.js';
import type { UserConfig } from '../options.js';

/** Names the shape of the file. Another one is none that we can read. */
export const FORMAT = 'resync-static options 1';
/** Where other tools keep such things, too. */
const CACHE = 'node_modules/.cache/resync-static';
/** Longer files are neither written nor read. In bytes. */
export const KEPT_LIMIT = 262_144;
/** What is not kept: where the site is; and `record`, because each run says for itself whether it records. */
export const NOT_KEPT = ['site', 'record'] as const;
/** Options that may be functions. */
export const FUNCTIONS = ['type', 'changefreq', 'links'] as const;

/** What an integration was given, as other runs may use it. */
export interface IntegrationOptions {
  /** Its entry point, `resync-static/eleventy`. */
  readonly integration: string;
  /** Without what cannot be kept. */
  readonly options: Partial<UserConfig>;
  /** The options that are functions, by their names. */
  readonly functions: readonly string[];
}

/** What the file holds. */
export interface KeptFile extends IntegrationOptions {
  readonly format: typeof FORMAT;
  /** The site, relative to the project. */
  readonly site: string;
  /** The SHA-256 of each Resource List that came of the options, by its path in the site. */
  readonly lists: Readonly<Record<string, string>>;
}

export interface KeptPlace {
  /** Absolute. */
  readonly file: string;
  /** The site, relative to the project, `/` between segments: what moves with the project stays valid. */
  readonly site: string;
}

/**
 * Finds the places for a site, the nearest first: in the `node_modules` of the projects around it. A package of a
 * workspace may have no such folder of its own. What lies in a copy that `mirror` keeps is no project of ours.
 *
 * @returns none where there is no such folder, or no site
 */
export function findKeptPlaces(site: string): KeptPlace[] {
  const root = unlessRefused(() => realpathSync(site));
  if (root === undefined) return [];
  return listAncestors(root)
    .filter((folder) => existsSync(join(folder, 'package.json')) && isFolder(join(folder, 'node_modules')))
    .filter((folder) => findAround(folder, MIRROR_FOLDER) === undefined)
    .map((project) => {
      const path = relative(project, root).split(sep).join('/');
      const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
      return { file: join(project, CACHE, `${name}.json`), site: path };
    });
}

function isFolder(path: string): boolean {
  return unlessRefused(() => statSync(path).isDirectory()) === true;
}

/** Digests the Resource Lists of a site, one for each set; undefined unless all are there. */
export function digestLists(
  site: string,
  { sets }: Pick<Partial<UserConfig>, 'sets'>,
): Record<string, string> | undefined {
  const paths = (sets ?? [{ name: undefined }])
    .filter((set) => !('capabilityList' in set))
    .map(({ name }) => pathOfDocument(name, 'resourcelist'));
  if (paths.length === 0) return undefined;
  const lists: Record<string, string> = {};
  for (const path of paths) {
    const file = join(site, path);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > DOCUMENT_LIMITS.bytes) return undefined;
    lists[path] = createHash('sha256').update(readFileSync(file)).digest('hex');
  }
  return lists;
}
