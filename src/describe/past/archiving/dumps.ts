/** Plans archived dumps: which packages each names. A package that is in several is one file. */

import type { KnownArchive } from '../../../history/archives/known.js';
import { type PlannedPackage, planResourcePackages } from '../../../history/plan/packages.js';
import { fitsZip, type PackageLimits } from '../../../standard/cuts/borders.js';
import type { ArchivedInterval, ArchivedSnapshot, PackageEntry } from '../../../standard/document.js';
import { makeChangeDump, makeResourceDump } from '../../../standard/make.js';
import type { MadePackage } from '../../dumps/job.js';
import { type Manifest, nameManifest } from '../../dumps/manifest.js';
import { type ArchivedText, type ArchivePlace, composeDump } from './compose.js';
import type { PlannedDumps } from './stage.js';

/** Plans a Resource Dump for each archived Resource List, and a Change Dump for each archived Change List. */
export function planArchivedDumps(
  { set, up }: Pick<ArchivePlace, 'set' | 'up'>,
  { lists, snapshots, bytes }: KnownArchive,
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
  const held = [...snapshots()].flatMap(({ at, values }) => {
    const packed = values.filter(({ uri }) => !withdrawn(uri));
    const planned = planResourcePackages(packed, { up, at, undated, sourceOf }, limits);
    // In the past there may have been a file that no package can hold.
    const isPossible = planned.every(({ bitstreams }) => fitsZip(bitstreams));
    return isPossible ? [{ at, paths: planned.map(place) }] : [];
  });
  const told = lists
    // What no package can hold ends the archive there.
    .filter(({ from }) => from >= changes.from)
    .map(({ from, until }) => ({
      paths: changes.packages
        .filter(({ manifest }) => manifest.until > from && manifest.until <= until)
        .map(place),
    }))
    .filter(({ paths }) => paths.length > 0);
  return { packages: [...packages.values()], snapshots: held, intervals: told };
}

/** Writes out the archived dumps of a set, once their packages are made. */
export function composeDumps(
  place: ArchivePlace,
  { snapshots, intervals }: PlannedDumps,
  made: ReadonlyMap<string, MadePackage>,
  add: (text: ArchivedText) => void,
): { readonly held: ArchivedSnapshot[]; readonly told: ArchivedInterval[] } {
  const { up } = place;
  const held = snapshots.map(({ at, paths }) => {
    const packages = paths.map((path) => {
      const { document } = find(path).manifest;
      return { ...describe(path), at: 'at' in document ? document.at : at };
    });
    const text = composeDump(place, at, makeResourceDump({ up, index: undefined, at, packages }));
    add(text);
    return { uri: text.uri, at, lastmod: at };
  });
  const told = intervals.flatMap(({ paths }) => {
    const packages = paths.flatMap((path) => {
      const { document } = find(path).manifest;
      return 'until' in document ? [{ ...describe(path), from: document.from, until: document.until }] : [];
    });
    const [from, until] = [packages[0]?.from, packages.at(-1)?.until];
    if (from === undefined || until === undefined) return [];
    const text = composeDump(place, until, makeChangeDump({ up, index: undefined, from, until, packages }));
    add(text);
    return [{ uri: text.uri, from, until, lastmod: until }];
  });
  return { held, told };

  function find(path: string): MadePackage {
    const one = made.get(path);
    if (one === undefined) throw new Error(`${path} was not packed`);
    return one;
  }

  function describe(path: string): PackageEntry {
    const { uri, length, hash, manifest } = find(path);
    return { uri, length, hash, contents: manifest.uri };
  }
}
