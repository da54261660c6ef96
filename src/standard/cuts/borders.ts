/** Splits resources into packages whose borders are stable. Pure. */

import { hashText } from '../../base/columns/keys.js';

/** Size limits of the packages of a Resource Dump; a file that is larger is alone in its package. */
export interface PackageLimits {
  readonly maxEntries: number;
  readonly maxBytes: number;
}

/** Limit of a ZIP file without the Zip64 extension, in bytes. */
export const ZIP_LIMIT = 0xffff_ffff;

/** An upper bound for the bytes that a ZIP file needs for one file beside its content: headers, and what compression may add. */
const ENTRY_BYTES = 4096;

export function fitsZip(bitstreams: readonly { readonly length: number }[]): boolean {
  return (
    bitstreams.reduce((sum, { length }) => sum + length + ENTRY_BYTES, 2 * ENTRY_BYTES) < ZIP_LIMIT / 1.01
  );
}

/**
 * Cuts resources into packages. Too large ranges are divided before the URI near the middle that ranks highest. Ranks depend
 * on URIs alone, so changes of resources move hardly any border. @param resources in the order of their URIs
 */
export function cutPackages<T extends { readonly uri: string; readonly length: number }>(
  resources: readonly T[],
  { maxEntries, maxBytes }: PackageLimits,
): T[][] {
  const ranks = Uint32Array.from(resources, ({ uri }) => hashText(uri, 0));
  // Sums over all resources before each one: bytes, and shares of a package that they fill.
  const bytes = new Float64Array(resources.length + 1);
  const fill = new Float64Array(resources.length + 1);
  for (const [index, { length }] of resources.entries()) {
    bytes[index + 1] = valueAt(bytes, index) + length;
    fill[index + 1] = valueAt(fill, index) + length / maxBytes + 1 / maxEntries;
  }
  const packages: T[][] = [];
  cut(0, resources.length);
  return packages;

  function cut(start: number, end: number): void {
    const entries = end - start;
    if (entries <= 1 || (entries <= maxEntries && valueAt(bytes, end) - valueAt(bytes, start) <= maxBytes)) {
      if (entries > 0) packages.push(resources.slice(start, end));
      return;
    }
    const border = findBorder(start, end);
    cut(start, border);
    cut(border, end);
  }

  function findBorder(start: number, end: number): number {
    const total = valueAt(fill, end) - valueAt(fill, start);
    let best: number | undefined;
    let nearest = start + 1;
    for (let index = start + 1; index < end; index++) {
      const share = (valueAt(fill, index) - valueAt(fill, start)) / total;
      if (
        share >= 0.25 &&
        share <= 0.75 &&
        (best === undefined || valueAt(ranks, index) > valueAt(ranks, best))
      ) {
        best = index;
      }
      const distance = Math.abs(share - 0.5);
      if (distance < Math.abs((valueAt(fill, nearest) - valueAt(fill, start)) / total - 0.5)) nearest = index;
    }
    // If one file is larger than half of the range, there may be no URI near the middle.
    return best ?? nearest;
  }
}

function valueAt(values: Float64Array | Uint32Array, index: number): number {
  return values[index] as number;
}
