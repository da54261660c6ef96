/** Plans the packages of Resource Dumps (§11). Pure. */

import type { Rows } from '../../base/columns/rows.js';
import { nameBitstreams } from '../../paths/package-names.js';
import { cutPackages, type PackageLimits } from '../../standard/cuts/borders.js';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../standard/document.js';
import { checkDocument } from '../../standard/make.js';
import type { Resource } from '../../standard/model.js';

export interface Bitstream {
  /** Path of the bitstream in the package, without a leading slash. */
  readonly name: string;
  readonly length: number;
  /** Digests that the bytes must have, in the notation of §7. */
  readonly hash: string;
  /** Media type, which decides about compression. */
  readonly type: string | undefined;
  /** Where the bytes are: in a file, by its path relative to the site, or in a blob of git. */
  readonly source: { readonly file: string } | { readonly blob: string };
}

export interface PlannedPackage<M extends ResourceDumpManifest | ChangeDumpManifest> {
  readonly manifest: M;
  readonly bitstreams: readonly Bitstream[];
}

interface PackedSnapshot {
  readonly up: string;
  /** Moment of the snapshot. A package of dated resources gets their newest date instead, so that it can stay the same. */
  readonly at: Date;
  /** Moment that counts for resources without a date. @default that of the snapshot */
  readonly undated?: Date | undefined;
  /** Returns where the bytes of a resource are. @default in its file in the site */
  readonly sourceOf?: (resource: Resource) => Bitstream['source'];
}

/** Plans the packages of a Resource Dump. @param resources in the order of their URIs */
export function planResourcePackages(
  resources: Rows<Resource>,
  { up, at, undated, sourceOf = ({ path }) => ({ file: path }) }: PackedSnapshot,
  limits: PackageLimits,
): PlannedPackage<ResourceDumpManifest>[] {
  const names = new Map(nameBitstreams(resources.map(({ path }) => path)));
  const nameOf = ({ path }: Resource) => `resources/${names.get(path)}`;
  return cutPackages([...resources], limits).map((members) => {
    const bitstreams = members.map((resource): Bitstream => {
      const { length, hash, type } = resource;
      return { name: nameOf(resource), length, hash, type, source: sourceOf(resource) };
    });
    const moments = members.map(({ lastmod = undated }) => lastmod?.getTime() ?? Number.POSITIVE_INFINITY);
    const newest = moments.reduce((one, other) => Math.max(one, other));
    return {
      manifest: checkDocument({
        kind: 'resource-dump-manifest',
        up,
        at: new Date(Math.min(newest, at.getTime())),
        bitstreams: members.map((resource) => ({ resource, path: `/${nameOf(resource)}` })),
      }),
      bitstreams: sortByName(bitstreams),
    };
  });
}

export function sortByName(bitstreams: readonly Bitstream[]): Bitstream[] {
  return bitstreams.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
