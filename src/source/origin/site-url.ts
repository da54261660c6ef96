/** Finds the URL at which a folder is served, from its documents. */

import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { listQuietly } from '../../base/folders.js';
import { groupBy } from '../../base/group.js';
import { isUrl } from '../../base/url.js';
import { listEntries } from '../../files/walk.js';
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

/** Limits of the documents that are read, and of the URLs in them; Capability Lists have a handful of entries. */
const MOST_BYTES = 1_000_000;
const MOST_BYTES_TOGETHER = 10_000_000;
const MOST_FILES = 1000;
const MOST_NAMES = 1000;
/** Limit of the segments in the path of a site's URL. */
const MOST_SEGMENTS = 20;

/**
 * Finds the URL of a folder's root: the shortest under which all named files are in the folder. Names are those in the
 * Source Description and the `up` links of its Capability Lists, or of all documents if it names none here. If another build
 * writes the Source Description, names are those in the Capability Lists.
 */
export async function findSiteUrl(site: string): Promise<SiteUrl> {
  const documents = new SiteDocuments(site);
  const isDescribed = isOwnFile(site, SOURCE_DESCRIPTION);
  const description = isDescribed ? await documents.read(SOURCE_DESCRIPTION) : undefined;
  const lists = isDescribed ? [] : listCapabilityLists(site);
  if (!isDescribed && lists.length === 0) return { kind: 'undescribed' };
  const read = await Promise.all(lists.map((path) => documents.read(path)));
  const entries = [description, ...read]
    .filter((one) => one !== undefined)
    .flatMap((one) => one.entries)
    .slice(0, MOST_NAMES);
  const named = entries.flatMap(({ loc }) => findPlaces(site, loc));
  const paths = named.length > 0 ? named.map(({ path }) => path) : listDocuments(site);
  const said = [...groupBy(named, ({ name }) => name).values()].map((some) => some.map(({ url }) => url));
  for (const path of new Set(paths)) {
    const places = findPlaces(site, upOf(await documents.read(path)));
    if (places.length > 0) said.push(places.map(({ url }) => url));
  }
  const [first, ...others] = said;
  if (first === undefined) {
    const kind = description && kindOfDocument(description);
    return { kind: kind?.startsWith('source-description') === true ? 'unnamed' : 'undescribed' };
  }
  const url = first.find((candidate) => others.every((urls) => urls.includes(candidate)));
  if (url !== undefined) return { kind: 'found', url };
  return { kind: 'contradiction', urls: [...new Set(said.flatMap(([shortest = '']) => shortest))] };
}

/** Finds the Capability Lists of a folder whose Source Description another build writes elsewhere. */
export async function findApart(site: string, url: string, flag: Flag): Promise<Beginning | undefined> {
  const documents = new SiteDocuments(site);
  const paths = listCapabilityLists(site);
  const tops = new Map<string, string>();
  for (const path of paths) {
    const up = upOf(await documents.read(path));
    if (up !== undefined) tops.set(up, url + path);
  }
  const [uri, ...others] = paths.map((path) => url + path);
  if (uri === undefined || tops.size === 0 || tops.has(url + SOURCE_DESCRIPTION)) return undefined;
  for (const [entry, document] of tops)
    flag('not-checked', { document, entry, found: 'not in this folder: another build writes it' });
  return { uri, others };
}

function upOf(read: ReadDocument | undefined): string | undefined {
  return read && linksOf(read.head, 'up')[0];
}

/** A place in the folder where the file of a URL may be, and the URL that its root then has. */
interface NamedPlace {
  readonly name: string;
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
    return isOwnFile(site, path) ? { name, path, url } : [];
  });
}

function listDocuments(site: string): string[] {
  const documents: string[] = [];
  for (const { path, kind, nameless } of listEntries(site)) {
    if (kind !== undefined || nameless || !path.endsWith('.xml')) continue;
    documents.push(path);
    if (documents.length === MOST_FILES) break;
  }
  return documents;
}

/** Reads the documents of a folder that can be read, up to a number of bytes; mistakes in them are reported later. */
class SiteDocuments {
  readonly #site: string;
  #bytesLeft = MOST_BYTES_TOGETHER;

  constructor(site: string) {
    this.#site = site;
  }

  /** Reads a document; undefined if it is malformed or too large. @throws ResyncError `file-unreadable` */
  async read(path: string): Promise<ReadDocument | undefined> {
    const file = join(this.#site, path);
    try {
      const bytes = statSync(file).size;
      if (bytes > MOST_BYTES || bytes > this.#bytesLeft) return undefined;
      this.#bytesLeft -= bytes;
      const read = await parseBody(createReadStream(file));
      return isAbsent(read) ? undefined : read;
    } catch (error) {
      throw explainUnreadable(error, file);
    }
  }
}

const MOST_SETS = 1000;

function listCapabilityLists(site: string): string[] {
  const names = listQuietly(join(site, folderOfSet(undefined)));
  const sets = names.filter((name) => SET_NAME.test(name)).sort();
  return [undefined, ...sets.slice(0, MOST_SETS)]
    .map((name) => pathOfDocument(name, 'capabilitylist'))
    .filter((path) => isOwnFile(site, path));
}
