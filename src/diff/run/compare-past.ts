/** Compares a site with a publication, and finds renamed assets. */

import { groupBy } from '../../base/group.js';
import type { StageClock } from '../../base/progress.js';
import { takeSample } from '../../base/sample.js';
import { listNeededVersions } from '../../files/page/kind.js';
import { PAGE_LIMIT } from '../../files/page/page.js';
import { type HashStrength, judgeHash, MASK, splitHashedName } from '../../paths/asset-names.js';
import { judgeType } from '../../standard/content.js';
import { Comparer } from '../compare.js';
import type { ChangedResource, Comparison, RenamedResource } from '../model.js';
import type { Incomplete } from '../report.js';
import type { Past } from './past.js';
import type { PresentSite } from './present.js';

/**
 * Compares both versions of each resource that changed since a publication, one at a time.
 * @param url of the site
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function compareWithPast(
  past: Past,
  readFile: PresentSite['readFile'],
  url: string,
  report: StageClock['report'] = () => undefined,
): Promise<{ readonly comparison: Comparison; readonly incomplete: Incomplete | undefined }> {
  const changes = findRenames(past.changes);
  const wanted = changes.filter(
    (change) =>
      listNeededVersions(change).includes('before') && (past.previousLength(change.uri) ?? 0) <= PAGE_LIMIT,
  );
  const available = wanted.filter(({ uri }) => past.previousLength(uri) !== undefined);
  const asked = takeSample(available, past.readLimit);
  const isAsked = new Set(asked.map(({ uri }) => uri));
  const comparer = new Comparer(url);
  const reader = await past.openVersions([...isAsked]);
  let read = 0;
  try {
    for (const [index, change] of changes.entries()) {
      const before = isAsked.has(change.uri) ? await reader.readNext() : undefined;
      if (before !== undefined) read++;
      const isOfUse = change.change === 'created' || before !== undefined;
      const after = isOfUse && listNeededVersions(change).includes('after') ? readFile(change) : undefined;
      comparer.add(change, { before, after });
      if (index % 256 === 255) report(index + 1, changes.length);
    }
  } finally {
    reader.close();
  }
  const incomplete = read < wanted.length ? { wanted: wanted.length, asked: asked.length, read } : undefined;
  return { comparison: comparer.finish(), incomplete };
}

interface Candidate {
  readonly resource: ChangedResource;
  readonly masked: string;
  readonly strength: HashStrength;
  /** True if the name is only a hash and an extension, so that it does not identify the file. */
  readonly nameless: boolean;
}

/** A deleted asset and the created one that replaces it. */
type Pair = readonly [previous: ChangedResource, present: ChangedResource];

/**
 * Joins created and deleted assets whose paths differ only in hashes. Several candidates are paired in the order of their
 * lengths, since a rebuilt chunk has about the same size. Pages are never renamed.
 *
 * @returns all changes in their order; a renamed asset takes the place of the created one
 */
export function findRenames(changes: readonly ChangedResource[]): (ChangedResource | RenamedResource)[] {
  const deleted = groupByMask(changes, 'deleted');
  const pairs = [...groupByMask(changes, 'created')].flatMap(([masked, created]) => {
    const candidates = deleted.get(masked);
    return candidates === undefined ? [] : pairCandidates(candidates, created);
  });
  const previousOf = new Map(pairs.map(([previous, present]) => [present, previous]));
  const replaced = new Set(previousOf.values());
  return changes.flatMap((change): (ChangedResource | RenamedResource)[] => {
    if (replaced.has(change)) return [];
    const previous = previousOf.get(change);
    if (previous === undefined) return [change];
    return [{ ...change, change: 'renamed', from: previous.uri, fromPath: previous.path }];
  });
}

function groupByMask(
  changes: readonly ChangedResource[],
  change: ChangedResource['change'],
): Map<string, Candidate[]> {
  const candidates = changes.flatMap((resource): Candidate[] => {
    const isAsset = resource.change === change && judgeType(resource.type) !== 'page';
    const path = isAsset && maskPath(resource.path);
    return path ? [{ resource, ...path }] : [];
  });
  return groupBy(candidates, ({ masked }) => masked);
}

function pairCandidates(deleted: readonly Candidate[], created: readonly Candidate[]): Pair[] {
  const [previous, present] = [sortCandidates(deleted), sortCandidates(created)];
  // For files named only by a hash, equal order of lengths is weak evidence.
  if (present[0]?.nameless === true && (previous.length !== 1 || present.length !== 1)) return [];
  return present.slice(0, previous.length).flatMap((candidate, index): Pair[] => {
    const other = previous[index];
    // A word in camel case may look like a hash, but hardly if the other path certainly has a hash.
    if (other === undefined || (candidate.strength === 'weak' && other.strength === 'weak')) return [];
    return [[other.resource, candidate.resource]];
  });
}

function sortCandidates(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort(
    ({ resource: a }, { resource: b }) => a.length - b.length || (a.path < b.path ? -1 : 1),
  );
}

/** Masks the hash in a file name, and folders whose whole name is a hash; undefined if there is no hash. */
function maskPath(path: string): Omit<Candidate, 'resource'> | undefined {
  const segments = path.split('/').slice(0, -1);
  const name = path.slice(path.lastIndexOf('/') + 1);
  const split = splitHashedName(name);
  const folders = segments.map((segment) => (isHashedFolder(segment) ? MASK : segment));
  const inFolder = folders.includes(MASK);
  if (split === undefined && !inFolder) return undefined;
  const masked = split === undefined ? name : `${split.head}${MASK}${split.tail}`;
  return {
    masked: [...folders, masked].join('/'),
    strength: inFolder ? 'strong' : (split?.strength ?? 'weak'),
    nameless: split !== undefined && split.head === '',
  };
}

/** Tests if the name of a folder is a hash. Next.js names one by the build: 21 characters of base64url, or a UUID. */
function isHashedFolder(segment: string): boolean {
  const split = splitHashedName(segment);
  if (split !== undefined && split.head === '' && split.tail === '') return split.strength === 'strong';
  return /^[\w-]{20,40}$/.test(segment) && judgeHash(segment) === 'strong';
}
