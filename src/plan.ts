/** Which documents there will be and what each holds. Pure. */

import {
  type CapabilityListEntry,
  DOCUMENT_LIMITS,
  type Document,
  type DocumentLimits,
  makeCapabilityList,
  makeResourceList,
  makeResourceListIndex,
  makeSourceDescription,
} from './resourcesync/document.js';
import type { Resource } from './resourcesync/model.js';
import { serializeRow } from './resourcesync/serialize.js';

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
    planned.push(...planResourceList(set.resources, at, capabilityList.uri, resourceList, limits), {
      ...capabilityList,
      document: makeCapabilityList({
        up: source.uri,
        describedby: set.describedby,
        capabilities: [{ capability: 'resourcelist', uri: resourceList.uri }],
      }),
    });
    capabilityLists.push({ uri: capabilityList.uri, describedby: set.describedby });
  }
  return [...planned, { ...source, document: makeSourceDescription({ describedby, capabilityLists }) }];
}

/** One list, or parts and their index where it takes several (§10.2). */
function planResourceList(
  resources: readonly Resource[],
  at: Date,
  up: string,
  place: { readonly path: string; readonly uri: string },
  limits: DocumentLimits,
): PlannedDocument[] {
  const cuts = cutResources(resources, limits);
  if (cuts.length <= 1)
    return [{ ...place, document: makeResourceList({ up, index: undefined, at, resources }) }];
  const parts = cuts.map(({ start, end }, index) => {
    const number = `-${String(index + 1).padStart(4, '0')}.xml`;
    return {
      path: place.path.replace(/\.xml$/, number),
      uri: place.uri.replace(/\.xml$/, number),
      document: makeResourceList({ up, index: place.uri, at, resources: resources.slice(start, end) }),
    };
  });
  return [...parts, { ...place, document: makeResourceListIndex({ up, at, parts }) }];
}

/** Cuts by estimates that are never too low, which is quick; by the rows themselves only where bytes could matter. */
function cutResources(resources: readonly Resource[], limits: DocumentLimits): Cut[] {
  const estimated = cutRows(resources.map(estimateRow), limits);
  const byEntries = estimated.slice(0, -1).every(({ start, end }) => end - start === limits.entries);
  // Rows are ASCII: URIs are percent-encoded, and everything else is a token.
  return byEntries
    ? estimated
    : cutRows(
        resources.map((resource) => serializeRow(resource).length),
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
