/** The values that ResourceSync documents are made of: resources, links, hashes, datetimes. */

/**
 * The digests that a Destination may meet in `hash` (§7). The tokens are those of the standard's examples and of
 * the reference implementation.
 */
export const HASH_ALGORITHMS = ['md5', 'sha-256', 'sha-512'] as const;
export type HashAlgorithm = (typeof HASH_ALGORITHMS)[number];

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
  /** When the related resource was last modified. */
  readonly modified?: Date;
  /** Digests of the related representation in the notation of §7, separated by spaces: `md5:… sha-256:…`. */
  readonly hash?: string;
  /** Bytes of the related representation. */
  readonly length?: number;
  /** Media type of the related representation. */
  readonly type?: string;
  /** Content coding of the related representation, as in the `Content-Encoding` header. */
  readonly encoding?: string;
}

/** A resource of the site, as the bytes stand at one moment. */
export interface Resource {
  /** Absolute, percent-encoded URI; ASCII only. */
  readonly uri: string;
  /** The file behind it: relative to the site, `/` between segments. */
  readonly path: string;
  /** Number of bytes. */
  readonly length: number;
  /** Digests in the notation of §7, separated by spaces: `md5:… sha-256:…`, lower-case hexadecimal. */
  readonly hash: string;
  /** Media type without parameters; absent when unknown. */
  readonly type?: string;
  /** When these bytes were published; absent when unknown (§7). */
  readonly lastmod?: Date;
  readonly changefreq?: ChangeFrequency;
  readonly links?: readonly Link[];
}

/** What a URI stood for after a change; what is not known is absent. */
export interface Representation {
  /** Number of bytes. */
  readonly length?: number;
  /** Digests in the notation of §7, as in `Resource`. */
  readonly hash?: string;
  /** Media type without parameters. */
  readonly type?: string;
}

/** A change of a resource (§12.1). Of a deletion there is no representation. */
export type ChangeEvent =
  | {
      readonly change: 'created' | 'updated';
      readonly uri: string;
      /** When the change was published. */
      readonly datetime: Date;
      readonly representation: Representation;
    }
  | { readonly change: 'deleted'; readonly uri: string; readonly datetime: Date };

/**
 * Writes a W3C Datetime in the form that §7 recommends: complete, in UTC, whole seconds, `2026-11-20T10:15:00Z`.
 *
 * @throws RangeError for an invalid date or a year past 9999, which the format cannot hold.
 */
export function formatDatetime(datetime: Date): string {
  const text = datetime.toISOString();
  if (text.length !== '2026-11-20T10:15:00.000Z'.length) {
    throw new RangeError(`${text} does not fit a W3C Datetime: the year must have four digits`);
  }
  return `${text.slice(0, 19)}Z`;
}
