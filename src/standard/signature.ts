/** Signatures and public keys of OpenSSH (PROTOCOL.sshsig, RFC 8709), read and verified: Ed25519, and no other kind. */

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { ResyncError } from '../base/errors.js';
import { matchAll, matchGroups } from '../base/text/match.js';
import { say, type Words } from '../base/text/say.js';

/** Purpose of our signatures; a signature for another purpose, such as of a commit of git, is not accepted. */
export const SIGNATURE_NAMESPACE = 'resourcesync';
export const MOST_SIGNATURE_BYTES = 65_536;
/** Limit of the signatures in one file; while a key is replaced, there are two. */
const MOST_SIGNATURES = 8;
export const MOST_KEYS_BYTES = 1_000_000;
const KIND = 'ssh-ed25519';
export const MAKE_KEY = 'Make an Ed25519 key: ssh-keygen -t ed25519';

export interface SshKey {
  /** Type of the key, such as `ssh-ed25519`. */
  readonly type: string;
  /** The key as in a `.pub` file: type and base64. Two keys with the same line are the same. */
  readonly line: string;
  /** Fingerprint of the key, `SHA256:…`, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

interface SshSignature {
  readonly key: SshKey;
  readonly namespace: string;
  /** Why the signature is not accepted: another message or namespace, or another kind of key. Undefined if it is accepted. */
  readonly mistake: 'wrong' | 'namespace' | 'kind' | undefined;
}

/**
 * Reads a file with one or more signatures of `ssh-keygen -Y sign`, and verifies each.
 * @param message the signed bytes @throws ResyncError `signature-invalid` for another format
 */
export function verifySignatures(armored: Uint8Array, message: Uint8Array): readonly SshSignature[] {
  return splitArmor(armored).map((bytes) => verifyOne(bytes, message));
}

const [BEGIN, END] = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'];

function splitArmor(armored: Uint8Array): Uint8Array[] {
  if (armored.length === 0) refuse('is empty');
  if (armored.length > MOST_SIGNATURE_BYTES) refuse(`has more than ${MOST_SIGNATURE_BYTES} bytes`);
  const text = Buffer.from(armored).toString('latin1');
  if (text.includes('\r')) refuse('has line ends of Windows (CRLF)');
  const blocks = text.split(`${BEGIN}\n`);
  if (blocks.length < 2 || !/^\n*$/.test(blocks[0] as string)) refuse(`does not begin with ${BEGIN}`);
  if (blocks.length - 1 > MOST_SIGNATURES) refuse(`file has more than ${MOST_SIGNATURES} signatures`);
  return blocks.slice(1).map((block) => {
    const [base64 = '', after, ...more] = block.split(`\n${END}`);
    if (after === undefined || more.length > 0 || !/^\n*$/.test(after)) refuse(`does not end with ${END}`);
    return decodeBase64(base64.replaceAll('\n', '')) ?? refuse('holds what is no base64');
  });
}

/** Decodes base64; returns undefined unless it is canonical, with padding. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function refuse(what: string): never {
  throw new ResyncError('signature-invalid', say`The signature ${what}.`);
}

type Refusal = (what: string) => never;

/** Reads the data types of SSH (RFC 4251 §5) from bytes, one after another. */
class WireReader {
  readonly #buffer: Buffer;
  readonly #refuse: Refusal;
  #place = 0;

  constructor(bytes: Uint8Array, refuse: Refusal) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#refuse = refuse;
  }

  take(count: number): Buffer {
    if (count > this.#buffer.length - this.#place) this.#refuse('ends too early');
    this.#place += count;
    return this.#buffer.subarray(this.#place - count, this.#place);
  }

  number(): number {
    return this.take(4).readUInt32BE();
  }

  string(): Buffer {
    return this.take(this.number());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  end(): void {
    if (this.#place !== this.#buffer.length) this.#refuse('has more than it should');
  }
}

export function tellMistake({ key: { fingerprint, type }, mistake, namespace }: SshSignature): Words {
  switch (mistake) {
    case 'namespace':
      return say`${fingerprint} signed something else: its namespace is ${namespace.slice(0, 100)}, not ${SIGNATURE_NAMESPACE}`;
    case 'kind':
      return say`${wordKind(type, fingerprint)}`;
    default:
      return say`${fingerprint} signed other bytes`;
  }
}

function verifyOne(bytes: Uint8Array, message: Uint8Array): SshSignature {
  const wire = new WireReader(bytes, refuse);
  if (wire.take(6).toString('latin1') !== 'SSHSIG') refuse('is not one of OpenSSH');
  if (wire.number() !== 1) refuse('has a version that is not known');
  const blob = wire.string();
  const namespace = wire.string();
  const reserved = wire.string();
  const hash = wire.string();
  const signature = wire.string();
  wire.end();
  const key = makeKey(blob, refuse);
  const named = { key, namespace: namespace.toString() };
  const algorithm = hash.toString('latin1');
  if (algorithm !== 'sha256' && algorithm !== 'sha512') refuse('names a digest that is not known');
  if (key.type !== KIND) return { ...named, mistake: 'kind' };
  const publicKey = readPublicKey(blob, refuse);
  if (named.namespace !== SIGNATURE_NAMESPACE) return { ...named, mistake: 'namespace' };
  const digest = createHash(algorithm).update(message).digest();
  const parts = [namespace, reserved, hash, digest].flatMap((part) => [lengthOf(part), part]);
  const inner = new WireReader(signature, refuse);
  if (inner.text() !== KIND) return { ...named, mistake: 'wrong' };
  const proof = inner.string();
  inner.end();
  const isRight = verify(null, Buffer.concat([Buffer.from('SSHSIG'), ...parts]), publicKey, proof);
  return { ...named, mistake: isRight ? undefined : 'wrong' };
}

function lengthOf(part: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

function makeKey(blob: Uint8Array, refused: Refusal): SshKey {
  const type = new WireReader(blob, refused).text();
  if (!/^[\w.@-]{1,64}$/.test(type)) refused('has a key of no kind');
  const base64 = Buffer.from(blob).toString('base64');
  const digest = createHash('sha256').update(blob).digest('base64');
  return { type, line: `${type} ${base64}`, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` };
}

function readPublicKey(blob: Uint8Array, refused: Refusal): KeyObject {
  const wire = new WireReader(blob, refused);
  wire.text();
  const point = wire.string();
  wire.end();
  try {
    return createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') },
      format: 'jwk',
    });
  } catch {
    return refused('has a key that is none');
  }
}

function wordKind(type: string, fingerprint: string): string {
  return `${fingerprint} is a key of type ${type}, and only ${KIND} counts`;
}

/** The keys in a `.pub`, `authorized_keys` or `allowed_signers` file, and the reasons why other lines have none. */
interface SshKeys {
  readonly keys: readonly SshKey[];
  readonly refused: readonly string[];
}

/** Reads public keys, one on a line. A key with limits that we cannot enforce is refused: authorities, times, other namespaces. */
export function readKeys(text: string): SshKeys {
  const [keys, refused]: [SshKey[], string[]] = [[], []];
  for (const line of text.slice(0, MOST_KEYS_BYTES).split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const found = readKeyLine(matchAll(/(?:"[^"]*"|[^\s"])+/g, line));
    if (typeof found === 'string') refused.push(found);
    else if (!keys.some((key) => key.line === found.line)) keys.push(found);
  }
  return { keys, refused };
}

const KEY_TYPE = /^(?:ssh-|ecdsa-sha2-|sk-)[\w.@-]+$/;

/** Reads the key in a line. @returns the reason if the line has no key that we accept */
function readKeyLine(words: readonly string[]): SshKey | string {
  // Hosts, names of signers, or options may come before the key.
  const place = words
    .slice(0, 3)
    .findIndex((word, at) => KEY_TYPE.test(word) && words[at + 1]?.startsWith('AAAA'));
  const blob = decodeBase64(words[place + 1] ?? '');
  if (place < 0 || blob === undefined) return 'a line has no public key';
  for (const option of words.slice(0, place).flatMap((word) => matchAll(/(?:"[^"]*"|[^,"])+/g, word))) {
    if (/^(?:@?cert-authority|@revoked|valid-(?:after|before)=)/i.test(option))
      return `a key is limited by ${option}, which is not supported`;
    const [, namespaces] = matchGroups(/^namespaces="?([^"]*)/i, option);
    if (namespaces?.split(',').includes(SIGNATURE_NAMESPACE) === false)
      return `a key is for ${namespaces}, and not for ${SIGNATURE_NAMESPACE}`;
  }
  const wrong = (what: string): never => {
    throw new ResyncError('signature-invalid', say`A public key ${what}.`);
  };
  try {
    const key = makeKey(blob, wrong);
    if (key.type !== words[place]) return 'a public key is of another kind than its line says';
    if (key.type !== KIND) return wordKind(key.type, key.fingerprint);
    readPublicKey(blob, wrong);
    return key;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message;
  }
}
