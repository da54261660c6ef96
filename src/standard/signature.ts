/** Signatures and public keys of OpenSSH (PROTOCOL.sshsig, RFC 4253 §6.6, RFC 5656 §3.1, PROTOCOL.u2f), read and verified. */

import { createHash, createPublicKey, type KeyObject, type VerifyKeyObjectInput, verify } from 'node:crypto';
import { ResyncError } from '../base/errors.js';
import { type Phrase, say, type Words } from '../base/text/say.js';

/** What our signatures are for; one that was made for anything else, such as a commit of git, counts nothing here. */
export const SIGNATURE_NAMESPACE = 'resourcesync';
/** Bytes of a file of signatures. */
export const MOST_SIGNATURE_BYTES = 65_536;
/** Signatures in one file: while keys change, there are two. */
const MOST_SIGNATURES = 8;
/** Bytes of a file of keys. */
export const MOST_KEYS_BYTES = 1_000_000;
/** Bits of RSA keys that are strong enough, and of those that are still read. */
const LEAST_RSA_BITS = 3072;
const MOST_RSA_BITS = 16_384;
/** Bytes of the public exponent of RSA: a longer one makes a verification long. */
const MOST_EXPONENT_BYTES = 8;

/** A public key. */
export interface SshKey {
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  /** As it stands in `.pub` files: type and base64. Two keys with the same line are the same. */
  readonly line: string;
  /** `SHA256:…`, as `ssh-keygen -l` shows it. */
  readonly fingerprint: string;
}

/** What one signature of a file is worth for a message. */
export interface SshSignature {
  readonly key: SshKey;
  /** Its namespace, whatever that is. */
  readonly namespace: string;
  /**
   * Why it counts nothing: it is of another message or namespace, its kind is not known to us, or the key is too short.
   * Undefined where that key signed that message for us.
   */
  readonly mistake: 'wrong' | 'namespace' | 'unknown' | 'weak' | undefined;
}

/**
 * Reads a file of signatures, as `ssh-keygen -Y sign` writes it, or several of them one after another, and verifies each.
 *
 * @param message the bytes that are signed
 * @throws ResyncError `signature-invalid` where it is not of that form
 */
export function verifySignatures(armored: Uint8Array, message: Uint8Array): readonly SshSignature[] {
  return splitArmor(armored).map((bytes) => verifyOne(bytes, message));
}

function mistaken(what: Phrase): ResyncError {
  return new ResyncError('signature-invalid', say`${what}`);
}

const [BEGIN, END] = ['-----BEGIN SSH SIGNATURE-----', '-----END SSH SIGNATURE-----'];

function splitArmor(armored: Uint8Array): Uint8Array[] {
  if (armored.length === 0) throw mistaken('The signature is empty.');
  if (armored.length > MOST_SIGNATURE_BYTES)
    throw mistaken(say`The signature has more than ${MOST_SIGNATURE_BYTES} bytes.`);
  const text = Buffer.from(armored).toString('latin1');
  if (text.includes('\r')) throw mistaken('The signature has line ends of Windows (CRLF).');
  const blocks = text.split(`${BEGIN}\n`);
  if (blocks.length < 2 || !/^\n*$/.test(blocks[0] ?? ''))
    throw mistaken(say`The signature does not begin with ${BEGIN}.`);
  if (blocks.length - 1 > MOST_SIGNATURES)
    throw mistaken(say`The signature file has more than ${MOST_SIGNATURES} signatures.`);
  return blocks.slice(1).map((block) => {
    const [base64 = '', after, ...more] = block.split(`\n${END}`);
    if (after === undefined || more.length > 0 || !/^\n*$/.test(after))
      throw mistaken(say`The signature does not end with ${END}.`);
    return decodeBase64(base64.replaceAll('\n', '')) ?? refuse('holds what is no base64');
  });
}

/** @returns undefined where it is not base64 as everybody writes it, with padding */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function refuse(what: string): never {
  throw mistaken(say`The signature ${what}.`);
}

/** Says what is wrong. */
type Refusal = (what: string) => never;

type Wire = ReturnType<typeof startReading>;

/** Reads the data types of RFC 4251 §5. */
function startReading(bytes: Uint8Array, refused: Refusal) {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let place = 0;
  const take = (count: number): Buffer => {
    if (count > buffer.length - place) refused('ends too early');
    place += count;
    return buffer.subarray(place - count, place);
  };
  const wire = {
    refused,
    take,
    number: () => take(4).readUInt32BE(),
    string: () => take(wire.number()),
    text: () => wire.string().toString('latin1'),
    /** A number above 0, without zeros in front. */
    positive: () => {
      const written = wire.string();
      const [first = 0x80, second = 0] = written;
      if (first > 0x7f || (first === 0 && second < 0x80))
        refused('has a number that is not written as it should be');
      return first === 0 ? written.subarray(1) : written;
    },
    end: () => {
      if (place !== buffer.length) refused('has more than it should');
    },
  };
  return wire;
}

/** What a signature is that counts nothing, in words. */
export function tellMistake({ key: { fingerprint, type }, mistake, namespace }: SshSignature): Words {
  switch (mistake) {
    case 'namespace':
      return say`${fingerprint} signed something else: its namespace is ${namespace.slice(0, 100)}, not ${SIGNATURE_NAMESPACE}`;
    case 'weak':
      return say`${fingerprint} is an RSA key of less than ${LEAST_RSA_BITS} bits`;
    case 'unknown':
      return say`${fingerprint} is a kind of key that is not known here: ${type}`;
    default:
      return say`${fingerprint} signed other bytes`;
  }
}

function verifyOne(bytes: Uint8Array, message: Uint8Array): SshSignature {
  const wire = startReading(bytes, refuse);
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
  const verifier = readKey(blob, refuse);
  if (verifier === undefined) return { ...named, mistake: 'unknown' };
  if (verifier === 'weak') return { ...named, mistake: 'weak' };
  if (named.namespace !== SIGNATURE_NAMESPACE) return { ...named, mistake: 'namespace' };
  const digest = createHash(algorithm).update(message).digest();
  const parts = [namespace, reserved, hash, digest].flatMap((part) => [lengthOf(part), part]);
  const inner = startReading(signature, refuse);
  const isRight = verifier(Buffer.concat([Buffer.from('SSHSIG'), ...parts]), inner);
  if (isRight) inner.end();
  return { ...named, mistake: isRight ? undefined : 'wrong' };
}

function lengthOf(part: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(part.length);
  return length;
}

function makeKey(blob: Uint8Array, refused: Refusal): SshKey {
  const type = startReading(blob, refused).text();
  if (!/^[\w.@-]{1,64}$/.test(type)) refused('has a key of no kind');
  const base64 = Buffer.from(blob).toString('base64');
  const digest = createHash('sha256').update(blob).digest('base64');
  return { type, line: `${type} ${base64}`, fingerprint: `SHA256:${digest.replace(/=+$/, '')}` };
}

/**
 * The public half of a private key, which OpenSSH's format holds in the open (PROTOCOL.key).
 *
 * @param bytes the key, decoded from base64
 * @returns undefined where it is none of that format, or one that nobody verifies
 */
export function readPublicHalf(bytes: Uint8Array): SshKey | undefined {
  const refused = (what: string): never => {
    throw mistaken(say`A private key ${what}.`);
  };
  try {
    const wire = startReading(bytes, refused);
    if (wire.take(15).toString('latin1') !== 'openssh-key-v1\0') return undefined;
    // The cipher, how its key is derived, and from what; then the number of keys.
    for (let skipped = 0; skipped < 3; skipped++) wire.string();
    wire.number();
    const key = makeKey(wire.string(), refused);
    return readKeys(key.line).keys[0];
  } catch (error) {
    if (error instanceof ResyncError) return undefined;
    throw error;
  }
}

/** Whether a signature, read from the wire, is of some bytes. */
type Verifier = (signed: Uint8Array, signature: Wire) => boolean;

/** Names of curves: in keys, for Node, the digest, and the bytes of a number. */
const CURVES = new Map<string, readonly [name: string, digest: string, bytes: number]>([
  ['nistp256', ['P-256', 'sha256', 32]],
  ['nistp384', ['P-384', 'sha384', 48]],
  ['nistp521', ['P-521', 'sha512', 66]],
]);

/** @returns undefined where its kind is not known to us, `weak` where it is too short */
function readKey(blob: Uint8Array, refused: Refusal): Verifier | 'weak' | undefined {
  const wire = startReading(blob, refused);
  const verifier = readVerifier(wire, wire.text());
  if (verifier !== undefined) wire.end();
  return verifier;
}

function readVerifier(wire: Wire, type: string): Verifier | 'weak' | undefined {
  switch (type) {
    case 'ssh-ed25519':
      return readEd25519(wire, type);
    case 'ssh-rsa':
      return readRsa(wire);
    case 'ecdsa-sha2-nistp256':
    case 'ecdsa-sha2-nistp384':
    case 'ecdsa-sha2-nistp521':
      return readEcdsa(wire, type);
    case 'sk-ssh-ed25519@openssh.com':
      return readHardware(wire, readEd25519(wire, type));
    case 'sk-ecdsa-sha2-nistp256@openssh.com':
      return readHardware(wire, readEcdsa(wire, type));
    default:
      return undefined;
  }
}

/** A key that the bytes make, if they make one: a point that is on no curve makes none. */
function importKey(jwk: Readonly<Record<string, string>>, { refused }: Wire) {
  try {
    return createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    return refused('has a key that is none');
  }
}

/** A number that no key of this kind could have is told by OpenSSL with an error. */
function isSigned(
  digest: string | null,
  signed: Uint8Array,
  key: KeyObject | VerifyKeyObjectInput,
  signature: Uint8Array,
): boolean {
  try {
    return verify(digest, signed, key, signature);
  } catch {
    return false;
  }
}

/** What follows the name of an algorithm in a signature; undefined where it is another algorithm. */
function takeSignature(wire: Wire, type: string): Buffer | undefined {
  return wire.text() === type ? wire.string() : undefined;
}

/** @param type the name of the algorithm in signatures */
function readEd25519(wire: Wire, type: string): Verifier {
  const point = wire.string();
  const key = importKey({ kty: 'OKP', crv: 'Ed25519', x: point.toString('base64url') }, wire);
  return (signed, signature) => {
    const bytes = takeSignature(signature, type);
    return bytes?.length === 64 && isSigned(null, signed, key, bytes);
  };
}

function readRsa(wire: Wire): Verifier | 'weak' {
  const [e, n] = [wire.positive(), wire.positive()];
  const bits = 8 * n.length - Math.clz32(n[0] ?? 0) + 24;
  if (bits > MOST_RSA_BITS || e.length > MOST_EXPONENT_BYTES) wire.refused('has a key that is too long');
  if (bits < LEAST_RSA_BITS || (e.length === 1 && (e[0] ?? 0) < 3)) return 'weak';
  const key = importKey({ kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') }, wire);
  return (signed, signature) => {
    const digest = /^rsa-sha2-(256|512)$/.exec(signature.text())?.[1];
    return digest !== undefined && isSigned(`sha${digest}`, signed, key, signature.string());
  };
}

function readEcdsa(wire: Wire, type: string): Verifier {
  const { refused } = wire;
  const name = wire.text();
  const [curve, digest, size] = CURVES.get(name) ?? refused('has a key on a curve that is not known');
  if (!type.includes(name)) refused('has a key of two kinds');
  const point = wire.string();
  if (point.length !== 1 + 2 * size || point[0] !== 4) refused('has a key that is none');
  const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
  const jwk = { kty: 'EC', crv: curve, x: x.toString('base64url'), y: y.toString('base64url') };
  const key = importKey(jwk, wire);
  return (signed, signature) => {
    const bytes = takeSignature(signature, type);
    if (bytes === undefined) return false;
    const numbers = startReading(bytes, refused);
    const [r, s] = [numbers.positive(), numbers.positive()];
    numbers.end();
    if (r.length > size || s.length > size) return false;
    const both = Buffer.alloc(2 * size);
    r.copy(both, size - r.length);
    s.copy(both, 2 * size - s.length);
    return isSigned(digest, signed, { key, dsaEncoding: 'ieee-p1363' }, both);
  };
}

/** A key in hardware signs what it is for, whether it was touched, and how often it signed, with a digest of the message. */
function readHardware(wire: Wire, inner: Verifier): Verifier {
  const application = createHash('sha256').update(wire.string()).digest();
  return (signed, signature) => {
    const [type, bytes] = [signature.string(), signature.string()];
    const state = signature.take(5);
    const digest = createHash('sha256').update(signed).digest();
    const parts = [type, bytes].flatMap((part) => [lengthOf(part), part]);
    const plain = startReading(Buffer.concat(parts), refuse);
    return inner(Buffer.concat([application, state, digest]), plain);
  };
}

/** Keys that lines of `.pub`, `authorized_keys` and `allowed_signers` files give, and why other lines give none. */
export interface SshKeys {
  readonly keys: readonly SshKey[];
  readonly refused: readonly string[];
}

/**
 * Reads public keys, one on a line. A line that limits its key in a way that we cannot keep to gives none: a certificate
 * authority, times of validity, namespaces without ours.
 */
export function readKeys(text: string): SshKeys {
  const [keys, refused]: [SshKey[], string[]] = [[], []];
  for (const line of text.slice(0, MOST_KEYS_BYTES).split(/\r?\n/)) {
    const words = line.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
    if (words[0] === undefined || words[0].startsWith('#')) continue;
    const found = readKeyLine(words);
    if (typeof found === 'string') refused.push(found);
    else if (!keys.some((key) => key.line === found.line)) keys.push(found);
  }
  return { keys, refused };
}

const KEY_TYPE = /^(?:ssh-|ecdsa-sha2-|sk-)[\w.@-]+$/;

/** @returns why there is no key for us */
function readKeyLine(words: readonly string[]): SshKey | string {
  // Hosts, names of who signs, or options may come first.
  const place = words
    .slice(0, 3)
    .findIndex((word, at) => KEY_TYPE.test(word) && words[at + 1]?.startsWith('AAAA'));
  const blob = decodeBase64(words[place + 1] ?? '');
  if (place < 0 || blob === undefined) return 'a line has no public key';
  for (const option of words.slice(0, place).flatMap((word) => word.match(/(?:"[^"]*"|[^,"])+/g) ?? [])) {
    if (/^(?:@?cert-authority|@revoked|valid-(?:after|before)=)/i.test(option))
      return `a key is limited by ${option}, which is not supported`;
    const [, namespaces] = /^namespaces="?([^"]*)/i.exec(option) ?? [];
    if (namespaces?.split(',').includes(SIGNATURE_NAMESPACE) === false)
      return `a key is for ${namespaces}, and not for ${SIGNATURE_NAMESPACE}`;
  }
  const wrong = (what: string): never => {
    throw mistaken(say`A public key ${what}.`);
  };
  try {
    const key = makeKey(blob, wrong);
    if (key.type !== words[place]) return 'a public key is of another kind than its line says';
    const verifier = readKey(blob, wrong);
    if (verifier === 'weak') return `${key.fingerprint} is an RSA key of less than ${LEAST_RSA_BITS} bits`;
    return verifier === undefined ? `${key.type} is a kind of key that is not known here` : key;
  } catch (error) {
    if (!(error instanceof ResyncError)) throw error;
    return error.message;
  }
}
