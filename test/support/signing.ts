/** Signs as `ssh-keygen -Y sign` does, with keys of Node, those of hardware among them: its format, written a second time. */

import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export const KEY_KINDS = [
  'ssh-ed25519',
  'ssh-rsa',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'sk-ssh-ed25519@openssh.com',
  'sk-ecdsa-sha2-nistp256@openssh.com',
] as const;

export type KeyKind = (typeof KEY_KINDS)[number];

/** What a signature says beside what it signs. */
export interface SigningOptions {
  readonly namespace?: string;
  readonly hash?: 'sha256' | 'sha512';
}

export interface Signer {
  /** As in a `.pub` file, without a comment. */
  readonly line: string;
  readonly fingerprint: string;
  /** A file of one signature. */
  readonly sign: (message: Uint8Array | string, options?: SigningOptions) => string;
}

/** A string of RFC 4251 §5. */
export function wireString(bytes: Uint8Array | string): Buffer {
  const body = Buffer.from(bytes);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, body]);
}

function wireNumber(bytes: Uint8Array): Buffer {
  const first = bytes.findIndex((byte) => byte !== 0);
  const body = Buffer.from(bytes.subarray(first));
  return wireString((body[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.alloc(1), body]) : body);
}

export function armor(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}

/** @param bits of an RSA key */
export function makeSigner(kind: KeyKind, bits = 3072): Signer {
  const { blob, signOne } = makeKey(kind, bits);
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  return {
    line: `${kind} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${digest}`,
    sign: (message, { namespace = 'resourcesync', hash = 'sha512' } = {}) => {
      const parts = [namespace, '', hash].map(wireString);
      const hashed = wireString(createHash(hash).update(message).digest());
      const signature = signOne(Buffer.concat([Buffer.from('SSHSIG'), ...parts, hashed]));
      const head = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), wireString(blob)]);
      return armor(Buffer.concat([head, ...parts, wireString(signature)]));
    },
  };
}

interface Key {
  readonly blob: Buffer;
  /** The signature of bytes, with the name of its algorithm. */
  readonly signOne: (bytes: Buffer) => Buffer;
}

function makeKey(kind: KeyKind, bits: number): Key {
  if (kind === 'ssh-rsa') {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
    const { e, n } = publicKey.export({ format: 'jwk' });
    const blob = [wireString(kind), ...[e, n].map((number) => wireNumber(decode(number)))];
    const signOne = (bytes: Buffer) =>
      Buffer.concat([wireString('rsa-sha2-512'), wireString(sign('sha512', bytes, privateKey))]);
    return { blob: Buffer.concat(blob), signOne };
  }
  const { point, signPlain } = kind.includes('ed25519') ? makeEdwards() : makeCurve(kind);
  if (!kind.startsWith('sk-')) {
    const signOne = (bytes: Buffer) => Buffer.concat([wireString(kind), wireString(signPlain(bytes))]);
    return { blob: Buffer.concat([wireString(kind), point]), signOne };
  }
  const application = 'ssh:';
  const blob = Buffer.concat([wireString(kind), point, wireString(application)]);
  const signOne = (bytes: Buffer) => {
    // It was touched, and signs for the seventh time.
    const state = Buffer.from([1, 0, 0, 0, 7]);
    const [first, last] = [application, bytes].map((one) => createHash('sha256').update(one).digest());
    const signed = Buffer.concat([first ?? Buffer.alloc(0), state, last ?? Buffer.alloc(0)]);
    return Buffer.concat([wireString(kind), wireString(signPlain(signed)), state]);
  };
  return { blob, signOne };
}

interface PlainKey {
  /** What stands in the key behind its kind. */
  readonly point: Buffer;
  readonly signPlain: (bytes: Buffer) => Buffer;
}

function makeEdwards(): PlainKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const point = wireString(decode(publicKey.export({ format: 'jwk' }).x));
  return { point, signPlain: (bytes) => sign(null, bytes, privateKey) };
}

const CURVES = [
  ['P-256', 'sha256', 'nistp256'],
  ['P-384', 'sha384', 'nistp384'],
  ['P-521', 'sha512', 'nistp521'],
] as const;

function makeCurve(kind: string): PlainKey {
  const name = /nistp\d+/.exec(kind)?.[0] ?? '';
  const [namedCurve = '', digest = ''] = CURVES.find(([, , known]) => known === name) ?? [];
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
  const { x, y } = publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), decode(x), decode(y)]);
  return {
    point: Buffer.concat([wireString(name), wireString(point)]),
    signPlain: (bytes) => signCurve(digest, bytes, privateKey),
  };
}

function signCurve(digest: string, bytes: Buffer, key: KeyObject): Buffer {
  const both = sign(digest, bytes, { key, dsaEncoding: 'ieee-p1363' });
  const half = both.length / 2;
  return Buffer.concat([wireNumber(both.subarray(0, half)), wireNumber(both.subarray(half))]);
}

function decode(base64url: string | undefined): Buffer {
  return Buffer.from(base64url ?? '', 'base64url');
}
