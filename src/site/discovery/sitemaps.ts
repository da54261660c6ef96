/** Finds the sitemaps of a site: those that its generator wrote, and ours. */

import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { unlessRefused } from '../../base/errors.js';
import type { Config } from '../../config/config.js';
import { readBeginning } from '../../files/beginning.js';
import { addressOf } from '../../paths/address.js';
import { isOurs, readSitemapBytes, SITEMAP_LIMIT } from '../../paths/hold/ownership.js';
import { isSitemap, listSitemapLines, ROOT_WITHIN, SITEMAP_NAMES } from '../../paths/host-rules.js';
import { isOwnDocument, SITEMAP } from '../../paths/ours.js';
import type { PathTest } from '../../paths/selection.js';
import { decodePath } from '../../paths/urls.js';
import { isSafePath } from '../../standard/model.js';
import type { StandingSitemap } from '../../standard/xml/read-sitemap.js';

/** So many files are followed at most. */
const FILES_LIMIT = 10_000;
/** A generator that still writes is waited for so long, in milliseconds. */
const PATIENCE = 5_000;

/** The sitemaps that stand in a site. */
export interface SiteSitemaps {
  /** Those of the generator, each before those that lead to it; paths. */
  readonly files: readonly string[];
  /** Ours, as paths. */
  readonly own: readonly string[];
  /** Whether a path is, or was, that of a sitemap: it is no resource, then and now. */
  readonly holds: PathTest;
  /** What `holds` goes by: the same for the same paths. */
  readonly patterns: readonly string[];
  /** Tells the state of these files from another one. */
  readonly identity: string;
}

/**
 * Finds the sitemaps that `robots.txt` or the usual names lead to, and their parts. A generator that still writes one is
 * waited for.
 *
 * @param file where our own is to be
 */
export async function findSitemaps(
  site: string,
  { url, sitemap, isJoined, joined }: Pick<Config, 'url' | 'sitemap' | 'isJoined' | 'joined'>,
): Promise<SiteSitemaps> {
  const file = sitemap?.file ?? SITEMAP;
  const ownNames = `${makePattern(file.replace(/\.xml$/, ''))}(?:-\\d{4,5})?\\.xml`;
  const isOwn = new RegExp(`^${ownNames}$`);
  const isOwnName: PathTest = (path) => isOwn.test(path);
  const robots = listSitemapLines(readBeginning(join(site, 'robots.txt'), 500_000));
  const named = robots.flatMap(({ target }) => pathBelow(target, url) ?? []);
  const usual = [file, ...SITEMAP_NAMES].flatMap((name) => [name, `${name}.gz`]);
  // What is behind a link is not read, and stays.
  const isTheirs = (path: string) =>
    (isFileOf(site, path) && !isOurs(join(site, path))) || isLink(site, path);
  const found = new Set([...named, ...usual].filter((path) => !isOwnDocument(path) && isTheirs(path)));
  for (const path of found) {
    if (found.size > FILES_LIMIT) break;
    const standing = await waitForSitemap(site, path);
    // What merely has the name is a resource like others.
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
  // Under another name, unless another build of the Source may want it.
  const isShared = isJoined || joined.length > 0;
  const tops = isShared ? [] : [...named, ...listTop(site, '.'), ...listTop(site, dirname(file))];
  const former = tops.filter((path) => isOwnSitemap(site, path));
  const current = listTop(site, dirname(file)).filter((path) => isOwnName(path) && isOurs(join(site, path)));
  const own = [...new Set([...current.sort(), ...former])];
  // Ours is never compressed: a file that looks like it is a resource, as it was before ours came.
  const patterns = new Set([
    ...own.map(makePattern),
    ...[...found].map((path) => `${makePattern(path)}(?:\\.gz)?`),
  ]);
  // Whether one that could be ours is there says nothing of the options.
  const others = [...found].filter((path) => !isOwnName(path.replace(/\.gz$/, ''))).map(makePattern);
  // Asked of every path, now and in the past.
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

/** Parts are numbered, and there were others before. */
function makePattern(path: string): string {
  return path
    .replace(/\.gz$/, '')
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replace(/\d+/g, '\\d+');
}

/** The XML files of a folder. */
function listTop(site: string, folder: string): string[] {
  const names = unlessRefused(() => readdirSync(join(site, folder))) ?? [];
  return names.flatMap((name) => (name.endsWith('.xml') ? posix.join(folder, name) : []));
}

/** Whether a file is a sitemap that we wrote, under whatever name. */
export function isOwnSitemap(site: string, path: string): boolean {
  const file = join(site, path);
  return !isOwnDocument(path) && isOurs(file) && isSitemap(readBeginning(file, ROOT_WITHIN));
}

/** The path in the site that a URL means; undefined where that is none. */
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

/** Whether a file begins like a sitemap, also in UTF-16; or is empty, as one that failed to be written. */
function mayBeSitemap(beginning: string): boolean {
  const text = beginning.replaceAll('\0', '');
  return text.trim() === '' || isSitemap(text);
}

/** Whether a path is that of a file, and no link leads there. */
function isFileOf(site: string, path: string): boolean {
  const file = join(site, path);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
  return !path.includes('/') || realpathSync(file) === join(realpathSync(site), path);
}

/** Reads a sitemap, once it is whole. */
async function waitForSitemap(site: string, path: string): Promise<StandingSitemap | undefined> {
  for (let waited = 0; ; waited += 100) {
    const standing = await loadSitemap(site, path);
    if (standing !== undefined || waited >= PATIENCE || !isUnfinished(site, path)) return standing;
    await sleep(100);
  }
}

/** Whether a file looks as if more of it came. */
function isUnfinished(site: string, path: string): boolean {
  if (!isFileOf(site, path)) return false;
  const { size = 0, mtimeMs = 0 } = lstatSync(join(site, path), { throwIfNoEntry: false }) ?? {};
  if (size > SITEMAP_LIMIT || path.endsWith('.gz') || Date.now() - mtimeMs > PATIENCE) return false;
  const text = readFileSync(join(site, path), 'latin1');
  return (
    text === '' || (isSitemap(text) && !/<\/(?:[\w-]+:)?(?:urlset|sitemapindex)\s*>/.test(text.slice(-4096)))
  );
}

/** Reads a sitemap; undefined where it is none, is too large, is behind a link, or cannot be read. */
export async function loadSitemap(site: string, path: string): Promise<StandingSitemap | undefined> {
  return isFileOf(site, path) ? parseSitemap(readSitemapBytes(join(site, path))) : undefined;
}

/** Reads what is in a sitemap. Where a site has none, nothing is loaded that reads XML. */
export async function parseSitemap(bytes: Buffer | undefined): Promise<StandingSitemap | undefined> {
  if (bytes === undefined || !isUtf8(bytes) || bytes.includes(0)) return undefined;
  const { readSitemap } = await import('../../standard/xml/read-sitemap.js');
  // With its byte order mark, every place is that in the file.
  return readSitemap(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
}
