/** Finds out for which URLs a file `_headers` makes a host say `noindex`, in `X-Robots-Tag`. Pure. */

import { matchGroups, splitLines } from '../../base/text/match.js';
import { BYTE_ORDER_MARK, type HostRule, isVersionRule, readHostRules } from '../../paths/host-rules.js';
import { tagSaysNoindex } from './facts/noindex.js';

/** Function that tests if the host sends `noindex` for a URL of the site. */
export type TagTest = (uri: string) => boolean;

/** Number of bytes of `_headers` that are read; hosts take only far shorter files. */
export const RULES_BYTES = 1_000_000;

const NAME = 'x-robots-tag';

/**
 * Reads the `noindex` rules of a site; undefined if there are none.
 * @param text of `_headers`, in Latin-1 @param url of the site: the file only counts at the root of a host
 */
export function readTagRules(text: string, url: string): TagTest | undefined {
  const { host, pathname } = new URL(url);
  if (pathname !== '/') return undefined;
  const rules = findTagRules(splitLines(text)).flatMap(({ path, headers }) => {
    const [, pattern = '', rest = path] = matchGroups(/^\w+:\/\/([^/]*)(.*)$/s, path);
    if (pattern !== '' && !matches(split(pattern), host, '.')) return [];
    return [
      {
        parts: split(normalize(rest === '' ? '/' : rest)),
        says: headers.some(({ value }) => value !== undefined),
        removes: headers.some(({ value }) => value === undefined),
      },
    ];
  });
  if (!rules.some(({ says }) => says)) return undefined;
  return (uri) => {
    const path = normalize(uri.slice(uri.indexOf('/', uri.indexOf('//') + 2)));
    let said = false;
    for (const { parts, says, removes } of rules) {
      // Of the rules about `noindex` that match a URL, the last one wins.
      if ((says || (removes && said)) && matches(parts, path, '/')) said = says;
    }
    return said;
  };
}

/** Returns only those lines of `_headers` that decide about `noindex` of resources. @param text in Latin-1 */
export function keepTagRules(text: string): string {
  const lines = splitLines(text.replace(BYTE_ORDER_MARK, ''));
  const kept = findTagRules(lines).flatMap(({ line, headers }) => [line, ...headers.map((one) => one.line)]);
  return kept.map((line) => `${lines[line]?.trim()}\n`).join('');
}

/** Finds rules that set or remove `noindex`, except for our rules of versions. Returns them with these headers only. */
function findTagRules(lines: readonly string[]): HostRule[] {
  return readHostRules(lines).flatMap((rule) => {
    const headers = rule.headers.filter(
      ({ name, value }) => name === NAME && (value === undefined || tagSaysNoindex(value)),
    );
    return headers.length === 0 || isVersionRule(rule) ? [] : [{ ...rule, headers }];
  });
}

/** Decodes percent-encoded bytes of a path, to a character each: rules may have paths in either form. */
function normalize(path: string): string {
  return path.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function split(pattern: string): readonly string[] {
  return pattern.split(/(\*|:[a-z]\w*)/i);
}

/** Tests if a pattern matches a text, in time proportional to both lengths. @param end character that ends a `:name` */
function matches(parts: readonly string[], text: string, end: string): boolean {
  if (!text.startsWith(parts[0] ?? '')) return false;
  let places: ReadonlySet<number> = new Set([0]);
  for (const [index, part] of parts.entries()) {
    const next = new Set<number>();
    if (index % 2 === 0) {
      for (const place of places) if (text.startsWith(part, place)) next.add(place + part.length);
    } else if (part === '*') {
      for (let place = Math.min(...places); place <= text.length; place++) next.add(place);
    } else {
      for (const place of places) {
        for (let to = place + 1; to <= text.length && text[to - 1] !== end && !next.has(to); to++)
          next.add(to);
      }
    }
    if (next.size === 0) return false;
    places = next;
  }
  return places.has(text.length);
}
