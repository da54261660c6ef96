/** Table of the kinds of digests that can be computed of a file, and how many bytes each has. */

/** Name of a kind of digest: a plain one, or the blob id under which git stores the same bytes. */
export type DigestName = keyof typeof DIGESTS;

export type DigestKind = (typeof DIGESTS)[DigestName];

export const DIGESTS = {
  md5: { openssl: 'md5', bytes: 16, gitHeader: false },
  'sha-256': { openssl: 'sha256', bytes: 32, gitHeader: false },
  'sha-512': { openssl: 'sha512', bytes: 64, gitHeader: false },
  'git-sha1': { openssl: 'sha1', bytes: 20, gitHeader: true },
  'git-sha256': { openssl: 'sha256', bytes: 32, gitHeader: true },
} as const;

export function widthOf(names: readonly DigestName[]): number {
  return names.reduce((sum, name) => sum + DIGESTS[name].bytes, 0);
}

/** Returns the index of the digest that identifies a file best; -1 if there is only MD5, which can be forged. */
export function findStrongest(names: readonly DigestName[]): number {
  return names.findLastIndex((name) => name !== 'md5');
}
