/** Finds the URL at which a folder is served, from its documents. */

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { listQuietly } from '../../base/folders.js';
import { isUrl } from '../../base/url.js';
import { folderOfSet, pathOfDocument, SET_NAME, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { decodePath, URL_LENGTH_LIMIT } from '../../paths/urls.js';
import type { Flag } from '../../standard/rules/checks.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { linksOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import { parseBody } from '../document.js';
import type { Beginning } from '../find.js';
import { explainUnreadable, isOwnFile } from './files.js';
import { isAbsent } from './origin.js';

/** The URL of a folder's root, as its documents name it. */
type SiteUrl =
  | { readonly kind: 'found'; readonly url: string }
  /** Documents name files of the folder under several URLs. */
  | { readonly kind: 'contradiction'; readonly urls: readonly string[] }
  /** There is a Source Description, but no document names a file of the folder. */
  | { readonly kind: 'unnamed' }
  /** There is no Source Description, or it cannot be read as one. */
  | { readonly kind: 'undescribed' };

/** Limits of a document and of all that are read together, in bytes, and of URLs; Capability Lists have a handful of entries. */
const MOST_BYTES = 1_000_000;
const MOST_BYTES_TOGETHER = 10_000_000;
const MOST_NAMES = 1000;
/** Limit of the segments in the path of a site's URL. */
const MOST_SEGMENTS = 20;

/**
 * Finds the URL of a folder's root: the shortest under which all named files are in the folder. Names are those in the
 * Source Description and the `up` links of its Capability Lists. If it names none here, or if another build writes it, all
 * Capability Lists of the folder count.
 */
export async function findSiteUrl(site: string): Promise<SiteUrl> {
  const isDescribed = isOwnFile(site, SOURCE_DESCRIPTION);
  const lists = listCapabilityLists(site);
  const tops = isDescribed ? [SOURCE_DESCRIPTION] : lists;
  const described = [...(await readAll(site, tops)).values()];
  const entries = described.flatMap((one) => one.entries).slice(0, MOST_NAMES);
  const named = entries.map(({ loc }) => findPlaces(site, loc));
  const paths = named.flat().map(({ path }) => path);
  const below = await readAll(site, paths.length > 0 ? paths : lists);
  const ups = Array.from(below.values(), (one) => findPlaces(site, upOf(one)));
  const said = [...named, ...ups]
    .filter(({ length }) => length > 0)
    .map((some) => some.map(({ url }) => url));
  const [first, ...others] = said;
  if (first === undefined) {
    const isDescription = described.some(
      (one) => kindOfDocument(one)?.startsWith('source-description') === true,
    );
    return { kind: isDescription ? 'unnamed' : 'undescribed' };
  }
  const url = first.find((candidate) => others.every((urls) => urls.includes(candidate)));
  if (url !== undefined) return { kind: 'found', url };
  return { kind: 'contradiction', urls: [...new Set(said.flatMap(([shortest = '']) => shortest))] };
}

/** Finds the Capability Lists of a folder whose Source Description another build writes elsewhere. */
export async function findApart(site: string, url: string, flag: Flag): Promise<Beginning | undefined> {
  const paths = listCapabilityLists(site);
  const tops = new Map<string, string>();
  for (const [path, document] of await readAll(site, paths)) {
    const up = upOf(document);
    if (up !== undefined) tops.set(up, url + path);
  }
  const [uri, ...others] = paths.map((path) => url + path);
  if (uri === undefined || tops.size === 0 || tops.has(url + SOURCE_DESCRIPTION)) return undefined;
  for (const [entry, document] of tops)
    flag('not-checked', { document, entry, found: 'not in this folder: another build writes it' });
  return { uri, others };
}

function upOf({ head }: ReadDocument): string | undefined {
  return linksOf(head, 'up')[0];
}

/** A file in the folder that a URL may name, and the URL that the root of the folder then has. */
interface NamedPlace {
  readonly path: string;
  readonly url: string;
}

function findPlaces(site: string, name: string | undefined): NamedPlace[] {
  if (name === undefined || name.length >= URL_LENGTH_LIMIT || !/^https?:/i.test(name)) return [];
  if (!isUrl(name)) return [];
  const { origin, pathname } = new URL(name);
  const parts = pathname.split('/').slice(1);
  return [...parts.keys()].slice(0, MOST_SEGMENTS).flatMap((depth) => {
    const path = decodePath(parts.slice(depth).join('/'));
    const url = [origin, ...parts.slice(0, depth), ''].join('/');
    return isOwnFile(site, path) ? { path, url } : [];
  });
}

/** Reads documents by path, without those that are malformed or too large together. @throws ResyncError `file-unreadable` */
async function readAll(site: string, paths: Iterable<string>): Promise<ReadonlyMap<string, ReadDocument>> {
  const documents = new Map<string, ReadDocument>();
  let bytes = 0;
  for (const path of new Set(paths)) {
    const file = join(site, path);
    try {
      const { size } = statSync(file);
      if (size > MOST_BYTES || bytes + size > MOST_BYTES_TOGETHER) continue;
      bytes += size;
      const read = await parseBody(createReadStream(file));
      if (!isAbsent(read)) documents.set(path, read);
    } catch (error) {
      throw explainUnreadable(error, file);
    }
  }
  return documents;
}

const MOST_SETS = 1000;

function listCapabilityLists(site: string): string[] {
  const names = listQuietly(join(site, folderOfSet(undefined)));
  const sets = names.filter((name) => SET_NAME.test(name)).sort();
  return [undefined, ...sets.slice(0, MOST_SETS)]
    .map((name) => pathOfDocument(name, 'capabilitylist'))
    .filter((path) => isOwnFile(site, path));
}
