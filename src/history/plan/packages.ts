/** Plans the packages of Resource Dumps (§11). Pure. */

import type { Rows } from '../../base/columns/rows.js';
import { nameBitstreams } from '../../paths/package-names.js';
import { cutPackages, type PackageLimits } from '../../standard/cuts/borders.js';
import type { ChangeDumpManifest, ResourceDumpManifest } from '../../standard/document.js';
import { checkDocument } from '../../standard/make.js';
import type { Resource } from '../../standard/model.js';

export interface Bitstream {
  /** Its place in the package, without a leading slash. */
  readonly name: string;
  readonly length: number;
  /** Required digests, in the notation of §7. */
  readonly hash: string;
  /** Media type, which decides about compression. */
  readonly type: string | undefined;
  /** The place of the bytes: a file, relative to the site, or a blob in git. */
  readonly source: { readonly file: string } | { readonly blob: string };
}

export interface PlannedPackage<M extends ResourceDumpManifest | ChangeDumpManifest> {
  readonly manifest: M;
  readonly bitstreams: readonly Bitstream[];
}

interface PackedSnapshot {
  readonly up: string;
  /** The moment of the snapshot. If all resources are dated, the newest date counts instead, so that the package can stay. */
  readonly at: Date;
  /** The moment of resources that are not dated. @default that of the snapshot */
  readonly undated?: Date | undefined;
  /** The place of the bytes. @default the file in the site */
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
