/** Finds out since when a set of resources has been listed by the current options. */

import type { ResolvedSet } from '../../config/config.js';
import { isSnapshotRef, pathOfDocument } from '../../paths/ours.js';
import { LISTING } from '../../standard/namespaces.js';
import { readBeginnings } from '../git/blobs.js';
import type { GitHistory } from '../history.js';

type ListedSet = Pick<ResolvedSet, 'name' | 'listing'>;

/** Makes the value of a snapshot's trailer for a set: its name, if it has one, and the fingerprint of its options. */
export function writeListing({ name, listing }: ListedSet): string {
  return name === undefined ? listing : `${name} ${listing}`;
}

function readListing(message = '', name?: string | undefined): string | undefined {
  const prefix = name === undefined ? '' : `${name} `;
  const said = message
    .split(',')
    .find((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes(' '));
  return said?.slice(prefix.length) || undefined;
}

/** Tests if the newest snapshot names other options for the set; false if it names none. */
export function wasListedOtherwise({ publications }: GitHistory, { name, listing }: ListedSet): boolean {
  const said = readListing(publications.at(-1)?.listing, name);
  return said !== undefined && said !== listing;
}

/** Number of bytes within which a Capability List has its links. */
const HEAD_BYTES = 16_384;
const LINK = new RegExp(`<rs:ln rel="${LISTING}" href="([^"]+)"/>`);

/**
 * Finds, for each set, the index of the first publication since which its options have been the current ones; the number of
 * publications if only this run has them. Reads trailers of snapshots, or committed Capability Lists; if these are missing,
 * the options count as the same.
 * @throws ResyncError `git-failed`
 */
export async function findBeginnings(
  sets: readonly ListedSet[],
  { publications, place }: GitHistory,
): Promise<readonly number[]> {
  if (isSnapshotRef(place.ref)) {
    return sets.map(({ name, listing }) => {
      const said = publications.map((one) => readListing(one.listing, name));
      return said.findLastIndex((one) => one !== undefined && one !== listing) + 1;
    });
  }
  const lists = sets.map(({ name, listing }) => {
    const versions: CommittedList[] = [];
    return { path: pathOfDocument(name, 'capabilitylist'), listing, versions };
  });
  const byPath = new Map(lists.map((list) => [list.path, list.versions]));
  for (const [index, { changes }] of publications.entries())
    for (const { path, blob } of changes) byPath.get(path)?.push({ index, blob });
  const said = new Map<string | undefined, string | undefined>();
  const blobs = lists.flatMap(({ versions }) => versions.flatMap(({ blob }) => blob ?? []));
  for await (const [blob, text] of readBeginnings(place.repository, blobs, HEAD_BYTES))
    said.set(blob, LINK.exec(text.toString('latin1'))?.[1]);
  return lists.map(({ listing, versions }) => {
    const last = versions.findLastIndex(({ blob }) => (said.get(blob) ?? listing) !== listing);
    return last === -1 ? 0 : (versions[last + 1]?.index ?? publications.length);
  });
}

/** A change of a committed Capability List: the index of its publication, and the new blob; undefined if removed. */
interface CommittedList {
  readonly index: number;
  readonly blob: string | undefined;
}
