/** Plans rules of `_headers`, adds them to the file, and removes outdated rules of ours. Pure. */

import { groupBy } from '../../base/group.js';
import { matchGroups, splitLines } from '../../base/text/match.js';
import type { HeadersHost } from '../../config/options.js';
import { type HostRule, readHostRules } from '../../paths/host-rules.js';
import {
  isOwnUri,
  pathOfDocument,
  SOURCE_DESCRIPTION,
  TIMEMAPS_FOLDER,
  VERSIONS_FOLDER,
} from '../../paths/ours.js';
import { encodePath, makeUri, type UrlStyle } from '../../paths/urls.js';
import { appendLines, lineEndOf } from './lines.js';
import { refuseEdit, type ServedFile } from './served.js';

export const DESCRIPTION_PATH = `/${SOURCE_DESCRIPTION}`;

type HostHeader = HostRule['headers'][number];

/**
 * Adds missing headers to `_headers`, and removes links to Capability Lists of this Source that are no longer wanted.
 *
 * @param text the file in Latin-1, one character per byte
 * @param url of the site, with a trailing slash
 * @param isJoined tests if a URL is that of a Capability List of another build
 * @param isPart true if another build joins this one: then the rules for versions belong to that build
 */
export function addHeaders(
  text: string,
  wanted: readonly HeaderRule[],
  url: string,
  isJoined: (uri: string) => boolean = () => false,
  isPart = false,
): string {
  const isOutdated = (value: string) => {
    const target = targetOf(value);
    return target !== undefined && isOwnUri(target, url) && !isJoined(target);
  };
  const headersOf = new Map(wanted.map(({ path, headers }) => [path, headers]));
  const dropped = dropHeaders(
    text,
    headersOf,
    ({ name, value }, { path }, headers) =>
      (!isPart && isVersionHeader(path, `${name}: ${value}`)) ||
      (name === 'link' && value !== undefined && (isOutdated(value) || isReplacedHub(value, headers))),
  );
  return addRules(dropped, wanted);
}

/**
 * Adds missing headers, to the rule of the path if there is one: of two rules with the same path, Cloudflare drops the first.
 */
function addRules(text: string, wanted: readonly HeaderRule[]): string {
  const lines = splitLines(text);
  const end = lineEndOf(text);
  const found = new Map(readHostRules(lines).map((rule) => [rule.path, rule]));
  const added: string[] = [];
  for (const { path, headers } of wanted) {
    const rule = found.get(path);
    const missing = headers.filter((header) => !rule?.headers.some((there) => isSameHeader(there, header)));
    if (rule === undefined) added.push(path, ...missing.map((header) => `  ${header}`));
    else {
      const inserted = missing.map((header) => `  ${header}${end}`).join('');
      const line = lines[rule.line] ?? '';
      lines[rule.line] = `${line}${inserted === '' || line.endsWith('\n') ? '' : end}${inserted}`;
    }
  }
  return appendLines(lines.join(''), added);
}

/** Removes headers of ours that are no longer wanted from `_headers`, and rules that become empty. */
function dropHeaders(
  text: string,
  wanted: ReadonlyMap<string, HeaderRule['headers']>,
  isOwn: (header: HostHeader, rule: HostRule, wanted: readonly string[]) => boolean,
): string {
  const lines = splitLines(text);
  const dropped = new Set<number>();
  for (const rule of readHostRules(lines)) {
    const headers = wanted.get(rule.path) ?? [];
    const outdated = rule.headers.filter(
      (header) => isOwn(header, rule, headers) && !headers.some((one) => isSameHeader(header, one)),
    );
    for (const { line } of outdated) dropped.add(line);
    if (outdated.length > 0 && outdated.length === rule.headers.length && headers.length === 0) {
      dropped.add(rule.line);
    }
  }
  return lines.filter((_, line) => !dropped.has(line)).join('');
}

/** Tests if two headers count as the same. A rule has one media type, whoever set it, and any number of links. */
function isSameHeader({ name, value }: HostHeader, header: string): boolean {
  const [, wanted = '', text] = matchGroups(/^([^:]+): (.*)$/, header);
  return name === wanted.toLowerCase() && (name === 'content-type' || value === text);
}

/** Tests if a wanted link replaces this one: a document names one hub, and one URL as its own (WebSub §4). */
function isReplacedHub(value: string, wanted: readonly string[]): boolean {
  return HUB_LINK.test(value) && wanted.some((header) => HUB_LINK.test(header));
}

const HUB_LINK = /;\s*rel="?(?:hub|self)"?$/i;

function targetOf(value: string): string | undefined {
  return /^<([^>]*)>\s*;\s*rel="?resourcesync"?$/i.exec(value)?.[1];
}

/** Finds a rule with another path that gives the Source Description a media type: a host would send both types. */
export function findMediaTypeRule(text: string): string | undefined {
  return readHostRules(splitLines(text)).find(({ path, headers }) => {
    const parts = path.replace(/^\w+:\/\/[^/]*/, '').split(/(\*|:\w+)/);
    const pattern = parts
      .map((part, index) => (index % 2 === 1 ? '.*' : part.replace(/\W/g, '\\$&')))
      .join('');
    const matches = path !== DESCRIPTION_PATH && new RegExp(`^${pattern}$`).test(DESCRIPTION_PATH);
    return matches && headers.some(({ name }) => name === 'content-type');
  })?.path;
}

/** Limits of hosts for `_headers`; a host silently ignores lines or rules beyond these. */
const LIMITS = {
  netlify: { rules: Number.POSITIVE_INFINITY, line: Number.POSITIVE_INFINITY },
  cloudflare: { rules: 100, line: 2_000 },
} as const satisfies Record<HeadersHost, { rules: number; line: number }>;

/** Rules that keep versions out of search engines, and give TimeMaps their media type (RFC 7089 §5). */
export const VERSION_RULES: readonly HeaderRule[] = [
  { path: `/${VERSIONS_FOLDER}/*`, headers: ['X-Robots-Tag: noindex'] },
  {
    path: `/${TIMEMAPS_FOLDER}/*`,
    headers: ['Content-Type: application/link-format', 'X-Robots-Tag: noindex'],
  },
];

function isVersionHeader(path: string, header: string): boolean {
  const rule = VERSION_RULES.find((one) => one.path === path);
  return rule?.headers.some((one) => one.toLowerCase() === header.toLowerCase()) === true;
}

export function requireLimits(text: string, host: HeadersHost): void {
  const lines = splitLines(text);
  const rules = readHostRules(lines);
  const remedy = 'Let sets and --exclude follow folders, or use htmlLinks instead';
  if (rules.length > LIMITS[host].rules) {
    refuseEdit(`_headers would have ${rules.length} rules; ${host} takes ${LIMITS[host].rules}`, remedy);
  }
  const longest = Math.max(0, ...lines.map((line) => line.trim().length));
  if (longest > LIMITS[host].line) {
    refuseEdit(
      `_headers would have a line of ${longest} characters; ${host} takes ${LIMITS[host].line}`,
      'Shorten it',
    );
  }
}

/** A rule of `_headers`: headers of the responses for URLs that match a pattern. */
export interface HeaderRule {
  /** Pattern of the paths of URLs; `*` stands for anything. */
  readonly path: string;
  readonly headers: readonly string[];
}

/**
 * Plans the rules that link resources to their Capability Lists. A folder whose files all have the same lists gets one rule;
 * otherwise, its files and folders get rules of their own.
 *
 * @param files in the order of their paths
 * @param folder with a slash at its end, or ''
 */
export function planLinkRules(
  files: readonly ServedFile[],
  url: string,
  urls: UrlStyle,
  folder = '',
): HeaderRule[] {
  const [first, ...others] = files;
  if (first === undefined) return [];
  const all = first.capabilityLists.join('\n');
  if (others.every(({ capabilityLists }) => capabilityLists.join('\n') === all)) {
    return makeLinkRule(`/${encodePath(folder)}*`, first);
  }
  const parts = groupBy(files, ({ path }) => {
    const end = path.indexOf('/', folder.length) + 1;
    return end === 0 ? path : path.slice(0, end);
  });
  return [...parts].flatMap(([part, held]) =>
    part.endsWith('/')
      ? planLinkRules(held, url, urls, part)
      : held.flatMap((file) => makeLinkRule(new URL(makeUri(url, part, urls)).pathname, file)),
  );
}

function makeLinkRule(path: string, { capabilityLists }: ServedFile): HeaderRule[] {
  if (capabilityLists.length === 0) return [];
  return [{ path, headers: capabilityLists.map((list) => `Link: <${list}>; rel="resourcesync"`) }];
}

/** Plans the rules by which Change Lists name a WebSub hub and their own URL (WebSub §4). */
export function planHubRules(
  sets: readonly (string | undefined)[],
  url: string,
  hub: string | undefined,
): HeaderRule[] {
  if (hub === undefined) return [];
  return sets.map((name) => {
    const list = url + pathOfDocument(name, 'changelist');
    return {
      path: new URL(list).pathname,
      headers: [`Link: <${hub}>; rel="hub"`, `Link: <${list}>; rel="self"`],
    };
  });
}
