/** Checks the signed sums of a Source, and the documents against them. */

import { ResyncError } from '../base/errors.js';
import { Words } from '../base/text/say.js';
import { pathOfSignature, pathOfSums, SOURCE_DESCRIPTION, scopeOfSums } from '../paths/ours.js';
import { decodePath, encodePath } from '../paths/urls.js';
import { collectBytes } from '../source/document.js';
import { digestOpened, isAbsent } from '../source/origin/origin.js';
import { hasKey, signersOf, tellKeys } from '../source/trusted.js';
import { SUMS_FILE } from '../standard/model.js';
import { MOST_SIGNATURE_BYTES, type SshKey, tellMistake, verifySignatures } from '../standard/signature.js';
import { parseSums, SUMS_BYTES, type Sums } from '../standard/sums.js';
import type { Picture, Run } from './picture.js';

/**
 * Checks all sums that Capability Lists lead to, and those of the whole, if the Source is signed or has to be.
 *
 * @param trusted the required signers of the whole; undefined for any, or none. Sets of other builds must be signed by the
 *   signers that the sums of the whole name
 * @returns URLs of all sums; none of an unsigned Source
 */
export async function checkSignatures(
  run: Run,
  picture: Picture,
  trusted: readonly SshKey[] | undefined,
): Promise<readonly string[]> {
  const { sums, description } = picture;
  const { flag } = run;
  if (trusted === undefined && [...sums.values()].every((place) => place === undefined)) return [];
  const isPart = !description.endsWith(`/${SOURCE_DESCRIPTION}`);
  const top = isPart ? undefined : description.slice(0, -SOURCE_DESCRIPTION.length) + pathOfSums(undefined);
  const whole = top === undefined ? undefined : await auditPlace(run, picture, top, trusted);
  // Unsigned sums prove nothing, so they need not exist.
  if (whole?.isSigned !== false)
    for (const [document, place] of sums)
      if (place === undefined) flag('signature-invalid', { document, found: `it leads to no ${SUMS_FILE}` });
  const seen = new Set(top === undefined ? [] : [top]);
  for (const [uri, place] of sums) {
    if (place === undefined || seen.has(place)) continue;
    seen.add(place);
    const named = whole?.isSigned === true ? signersOf(whole.signers, uri) : undefined;
    await auditPlace(run, picture, place, isPart ? trusted : named);
  }
  return [...seen];
}

/** @returns the sums, whoever signed them; undefined if they cannot be read */
async function auditPlace(
  run: Run,
  picture: Picture,
  place: string,
  trusted: readonly SshKey[] | undefined,
): Promise<(Sums & { readonly isSigned: boolean }) | undefined> {
  const scope = scopeOfSums(place);
  if (scope === undefined) {
    run.flag('signature-invalid', { document: place, found: 'not in a folder resourcesync/ of a site' });
    return undefined;
  }
  const bytes = await readWhole(run, place, SUMS_BYTES);
  if (bytes === undefined) return undefined;
  const isSigned = await auditSignature(run, pathOfSignature(place), bytes, trusted);
  const sums = parseSums(bytes);
  if (sums instanceof Words) {
    run.flag('signature-invalid', { document: place, found: String(sums) });
    return undefined;
  }
  await auditSums(run, picture, place, { ...scope, isSigned }, sums.digests);
  return { ...sums, isSigned };
}

/** Reads a file; undefined if it cannot be read or is too long, which is reported unless it may be missing. */
async function readWhole(
  { origin, flag }: Run,
  document: string,
  most: number,
  mayBeMissing = false,
): Promise<Buffer | undefined> {
  const opened = await origin.open(document, { most });
  if (isAbsent(opened)) {
    if (!mayBeMissing || opened.failure !== 'missing')
      flag('signature-invalid', { document, found: opened.found });
    return undefined;
  }
  const { bytes, broken } = await collectBytes(opened.body, most + 1);
  if (broken === undefined && bytes.length <= most) return bytes;
  flag('signature-invalid', {
    document,
    found: broken === undefined ? `more than ${most} bytes` : 'it breaks off',
  });
  return undefined;
}

/** @returns true if there is a signature, right or wrong */
async function auditSignature(
  run: Run,
  document: string,
  message: Buffer,
  trusted: readonly SshKey[] | undefined,
): Promise<boolean> {
  const armored = await readWhole(run, document, MOST_SIGNATURE_BYTES, trusted === undefined);
  if (armored === undefined) return false;
  try {
    const signatures = verifySignatures(armored, message);
    // While keys are replaced there are several signatures, of which one is enough.
    const wrong = signatures.filter(({ mistake }) => mistake !== undefined);
    const keys = signatures.filter(({ mistake }) => mistake === undefined).map(({ key }) => key);
    for (const one of keys.length > 0 ? [] : wrong)
      run.flag('signature-invalid', { document, found: String(tellMistake(one)) });
    if (keys.length === 0 || trusted === undefined || keys.some((key) => hasKey(trusted, key))) return true;
    const expected = trusted.length === 0 ? 'a key that the Source names for this set' : tellKeys(trusted);
    run.flag('signature-invalid', { document, found: `signed by ${tellKeys(keys)}`, expected });
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    run.flag('signature-invalid', { document, found: error.message });
  }
  return true;
}

/** Compares the sums with the documents that were read, and reads the other ones that they name. */
async function auditSums(
  run: Run,
  { sums, digests: read }: Picture,
  document: string,
  { root, scope, isSigned }: { readonly root: string; readonly scope: string; readonly isSigned: boolean },
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  const { flag, origin, bounds, config } = run;
  // Sets of other builds have sums of their own, or none if unsigned.
  const apart = [...sums].flatMap(([list, one = isSigned ? document : list]) =>
    one === document ? [] : new URL('.', one).href,
  );
  const isOthers = (uri: string) =>
    apart.some((folder) => folder.startsWith(scope) && uri.startsWith(folder));
  for (const [uri, found] of read) {
    if (!uri.startsWith(scope) || isOthers(uri)) continue;
    const expected = digests.get(decodePath(uri.slice(root.length)));
    if (expected === undefined) flag('sums-incomplete', { document, entry: uri });
    else if (expected !== found) flag('sums-differ', { document, entry: uri, found, expected });
  }
  for (const [path, expected] of digests) {
    const uri = root + encodePath(path);
    // On the web there may be as many TimeMaps as files.
    if (read.has(uri) || (config.source.kind === 'web' && path.includes('/timemaps/'))) continue;
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
