/** Archives of a described site, as a Destination reads them. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entriesOf, type ListedResource, linkOf, parseXml, type XmlElement } from './documents.js';
import { readTree } from './site.js';

/** An archived document: what its archive says of it, and all that it holds. */
export interface ReadArchived {
  readonly uri: string;
  readonly md: ListedResource['md'];
  readonly entries: readonly ListedResource[];
}

/** The entries of the archives of a set, by capability, such as `changelist-archive`. */
export type ReadArchives = Readonly<Record<string, readonly ReadArchived[]>>;

/** Follows a Capability List to all that is archived. */
export function readArchives(site: string, url: string, capabilityList: XmlElement): ReadArchives {
  const read = (uri: string) => parseXml(readFileSync(join(site, uri.slice(url.length)), 'utf8'));
  /** The entries of a document, or of all its parts. */
  const open = (uri: string): ListedResource[] => {
    const root = read(uri);
    if (root.name === 'urlset') return entriesOf(root);
    return entriesOf(root).flatMap((part) => {
      const list = read(part.uri);
      if (linkOf(list, 'index') !== uri) throw new Error(`${part.uri} does not lead to ${uri}`);
      return entriesOf(list);
    });
  };
  const archives = entriesOf(capabilityList).filter(({ md }) => md['capability']?.endsWith('-archive'));
  return Object.fromEntries(
    archives.map(({ uri, md }) => [
      md['capability'],
      open(uri).map((entry) => ({ uri: entry.uri, md: entry.md, entries: open(entry.uri) })),
    ]),
  );
}

/** The bytes of all archived documents, by path. */
export function readArchived(site: string): Record<string, string> {
  return Object.fromEntries(Object.entries(readTree(site)).filter(([path]) => path.includes('/archives/')));
}
