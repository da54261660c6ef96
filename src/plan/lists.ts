/** Plans the lists and dumps of one set of resources, each in as many documents as it takes. Pure. */

import { nameInterval } from '../paths/ours.js';
import type { ChangeDump, ResourceDump } from '../resourcesync/document.js';
import type { DocumentLimits } from '../resourcesync/limits.js';
import {
  makeChangeDump,
  makeChangeList,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceList,
  makeSnapshotIndex,
} from '../resourcesync/make.js';
import type { ChangeEvent, Resource } from '../resourcesync/model.js';
import type { ChangeSegment } from './changes.js';
import { cutPackageRows, cutResources } from './limits.js';
import { type Address, numberParts, type PlannedDocument, planParts } from './parts.js';

/** Of all documents of a run. */
export interface Common {
  readonly at: Date;
  readonly limits: DocumentLimits;
}

/** Where a document is, and the Capability List above it. */
export interface Whole extends Address {
  readonly up: string;
}

export function planResourceList(
  resources: readonly Resource[],
  whole: Whole,
  { at, limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const parts = numberParts(cutResources(resources, limits), resources, (some, index) =>
    makeResourceList({ up, index, at, resources: some }),
  );
  return planParts(whole, parts, (planned) =>
    makeSnapshotIndex({ kind: 'resource-list-index', up, at, parts: planned }),
  );
}

export function planResourceDump(
  packages: ResourceDump['packages'],
  whole: Whole,
  { at, limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const parts = numberParts(cutPackageRows(packages, limits), packages, (some, index) =>
    makeResourceDump({ up, index, at, packages: some }),
  );
  return planParts(whole, parts, (planned) =>
    makeSnapshotIndex({ kind: 'resource-dump-index', up, at, parts: planned }),
  );
}

/** The one list that is open, or all of them and their index. */
export function planChangeLists(
  segments: readonly ChangeSegment<ChangeEvent>[],
  whole: Whole,
): PlannedDocument[] {
  const { up } = whole;
  const parts = segments.map(({ part, text, ...list }) => ({
    name: nameInterval(list.from, part),
    make: (index: string | undefined) => makeChangeList({ up, index, ...list }),
    text,
  }));
  return planParts(whole, parts, (planned) =>
    makeIntervalIndex({ kind: 'change-list-index', up, parts: planned.map(placeInterval) }),
  );
}

export function planChangeDump(
  { from, packages }: Pick<ChangeDump, 'from' | 'packages'>,
  whole: Whole,
  { limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const parts = numberParts(cutPackageRows(packages, limits), packages, (some, index, start) =>
    makeChangeDump({
      up,
      index,
      from: start === 0 ? from : (some[0]?.from ?? from),
      until: start + some.length === packages.length ? undefined : some.at(-1)?.until,
      packages: some,
    }),
  );
  return planParts(whole, parts, (planned) =>
    makeIntervalIndex({ kind: 'change-dump-index', up, parts: planned.map(placeInterval) }),
  );
}

function placeInterval({
  uri,
  document: { from, until },
}: Address & { readonly document: { readonly from: Date; readonly until: Date | undefined } }) {
  return { uri, from, until };
}
