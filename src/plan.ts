/** Which documents there will be and what each holds. Pure. */

import {
  type CapabilityListEntry,
  DOCUMENT_LIMITS,
  type Document,
  DocumentError,
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
  const cuts = cutRows(resources.length, (index) => measureRow(resources[index]), limits);
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

/** More than what surrounds the rows of any list takes: two links of at most 2,048 escaped characters each. */
const HEAD_BYTES = 32_768;

/**
 * Cuts rows into consecutive parts that keep the limits.
 *
 * @param measure bytes of the row with a given index
 * @throws DocumentError when one row is larger than a document may be
 */
export function cutRows(
  count: number,
  measure: (index: number) => number,
  limits: DocumentLimits,
): { start: number; end: number }[] {
  const cuts: { start: number; end: number }[] = [];
  let start = 0;
  let bytes = HEAD_BYTES;
  for (let index = 0; index < count; index++) {
    const row = measure(index);
    if (HEAD_BYTES + row > limits.bytes) {
      throw new DocumentError(
        `§7: at most ${limits.bytes} bytes in a document; entry ${index + 1} alone has ${row}`,
      );
    }
    if (index > start && (index - start === limits.entries || bytes + row > limits.bytes)) {
      cuts.push({ start, end: index });
      start = index;
      bytes = HEAD_BYTES;
    }
    bytes += row;
  }
  if (count > start) cuts.push({ start, end: count });
  return cuts;
}

function measureRow(resource: Resource | undefined): number {
  if (resource === undefined) return 0;
  // Rows are ASCII: URIs are percent-encoded, and everything else is a token.
  return serializeRow(resource).length;
}
