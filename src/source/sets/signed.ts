/** Verifies that the documents of a Source are the signed ones, before they are used. */

import { parseDatetime } from '../../base/datetime.js';
import { ResyncError } from '../../base/errors.js';
import { joinWords, type Phrase, say, Words } from '../../base/text/say.js';
import { sameAddress } from '../../paths/address.js';
import { pathOfSignature, pathOfSums, SOURCE_DESCRIPTION, scopeOfSums } from '../../paths/ours.js';
import { MOST_SIGNATURE_BYTES, type SshKey } from '../../standard/signature.js';
import type { Sums } from '../../standard/sums.js';
import { isAbsent, type Origin } from '../origin/origin.js';
import {
  type FoundSignature,
  findSum,
  listNamed,
  type NamedDocument,
  type PlacedSums,
  readSums,
} from '../sums.js';
import { hasKey, signersOf, tellKeys } from '../trusted.js';
import type { DocumentReader } from './reader.js';
import type { Offer } from './sets.js';

const WAIT =
  'A deploy seems to be going on: run again later. If it stays, somebody has changed what the publisher wrote.';
export const ASK = 'Ask the publisher, by another way than this site.';

/** Thrown if a Source is not the one that was signed. */
export class Unproven extends ResyncError {
  /** True if a deploy may be going on that mixes two publications, so that a later attempt may succeed. */
  readonly mayPass: boolean;

  /** @param advice what the user can do; without it, a later attempt may succeed */
  constructor(what: Phrase, advice?: Phrase) {
    super(
      'signature-invalid',
      say`The site cannot be trusted: ${what}.\nNothing was changed. ${advice ?? WAIT}`,
    );
    this.mayPass = advice === undefined;
  }
}

interface ProvenSums extends PlacedSums {
  /** The `SHA256SUMS` and its signature, with their own digests. */
  readonly files: readonly NamedDocument[];
}

export interface Proof {
  /** Keys of the signers; empty if the Source is unsigned, and no signature is required. */
  readonly keys: readonly SshKey[];
  /** The newest moment of the Source, from its signed sums: milliseconds since 1970. */
  readonly moment: number | undefined;
  /** Lists all documents in the sums, and the sums with their signatures. */
  readonly documents: () => readonly NamedDocument[];
  /** Checks a document by its SHA-256. @throws Unproven if it is not the one that was signed */
  readonly judge: NonNullable<Origin['judge']>;
}

interface Demand {
  /** Keys of which one must have signed the sums; undefined if no signature is required. */
  readonly keys: readonly SshKey[] | undefined;
  /** Makes the error for sums that only other keys have signed. */
  readonly refuse: (keys: readonly SshKey[]) => Unproven;
  /** True if sums are required even if unsigned. */
  readonly needsSums?: boolean | undefined;
}

/**
 * Fetches and verifies sums and signatures of a Source, and compares the documents that were read so far.
 *
 * The sums name the Source Description, which names all Capability Lists, and each of these names the Source Description. So
 * they belong to the wanted Source, and not to another one of the same publisher.
 *
 * @param beginning the first document @param offers the wanted sets
 * @returns undefined if the Source is unsigned, and neither a signature nor sums are required
 * @throws Unproven; ResyncError `source-unreadable` if required sums are missing
 */
export async function proveSource(
  reader: DocumentReader,
  beginning: string,
  offers: readonly Offer[],
  demand: Demand,
): Promise<Proof | undefined> {
  const read = reader.known();
  const bare = offers.find(({ sums }) => sums === undefined);
  if (bare !== undefined && demand.needsSums === true && demand.keys === undefined) throw refuseBare(bare);
  if (bare !== undefined && demand.keys !== undefined) throw refuseUnsigned(bare);
  const isDescription = beginning.endsWith(`/${SOURCE_DESCRIPTION}`);
  const description =
    offers.find(({ up }) => up !== undefined && (!isDescription || sameAddress(up, beginning)))?.up ??
    beginning;
  if (!description.endsWith(`/${SOURCE_DESCRIPTION}`))
    throw new Unproven(say`${description} is no Source Description at its well-known place`, ASK);
  const stranger = offers.find(
    ({ sums, up }) => sums !== undefined && (up === undefined || !sameAddress(up, description)),
  );
  if (stranger !== undefined)
    throw new Unproven(say`${stranger.uri} belongs to another Source: ${stranger.up ?? 'none'}`, ASK);
  const root = description.slice(0, -SOURCE_DESCRIPTION.length);
  const place = root + pathOfSums(undefined);
  const whole = await proveSums(reader, place, demand);
  if (whole === undefined) return undefined;
  if (bare !== undefined) throw refuseUnsigned(bare);
  const { sums, keys, files } = whole;
  if (!sums.digests.has(SOURCE_DESCRIPTION))
    throw new Unproven(say`${place} does not name the Source Description`);
  const apart = new Map<string, ProvenSums>();
  for (const offer of offers) {
    const { sums: own = place } = offer;
    if (sameAddress(own, place) || apart.has(own)) continue;
    apart.set(own, await readApart(reader, offer, own, keys.length === 0 ? undefined : sums.signers));
  }
  const all: readonly ProvenSums[] = [{ digests: sums.digests, files, root, scope: root }, ...apart.values()];
  const judge: Proof['judge'] = (uri, sha256) => {
    const expected = all.map((one) => findSum(one, uri)).find(Boolean);
    if (expected === undefined) throw new Unproven(say`${uri} is in no SHA256SUMS that was verified`);
    if (expected !== sha256) throw new Unproven(say`${uri} differs from its SHA256SUMS`);
  };
  for (const { uri, digest } of read) judge(uri, digest);
  const moment = sums.moment === undefined ? undefined : parseDatetime(sums.moment)?.getTime();
  return {
    keys,
    moment,
    judge,
    documents: () => all.flatMap((one) => [...listNamed(one), ...one.files]),
  };
}

function refuseBare({ uri }: Offer): ResyncError {
  return new ResyncError(
    'source-unreadable',
    say`${uri} names no SHA256SUMS, which a copy with --documents needs.\nCopy the site without --documents, or ask its publisher for sums: resync-static writes them with --sign, or with the option sums.`,
  );
}

function refuseUnsigned({ uri }: Offer): Unproven {
  return new Unproven(say`${uri} names no SHA256SUMS, so it is not signed`);
}

/** Reads the sums of a set that another build describes, which cover only the folder of that set. */
async function readApart(
  reader: DocumentReader,
  { uri }: Offer,
  place: string,
  signers: Sums['signers'] | undefined,
): Promise<ProvenSums> {
  const scope = new URL('.', uri).href;
  const { root } = scopeOfSums(place) ?? {};
  if (root === undefined || !place.startsWith(scope))
    throw new Unproven(say`${uri} names sums outside its folder: ${place}`, ASK);
  const read = await proveSums(reader, place, {
    keys: signers && signersOf(signers, uri),
    refuse: (keys) =>
      new Unproven(say`${place} is signed by ${tellKeys(keys)}, which the Source does not name for this set`),
    needsSums: true,
  });
  if (read === undefined) throw new TypeError('sums that are needed are read');
  return { digests: read.sums.digests, files: read.files, scope, root };
}

/** Reads sums and their signers. The signature may be missing if none is required. */
async function proveSums(reader: DocumentReader, uri: string, { keys: demanded, refuse, needsSums }: Demand) {
  const place = pathOfSignature(uri);
  const armored = await reader.readBytes(place, MOST_SIGNATURE_BYTES);
  const isUnsigned = isAbsent(armored) && armored.failure === 'missing' && demanded === undefined;
  if (isUnsigned && needsSums !== true) return undefined;
  if (isAbsent(armored) && !isUnsigned) throw new Unproven(say`${place} cannot be read: ${armored.found}`);
  const found = await readSums((...file) => reader.readBytes(...file), uri, armored);
  if (isAbsent(found)) throw new Unproven(say`${uri} cannot be read: ${found.found}`);
  const { sums, signature, files } = found;
  const keys = isAbsent(signature) ? [] : chooseKeys(place, signature, { keys: demanded, refuse });
  if (sums instanceof Words) throw new Unproven(say`${uri} is malformed: ${sums}`, ASK);
  return { sums, keys, files };
}

/** Chooses the signers that count. @throws Unproven if there are none */
function chooseKeys(
  place: string,
  { isSignature, keys: right, mistakes }: FoundSignature,
  { keys: demanded, refuse }: Demand,
): readonly SshKey[] {
  const reasons = joinWords(mistakes, ', ');
  if (!isSignature) throw new Unproven(say`${place} is no signature. ${reasons}`);
  if (right.length === 0) throw new Unproven(say`${place} has no valid signature: ${reasons}`);
  // Anyone can add a further signature, so if no keys are demanded, only the first one counts.
  const keys = demanded === undefined ? right.slice(0, 1) : right.filter((key) => hasKey(demanded, key));
  if (keys.length === 0) throw refuse(right);
  return keys;
}
