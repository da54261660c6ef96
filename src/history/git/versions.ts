/** Reads digests of versions of files from git, and finds where the bytes are. */

import { isSnapshotRef } from '../../paths/ours.js';
import { chooseType, makeFacts, type TypeLookup } from '../../site/resource.js';
import type { ScannedSite } from '../../site/scanned.js';
import type { ChangeEvent, HashAlgorithm, Representation } from '../../standard/model.js';
import type { BlobDigests, GitHistory } from '../history.js';
import type { PackagedChange } from '../plan/change-packages.js';
import type { Bitstream } from '../plan/packages.js';
import type { FileVersion } from '../plan/replay.js';
import { type BlobDigest, BlobDigester, locateBlob } from './digest-blobs.js';

/** The versions of files that the lists name: their digests, and where their bytes are. */
export class Versions {
  readonly digests: BlobDigests;
  /** Number of versions that a partial clone lacks. */
  readonly missing: number;
  readonly #type: TypeLookup;
  readonly #typeOf: ScannedSite['typeOf'];
  readonly #files: ReadonlyMap<string, string>;

  constructor(type: TypeLookup, scanned: ScannedSite, digests: BlobDigests, missing: number) {
    this.#type = type;
    this.#typeOf = scanned.typeOf;
    this.digests = digests;
    this.missing = missing;
    this.#files = new Map(scanned.files.map(({ path }, index) => [scanned.blobs[index] ?? '', path]));
  }

  readonly represent = (change: PackagedChange): ChangeEvent => {
    const { uri, datetime } = change;
    if (change.change === 'deleted') return { change: 'deleted', uri, datetime };
    return { change: change.change, uri, datetime, representation: this.describe(uri, change.file) };
  };

  describe(uri: string, { path, blob }: FileVersion): Representation {
    const { length, hash } = this.digests.get(blob) ?? {};
    const named = this.#typeOf(path);
    const type =
      length === undefined || hash === undefined
        ? named
        : chooseType(makeFacts({ uri, path, length, hash }, named), this.#type);
    return {
      ...(length !== undefined && { length }),
      ...(hash !== undefined && { hash }),
      ...(type !== undefined && { type }),
    };
  }

  /** Returns where the bytes of a version are; undefined if the site lacks them, and git has only a pointer. */
  readonly sourceOf = (blob: string): Bitstream['source'] | undefined => {
    const file = this.#files.get(blob);
    if (file !== undefined) return { file };
    return this.digests.get(blob)?.pointer === undefined ? { blob } : undefined;
  };
}

/** Reads the digests of blobs from git, unless the site still holds the same bytes. */
export async function readVersions(
  { hash, type }: { readonly hash: readonly HashAlgorithm[]; readonly type: TypeLookup },
  scanned: ScannedSite,
  history: GitHistory,
  blobs: readonly string[],
): Promise<Versions> {
  const previous = new Map<string, BlobDigest>();
  const digests = joinDigests(scanned, previous);
  const isPublished = isSnapshotRef(history.place.ref);
  const add = (read: ReadonlyMap<string, BlobDigest>) => {
    for (const [blob, digest] of read)
      previous.set(blob, isPublished ? withoutPointer(digest) : followPointer(digest));
  };
  add(history.digests);
  const unread = new Set(blobs.filter((blob) => !digests.has(blob)));
  const read = await readUnread(hash, history, unread);
  add(read);
  return new Versions(type, scanned, digests, unread.size - read.size);
}

async function readUnread(
  hash: readonly HashAlgorithm[],
  { publications, place }: GitHistory,
  unread: ReadonlySet<string>,
): Promise<ReadonlyMap<string, BlobDigest>> {
  if (unread.size === 0) return new Map();
  const digester = await BlobDigester.open(place.repository, hash, (blob) => locateBlob(publications, blob));
  for (const blob of unread) digester.add(blob);
  return (await digester.finish()).digests;
}

/** Removes the pointer: in a snapshot, a blob is the published file itself, even if it looks like a pointer. */
function withoutPointer({ length, hash }: BlobDigest): BlobDigest {
  return { length, hash };
}

function followPointer(digest: BlobDigest): BlobDigest {
  const { pointer } = digest;
  return pointer === undefined
    ? digest
    : { length: pointer.length, hash: `sha-256:${pointer.sha256}`, pointer };
}

/** Joins the digests of the scanned site, which are looked up on demand, with digests of other versions, by blob. */
function joinDigests(
  { blobs, resources }: Pick<ScannedSite, 'blobs' | 'resources'>,
  others: ReadonlyMap<string, BlobDigest>,
): BlobDigests {
  const places = new Map(blobs.map((blob, place) => [blob, place]));
  const present = (place: number | undefined): BlobDigest | undefined => {
    const resource = place === undefined ? undefined : resources.at(place);
    return resource && { length: resource.length, hash: resource.hash };
  };
  return {
    has: (blob) => places.has(blob) || others.has(blob),
    get: (blob) => present(places.get(blob)) ?? others.get(blob),
    *[Symbol.iterator]() {
      yield* others;
      for (const [blob, place] of places) yield [blob, present(place) as BlobDigest];
    },
  };
}
