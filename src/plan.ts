/** Which documents there will be and what each holds. Pure. */

import {
  type CapabilityListEntry,
  DOCUMENT_LIMITS,
  type Document,
  type DocumentLimits,
  makeCapabilityList,
  makeChangeList,
  makeChangeListIndex,
  makeResourceList,
  makeResourceListIndex,
  makeSourceDescription,
} from './resourcesync/document.js';
import { type ChangeEvent, formatDatetime, type Resource } from './resourcesync/model.js';
import { escapeXml, serializeResource } from './resourcesync/serialize.js';

/** A document and where it goes. */
export interface PlannedDocument {
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  readonly uri: string;
  readonly document: Document;
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

const SOURCE_DESCRIPTION = '.well-known/resourcesync';

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
  for (const set of sets) {
    const folder = set.name === undefined ? 'resourcesync' : `resourcesync/${set.name}`;
    const capabilityList = place(`${folder}/capabilitylist.xml`);
    const resourceList = place(`${folder}/resourcelist.xml`);
    const changeList = place(`${folder}/changelist.xml`);
    planned.push(
      ...planResourceList(set.resources, at, capabilityList.uri, resourceList, limits),
      ...(set.changes === undefined ? [] : planChangeLists(set.changes, capabilityList.uri, changeList)),
      {
        ...capabilityList,
        document: makeCapabilityList({
          up: source.uri,
          describedby: set.describedby,
          capabilities: [
            { capability: 'resourcelist', uri: resourceList.uri },
            ...(set.changes === undefined
              ? []
              : [{ capability: 'changelist', uri: changeList.uri } as const]),
          ],
        }),
      },
    );
    capabilityLists.push({ uri: capabilityList.uri, describedby: set.describedby });
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
    ...placePart(place, String(index + 1).padStart(4, '0')),
    document: makeResourceList({ up, index: place.uri, at, resources: resources.slice(start, end) }),
  }));
  return [...parts, { ...place, document: makeResourceListIndex({ up, at, parts }) }];
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
  const parts = segments.map(({ part, ...list }) => {
    // `2026-11-20T10:15:00Z` → `20261120T101500Z`
    const from = formatDatetime(list.from).replace(/[-:]/g, '');
    return {
      ...placePart(place, part === 1 ? from : `${from}-${part}`),
      document: makeChangeList({ up, index: place.uri, ...list }),
    };
  });
  const entries = parts.map(({ uri, document: { from, until } }) => ({ uri, from, until }));
  return [...parts, { ...place, document: makeChangeListIndex({ up, parts: entries }) }];
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
}

const DAY = 86_400_000;

/**
 * Cuts changes into the lists to publish (§12).
 *
 * Borders follow from the changes alone. So a closed list stays as it is until the window has passed all of it, and
 * only the open list loses what the window has passed. A publication is not divided unless no list could hold it.
 *
 * @param changes in forward chronological order
 * @param from since when changes are known
 * @param at the moment of the newest publication
 */
export function cutChanges<T extends { readonly uri: string; readonly datetime: Date }>(
  changes: readonly T[],
  { from, at }: { readonly from: Date; readonly at: Date },
  { window, period }: ChangeRules,
  limits: DocumentLimits = DOCUMENT_LIMITS,
): ChangeSegment<T>[] {
  const closed: (ChangeSegment<T> & { readonly until: Date })[] = [];
  let start = from;
  let part = 1;
  let list: T[] = [];
  let bytes = HEAD_BYTES;
  const close = (until: Date) => {
    closed.push({ from: start, until, part, changes: list });
    part = until.getTime() === start.getTime() ? part + 1 : 1;
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
      const end = endOfPeriod(last.datetime, period);
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
  const last = list.at(-1);
  const end = last && endOfPeriod(last.datetime, period);
  if (end !== undefined && end < at) close(end);

  const horizon = new Date(at.getTime() - window * DAY);
  const listed = closed.filter(({ until }) => until > horizon);
  if (listed.length > 0 || start >= horizon) {
    return [...listed, { from: start, until: undefined, part, changes: list }];
  }
  const recent = list.filter(({ datetime }) => datetime > horizon);
  return [{ from: horizon, until: undefined, part: 1, changes: recent }];
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
