/** Plans the lists and dumps of one set of resources, each in as many documents as it takes. Pure. */

import type { Rows } from '../../base/columns/rows.js';
import { ARCHIVE_KINDS, type SetArchives } from '../../history/archives/kinds.js';
import { type ArchiveName, nameInterval } from '../../paths/ours.js';
import type { ChangeSegment } from '../../standard/cuts/changes.js';
import { cutPackageRows, cutResources, cutRows, estimateArchived } from '../../standard/cuts/limits.js';
import type {
  Archive,
  ArchivedInterval,
  ArchivedSnapshot,
  ChangeDump,
  ResourceDump,
} from '../../standard/document.js';
import type { DocumentLimits } from '../../standard/limits.js';
import {
  makeArchiveIndex,
  makeChangeDump,
  makeChangeList,
  makeIntervalArchive,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceList,
  makeSnapshotArchive,
  makeSnapshotIndex,
} from '../../standard/make.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import { type Address, numberParts, type PlannedDocument, planParts } from './parts.js';

/** Of all documents of a run. */
export interface Common {
  readonly at: Date;
  readonly limits: DocumentLimits;
}

/** Where a document is, and the Capability List above it. */
export interface Whole extends Address {
  readonly up: string;
  /** The archive of such documents; undefined where there is none. */
  readonly archives?: string | undefined;
}

/** A part of an index does not lead to the archive: the index does. */
function linkArchives({ archives }: Whole, index: string | undefined): { archives?: string } {
  return archives === undefined || index !== undefined ? {} : { archives };
}

export function planResourceList(
  resources: Rows<Resource>,
  whole: Whole,
  { at, limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const parts = numberParts(cutResources(resources, limits), resources, (some, index) =>
    makeResourceList({ up, index, ...linkArchives(whole, index), at, resources: some }),
  );
  return planParts(whole, parts, (planned) =>
    makeSnapshotIndex({
      kind: 'resource-list-index',
      up,
      ...linkArchives(whole, undefined),
      at,
      parts: planned,
    }),
  );
}

export function planResourceDump(
  packages: ResourceDump['packages'],
  whole: Whole,
  { at, limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const parts = numberParts(cutPackageRows(packages, limits), packages, (some, index) =>
    makeResourceDump({ up, index, ...linkArchives(whole, index), at, packages: some }),
  );
  return planParts(whole, parts, (planned) =>
    makeSnapshotIndex({
      kind: 'resource-dump-index',
      up,
      ...linkArchives(whole, undefined),
      at,
      parts: planned,
    }),
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
    make: (index: string | undefined) =>
      makeChangeList({ up, index, ...linkArchives(whole, index), ...list }),
    text,
  }));
  return planParts(whole, parts, (planned) =>
    makeIntervalIndex({
      kind: 'change-list-index',
      up,
      ...linkArchives(whole, undefined),
      parts: planned.map(placeInterval),
    }),
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
      ...linkArchives(whole, index),
      from: start === 0 ? from : (some[0]?.from ?? from),
      until: start + some.length === packages.length ? undefined : some.at(-1)?.until,
      packages: some,
    }),
  );
  return planParts(whole, parts, (planned) =>
    makeIntervalIndex({
      kind: 'change-dump-index',
      up,
      ...linkArchives(whole, undefined),
      parts: planned.map(placeInterval),
    }),
  );
}

function placeInterval({
  uri,
  document: { from, until },
}: Address & { readonly document: { readonly from: Date; readonly until: Date | undefined } }) {
  return { uri, from, until };
}

/** An archive, in parts where one document cannot hold all that it names; none where it names nothing. */
export function planArchiveDocuments(
  name: ArchiveName,
  archives: SetArchives,
  whole: Whole,
  { limits }: Common,
): PlannedDocument[] {
  const { up } = whole;
  const makeParts = <T extends ArchivedSnapshot | ArchivedInterval>(
    entries: readonly T[],
    make: (some: readonly T[], index: string | undefined) => Archive,
  ) => {
    const cuts = cutRows(
      entries.map(({ uri }) => estimateArchived(uri)),
      limits,
    );
    return entries.length === 0 ? [] : numberParts(cuts, entries, make);
  };
  switch (name) {
    case 'resourcelist-archive':
    case 'resourcedump-archive': {
      const kind = ARCHIVE_KINDS[name];
      const parts = makeParts(archives[name], (entries, index) =>
        makeSnapshotArchive({ kind, up, index, entries }),
      );
      return planParts(whole, parts, (planned) =>
        makeArchiveIndex({ kind: `${kind}-index`, up, parts: planned.map(({ uri }) => ({ uri })) }),
      );
    }
    case 'changelist-archive':
    case 'changedump-archive': {
      const kind = ARCHIVE_KINDS[name];
      const parts = makeParts(archives[name], (entries, index) =>
        makeIntervalArchive({ kind, up, index, entries }),
      );
      return planParts(whole, parts, (planned) =>
        makeArchiveIndex({ kind: `${kind}-index`, up, parts: planned.map(({ uri }) => ({ uri })) }),
      );
    }
  }
}
