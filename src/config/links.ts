/** The links of a resource (§14): their schema, and what becomes of them. */

import * as v from 'valibot';
import { isUrl, type Link } from '../standard/model.js';
import { closedObject, MediaType, UriReference } from './schema/values.js';

const PATCH = 'http://www.openarchives.org/rs/terms/patch';

export const LinkSchema = closedObject({
  // RFC 8288 §2.1: a registered name, or a URI.
  rel: v.pipe(
    v.string('a relation type'),
    v.check(
      (rel) => /^[a-z][a-z0-9.-]*$/.test(rel) || isUrl(rel),
      'a registered relation type in lower case, or an absolute URI',
    ),
    v.check((rel) => rel !== PATCH, 'another relation type, because patches belong to changes (§14.4)'),
  ),
  href: UriReference,
  pri: v.optional(
    v.pipe(
      v.number('a whole number from 1 to 999999'),
      v.integer('a whole number from 1 to 999999'),
      v.minValue(1, 'a whole number from 1 to 999999'),
      v.maxValue(999_999, 'a whole number from 1 to 999999'),
    ),
  ),
  modified: v.optional(v.date('a valid Date')),
  hash: v.optional(
    v.pipe(
      v.string('checksums such as "md5:…"'),
      v.regex(/^[a-z0-9-]+:[\w+/=-]+(?: [a-z0-9-]+:[\w+/=-]+)*$/, 'checksums such as "md5:… sha-256:…"'),
    ),
  ),
  length: v.optional(
    v.pipe(
      v.number('a number of bytes'),
      v.safeInteger('a number of bytes'),
      v.minValue(0, 'a number of bytes'),
    ),
  ),
  type: v.optional(MediaType),
  encoding: v.optional(
    v.pipe(
      v.string('a content coding such as "gzip"'),
      v.regex(/^[\w!#$%&'*+.^`|~-]+$/, 'a content coding such as "gzip"'),
    ),
  ),
});

export function makeLinks(
  links: readonly v.InferOutput<typeof LinkSchema>[] | undefined,
  base: string,
): Link[] | undefined {
  if (links === undefined || links.length === 0) return undefined;
  return links.map(({ rel, href, pri, modified, hash, length, type, encoding }) => ({
    rel,
    href: new URL(href, base).href,
    ...optionally('pri', pri),
    ...optionally('modified', modified),
    ...optionally('hash', hash),
    ...optionally('length', length),
    ...optionally('type', type),
    ...optionally('encoding', encoding),
  }));
}

export function optionally<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
