/** Versions of resources, as a Destination that comes late finds them. */

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeUri, type UrlStyle } from '../../src/paths/urls.js';
import { type ListedResource, readSource } from './documents.js';
import { readTree } from './site.js';

/** A change, and the version that it links to. */
export interface LinkedChange extends ListedResource {
  readonly memento: Readonly<Record<string, string>> | undefined;
  readonly timemap: string | undefined;
}

/** Every change that the lists of a site tell of, with its links. */
export function readLinked(site: string, url: string): LinkedChange[] {
  return readSource(site, url).sets.flatMap(({ changes }) => changes.map(takeLinks));
}

export function takeLinks(entry: ListedResource): LinkedChange {
  const links = entry.element.children.filter(({ name }) => name === 'rs:ln').map((one) => one.attributes);
  const find = (rel: string) => links.find((link) => link['rel'] === rel);
  return { ...entry, memento: find('memento'), timemap: find('timemap')?.['href'] };
}

/** The bytes that a host would serve at each URL of a site. The URL of a part leads to its first page. */
export function serveAll(site: string, url: string, style: UrlStyle = 'directory'): Map<string, Buffer> {
  const tree = readTree(site);
  const served = new Map<string, Buffer>();
  for (const [path, bytes] of Object.entries(tree)) {
    const content = Buffer.from(bytes, 'latin1');
    served.set(makeUri(url, path, style), content);
    const part = path.replace(/\/index\.html$/, '/resourcesync/');
    const isRoot = part !== path && Object.keys(tree).some((name) => name.startsWith(part));
    if (style === 'bare' && isRoot) served.set(makeUri(url, path, 'directory'), content);
  }
  return served;
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Checks that every link leads to the bytes that it describes; returns the number of links. */
export function checkLinked(changes: readonly LinkedChange[], served: ReadonlyMap<string, Buffer>): number {
  let count = 0;
  for (const { uri, md, memento, timemap } of changes) {
    if (memento === undefined) continue;
    const { href = '', hash = '', length } = memento;
    const bytes = served.get(href);
    if (bytes === undefined) throw new Error(`${href} is not there`);
    if (!hash.split(' ').includes(`sha-256:${sha256Of(bytes)}`)) throw new Error(`${href} has other bytes`);
    if (Number(length) !== bytes.length) throw new Error(`${href} has another length`);
    count++;
    for (const name of ['hash', 'length', 'type'])
      if (memento[name] !== md[name]) throw new Error(`${uri}: the version has another ${name}`);
    if (memento['modified'] !== md['datetime']) throw new Error(`${uri}: the version is of another time`);
    if (timemap === undefined) continue;
    const mementos = readTimeMap(uri, served.get(timemap)?.toString() ?? '');
    const datetime = new Date(memento['modified'] ?? '').toUTCString();
    // RFC 7089 §2.2.4: a memento is of one moment.
    const named = mementos.filter(({ href }) => href === memento['href']);
    if (named.map((one) => one.datetime).join() !== datetime)
      throw new Error(`${timemap} does not name ${memento['href']} once, as of ${datetime}`);
  }
  return count;
}

/** A memento that a TimeMap lists. */
export interface ListedMemento {
  readonly href: string;
  /** As it stands. */
  readonly datetime: string;
}

/** The mementos of a TimeMap, oldest first, as it has to list them. */
function readTimeMap(uri: string, text: string): ListedMemento[] {
  const [original, self = '', ...rest] = text.trimEnd().split(',\n');
  if (original !== `<${uri}>; rel="original"`) throw new Error(`a TimeMap of ${uri} begins with ${original}`);
  const mementos = rest.map((line, index) => {
    const [, href, rel, datetime] = /^<([^>]+)>; rel="([^"]+)"; datetime="([^"]+)"$/.exec(line) ?? [];
    const ends = [...(index === 0 ? ['first'] : []), ...(index === rest.length - 1 ? ['last'] : [])];
    if (href === undefined || datetime === undefined || rel !== [...ends, 'memento'].join(' '))
      throw new Error(`a TimeMap of ${uri} has ${line}`);
    return { href, datetime };
  });
  const moments = mementos.map(({ datetime }) => Date.parse(datetime));
  if (moments.some((moment, index) => moment <= (moments[index - 1] ?? Number.NEGATIVE_INFINITY)))
    throw new Error(`a TimeMap of ${uri} is not in order`);
  if (!self.endsWith(`; from="${mementos[0]?.datetime}"; until="${mementos.at(-1)?.datetime}"`))
    throw new Error(`a TimeMap of ${uri} says ${self}`);
  return mementos;
}

/** The inventory of a site: it has to name all files of versions and TimeMaps, with their digests, and no other. */
export function readInventory(site: string): Record<string, string> {
  const file = join(site, 'resourcesync/versions/inventory.txt');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return Object.fromEntries(
    text
      .split('\n')
      .slice(1, -1)
      .map((line) => [decodeURI(line.slice(65)), line.slice(0, 64)]),
  );
}

/** The files of versions and TimeMaps, each with its digest. */
export function listVersionFiles(site: string): Record<string, string> {
  const files = Object.entries(readTree(site)).filter(([path]) =>
    /^resourcesync\/(?:versions\/[\da-f]{16}(?:-\d+)?|timemaps)\//.test(path),
  );
  return Object.fromEntries(files.map(([path, bytes]) => [path, sha256Of(Buffer.from(bytes, 'latin1'))]));
}
