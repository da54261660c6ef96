/** Finds the sitemaps of a site: those of its generator, and ours. */

import { isUtf8 } from 'node:buffer';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { listQuietly } from '../../base/folders.js';
import type { Parts } from '../../config/config.js';
import { readBeginning } from '../../files/beginning.js';
import { addressOf } from '../../paths/address.js';
import { isOurs, readSitemapBytes, SITEMAP_LIMIT } from '../../paths/hold/ownership.js';
import { isSitemap, listSitemapLines, ROOT_WITHIN, SITEMAP_NAMES } from '../../paths/host-rules.js';
import { isOwnDocument, SITEMAP } from '../../paths/ours.js';
import type { PathTest } from '../../paths/selection.js';
import { decodePath } from '../../paths/urls.js';
import { isSafePath } from '../../standard/model.js';
import type { StandingSitemap } from '../../standard/xml/read-sitemap.js';

const FILES_LIMIT = 10_000;
/** Longest wait for a generator that is still writing, in milliseconds. */
const WAIT_LIMIT = 5_000;

export interface SitemapRules extends Pick<Parts, 'isJoined' | 'joined'> {
  readonly url: string;
  /** The option `sitemap`; undefined if no sitemap is written or dated. */
  readonly sitemap: { readonly file: string } | undefined;
}

export interface SiteSitemaps {
  /** Paths of the sitemaps of the generator, each before the index that names it. */
  readonly files: readonly string[];
  readonly own: readonly string[];
  /** Tests if a path is or was that of a sitemap, and so of no resource. */
  readonly holds: PathTest;
  /** Regular expressions of the paths of sitemaps; the same whether ours exist or not. */
  readonly patterns: readonly string[];
  /** A text that differs as soon as any of the sitemaps has changed. */
  readonly identity: string;
}

/** Finds sitemaps by `robots.txt`, usual names, and indexes. Waits for a generator that is still writing. */
export async function findSitemaps(
  site: string,
  { url, sitemap, isJoined, joined }: SitemapRules,
): Promise<SiteSitemaps> {
  const file = sitemap?.file ?? SITEMAP;
  const ownNames = `${makePattern(file.replace(/\.xml$/, ''))}(?:-\\d{4,5})?\\.xml`;
  const isOwn = new RegExp(`^${ownNames}$`);
  const isOwnName: PathTest = (path) => isOwn.test(path);
  const robots = listSitemapLines(readBeginning(join(site, 'robots.txt'), 500_000));
  const named = robots.flatMap(({ target }) => pathBelow(target, url) ?? []);
  const usual = [file, ...SITEMAP_NAMES].flatMap((name) => [name, `${name}.gz`]);
  // A sitemap behind a symbolic link is neither read nor edited.
  const isTheirs = (path: string) =>
    (isFileOf(site, path) && !isOurs(join(site, path))) || isLink(site, path);
  const found = new Set([...named, ...usual].filter((path) => !isOwnDocument(path) && isTheirs(path)));
  for (const path of found) {
    if (found.size > FILES_LIMIT) break;
    const standing = await waitForSitemap(site, path);
    // A file with a usual name that is no sitemap is a resource.
    if (
      standing === undefined &&
      !named.includes(path) &&
      !isLink(site, path) &&
      !mayBeSitemap(readBeginning(join(site, path), 2 * ROOT_WITHIN))
    )
      found.delete(path);
    const parts = standing?.isIndex ? standing.entries.flatMap(({ loc }) => pathBelow(loc, url) ?? []) : [];
    const twin = path.endsWith('.gz') ? path.slice(0, -3) : `${path}.gz`;
    for (const part of [...parts, twin]) if (!isOwnDocument(part) && isTheirs(part)) found.add(part);
  }
  // Our sitemaps under other names are outdated, unless another build of the Source may need them.
  const isShared = isJoined || joined.length > 0;
  const tops = isShared ? [] : [...named, ...listTop(site, '.'), ...listTop(site, dirname(file))];
  const outdated = tops.filter((path) => isOwnSitemap(site, path));
  const current = listTop(site, dirname(file)).filter((path) => isOwnName(path) && isOurs(join(site, path)));
  const own = [...new Set([...current.sort(), ...outdated])];
  // Our sitemaps are never compressed: a compressed file of such a name is a resource.
  const patterns = new Set([
    ...own.map(makePattern),
    ...[...found].map((path) => `${makePattern(path)}(?:\\.gz)?`),
  ]);
  // Leaves out sitemaps that may be ours: their presence must not count as a change of options.
  const others = [...found].filter((path) => !isOwnName(path.replace(/\.gz$/, ''))).map(makePattern);
  // A single expression, because it is tested for every path, also of previous publications.
  const isHeld = new RegExp(`^(?:${[ownNames, ...patterns].join('|')})$`);
  const identity = [...found, ...own].map((path) => {
    const { ino, size, mtimeMs } = lstatSync(join(site, path));
    return `${path} ${ino} ${size} ${mtimeMs}`;
  });
  return {
    files: [...found].reverse(),
    own,
    holds: (path) => isHeld.test(path),
    patterns: [ownNames, ...[...new Set(others)].sort()],
    identity: identity.join('\n'),
  };
}

/** Makes a regular expression that matches the path with any numbers, since the parts of a sitemap are numbered. */
function makePattern(path: string): string {
  return path
    .replace(/\.gz$/, '')
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\d+/g, '\\d+');
}

function listTop(site: string, folder: string): string[] {
  const names = listQuietly(join(site, folder)).filter((name) => name.endsWith('.xml'));
  return names.map((name) => posix.join(folder, name));
}

/** Tests if a file is a sitemap that we wrote, under any name. */
export function isOwnSitemap(site: string, path: string): boolean {
  const file = join(site, path);
  return !isOwnDocument(path) && isOurs(file) && isSitemap(readBeginning(file, ROOT_WITHIN));
}

/** Returns the path of a URL relative to the site, or undefined if the URL is not below that of the site. */
export function pathBelow(target: string, url: string): string | undefined {
  if (!URL.canParse(target, url)) return undefined;
  const [address, base] = [addressOf(new URL(target, url).href), addressOf(url)];
  if (!address.startsWith(base)) return undefined;
  const path = decodePath(address.slice(base.length).replace(/[?#].*$/s, ''));
  return isSafePath(`/${path}`) ? path : undefined;
}

function isLink(site: string, path: string): boolean {
  return lstatSync(join(site, path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

/** Tests if a file begins like a sitemap, also in UTF-16, or is empty, as after a failed write. */
function mayBeSitemap(beginning: string): boolean {
  const text = beginning.replaceAll('\0', '');
  return text.trim() === '' || isSitemap(text);
}

/** Tests if a path is that of a regular file, with no symbolic link on the way. */
function isFileOf(site: string, path: string): boolean {
  const file = join(site, path);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return !path.includes('/') || realpathSync(file) === join(realpathSync(site), path);
}

async function waitForSitemap(site: string, path: string): Promise<StandingSitemap | undefined> {
  for (let waited = 0; ; waited += 100) {
    const standing = await loadSitemap(site, path);
    if (standing !== undefined || waited >= WAIT_LIMIT || !isUnfinished(site, path)) return standing;
    await sleep(100);
  }
}

/** Tests if a sitemap seems to be still written: it is recent, and empty or without its closing tag. */
function isUnfinished(site: string, path: string): boolean {
  if (!isFileOf(site, path)) return false;
  const { size = 0, mtimeMs = 0 } = lstatSync(join(site, path), { throwIfNoEntry: false }) ?? {};
  if (size > SITEMAP_LIMIT || path.endsWith('.gz') || Date.now() - mtimeMs > WAIT_LIMIT) return false;
  const text = readFileSync(join(site, path), 'latin1');
  return (
    text === '' || (isSitemap(text) && !/<\/(?:[\w-]+:)?(?:urlset|sitemapindex)\s*>/.test(text.slice(-4096)))
  );
}

/** Reads a sitemap; undefined if the file is no sitemap, too large, behind a symbolic link or unreadable. */
export async function loadSitemap(site: string, path: string): Promise<StandingSitemap | undefined> {
  return isFileOf(site, path) ? parseSitemap(readSitemapBytes(join(site, path))) : undefined;
}

export async function parseSitemap(bytes: Buffer | undefined): Promise<StandingSitemap | undefined> {
  if (bytes === undefined || !isUtf8(bytes) || bytes.includes(0)) return undefined;
  // Sites without a sitemap do not load the XML parser.
  const { readSitemap } = await import('../../standard/xml/read-sitemap.js');
  // The byte order mark is kept, so that offsets are those in the file.
  return readSitemap(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}
