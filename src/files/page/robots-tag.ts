/** Finds out for which URLs a file `_headers` makes a host say `noindex`, in `X-Robots-Tag`. Pure. */

import { matchGroups, splitLines } from '../../base/text/match.js';
import { BYTE_ORDER_MARK, type HostRule, isVersionRule, readHostRules } from '../../paths/host-rules.js';
import { tagSaysNoindex } from './facts/noindex.js';

/** Returns whether a host says `noindex` with a URL of the site. */
export type TagTest = (uri: string) => boolean;

/** Hosts take far shorter files. In bytes; what comes after that does not count. */
export const RULES_BYTES = 1_000_000;

const NAME = 'x-robots-tag';

/**
 * Reads the `noindex` rules of a site; undefined if there are none.
 * @param text `_headers` in Latin-1 @param url of the site: the file only counts at the root of a host
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
      // Rules count in their order.
      if ((says || (removes && said)) && matches(parts, path, '/')) said = says;
    }
    return said;
  };
}

/** Keeps the `noindex` rules of `_headers` for resources; other lines may change with every run. @param text Latin-1 */
export function keepTagRules(text: string): string {
  const lines = splitLines(text.replace(BYTE_ORDER_MARK, ''));
  const kept = findTagRules(lines).flatMap(({ line, headers }) => [line, ...headers.map((one) => one.line)]);
  return kept.map((line) => `${lines[line]?.trim()}\n`).join('');
}

/** The rules that say `noindex` of anything but versions, or take it back, and only the headers with which they do. */
function findTagRules(lines: readonly string[]): HostRule[] {
  return readHostRules(lines).flatMap((rule) => {
    const headers = rule.headers.filter(
      ({ name, value }) => name === NAME && (value === undefined || tagSaysNoindex(value)),
    );
    return headers.length === 0 || isVersionRule(rule) ? [] : [{ ...rule, headers }];
  });
}

/** Paths are written as they are read or as they are sent; bytes, a character each. */
function normalize(path: string): string {
  return path.replace(/%([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function split(pattern: string): readonly string[] {
  return pattern.split(/(\*|:[a-z]\w*)/i);
}

/** Matches in time proportional to pattern times text. @param end character that a `:name` does not cross */
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
