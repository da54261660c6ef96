/** Signs as `ssh-keygen -Y sign` does, with Ed25519 keys of Node: its format, written a second time. */

import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** Fields of a signature beside the signed bytes. */
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

export function armor(bytes: Uint8Array): string {
  const lines =
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}

export function makeSigner(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const point = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  const blob = Buffer.concat([wireString(KIND), wireString(point)]);
  const digest = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '');
  return {
    line: `${KIND} ${blob.toString('base64')}`,
    fingerprint: `SHA256:${digest}`,
    sign: (message, { namespace = 'resourcesync', hash = 'sha512' } = {}) => {
      const parts = [namespace, '', hash].map(wireString);
      const hashed = wireString(createHash(hash).update(message).digest());
      const signed = Buffer.concat([Buffer.from('SSHSIG'), ...parts, hashed]);
      const signature = [wireString(KIND), wireString(sign(null, signed, privateKey))];
      const head = Buffer.concat([Buffer.from('SSHSIG'), Buffer.from([0, 0, 0, 1]), wireString(blob)]);
      return armor(Buffer.concat([head, ...parts, wireString(Buffer.concat(signature))]));
    },
  };
}

const KIND = 'ssh-ed25519';
