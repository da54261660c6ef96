/** Compares a site with its live Resource List, by URLs and digests. Pure. */

import { InternedTexts } from '../../base/columns/keys.js';
import type { Rows } from '../../base/columns/rows.js';
import type { Lookup } from '../../base/columns/table.js';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { type ChangeEvent, compareHashes, type Resource } from '../../standard/model.js';
import type { LiveResource } from './published.js';

export type LiveChange = { readonly uri: string } & (
  | { readonly change: 'created' | 'updated'; readonly resource: Resource }
  | { readonly change: 'deleted' }
);

/** Finds the changes from the live site, in the order of URLs. */
export function compareResources(previous: Lookup<LiveResource>, resources: Rows<Resource>): LiveChange[] {
  const changes: LiveChange[] = [];
  let kept = 0;
  for (const resource of resources) {
    const { uri } = resource;
    const before = previous.get(uri);
    if (before !== undefined) kept++;
    if (before === undefined || !hasSameBytes(before, resource))
      changes.push({ change: before === undefined ? 'created' : 'updated', uri, resource });
  }
  if (kept < previous.size) {
    const present = new InternedTexts();
    for (const { uri } of resources) present.add(uri);
    for (const uri of previous.keys())
      if (present.find(uri) === undefined) changes.push({ change: 'deleted', uri });
  }
  return changes.sort((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Tests if a resource has the bytes that are live. @throws ResyncError `live-foreign` if no digest can be compared */
export function hasSameBytes(previous: LiveResource, { uri, length, hash }: Resource): boolean {
  if (previous.hash === hash) return previous.length === length;
  const comparison = compareHashes(hash, previous.hash);
  if (comparison === undefined) {
    throw new ResyncError(
      'live-foreign',
      say`The site cannot be compared with the live site, which lists ${uri} with ${previous.hash}; this one has ${hash}.\nAdd a checksum of the live site to the option hash. The run after this one may leave it out. Nothing was written.`,
    );
  }
  return comparison === 'same' && previous.length === length;
}

export function makeEvent(change: LiveChange, datetime: Date): ChangeEvent {
  const { uri } = change;
  if (change.change === 'deleted') return { change: change.change, uri, datetime };
  const { length, hash, type } = change.resource;
  const representation = { hash, length, ...(type !== undefined && { type }) };
  return { change: change.change, uri, datetime, representation };
}
