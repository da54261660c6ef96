/** Plans archived dumps, and serializes them. A package that several dumps name is one file. */

import type { ArchiveInput } from '../../../history/archives/archive.js';
import { type PlannedPackage, planResourcePackages } from '../../../history/plan/packages.js';
import type { ArchiveName } from '../../../paths/ours.js';
import { fitsZip, type PackageLimits } from '../../../standard/cuts/borders.js';
import type { ArchivedInterval, ArchivedSnapshot, Document } from '../../../standard/document.js';
import { listForDumps, type MadePackage } from '../../dumps/job.js';
import { type Manifest, nameManifest } from '../../dumps/manifest.js';
import { type ArchivedText, type ArchivePlace, composeDocument } from './compose.js';

export interface PlannedDumps {
  readonly packages: readonly PlannedPackage<Manifest>[];
  /** Paths of the packages of each archived Resource Dump, oldest dump first. */
  readonly snapshots: readonly { readonly at: Date; readonly paths: readonly string[] }[];
  readonly intervals: readonly { readonly paths: readonly string[] }[];
}

/** Plans a Resource Dump for each archived Resource List, and a Change Dump for each archived Change List, where possible. */
export function planArchivedDumps(
  { set, up }: Pick<ArchivePlace, 'set' | 'up'>,
  { lists, snapshots, bytes }: ArchiveInput,
  limits: PackageLimits,
): PlannedDumps | undefined {
  if (bytes === undefined) return undefined;
  const packages = new Map<string, PlannedPackage<Manifest>>();
  const place = (planned: PlannedPackage<Manifest>): string => {
    const path = `${nameManifest(set, planned.manifest, true).path}.zip`;
    if (!packages.has(path)) packages.set(path, planned);
    return path;
  };
  const { undated, sourceOf, withdrawn, changes } = bytes;
  const resourceDumps = [...snapshots()].flatMap(({ at, values }) => {
    const packed = values.filter(({ uri }) => !withdrawn(uri));
    const planned = planResourcePackages(packed, { up, at, undated, sourceOf }, limits);
    // Leaves out a dump if a previous version of a file is too large for a package.
    const isPossible = planned.every(({ bitstreams }) => fitsZip(bitstreams));
    return isPossible ? [{ at, paths: planned.map(place) }] : [];
  });
  const intervals = lists
    // The archive of Change Dumps begins after the last change that no package can hold.
    .filter(({ from }) => from >= changes.from)
    .map(({ from, until }) => ({
      paths: changes.packages
        .filter(({ manifest }) => manifest.until > from && manifest.until <= until)
        .map(place),
    }))
    .filter(({ paths }) => paths.length > 0);
  return { packages: [...packages.values()], snapshots: resourceDumps, intervals };
}

interface WrittenDumps {
  readonly snapshots: readonly ArchivedSnapshot[];
  readonly intervals: readonly ArchivedInterval[];
}

/** Serializes the archived dumps of a set after their packages were made. */
export function composeDumps(
  place: ArchivePlace,
  { snapshots, intervals }: Pick<PlannedDumps, 'snapshots' | 'intervals'>,
  made: ReadonlyMap<string, MadePackage>,
  add: (text: ArchivedText) => void,
): WrittenDumps {
  const { up } = place;
  const list = (paths: readonly string[]) =>
    listForDumps(
      paths.map((path) => {
        const one = made.get(path);
        if (one === undefined) throw new Error(`${path} was not packed`);
        return one;
      }),
    );
  const compose = (archive: ArchiveName, moment: Date, document: Document) => {
    const text = composeDocument(place, archive, moment, document);
    add(text);
    return { uri: text.uri, lastmod: moment };
  };
  const resourceDumps = snapshots.map(({ at, paths }) => {
    const packages = list(paths).resources;
    const dump = { kind: 'resource-dump', up, index: undefined, at, packages } as const;
    return { ...compose('resourcedump-archive', at, dump), at };
  });
  const changeDumps = intervals.flatMap(({ paths }) => {
    const packages = list(paths).changes;
    const [from, until] = [packages[0]?.from, packages.at(-1)?.until];
    if (from === undefined || until === undefined) return [];
    const dump = { kind: 'change-dump', up, index: undefined, from, until, packages } as const;
    return { ...compose('changedump-archive', until, dump), from, until };
  });
  return { snapshots: resourceDumps, intervals: changeDumps };
}
