/** The rules of `_headers` for versions: when each is of, and that search engines are to leave them. Pure. */

import type { HeadersHost } from '../../config/options.js';
import { type HostRule, isVersionRule, readHostRules, splitRuleLines } from '../../paths/host-rules.js';
import { TIMEMAPS_FOLDER, VERSIONS_FOLDER } from '../../paths/ours.js';
import { addRules, dropHeaders, type HeaderRule, type HostHeader, LIMITS } from './headers.js';

/** A version, as it is served. */
export interface ServedVersion {
  readonly uri: string;
  /** URI of the resource. */
  readonly original: string;
  readonly datetime: Date;
}

/** The rules for versions that there is room for. */
export interface VersionHeaders {
  readonly rules: readonly HeaderRule[];
  /** Number of versions without one. */
  readonly left: number;
}

/**
 * Plans the rules for versions, as many as a host takes besides the other rules.
 *
 * @param text the bytes of `_headers`, a character each
 * @param versions newest first
 * @param timeMapType the media type of TimeMaps
 */
export function planVersionHeaders(
  text: string,
  host: HeadersHost,
  versions: readonly ServedVersion[],
  timeMapType: string,
): VersionHeaders {
  const { rules: most, line } = LIMITS[host];
  const others = readHostRules(splitRuleLines(text)).filter(
    (rule) => !isVersionRule(rule) || hasOthers(rule),
  );
  const paths = new Set(others.map(({ path }) => path));
  const general: HeaderRule[] = [
    { path: `/${VERSIONS_FOLDER}/*`, headers: [NO_INDEX] },
    { path: `/${TIMEMAPS_FOLDER}/*`, headers: [`Content-Type: ${timeMapType}`, NO_INDEX] },
  ];
  // A rule that is there already is added to.
  let room = most - others.length - general.filter(({ path }) => !paths.has(path)).length;
  if (versions.length === 0 || room < 0) return { rules: [], left: versions.length };
  const rules = [...general];
  let left = 0;
  for (const { uri, original, datetime } of versions) {
    const path = new URL(uri).pathname;
    // Both would stand for something else in a rule.
    if (room === 0 || path.length > line || /[*:]/.test(path)) left++;
    else {
      room--;
      const headers = [`Memento-Datetime: ${datetime.toUTCString()}`, `Link: <${original}>; rel="original"`];
      rules.push({ path, headers: headers.filter((header) => header.length + 2 <= line) });
    }
  }
  return { rules, left };
}

const NO_INDEX = 'X-Robots-Tag: noindex';

/** Whether a header in a rule about versions was written by us. */
function isOwnHeader({ name, value }: HostHeader): boolean {
  switch (name) {
    case 'memento-datetime':
      return true;
    case 'x-robots-tag':
      return value === 'noindex';
    case 'content-type':
      return value === 'application/link-format';
    case 'link':
      return value !== undefined && /^<[^>]*>; rel="original"$/.test(value);
    default:
      return false;
  }
}

function hasOthers({ headers }: HostRule): boolean {
  return headers.length === 0 || headers.some((header) => !isOwnHeader(header));
}

/** Removes the rules of before, and adds those that are wanted: their order does not depend on what was there. */
export function replaceVersionHeaders(text: string, wanted: readonly HeaderRule[]): string {
  const isFormer = (header: HostHeader, rule: HostRule) => isVersionRule(rule) && isOwnHeader(header);
  return addRules(dropHeaders(text, new Map(), isFormer), wanted);
}
