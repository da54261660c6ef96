/** Checks the signed sums of a Source, and the documents against them. */

import { Words } from '../base/text/say.js';
import { addressOf } from '../paths/address.js';
import { pathOfSignature, pathOfSums, SOURCE_DESCRIPTION, scopeOfSums } from '../paths/ours.js';
import { encodePath } from '../paths/urls.js';
import { collectWhole } from '../source/document.js';
import { type Absent, digestOpened, isAbsent } from '../source/origin/origin.js';
import { covers, type FoundSignature, findSum, type PlacedSums, readSums } from '../source/sums.js';
import { hasKey, signersOf, tellKeys } from '../source/trusted.js';
import { SUMS_FILE } from '../standard/model.js';
import { MOST_SIGNATURE_BYTES, type SshKey } from '../standard/signature.js';
import type { Sums } from '../standard/sums.js';
import type { Picture, Run } from './picture.js';

/**
 * Checks the sums of the whole Source, and all that Capability Lists lead to, if the Source is signed or has to be.
 *
 * @param trusted the required signers of the whole Source; undefined if any signer will do, or none. Sets of other builds must
 *   be signed by the signers that the sums of the whole name
 * @returns URLs of all sums; none if the Source is unsigned
 */
export async function checkSignatures(
  picture: Picture,
  trusted: readonly SshKey[] | undefined,
): Promise<readonly string[]> {
  const { sums, description, run } = picture;
  const { flag } = run;
  if (trusted === undefined && [...sums.values()].every((place) => place === undefined)) return [];
  const isPart = !description.endsWith(`/${SOURCE_DESCRIPTION}`);
  const top = isPart ? undefined : description.slice(0, -SOURCE_DESCRIPTION.length) + pathOfSums(undefined);
  const whole = top === undefined ? undefined : await auditPlace(picture, top, trusted);
  // A Capability List must lead to sums, unless those of the whole are unsigned: such sums prove nothing.
  if (whole?.isSigned !== false)
    for (const [document, place] of sums)
      if (place === undefined) flag('signature-invalid', { document, found: `it leads to no ${SUMS_FILE}` });
  const seen = new Set(top === undefined ? [] : [top]);
  for (const [uri, place] of sums) {
    if (place === undefined || seen.has(place)) continue;
    seen.add(place);
    const named = whole?.isSigned === true ? signersOf(whole.signers, uri) : undefined;
    await auditPlace(picture, place, isPart ? trusted : named);
  }
  return [...seen];
}

/** Checks the sums at one URL, and their signature. @returns the sums, whoever signed them; undefined if they cannot be read */
async function auditPlace(
  picture: Picture,
  place: string,
  trusted: readonly SshKey[] | undefined,
): Promise<(Sums & { readonly isSigned: boolean }) | undefined> {
  const { run } = picture;
  const scope = scopeOfSums(place);
  if (scope === undefined) {
    run.flag('signature-invalid', { document: place, found: 'not in a folder resourcesync/ of a site' });
    return undefined;
  }
  const read = async (uri: string, most: number) => collectWhole(await run.origin.open(uri, { most }), most);
  const found = await readSums(read, place, await read(pathOfSignature(place), MOST_SIGNATURE_BYTES));
  if (isAbsent(found)) {
    run.flag('signature-invalid', { document: place, found: found.found });
    return undefined;
  }
  const { sums, signature } = found;
  auditSignature(run, pathOfSignature(place), signature, trusted);
  if (sums instanceof Words) {
    run.flag('signature-invalid', { document: place, found: String(sums) });
    return undefined;
  }
  const isSigned = !isAbsent(signature);
  await auditSums(picture, place, { digests: sums.digests, ...scope }, isSigned);
  return { ...sums, isSigned };
}

/** Reports a signature that is missing although one is required, wrong, or of another key. */
function auditSignature(
  { flag }: Run,
  document: string,
  signature: FoundSignature | Absent,
  trusted: readonly SshKey[] | undefined,
): void {
  if (isAbsent(signature)) {
    const { failure, found } = signature;
    if (trusted !== undefined || failure !== 'missing') flag('signature-invalid', { document, found });
    return;
  }
  const { keys, mistakes } = signature;
  if (keys.length === 0) {
    for (const mistake of mistakes) flag('signature-invalid', { document, found: String(mistake) });
  } else if (trusted !== undefined && !keys.some((key) => hasKey(trusted, key))) {
    const expected = trusted.length === 0 ? 'a key that the Source names for this set' : tellKeys(trusted);
    flag('signature-invalid', { document, found: `signed by ${tellKeys(keys)}`, expected });
  }
}

/** Compares sums with the documents that were read already, then reads and compares the other files that the sums name. */
async function auditSums(
  { run, sums, digests: read }: Picture,
  document: string,
  placed: PlacedSums,
  isSigned: boolean,
): Promise<void> {
  const { flag, origin, bounds, config } = run;
  // Sets of other builds have sums of their own, or none if unsigned.
  const apart = [...sums].flatMap(([list, one = isSigned ? document : list]) =>
    one === document ? [] : addressOf(new URL('.', one).href),
  );
  const folders = apart.filter((folder) => covers(placed, folder));
  for (const [uri, found] of read) {
    if (!covers(placed, uri) || folders.some((folder) => uri.startsWith(folder))) continue;
    const expected = findSum(placed, uri);
    if (expected === undefined) flag('sums-incomplete', { document, entry: uri });
    else if (expected !== found) flag('sums-differ', { document, entry: uri, found, expected });
  }
  for (const [path, expected] of placed.digests) {
    const uri = placed.root + encodePath(path);
    // TimeMaps on the web are not compared with the sums: there may be as many as files.
    if (read.has(addressOf(uri)) || (config.source.kind === 'web' && path.includes('/timemaps/'))) continue;
    bounds.check();
    const plain = await origin.open(uri);
    // A host may serve a page only at the URL of its folder.
    const opened = isAbsent(plain) ? await origin.open(uri.replace(/\/index\.html$/, '/')) : plain;
    const outcome = isAbsent(opened)
      ? opened
      : await digestOpened(opened, { digests: ['sha-256'], length: undefined });
    const found = isAbsent(outcome) ? outcome.found : outcome.hex('sha-256');
    if (found !== expected) flag('sums-differ', { document, entry: uri, found, expected });
  }
}
