/** Which documents there will be, where each goes, and what it holds. Pure. */

import type { Rows } from '../../base/columns/rows.js';
import { ARCHIVE_KINDS, type SetArchives } from '../../history/archives/kinds.js';
import {
  type ArchiveName,
  type DocumentName,
  nameInterval,
  pathOfChannel,
  pathOfDocument,
  SOURCE_DESCRIPTION,
} from '../../paths/ours.js';
import { cutPackageRows, cutResources, cutRows, estimateArchived } from '../../standard/cuts/limits.js';
import {
  type Archive,
  type ArchivedInterval,
  type ArchivedSnapshot,
  type CapabilityEntry,
  type CapabilityListEntry,
  CHANNELS,
  type ChangeDump,
  DOCUMENT_CAPABILITIES,
  type DocumentCapability,
  type ResourceDump,
} from '../../standard/document.js';
import { type ChangeSegment, DOCUMENT_LIMITS, type DocumentLimits } from '../../standard/limits.js';
import {
  makeArchiveIndex,
  makeCapabilityList,
  makeChangeDump,
  makeChangeList,
  makeIntervalArchive,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceList,
  makeSnapshotArchive,
  makeSnapshotIndex,
  makeSourceDescription,
} from '../../standard/make.js';
import type { ChangeEvent, Resource } from '../../standard/model.js';
import { type Address, numberParts, type PlannedDocument, planParts } from './parts.js';

/** A set of resources, and all that its documents say of it. */
export interface DescribedSet {
  /** Undefined for the one set of a site that configures none. */
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  /** In the order of their URIs. */
  readonly resources: Rows<Resource>;
  /** The lists of changes to publish, see `cutChanges`; undefined where there is no history. */
  readonly changes: readonly ChangeSegment<ChangeEvent>[] | undefined;
  /** The packages of the Resource Dump; absent when there is to be none. */
  readonly resourcePackages?: ResourceDump['packages'] | undefined;
  /** Absent when there is to be no Change Dump. */
  readonly changePackages?: Pick<ChangeDump, 'from' | 'packages'> | undefined;
  /** What is archived, oldest first. */
  readonly archives?: SetArchives | undefined;
}

/** Everything that the documents of a site depend on. */
export interface PlanInput {
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  readonly describedby: string | undefined;
  /** URL below which the channels of all sets are, with a trailing slash; absent where there are none. */
  readonly channels?: string | undefined;
  readonly sets: readonly DescribedSet[];
  /** The moment of the snapshot. */
  readonly at: Date;
  /** URL of the Source Description that another build writes; absent where this one does. */
  readonly source?: string | undefined;
  /** Sets that others describe, and that the Source Description lists, too. @default none */
  readonly joined?: readonly CapabilityListEntry[];
}

/**
 * Plans all documents of a site.
 *
 * @returns leaves first: every document stands behind all those that it links down to. The last one is the Source
 *   Description, unless another build writes it
 */
export function planDocuments(
  { url, describedby, channels, sets, at, source: elsewhere, joined = [] }: PlanInput,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): PlannedDocument[] {
  const place = (path: string): Address => ({ path, uri: url + path });
  const source = place(SOURCE_DESCRIPTION);
  const up = elsewhere ?? source.uri;
  const planned = sets.map((set) => planSet(set, { source: up, channels }, place, { at, limits }));
  if (elsewhere !== undefined) return planned.flat();
  const capabilityLists = sets.map(
    ({ name, describedby: about }): CapabilityListEntry => ({
      uri: place(pathOfDocument(name, 'capabilitylist')).uri,
      describedby: about,
    }),
  );
  return [
    ...planned.flat(),
    {
      ...source,
      document: makeSourceDescription({ describedby, capabilityLists: [...capabilityLists, ...joined] }),
    },
  ];
}

/** The documents of one set, its Capability List last. */
function planSet(
  { name, describedby, resources, changes, resourcePackages, changePackages, archives }: DescribedSet,
  { source, channels }: { readonly source: string; readonly channels: string | undefined },
  place: (path: string) => Address,
  common: Common,
): PlannedDocument[] {
  const placeOf = (document: DocumentName) => place(pathOfDocument(name, document));
  const capabilityList = placeOf('capabilitylist');
  const planned: PlannedDocument[] = [];
  const capabilities: CapabilityEntry[] = [];
  const up = capabilityList.uri;
  const add = (capability: DocumentCapability, plan: (whole: Whole) => PlannedDocument[]) => {
    const whole = placeOf(capability);
    const archive: ArchiveName = `${capability}-archive`;
    const held = archives?.[archive].length ?? 0;
    planned.push(...plan({ ...whole, up, ...(held > 0 && { archives: placeOf(archive).uri }) }));
    capabilities.push({ capability, uri: whole.uri });
  };
  for (const archive of planArchives(archives, placeOf, up, common)) planned.push(...archive);
  add('resourcelist', (whole) => planResourceList(resources, whole, common));
  if (resourcePackages !== undefined)
    add('resourcedump', (whole) => planResourceDump(resourcePackages, whole, common));
  if (changes !== undefined) add('changelist', (whole) => planChangeLists(changes, whole));
  if (changePackages !== undefined)
    add('changedump', (whole) => planChangeDump(changePackages, whole, common));
  for (const name of DOCUMENT_CAPABILITIES) {
    const capability: ArchiveName = `${name}-archive`;
    if ((archives?.[capability].length ?? 0) > 0)
      capabilities.push({ capability, uri: placeOf(capability).uri });
  }
  for (const capability of channels === undefined ? [] : CHANNELS)
    capabilities.push({ capability, uri: channels + pathOfChannel(name, capability) });
  const document = makeCapabilityList({ up: source, describedby, capabilities });
  return [...planned, { ...capabilityList, document }];
}

/** The archives of one set; those that name nothing are no documents. */
function planArchives(
  archives: SetArchives | undefined,
  placeOf: (document: DocumentName) => Address,
  up: string,
  common: Common,
): PlannedDocument[][] {
  if (archives === undefined) return [];
  return DOCUMENT_CAPABILITIES.map((name) => {
    const archive: ArchiveName = `${name}-archive`;
    return planArchiveDocuments(archive, archives, { ...placeOf(archive), up }, common);
  });
}

/** Of all documents of a run. */
interface Common {
  readonly at: Date;
  readonly limits: DocumentLimits;
}

/** Where a document is, and the Capability List above it. */
interface Whole extends Address {
  readonly up: string;
  /** The archive of such documents; undefined where there is none. */
  readonly archives?: string | undefined;
}

/** A part of an index does not lead to the archive: the index does. */
function linkArchives({ archives }: Whole, index: string | undefined): { archives?: string } {
  return archives === undefined || index !== undefined ? {} : { archives };
}

function planResourceList(
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

function planResourceDump(
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
function planChangeLists(segments: readonly ChangeSegment<ChangeEvent>[], whole: Whole): PlannedDocument[] {
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

function planChangeDump(
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
function planArchiveDocuments(
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
