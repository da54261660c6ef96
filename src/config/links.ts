/** The links of a resource (§14): their schema, and what becomes of them. */

import * as v from 'valibot';
import { isUrl, type Link } from '../standard/model.js';
import { closedObject, MediaType, textThat, UriReference, wholeNumber } from './schema/values.js';

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
  pri: v.optional(wholeNumber(1, 999_999, 'a whole number from 1 to 999999')),
  modified: v.optional(v.date('a valid Date')),
  hash: v.optional(
    textThat(
      'checksums such as "md5:…"',
      (text) => /^[a-z0-9-]+:[\w+/=-]+(?: [a-z0-9-]+:[\w+/=-]+)*$/.test(text),
      'checksums such as "md5:… sha-256:…"',
    ),
  ),
  length: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER, 'a number of bytes')),
  type: v.optional(MediaType),
  encoding: v.optional(
    textThat('a content coding such as "gzip"', (text) => /^[\w!#$%&'*+.^`|~-]+$/.test(text)),
  ),
});

export function makeLinks(
  links: readonly v.InferOutput<typeof LinkSchema>[] | undefined,
  base: string,
): Link[] | undefined {
  if (links === undefined || links.length === 0) return undefined;
  return links.map((link) => {
    const given = Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined));
    return { ...given, rel: link.rel, href: new URL(link.href, base).href };
  });
}

export function optionally<K extends string, T>(key: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: T });
}
