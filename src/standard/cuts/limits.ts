/** Cuts the entries of lists so that every document keeps the limits of §7: 50,000 entries and 50 MB. Pure. */

import { mapRows, type Rows } from '../../base/columns/rows.js';
import type { DocumentLimits } from '../limits.js';
import type { Resource } from '../model.js';
import { escapeXml } from '../xml/elements.js';
import { serializeResource } from '../xml/serialize.js';

/** A range of rows that go into one document: from `start` on, before `end`. */
export interface Cut {
  readonly start: number;
  readonly end: number;
}

/** An upper bound for the bytes around the rows of any list: two links of at most 2,048 escaped characters each. */
export const LIST_HEAD_BYTES = 32_768;

/** Cuts rows into consecutive parts within the limits; a row that is too large is alone. @param rows bytes of each row */
export function cutRows(rows: Iterable<number>, limits: DocumentLimits): Cut[] {
  const cuts: Cut[] = [];
  let start = 0;
  let bytes = LIST_HEAD_BYTES;
  let index = 0;
  for (const row of rows) {
    if (index > start && (index - start === limits.entries || bytes + row > limits.bytes)) {
      cuts.push({ start, end: index });
      start = index;
      bytes = LIST_HEAD_BYTES;
    }
    bytes += row;
    index++;
  }
  if (index > start) cuts.push({ start, end: index });
  return cuts;
}

export function cutResources(resources: Rows<Resource>, limits: DocumentLimits): Cut[] {
  // The row of a resource is ASCII, so its length is that in bytes: URIs are percent-encoded, and everything else is a token.
  const sizes = mapRows(resources, (resource) => serializeResource(resource).length);
  return cutRows(sizes, limits);
}

export function cutPackageRows(
  packages: readonly { readonly uri: string; readonly contents: string; readonly hash: string }[],
  limits: DocumentLimits,
): Cut[] {
  return cutRows(packages.map(estimatePackage), limits);
}

/** Cuts the entries of an archive, by an upper bound for their bytes: each has a URL and three moments. */
export function cutArchivedRows(entries: readonly { readonly uri: string }[], limits: DocumentLimits): Cut[] {
  return cutRows(
    entries.map(({ uri }) => escapeXml(uri).length + 256),
    limits,
  );
}

/** Returns an upper bound for the bytes with which a dump names one package: two URLs, the digests, and two moments. */
function estimatePackage({ uri, contents, hash }: { uri: string; contents: string; hash: string }): number {
  return escapeXml(uri).length + escapeXml(contents).length + hash.length + 512;
}

/** Returns an upper bound for the bytes of the entry of a change. @param linked true if it links to version, TimeMap and patch */
export function estimateChange(uri: string, linked = false): number {
  const address = escapeXml(uri).length;
  return linked ? 4 * address + 2048 : address + 512;
}
