/** Whether the documents of a Source are those that somebody signed: its sums, and the signature beside them. */

import { ResyncError } from '../base/errors.js';
import { Words } from '../base/text/say.js';
import { LEFT_OUT, pathOfSignature, scopeOfSums } from '../paths/ours.js';
import { decodePath, encodePath } from '../paths/urls.js';
import { collectBytes } from '../source/document.js';
import { digestOpened, isAbsent } from '../source/origin/origin.js';
import {
  MOST_SIGNATURE_BYTES,
  SIGNATURE_NAMESPACE,
  type SshSignature,
  verifySignatures,
} from '../standard/signature.js';
import { parseSums, SUMS_BYTES } from '../standard/sums.js';
import type { Run } from './read.js';

/** Checks all sums that Capability Lists lead to, once the documents are read. */
export async function auditSignatures(run: Run): Promise<void> {
  for (const place of run.sums) {
    const scope = scopeOfSums(place);
    if (scope === undefined) {
      run.flag('signature-invalid', { document: place, found: 'not in a folder resourcesync/ of a site' });
      continue;
    }
    const bytes = await readWhole(run, place, SUMS_BYTES);
    if (bytes === undefined) continue;
    await auditSignature(run, pathOfSignature(place), bytes);
    const sums = parseSums(bytes);
    if (sums instanceof Words) run.flag('signature-invalid', { document: place, found: String(sums) });
    else await auditSums(run, place, scope, sums.digests);
  }
}

/** Undefined where there is nothing, or too much: that is told. */
async function readWhole({ origin, flag }: Run, document: string, most: number): Promise<Buffer | undefined> {
  const opened = await origin.open(document, { most });
  if (isAbsent(opened)) {
    flag('signature-invalid', { document, found: opened.found });
    return undefined;
  }
  const { bytes, isBroken } = await collectBytes(opened.body, most + 1);
  if (!isBroken && bytes.length <= most) return bytes;
  flag('signature-invalid', { document, found: isBroken ? 'it breaks off' : `more than ${most} bytes` });
  return undefined;
}

async function auditSignature(run: Run, document: string, message: Buffer): Promise<void> {
  const armored = await readWhole(run, document, MOST_SIGNATURE_BYTES);
  if (armored === undefined) return;
  try {
    const signatures = verifySignatures(armored, message);
    for (const { key, mistake } of signatures)
      if (mistake === 'weak') run.flag('key-weak', { document, found: `${key.type} ${key.fingerprint}` });
    // While keys change, there are several; who knows one of them needs no other.
    const wrong = signatures.filter(({ mistake }) => mistake !== 'weak' && mistake !== undefined);
    const hasRight = signatures.some(({ mistake }) => mistake === undefined);
    for (const one of hasRight ? [] : wrong)
      run.flag('signature-invalid', { document, found: tellMistake(one) });
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    run.flag('signature-invalid', { document, found: error.message });
  }
}

function tellMistake({ key, mistake, namespace }: SshSignature): string {
  const whose = `of ${key.fingerprint}`;
  if (mistake === 'namespace') return `${whose}, for ${namespace}, and not for ${SIGNATURE_NAMESPACE}`;
  return mistake === 'unknown'
    ? `${whose}, a key of the unknown type ${key.type}`
    : `${whose}, of other bytes`;
}

/** Compares what the sums name with what was read, and reads what the audit has no other use for. */
async function auditSums(
  run: Run,
  document: string,
  { root, scope }: { readonly root: string; readonly scope: string },
  digests: ReadonlyMap<string, string>,
): Promise<void> {
  const { flag, origin, bounds } = run;
  // Sets that are described apart have sums of their own.
  const apart = [...run.sums].filter((one) => one !== document).map((one) => new URL('.', one).href);
  const isOthers = (uri: string) =>
    apart.some((folder) => folder.startsWith(scope) && uri.startsWith(folder));
  for (const [uri, found] of run.digests) {
    if (!uri.startsWith(scope) || isOthers(uri)) continue;
    const expected = digests.get(decodePath(uri.slice(root.length)));
    if (expected === undefined) flag('sums-incomplete', { document, entry: uri });
    else if (expected !== found) flag('sums-differ', { document, entry: uri, found, expected });
  }
  for (const [path, expected] of digests) {
    const uri = root + encodePath(path);
    // On the web, lists of versions are as many as there are files.
    if (run.digests.has(uri) || (run.config.source.kind === 'web' && path.includes('/timemaps/'))) continue;
    bounds.check();
    const plain = await origin.open(uri);
    // Where pages are served by the names of their folders, no file answers to its own.
    const opened = isAbsent(plain) ? await origin.open(uri.replace(/\/index\.html$/, '/')) : plain;
    if (run.isPartial && LEFT_OUT.test(path) && isAbsent(opened) && opened.failure === 'missing') {
      flag('not-in-replica', { document, entry: uri });
      continue;
    }
    const outcome = isAbsent(opened)
      ? opened
      : await digestOpened(opened, { digests: ['sha-256'], length: undefined });
    const found = isAbsent(outcome) ? outcome.found : outcome.hex('sha-256');
    if (found !== expected) flag('sums-differ', { document, entry: uri, found, expected });
  }
}
