/** Which documents there will be, where each goes, and what it holds. Pure. */

import {
  type DocumentName,
  nameInterval,
  numberPart,
  pathOfDocument,
  pathOfPart,
  SOURCE_DESCRIPTION,
} from '../paths/ours.js';
import {
  type CapabilityEntry,
  type CapabilityListEntry,
  type ChangeDump,
  DOCUMENT_LIMITS,
  type Document,
  type DocumentLimits,
  makeCapabilityList,
  makeChangeDump,
  makeChangeList,
  makeIntervalIndex,
  makeResourceDump,
  makeResourceList,
  makeSnapshotIndex,
  makeSourceDescription,
  type ResourceDump,
} from '../resourcesync/document.js';
import type { ChangeEvent, Resource } from '../resourcesync/model.js';
import type { ChangeSegment } from './changes.js';
import { cutPackageRows, cutResources } from './limits.js';

/** A document and where it goes. */
export interface PlannedDocument {
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  readonly uri: string;
  readonly document: Document;
  /** How it was written when it was first published, for a list that is never to change again. */
  readonly text?: string | undefined;
}

/** A set of resources, and all that its documents say of it. */
export interface DescribedSet {
  /** Undefined for the one set of a site that configures none. */
  readonly name: string | undefined;
  readonly describedby: string | undefined;
  /** In the order of their URIs. */
  readonly resources: readonly Resource[];
  /** The lists of changes to publish, see `cutChanges`; undefined where there is no history. */
  readonly changes: readonly ChangeSegment<ChangeEvent>[] | undefined;
  /** The packages of the Resource Dump; absent when there is to be none. */
  readonly resourcePackages?: ResourceDump['packages'] | undefined;
  /** Absent when there is to be no Change Dump. */
  readonly changePackages?: Pick<ChangeDump, 'from' | 'packages'> | undefined;
}

/** Everything that the documents of a site depend on. */
export interface PlanInput {
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  readonly describedby: string | undefined;
  readonly sets: readonly DescribedSet[];
  /** The moment of the snapshot. */
  readonly at: Date;
}

/**
 * Plans all documents of a site.
 *
 * @returns leaves first: every document stands behind all those that it links down to
 */
export function planDocuments(
  { url, describedby, sets, at }: PlanInput,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): PlannedDocument[] {
  const place = (path: string): Place => ({ path, uri: url + path });
  const source = place(SOURCE_DESCRIPTION);
  const planned = sets.map((set) => planSet(set, source, place, { at, limits }));
  const capabilityLists = sets.map(
    ({ name, describedby: about }): CapabilityListEntry => ({
      uri: place(pathOfDocument(name, 'capabilitylist')).uri,
      describedby: about,
    }),
  );
  return [
    ...planned.flat(),
    { ...source, document: makeSourceDescription({ describedby, capabilityLists }) },
  ];
}

interface Place {
  readonly path: string;
  readonly uri: string;
}

/** Of all documents of a run. */
interface Common {
  readonly at: Date;
  readonly limits: DocumentLimits;
}

/** Where a document is, and the Capability List above it. */
interface Whole extends Place {
  readonly up: string;
}

/** The documents of one set, its Capability List last. */
function planSet(
  { name, describedby, resources, changes, resourcePackages, changePackages }: DescribedSet,
  source: Place,
  place: (path: string) => Place,
  common: Common,
): PlannedDocument[] {
  const placeOf = (document: DocumentName) => place(pathOfDocument(name, document));
  const capabilityList = placeOf('capabilitylist');
  const planned: PlannedDocument[] = [];
  const capabilities: CapabilityEntry[] = [];
  const add = (capability: CapabilityEntry['capability'], plan: (whole: Whole) => PlannedDocument[]) => {
    const whole = placeOf(capability);
    planned.push(...plan({ ...whole, up: capabilityList.uri }));
    capabilities.push({ capability, uri: whole.uri });
  };
  add('resourcelist', (whole) => planResourceList(resources, whole, common));
  if (resourcePackages !== undefined)
    add('resourcedump', (whole) => planResourceDump(resourcePackages, whole, common));
  if (changes !== undefined) add('changelist', (whole) => planChangeLists(changes, whole));
  if (changePackages !== undefined)
    add('changedump', (whole) => planChangeDump(changePackages, whole, common));
  const document = makeCapabilityList({ up: source.uri, describedby, capabilities });
  return [...planned, { ...capabilityList, document }];
}

/** A part of a document, still without a place. */
interface Part<D extends Document> {
  readonly name: string;
  /** @param index URI of the index; undefined for the one document that needs none */
  readonly make: (index: string | undefined) => D;
  readonly text?: string | undefined;
}

/** One document, or parts and their index where it takes several (§10.2, §11.1, §12.2, §13.1). */
function planParts<D extends Document>(
  whole: Place,
  parts: readonly Part<D>[],
  makeIndex: (parts: readonly (Place & { readonly document: D })[]) => Document,
): PlannedDocument[] {
  const { path, uri } = whole;
  const [only, second] = parts;
  if (second === undefined) return only === undefined ? [] : [{ path, uri, document: only.make(undefined) }];
  const planned = parts.map(({ name, make, text }) => ({
    path: pathOfPart(path, name),
    uri: pathOfPart(uri, name),
    document: make(uri),
    text,
  }));
  return [...planned, { path, uri, document: makeIndex(planned) }];
}

/** What is empty is one empty document. */
function numberParts<T, D extends Document>(
  cuts: readonly { readonly start: number; readonly end: number }[],
  rows: readonly T[],
  make: (rows: readonly T[], index: string | undefined, start: number) => D,
): Part<D>[] {
  const ranges = cuts.length === 0 ? [{ start: 0, end: 0 }] : cuts;
  return ranges.map(({ start, end }, number) => ({
    name: numberPart(number),
    make: (index) => make(ranges.length === 1 ? rows : rows.slice(start, end), index, start),
  }));
}

function planResourceList(
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

function planResourceDump(
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
      from: start === 0 ? from : (some[0]?.from ?? from),
      until: start + some.length === packages.length ? undefined : some.at(-1)?.until,
      packages: some,
    }),
  );
  return planParts(whole, parts, (planned) =>
    makeIntervalIndex({ kind: 'change-dump-index', up, parts: planned.map(placeInterval) }),
  );
}

/** The one list that is open, or all of them and their index. */
function planChangeLists(segments: readonly ChangeSegment<ChangeEvent>[], whole: Whole): PlannedDocument[] {
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

function placeInterval({
  uri,
  document: { from, until },
}: Place & { readonly document: { readonly from: Date; readonly until: Date | undefined } }) {
  return { uri, from, until };
}
