/** Adds rules to a file `_headers`, and removes those that are outdated. Pure. */

import type { HeadersHost } from '../config/options.js';
import { type HostRule, readHostRules, splitLines } from '../paths/host-rules.js';
import { isOwnUri, SOURCE_DESCRIPTION } from '../paths/ours.js';
import { refuse } from './file.js';
import type { HeaderRule } from './header-rules.js';
import { appendLines, lineEndOf } from './lines.js';

export const DESCRIPTION_PATH = `/${SOURCE_DESCRIPTION}`;

/**
 * Adds what `_headers` lacks, and removes links to Capability Lists of this Source where they are not wanted (any more).
 *
 * A rule that is there already is added to: of two rules with one path, Cloudflare drops the first.
 *
 * @param text the bytes of the file, a character each
 * @param url the site's, with a trailing slash
 * @param isJoined tells Capability Lists of other builds
 */
export function addHeaders(
  text: string,
  wanted: readonly HeaderRule[],
  url: string,
  isJoined: (uri: string) => boolean = () => false,
): string {
  const lines = splitLines(text);
  const end = lineEndOf(text);
  const found = readHostRules(lines);
  const added: string[] = [];
  const dropped = new Set<number>();
  const isOutdated = (value: string) => {
    const target = targetOf(value);
    return target !== undefined && isOwnUri(target, url) && !isJoined(target);
  };
  for (const rule of found) {
    const links = wanted.find(({ path }) => path === rule.path)?.headers ?? [];
    const outdated = rule.headers.filter(
      ({ name, value }) =>
        name === 'link' &&
        value !== undefined &&
        (isOutdated(value) || isFormerHub(value, links)) &&
        !links.includes(`Link: ${value}`),
    );
    for (const { line } of outdated) dropped.add(line);
    if (outdated.length > 0 && outdated.length === rule.headers.length && links.length === 0) {
      dropped.add(rule.line);
    }
  }
  for (const { path, headers } of wanted) {
    const rule = found.findLast((candidate) => candidate.path === path);
    const missing = headers.filter((header) => !rule?.headers.some((there) => isSameHeader(there, header)));
    if (rule === undefined) added.push(path, ...missing.map((header) => `  ${header}`));
    else {
      const inserted = missing.map((header) => `  ${header}${end}`).join('');
      const line = lines[rule.line] ?? '';
      lines[rule.line] = `${line}${inserted === '' || line.endsWith('\n') ? '' : end}${inserted}`;
    }
  }
  return appendLines(lines.filter((_, line) => !dropped.has(line)).join(''), added);
}

/** A rule has one media type, whoever chose it, and any number of links. */
function isSameHeader({ name, value }: HostRule['headers'][number], header: string): boolean {
  return name === 'content-type' ? header.startsWith('Content-Type:') : header === `Link: ${value}`;
}

/** A document has one hub of ours, and one address. */
function isFormerHub(value: string, wanted: readonly string[]): boolean {
  return HUB_LINK.test(value) && wanted.some((header) => HUB_LINK.test(header));
}

const HUB_LINK = /;\s*rel="?(?:hub|self)"?$/i;

/** Of a link to a Capability List. */
function targetOf(value: string): string | undefined {
  return /^<([^>]*)>\s*;\s*rel="?resourcesync"?$/i.exec(value)?.[1];
}

/** The rule of another path that gives the Source Description a media type: hosts would join theirs and ours. */
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

/** What hosts take from a file `_headers`; past it they leave out lines or rules without a failure. */
const LIMITS = {
  netlify: { rules: Number.POSITIVE_INFINITY, line: Number.POSITIVE_INFINITY },
  cloudflare: { rules: 100, line: 2_000 },
} as const satisfies Record<HeadersHost, { rules: number; line: number }>;

export function requireLimits(text: string, host: HeadersHost): void {
  const lines = splitLines(text);
  const rules = readHostRules(lines);
  const remedy = 'Let sets and --exclude follow folders, or use --html-links instead';
  if (rules.length > LIMITS[host].rules) {
    refuse(`_headers would have ${rules.length} rules; ${host} takes ${LIMITS[host].rules}`, remedy);
  }
  const longest = Math.max(0, ...lines.map((line) => line.trim().length));
  if (longest > LIMITS[host].line) {
    refuse(
      `_headers would have a line of ${longest} characters; ${host} takes ${LIMITS[host].line}`,
      'Shorten it',
    );
  }
}
