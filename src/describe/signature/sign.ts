/** Signs the documents of a run: `ssh-keygen` signs their sums, and reads the key. */

import { spawn } from 'node:child_process';
import { existsSync, lstatSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import { ResyncError, unlessRefused } from '../../base/errors.js';
import { isWithin } from '../../base/folders.js';
import type { Notice } from '../../base/notices.js';
import { findProgram } from '../../base/programs.js';
import { type Phrase, say, sayLines, Words } from '../../base/text/say.js';
import type { SignConfig } from '../../config/config.js';
import { isKeyText } from '../../config/options.js';
import { type Publishable, sumOfFile } from '../../paths/hold/files.js';
import { refuseForeign } from '../../paths/hold/foreign.js';
import { pathOfSignature, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { makeTemporaryFolder } from '../../source/packages/temporary.js';
import {
  MAKE_KEY,
  MOST_KEYS_BYTES,
  MOST_SIGNATURE_BYTES,
  readKeys,
  SIGNATURE_NAMESPACE,
  type SshKey,
  tellMistake,
  verifySignatures,
} from '../../standard/signature.js';
import { parseSums, renderSums, SUMS_BYTES } from '../../standard/sums.js';
import type { NewDocument } from '../document.js';
import type { Draft, PlannedRun } from '../feature.js';
import type { JoinedSums } from '../join/joined.js';
import type { StagedFile } from '../run/staging.js';
import { NO_SEAL, type Seal } from './seal.js';

type SignedSums = Pick<JoinedSums, 'sums' | 'signature'>;

/**
 * Writes and signs the sums of staged documents, or finds those of an earlier run that are outdated. If the existing ones
 * are right, `ssh-keygen` is not called.
 * @throws ResyncError `signing-failed`, `not-ours`
 */
export async function sealStaged(
  run: PlannedRun,
  draft: Draft,
  staged: readonly StagedFile[],
): Promise<Seal> {
  const { config, site, joined } = run;
  const { writesSums, sign, sums: paths } = config;
  const outdated = sign === undefined ? paths.flatMap((path) => findOutdated(site, path, writesSums)) : [];
  const isUnsigned = outdated.some((path) => path.endsWith('.sig'));
  const notices: Notice[] = isUnsigned ? [{ code: 'signature-removed' }] : [];
  if (!writesSums) return { ...NO_SEAL, removed: outdated, notices };
  const keys = joined.signed.map(({ uri, sums, signature }) => [uri, findLines(signature, sums)] as const);
  const signers = new Map(keys);
  const unsigned = joined.signed.filter(({ uri }) => signers.get(uri)?.length === 0);
  for (const { name, uri } of unsigned.slice(0, 1))
    notices.push({ code: 'set-unsigned', count: unsigned.length, set: name, url: uri });
  const digests = digestDocuments(draft.versions, staged);
  const moment = draft.sets.length === 0 ? undefined : formatDatetime(run.state.at);
  const documents: NewDocument[] = [];
  const add = (kind: 'sums' | 'signature', entries: number, file: Publishable) =>
    documents.push({ ...file, uri: config.url + file.path, kind, entries, owned: true });
  const signer = sign && openSigner(sign, site);
  let key: SshKey | undefined;
  try {
    for (const path of paths) {
      const isBelow = ([name]: readonly [string, string]) =>
        paths.length === 1 || name.startsWith(`${dirname(path)}/`);
      const own = new Map(digests.filter(isBelow));
      const text = renderSums({ moment, digests: own, signers });
      add('sums', own.size + [...signers.values()].flat().length, { path, content: [text] });
      const existing = readExistingSums(site, path);
      if (signer === undefined) continue;
      const sealed = await sealSums(Buffer.from(text), existing, signer);
      key = sealed.key;
      const what = sealed.signature === undefined ? { file: undefined } : { content: [sealed.signature] };
      add('signature', 1, { path: pathOfSignature(path), ...what });
    }
  } finally {
    signer?.close();
  }
  const signature = key && { type: key.type, fingerprint: key.fingerprint, key: key.line };
  return { documents, removed: outdated, signature, notices };
}

/** Finds outdated files of a run that does not sign: a signature, and sums if none are written. @throws ResyncError `not-ours` */
function findOutdated(site: string, path: string, writesSums: boolean): string[] {
  const { sums, signature } = readExistingSums(site, path);
  // The sums prove that sums and signature are ours, so they are removed last.
  return [
    ...(signature === undefined ? [] : [pathOfSignature(path)]),
    ...(sums === undefined || writesSums ? [] : [path]),
  ];
}

/** Returns SHA-256 of documents by path. Versions and packages need no sums: the documents have their digests. */
function digestDocuments(
  { paths, timeMaps }: Draft['versions'],
  staged: readonly StagedFile[],
): (readonly [path: string, sha256: string])[] {
  const listed = staged.filter(({ path }) => !paths.has(path) && !path.endsWith('.zip'));
  return [
    ...listed.map(({ path, file }) => [path, sumOfFile(file)] as const),
    ...timeMaps.map(({ path, sha256 }) => [path, sha256] as const),
  ];
}

/** Reads the sums and signature of the last run. @throws ResyncError `not-ours` if another file is in their place */
function readExistingSums(site: string, path: string): SignedSums {
  const own = [SOURCE_DESCRIPTION, `${dirname(path)}/capabilitylist.xml`];
  return {
    sums: readOwnFile(join(site, path), SUMS_BYTES, (bytes) => {
      const read = parseSums(bytes);
      return !(read instanceof Words) && own.some((one) => read.digests.has(one));
    }),
    signature: readOwnFile(join(site, pathOfSignature(path)), MOST_SIGNATURE_BYTES, (bytes) =>
      bytes.toString('latin1').startsWith('-----BEGIN SSH SIGNATURE-----\n'),
    ),
  };
}

function readOwnFile(file: string, most: number, isOurs: (bytes: Buffer) => boolean): Buffer | undefined {
  const found = unlessRefused(() => lstatSync(file));
  if (found === undefined) return undefined;
  const bytes = found.isFile() && found.size <= most ? readFileSync(file) : undefined;
  if (bytes === undefined || !isOurs(bytes)) throw refuseForeign(file);
  return bytes;
}

/** Signs sums, or keeps a signature of them by the same key. @returns `signature` undefined if the existing one stays */
async function sealSums(
  text: Buffer,
  existing: SignedSums,
  signer: Signer,
): Promise<{ readonly key: SshKey; readonly signature: Buffer | undefined }> {
  if (text.length > SUMS_BYTES)
    throw refuseToSign(say`there are too many: ${SUMS_BYTES} bytes of sums are read.`);
  const isSame = existing.sums?.equals(text) === true && existing.signature !== undefined;
  const keys = isSame ? findKeys(existing.signature, text) : [];
  const find = (line: string | undefined) => keys.find((key) => key.line === line);
  const known = find(signer.line);
  if (known !== undefined) return { key: known, signature: undefined };
  const { key, signature } = await signer.sign(text);
  return { key, signature: find(key.line) === undefined ? signature : undefined };
}

/** Returns the keys of all signatures in a file; none if any signature is invalid. */
function findKeys(armored: Buffer, message: Buffer): readonly SshKey[] {
  try {
    const signatures = verifySignatures(armored, message);
    return signatures.every(({ mistake }) => mistake === undefined) ? signatures.map(({ key }) => key) : [];
  } catch (error) {
    if (error instanceof ResyncError) return [];
    throw error;
  }
}

/** Returns the public keys that sign the sums of another build, as in `.pub` files. */
function findLines(signature: Buffer | undefined, sums: Buffer | undefined): readonly string[] {
  if (signature === undefined || sums === undefined) return [];
  return findKeys(signature, sums).map(({ line }) => line);
}

function refuseToSign(what: Phrase, cause?: unknown): ResyncError {
  return new ResyncError(
    'signing-failed',
    say`The documents cannot be signed: ${what}\nThe documents published before are still in place.`,
    { cause },
  );
}

/** A key that signs. Must be closed. */
interface Signer {
  /** The public key beside the private one, if any; avoids asking for the private key to keep a signature. */
  readonly line: string | undefined;
  readonly sign: (text: Buffer) => Promise<{ readonly key: SshKey; readonly signature: Buffer }>;
  readonly close: () => void;
}

const VARIABLE = 'RESYNC_SIGNING_KEY';

function openSigner({ key }: SignConfig, site: string): Signer {
  const given = key ?? process.env[VARIABLE]?.trim() ?? '';
  if (given === '')
    throw refuseToSign(say`there is no key. Name one with --sign, or put it into the variable ${VARIABLE}.`);
  const isMaterial = key === undefined && isKeyText(given);
  const file = isMaterial ? undefined : resolve(given.replace(/^~(?=\/)/, homedir()));
  if (file !== undefined) refuseInside(file, site);
  let folder: ReturnType<typeof makeTemporaryFolder> | undefined;
  const writeGiven = () => {
    folder ??= makeTemporaryFolder(
      say`The key of ${VARIABLE} is stored there during signing. Make room, or set TMPDIR to another folder.`,
    );
    return writeKey(given, join(folder.path, 'key'));
  };
  return {
    line: file && readPublicKey(file)?.line,
    async sign(text) {
      const signature = await runKeygen(file ?? writeGiven(), text);
      return { key: requireRight(signature, text), signature };
    },
    close: () => folder?.remove(),
  };
}

/** Returns the key of a new signature. @throws ResyncError `signing-failed` if the signature is not valid */
function requireRight(signature: Buffer, text: Buffer): SshKey {
  const [first] = verifySignatures(signature, text);
  if (first === undefined) throw refuseToSign('ssh-keygen gave no signature.');
  if (first.mistake !== undefined) throw refuseToSign(say`${tellMistake(first)}. ${MAKE_KEY}`);
  return first.key;
}

/** Refuses a key file that is missing, or a private key in the site, even behind a link. @throws ResyncError `signing-failed` */
function refuseInside(file: string, site: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw refuseToSign(say`there is no key file ${file}.`);
  // Given a public key, ssh-keygen takes the private one beside it.
  const inside = [file, realpathSync(file)]
    .map((path) => path.replace(/\.pub$/, ''))
    .filter((path) => existsSync(path))
    .flatMap((path) => [path, realpathSync(path)])
    .find((path) => isWithin(dirname(path), site));
  if (inside !== undefined)
    throw refuseToSign(
      say`the private key ${inside} is in the site, where it could be published. Move it elsewhere.`,
    );
}

/** Reads the file of the public key that belongs to a key file; undefined if there is none. */
function readPublicKey(file: string): SshKey | undefined {
  const beside = file.endsWith('.pub') ? file : `${file}.pub`;
  const found = statSync(beside, { throwIfNoEntry: false });
  if (found?.isFile() !== true || found.size > MOST_KEYS_BYTES) return undefined;
  const { keys, refused } = readKeys(readFileSync(beside, 'utf8'));
  if (keys[0] === undefined && refused[0] !== undefined)
    throw refuseToSign(say`${beside}: ${refused[0]}. ${MAKE_KEY}`);
  return keys[0];
}

/** Restores line breaks, which get lost or escaped when a key is pasted into a form. */
function mendKey(material: string): string {
  return `${material.replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\r', '').trim()}\n`;
}

function writeKey(material: string, file: string): string {
  if (process.platform === 'win32')
    throw refuseToSign(
      say`on Windows, others could read a key in ${VARIABLE} while it signs. Set the variable to the path of a key file.`,
    );
  if (statSync(file, { throwIfNoEntry: false }) === undefined)
    writeFileSync(file, mendKey(material), { mode: 0o600, flag: 'wx' });
  return file;
}

/** Longest time that signing may take, in milliseconds: users may have to touch a hardware key. */
const SIGNING_TIME = 30_000;

/** Variables that `ssh-keygen` does not get: the key itself, and those that would let it ask for a passphrase in a window. */
const FOREIGN_VARIABLES = new Set([VARIABLE, 'DISPLAY', 'WAYLAND_DISPLAY', 'SSH_ASKPASS']);

/** Calls `ssh-keygen`, which reads the key or asks the agent; without a terminal, it can ask nobody for a passphrase. */
async function runKeygen(key: string, text: Buffer): Promise<Buffer> {
  const program = findProgram('ssh-keygen');
  if (program === undefined)
    throw refuseToSign('there is no ssh-keygen. Install OpenSSH, 8.1 or later, or leave out --sign.');
  const variables = Object.entries(process.env).filter(([name]) => !FOREIGN_VARIABLES.has(name));
  const child = spawn(program, ['-Y', 'sign', '-n', SIGNATURE_NAMESPACE, '-f', key], {
    env: { ...Object.fromEntries(variables), LC_ALL: 'C', SSH_ASKPASS_REQUIRE: 'never' },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process with a session of its own has no terminal.
    detached: process.platform !== 'win32',
    windowsHide: true,
    timeout: SIGNING_TIME,
    killSignal: 'SIGKILL',
  });
  let complaint = '';
  const pieces: Buffer[] = [];
  child.stderr.setEncoding('utf8').on('data', (words: string) => {
    complaint = (complaint + words).slice(0, 2000);
  });
  child.stdout.on('data', (piece: Buffer) => {
    if (pieces.length < MOST_SIGNATURE_BYTES / 1024) pieces.push(piece);
  });
  // A broken pipe is a consequence; the exit status of the program has the cause.
  child.stdin.on('error', () => undefined).end(text);
  const [status, signal] = await new Promise<[number | null, string | null]>((settle, reject) => {
    child.on('error', (error) =>
      reject(refuseToSign(say`${program} does not start: ${error.message}.`, error)),
    );
    child.on('close', (...how) => settle(how));
  });
  if (status === 0) return Buffer.concat(pieces);
  if (signal !== null)
    throw refuseToSign(say`ssh-keygen did not sign within ${SIGNING_TIME / 1000} seconds.`);
  const advice = /passphrase/.test(complaint)
    ? say`\nssh-keygen cannot ask for a passphrase here. Add the key to an agent (ssh-add), and name its public file with --sign; or sign with a key that has none.`
    : /load public key|invalid format|libcrypto/.test(complaint)
      ? say`\n${MAKE_KEY}`
      : say``;
  throw refuseToSign(
    say`ssh-keygen says:\n  ${sayLines(complaint.replace(/^Enter passphrase[^:]*: /, ''))}${advice}`,
  );
}
