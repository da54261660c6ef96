/** The values that ResourceSync documents are made of: resources, links, hashes. */

/** Algorithms of the digests in `hash` (§7), named as in the standard's examples and the reference implementation. */
export const HASH_ALGORITHMS = ['md5', 'sha-256', 'sha-512'] as const;
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

/** Splits a `hash` (§7) into digests by algorithm, in lower case. */
export function digestsByName(hash: string | undefined): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  if (hash === undefined) return digests;
  for (const token of hash.split(/\s+/)) {
    const colon = token.indexOf(':');
    if (colon > 0) digests.set(token.slice(0, colon), token.slice(colon + 1).toLowerCase());
  }
  return digests;
}

/** Compares two `hash` values by the algorithms of both; returns undefined if they have none in common. */
export function compareHashes(
  one: string | undefined,
  other: string | undefined,
): 'same' | 'other' | undefined {
  const digests = digestsByName(one);
  const common = [...digestsByName(other)].filter(([name]) => digests.has(name));
  if (common.length === 0) return undefined;
  return common.every(([name, hex]) => digests.get(name) === hex) ? 'same' : 'other';
}

/** Returns the algorithms of a `hash` that are known to us, the strongest last. */
export function algorithmsOf({ hash }: { readonly hash: string | undefined }): readonly HashAlgorithm[] {
  const digests = digestsByName(hash);
  return HASH_ALGORITHMS.filter((name) => digests.has(name));
}

/** Returns the strongest digest of a `hash` that we can compute, such as `sha-256:…`, if there is one. */
export function strongestDigest(hash: string | undefined): string | undefined {
  const name = algorithmsOf({ hash }).at(-1);
  return name && `${name}:${digestsByName(hash).get(name)}`;
}

const CANONICAL = /^(?:md5:[\da-f]{32} )?(?:sha-256:[\da-f]{64})?$/;
/** Patterns of digests as others write them: `MD5:`, `sha256=`, `sha-512: `; in hexadecimal or Base64, told apart by length. */
const LISTED = HASH_ALGORITHMS.map((name) => {
  const bytes = name === 'md5' ? 16 : Number(name.slice(-3)) / 8;
  const base64 = `[\\w+/-]{${Math.ceil((bytes * 4) / 3)}}`;
  const value = `([\\da-f]{${2 * bytes}}|${base64})(?![\\w+/-])={0,2}`;
  return {
    name,
    bytes,
    pattern: new RegExp(`(?<![\\w-])${name.replace('-', '[-_]?')}\\s*[:=-]\\s*:?${value}`, 'gi'),
  };
});
const KNOWN_NAME = /^(?:md5|sha[-_]?(?:256|512))(?:[:=-]|$)/i;

/** Reads any author's `hash` (§7): known digests as we write them, then others verbatim; undefined if none is readable. */
export function readListedHash(hash: string | undefined): string | undefined {
  if (hash === undefined || (CANONICAL.test(hash) && hash !== '')) return hash;
  const digests: string[] = [];
  let rest = hash;
  for (const { name, bytes, pattern } of LISTED) {
    const values = new Set<string>();
    rest = rest.replace(pattern, (_, value: string) => {
      values.add(
        value.length === 2 * bytes ? value.toLowerCase() : Buffer.from(value, 'base64').toString('hex'),
      );
      return '';
    });
    // Different values for one algorithm contradict each other, and are dropped.
    if (values.size === 1) digests.push(`${name}:${[...values][0]}`);
  }
  const others = rest.split(/[\s,;]+/).filter((token) => /^[^:]+:./.test(token) && !KNOWN_NAME.test(token));
  return [...digests, ...others].join(' ') || undefined;
}

/** Name of the file with the digests of documents; its signature has `.sig` appended. */
export const SUMS_FILE = 'SHA256SUMS';
/** Our mark at the beginning of `pages.json`: JSON has no comments. */
export const PAGES_BEGINNING = '{"generator":"resync-static",';

/** The values that the Sitemap protocol defines for `<changefreq>` (§7). */
export const CHANGE_FREQUENCIES = [
  'always',
  'hourly',
  'daily',
  'weekly',
  'monthly',
  'yearly',
  'never',
] as const;
export type ChangeFrequency = (typeof CHANGE_FREQUENCIES)[number];

/** A link from a resource to a related one: an `<rs:ln>` inside `<url>` (§7, §14). */
export interface Link {
  /** A registered relation type, or an absolute URI for one of your own (RFC 8288 §2.1). */
  readonly rel: string;
  /** URI of the related resource; any scheme. */
  readonly href: string;
  /** Priority among links of one relation type, 1 to 999,999; a lower number comes first. */
  readonly pri?: number;
  readonly modified?: Date;
  /** Digests of the related representation in the notation of §7, separated by spaces: `md5:… sha-256:…`. */
  readonly hash?: string;
  readonly length?: number;
  readonly type?: string;
  /** Content coding of the related representation, as in the `Content-Encoding` header. */
  readonly encoding?: string;
  /** Path of the bytes in the package, with a leading slash; for a patch, in the manifest of a Change Dump (§14.4). */
  readonly path?: string;
}

/** A resource of the site, with the bytes that it has at one moment. */
export interface Resource {
  /** Absolute, percent-encoded URI; ASCII only. */
  readonly uri: string;
  /** Path of the file: relative to the site, `/` between segments. */
  readonly path: string;
  readonly length: number;
  /** Digests in the notation of §7, separated by spaces: `md5:… sha-256:…`, lower-case hexadecimal. */
  readonly hash: string;
  /** Media type without parameters; absent when unknown. */
  readonly type?: string;
  /** Moment at which these bytes were published; absent when unknown (§7). */
  readonly lastmod?: Date;
  readonly changefreq?: ChangeFrequency;
  readonly links?: readonly Link[];
}

/** The representation of a URI after a change; unknown values are absent. */
export interface Representation {
  readonly length?: number;
  readonly hash?: string;
  readonly type?: string;
}

/** A change of a resource (§12.1). Of a deletion there is no representation. */
export type ChangeEvent =
  | {
      readonly change: 'created' | 'updated';
      readonly uri: string;
      /** Moment at which the change was published; the `<lastmod>` of the resource is the same. */
      readonly datetime: Date;
      readonly representation: Representation;
      /** Links to the version after the change, the list of all versions, and a patch (§14.4, §14.6). */
      readonly links?: readonly Link[];
    }
  | { readonly change: 'deleted'; readonly uri: string; readonly datetime: Date };

/** Returns whether a path in a package (§11.2, §13.2) has a leading slash and stays below the folder where it is unpacked. */
export function isSafePath(path: string): boolean {
  return (
    /^\/[^/\\]/.test(path) &&
    !/[\\\0]/.test(path) &&
    !path.split('/').some((part) => part === '..' || part === '.')
  );
}
