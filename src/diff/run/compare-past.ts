/** Compares the versions of what changed since a publication. */

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
 * Compares what changed since a publication, one change after another.
 *
 * @param url of the site
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function compareWithPast(
  past: Past,
  readFile: PresentSite['readFile'],
  url: string,
  { report }: Pick<StageClock, 'report'>,
): Promise<{ readonly comparison: Comparison; readonly incomplete: Incomplete | undefined }> {
  const changes = findRenames(past.changes);
  const wanted = changes.filter(
    (change) =>
      listNeededVersions(change).includes('before') && (past.previousLength(change.uri) ?? 0) <= PAGE_LIMIT,
  );
  const here = wanted.filter(({ uri }) => past.previousLength(uri) !== undefined);
  const asked = takeSample(here, past.readLimit);
  const isAsked = new Set(asked.map(({ uri }) => uri));
  const comparer = new Comparer(url);
  const reader = past.openVersions([...isAsked]);
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

/** An asset whose path has a hash. */
interface Candidate {
  readonly resource: ChangedResource;
  /** The path without its hashes. */
  readonly masked: string;
  readonly strength: HashStrength;
  /** Whether the name is a hash and an extension, so that nothing tells one such file from another. */
  readonly nameless: boolean;
}

/** A deleted asset and the created one that took its place. */
type Pair = readonly [former: ChangedResource, present: ChangedResource];

/**
 * Tells created and deleted assets as renamed where their paths are equal but for the hashes in them. Of several that
 * could be meant, those with the same bytes belong together; the others are paired in order of their lengths, since
 * what one chunk became is rarely of another size. Pages are never renamed.
 *
 * @returns all changes in their order; a renamed asset stands where the created one stood
 */
export function findRenames(changes: readonly ChangedResource[]): (ChangedResource | RenamedResource)[] {
  const deleted = groupByMask(changes, 'deleted');
  const pairs = [...groupByMask(changes, 'created')].flatMap(([masked, present]) =>
    pairCandidates(deleted.get(masked) ?? [], present),
  );
  const formerOf = new Map(pairs.map(([former, present]) => [present, former]));
  const gone = new Set(formerOf.values());
  return changes.flatMap((change): (ChangedResource | RenamedResource)[] => {
    if (gone.has(change)) return [];
    const former = formerOf.get(change);
    if (former === undefined) return [change];
    return [{ ...change, change: 'renamed', from: former.uri, fromPath: former.path }];
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
  const former = sortCandidates(deleted);
  const present = sortCandidates(created);
  const same = pairSame(former, present);
  const paired = new Set(same.flat());
  const restFormer = former.filter(({ resource }) => !paired.has(resource));
  const restPresent = present.filter(({ resource }) => !paired.has(resource));
  // Among files that are named by nothing but a hash, size is a poor witness.
  const nameless = (restFormer[0] ?? restPresent[0])?.nameless === true;
  if (nameless && (restFormer.length !== 1 || restPresent.length !== 1)) return same;
  const rest = restPresent.slice(0, restFormer.length).flatMap((candidate, index): Pair[] => {
    const other = restFormer[index];
    // A word in camel case may look like a hash. Two hardly do where another is sure.
    if (other === undefined || (candidate.strength === 'weak' && other.strength === 'weak')) return [];
    return [[other.resource, candidate.resource]];
  });
  return [...same, ...rest];
}

/** By length, then by path. */
function sortCandidates(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort(
    ({ resource: a }, { resource: b }) => a.length - b.length || (a.path < b.path ? -1 : 1),
  );
}

function pairSame(former: readonly Candidate[], present: readonly Candidate[]): Pair[] {
  const byDigest = groupBy(former.toReversed(), ({ resource }) => resource.digest);
  return present.flatMap(({ resource }): Pair[] => {
    const found = resource.digest === undefined ? undefined : byDigest.get(resource.digest)?.pop();
    return found === undefined ? [] : [[found.resource, resource]];
  });
}

/** Masks the hash in a name, and folders whose whole name is one; undefined where there is none. */
function maskPath(path: string): Omit<Candidate, 'resource'> | undefined {
  const segments = path.split('/');
  const name = segments.pop() ?? '';
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

/** Next.js names a folder by the build: 21 characters of base64url, or a UUID. */
function isHashedFolder(segment: string): boolean {
  const split = splitHashedName(segment);
  if (split !== undefined && split.head === '' && split.tail === '') return split.strength === 'strong';
  return /^[\w-]{20,40}$/.test(segment) && judgeHash(segment) === 'strong';
}
