/** Which documents there will be and what each holds. Pure. */

import type { Notice } from '../errors.js';
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
import { type ChangeEvent, compactDatetime, type Resource } from '../resourcesync/model.js';
import { escapeXml, serializeResource } from '../resourcesync/serialize.js';
import type { PlannedChangeDump } from './packages.js';

/** A document and where it goes. */
export interface PlannedDocument {
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  readonly uri: string;
  readonly document: Document;
  /** How it was written when it was first published, for a list that is never to change again. */
  readonly text?: string | undefined;
}

/** A set of resources with its present state. */
export interface SetState {
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
  readonly sets: readonly SetState[];
  /** The moment of the snapshot. */
  readonly at: Date;
}

/** Where the Source Description is, relative to the site. */
export const SOURCE_DESCRIPTION = '.well-known/resourcesync';

/** Where the documents of a set of resources are, relative to the site. */
export function folderOf(set: string | undefined): string {
  return set === undefined ? 'resourcesync' : `resourcesync/${set}`;
}

/** Where the Capability List of a set of resources is, relative to the site. */
export function capabilityListOf(set: string | undefined): string {
  return `${folderOf(set)}/capabilitylist.xml`;
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
  const place = (path: string) => ({ path, uri: url + path });
  const source = place(SOURCE_DESCRIPTION);
  const planned: PlannedDocument[] = [];
  const capabilityLists: CapabilityListEntry[] = [];
  for (const { name, describedby: about, resources, changes, resourcePackages, changePackages } of sets) {
    const capabilityList = place(capabilityListOf(name));
    const up = capabilityList.uri;
    const capabilities: CapabilityEntry[] = [];
    const add = (capability: CapabilityEntry['capability'], plan: (at: Place) => PlannedDocument[]) => {
      const whole = place(`${folderOf(name)}/${capability}.xml`);
      for (const one of plan(whole)) planned.push(one);
      capabilities.push({ capability, uri: whole.uri });
    };
    add('resourcelist', (whole) => planResourceList(resources, at, up, whole, limits));
    if (resourcePackages !== undefined) {
      add('resourcedump', (whole) => planResourceDump(resourcePackages, at, up, whole, limits));
    }
    if (changes !== undefined) add('changelist', (whole) => planChangeLists(changes, up, whole));
    if (changePackages !== undefined) {
      add('changedump', (whole) => planChangeDump(changePackages, up, whole, limits));
    }
    planned.push({
      ...capabilityList,
      document: makeCapabilityList({ up: source.uri, describedby: about, capabilities }),
    });
    capabilityLists.push({ uri: up, describedby: about });
  }
  return [...planned, { ...source, document: makeSourceDescription({ describedby, capabilityLists }) }];
}

/** One list, or parts and their index where it takes several (§10.2). */
function planResourceList(
  resources: readonly Resource[],
  at: Date,
  up: string,
  place: Place,
  limits: DocumentLimits,
): PlannedDocument[] {
  const cuts = cutResources(resources, limits);
  if (cuts.length <= 1)
    return [{ ...place, document: makeResourceList({ up, index: undefined, at, resources }) }];
  const parts = cuts.map(({ start, end }, index) => ({
    ...placePart(place, numberPart(index)),
    document: makeResourceList({ up, index: place.uri, at, resources: resources.slice(start, end) }),
  }));
  return [
    ...parts,
    { ...place, document: makeSnapshotIndex({ kind: 'resource-list-index', up, at, parts }) },
  ];
}

/** One dump, or parts and their index where there are too many packages for one (§11.1). */
function planResourceDump(
  packages: ResourceDump['packages'],
  at: Date,
  up: string,
  whole: Place,
  limits: DocumentLimits,
): PlannedDocument[] {
  const cuts = cutRows(packages.map(estimatePackage), limits);
  if (cuts.length <= 1)
    return [{ ...whole, document: makeResourceDump({ up, index: undefined, at, packages }) }];
  const parts = cuts.map(({ start, end }, index) => ({
    ...placePart(whole, numberPart(index)),
    document: makeResourceDump({ up, index: whole.uri, at, packages: packages.slice(start, end) }),
  }));
  return [
    ...parts,
    { ...whole, document: makeSnapshotIndex({ kind: 'resource-dump-index', up, at, parts }) },
  ];
}

/** One dump, or parts and their index where there are too many packages for one (§13.1). */
function planChangeDump(
  { from, packages }: Pick<ChangeDump, 'from' | 'packages'>,
  up: string,
  whole: Place,
  limits: DocumentLimits,
): PlannedDocument[] {
  const cuts = cutRows(packages.map(estimatePackage), limits);
  if (cuts.length <= 1) {
    const dump = makeChangeDump({ up, index: undefined, from, until: undefined, packages });
    return [{ ...whole, document: dump }];
  }
  const parts = cuts.map(({ start, end }, index) => ({
    ...placePart(whole, numberPart(index)),
    document: makeChangeDump({
      up,
      index: whole.uri,
      from: start === 0 ? from : (packages[start]?.from ?? from),
      until: end === packages.length ? undefined : packages[end - 1]?.until,
      packages: packages.slice(start, end),
    }),
  }));
  const entries = parts.map(({ uri, document }) => ({ uri, from: document.from, until: document.until }));
  return [
    ...parts,
    { ...whole, document: makeIntervalIndex({ kind: 'change-dump-index', up, parts: entries }) },
  ];
}

/** Bytes of a row at most: two addresses, three digests, two moments. */
function estimatePackage({ uri, contents, hash }: { uri: string; contents: string; hash: string }): number {
  return escapeXml(uri).length + escapeXml(contents).length + hash.length + 512;
}

function numberPart(index: number): string {
  return String(index + 1).padStart(4, '0');
}

/** The one list that is open, or all of them and their index (§12.2). */
function planChangeLists(
  segments: readonly ChangeSegment<ChangeEvent>[],
  up: string,
  place: Place,
): PlannedDocument[] {
  const [first, second] = segments;
  if (first === undefined) return [];
  if (second === undefined)
    return [{ ...place, document: makeChangeList({ up, index: undefined, ...first }) }];
  const parts = segments.map(({ part, text, ...list }) => ({
    ...placePart(place, nameInterval(list.from, part)),
    document: makeChangeList({ up, index: place.uri, ...list }),
    text,
  }));
  const entries = parts.map(({ uri, document: { from, until } }) => ({ uri, from, until }));
  return [
    ...parts,
    { ...place, document: makeIntervalIndex({ kind: 'change-list-index', up, parts: entries }) },
  ];
}

/** `2026-11-20T10:15:00Z` → `20261120T101500Z`, and `20261120T101500Z-2` for its second list. */
export function nameInterval(from: Date, part: number): string {
  const moment = compactDatetime(from);
  return part === 1 ? moment : `${moment}-${part}`;
}

interface Place {
  readonly path: string;
  readonly uri: string;
}

function placePart({ path, uri }: Place, name: string): Place {
  return { path: path.replace(/\.xml$/, `-${name}.xml`), uri: uri.replace(/\.xml$/, `-${name}.xml`) };
}

/** Cuts by estimates that are never too low, which is quick; by the rows themselves only where bytes could matter. */
function cutResources(resources: readonly Resource[], limits: DocumentLimits): Cut[] {
  const estimated = cutRows(resources.map(estimateRow), limits);
  const byEntries = estimated.slice(0, -1).every(({ start, end }) => end - start === limits.entries);
  // Rows are ASCII: URIs are percent-encoded, and everything else is a token.
  return byEntries
    ? estimated
    : cutRows(
        resources.map((resource) => serializeResource(resource).length),
        limits,
      );
}

/** At most six characters stand for one; the names of elements and attributes take less than 128. */
function estimateRow({ uri, type = '', hash, links }: Resource): number {
  return links === undefined ? 6 * (uri.length + type.length) + hash.length + 128 : Number.MAX_SAFE_INTEGER;
}

interface Cut {
  readonly start: number;
  readonly end: number;
}

/** More than what surrounds the rows of any list takes: two links of at most 2,048 escaped characters each. */
const HEAD_BYTES = 32_768;

/**
 * Cuts rows into consecutive parts that keep the limits, as long as no single row breaks them.
 *
 * @param rows bytes of each row
 */
export function cutRows(rows: readonly number[], limits: DocumentLimits): Cut[] {
  const cuts: Cut[] = [];
  let start = 0;
  let bytes = HEAD_BYTES;
  for (const [index, row] of rows.entries()) {
    if (index > start && (index - start === limits.entries || bytes + row > limits.bytes)) {
      cuts.push({ start, end: index });
      start = index;
      bytes = HEAD_BYTES;
    }
    bytes += row;
  }
  if (rows.length > start) cuts.push({ start, end: rows.length });
  return cuts;
}

/** How much of the changes is listed, and where lists end. */
export interface ChangeRules {
  /** Days before `at` that are listed. */
  readonly window: number;
  /** Lists end with these, in UTC; a week ends with Sunday. */
  readonly period: 'day' | 'week' | 'month' | undefined;
}

/** The changes of one Change List: those after `from`, up to and including `until`. */
export interface ChangeSegment<T> {
  readonly from: Date;
  /** Undefined for the list that is still open; it is the last one. */
  readonly until: Date | undefined;
  /** From 1; counts the lists that begin at one moment, because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly T[];
  /** How it was written when it was published, for a closed list that is carried on. */
  readonly text?: string;
}

/** A list that will not change any more. */
export type ClosedSegment<T> = ChangeSegment<T> & { readonly until: Date };

/** What a history makes of the site as it stands, whoever keeps it. */
export interface KnownHistory {
  /** All changes since then are known. */
  readonly from: Date;
  /** The moment of the newest publication, or of this run if something is pending. */
  readonly at: Date;
  /** Whether the site holds something that is not in history yet. */
  readonly pending: boolean;
  /** In the order of the configuration. */
  readonly sets: readonly KnownSet[];
  readonly notices: readonly Notice[];
}

/** What is known of a set of resources. */
export interface KnownSet {
  /** The lists of changes to publish. */
  readonly lists: readonly ChangeSegment<ChangeEvent>[];
  /** When the bytes of a present resource were published; undefined where that is not known. */
  readonly lastmod: (resource: Resource) => Date | undefined;
  /** Undefined when there is to be none. */
  readonly changeDump: PlannedChangeDump | undefined;
}

const DAY = 86_400_000;

/**
 * The moment after which changes are listed.
 *
 * @param at of the newest publication; both in milliseconds since 1970
 */
export function horizonOf(at: number, { window }: Pick<ChangeRules, 'window'>): number {
  return at - window * DAY;
}

/**
 * Cuts changes into the lists to publish (§12).
 *
 * Borders follow from the changes alone. So a closed list stays as it is until the window has passed all of it, and
 * only the open list loses what the window has passed. A publication is not divided unless no list could hold it.
 *
 * @param changes in forward chronological order
 * @param from since when changes are known
 * @param at the moment of the newest publication
 * @param before lists that are closed already, up to `from`
 */
export function cutChanges<T extends { readonly uri: string; readonly datetime: Date }>(
  changes: readonly T[],
  { from, at }: { readonly from: Date; readonly at: Date },
  rules: ChangeRules,
  limits: DocumentLimits = DOCUMENT_LIMITS,
  before: readonly ClosedSegment<T>[] = [],
): ChangeSegment<T>[] {
  const closed = [...before];
  let start = from;
  const last = before.at(-1);
  let part = last === undefined ? 1 : nextPart(last);
  let list: T[] = [];
  let bytes = HEAD_BYTES;
  const close = (until: Date) => {
    const segment = { from: start, until, part, changes: list };
    closed.push(segment);
    part = nextPart(segment);
    start = until;
    list = [];
    bytes = HEAD_BYTES;
  };
  const overflows = (entries: number, size: number) =>
    list.length + entries > limits.entries || bytes + size > limits.bytes;

  for (const group of groupByDatetime(changes)) {
    const last = list.at(-1);
    const next = group[0];
    if (last !== undefined && next !== undefined) {
      const end = endOfPeriod(last.datetime, rules.period);
      if (end !== undefined && end < next.datetime) close(end);
      else if (
        overflows(
          group.length,
          group.reduce((sum, { uri }) => sum + estimateChange(uri), 0),
        )
      ) {
        close(last.datetime);
      }
    }
    for (const change of group) {
      const size = estimateChange(change.uri);
      if (list.length > 0 && overflows(1, size)) close(change.datetime);
      list.push(change);
      bytes += size;
    }
  }
  const newest = list.at(-1);
  const end = newest && endOfPeriod(newest.datetime, rules.period);
  if (end !== undefined && end < at) close(end);

  const horizon = new Date(horizonOf(at.getTime(), rules));
  const listed = closed.filter(({ until }) => until > horizon);
  if (listed.length > 0 || start >= horizon) {
    return [...listed, { from: start, until: undefined, part, changes: list }];
  }
  const recent = list.filter(({ datetime }) => datetime > horizon);
  return [{ from: horizon, until: undefined, part: 1, changes: recent }];
}

/** The number of the list that comes after a closed one. */
function nextPart({ from, until, part }: ClosedSegment<unknown>): number {
  return until.getTime() === from.getTime() ? part + 1 : 1;
}

/** Bytes of a row at most. What a change became is not asked, so that borders can be found without reading it. */
function estimateChange(uri: string): number {
  return escapeXml(uri).length + 512;
}

function* groupByDatetime<T extends { readonly datetime: Date }>(
  changes: readonly T[],
): Generator<T[], void> {
  let group: T[] = [];
  for (const change of changes) {
    if (group[0] !== undefined && group[0].datetime.getTime() !== change.datetime.getTime()) {
      yield group;
      group = [];
    }
    group.push(change);
  }
  if (group.length > 0) yield group;
}

/** The end of the period that a moment belongs to; a moment on the border belongs to what ends there. */
function endOfPeriod(moment: Date, period: ChangeRules['period']): Date | undefined {
  const within = new Date(moment.getTime() - 1);
  const [year, month, day] = [within.getUTCFullYear(), within.getUTCMonth(), within.getUTCDate()];
  switch (period) {
    case undefined:
      return undefined;
    case 'day':
      return new Date(Date.UTC(year, month, day + 1));
    case 'week':
      return new Date(Date.UTC(year, month, day + 1 + ((7 - within.getUTCDay()) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month + 1, 1));
  }
}
