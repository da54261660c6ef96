/** Makes a site's documents easy to find: edits `robots.txt`, `_headers` and pages, before they are read (§6.3). */

import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Config, HeadersHost } from '../config/config.js';
import { type Notice, ResyncError, systemErrorCode, type UnlinkedReason } from '../errors.js';
import { isOwnUri, pathOfDocument, SOURCE_DESCRIPTION } from '../paths/ours.js';
import { skippedByDefault } from '../paths/selection.js';
import { encodePath, makeUri, type UrlStyle } from '../paths/urls.js';
import type { WaitObserver } from '../publish/lock.js';
import { replaceFiles } from '../publish/replace.js';
import { listEntries } from '../site/scan.js';
import { say } from '../text/say.js';
import { linkPage } from './html.js';

/** What was changed in the site; what was right already does not count. */
export interface EditedFiles {
  /** Number of HTML pages. */
  readonly pages: number;
  /** Other files, as paths in the site. */
  readonly files: readonly string[];
}

/** What was done to make the site's documents easy to find. */
export interface EditedSite {
  readonly files: EditedFiles;
  readonly notices: readonly Notice[];
}

type DiscoveryConfig = Pick<
  Config,
  'url' | 'urls' | 'selection' | 'sets' | 'robots' | 'htmlLinks' | 'headers'
>;

/** A file that the host serves for its own sake, and the Capability Lists that pertain to it. */
interface ServedFile {
  readonly path: string;
  /** URLs; none for what is left out by configuration, or in no set. */
  readonly capabilityLists: readonly string[];
}

/**
 * Edits the site as configured. A file that is right already is not touched, so a second run changes nothing.
 *
 * @throws ResyncError `discovery-failed`, `file-unreadable`, `write-failed`; what was edited before that stays edited
 */
export async function editSite(
  site: string,
  config: DiscoveryConfig,
  tellWaiting: WaitObserver,
): Promise<EditedSite> {
  const files = { pages: 0, files: [] as string[] };
  const notices: Notice[] = [];
  const served = listServed(site, config);
  // A site with nothing to list is a mistake, which the scan reports; it stays as it is.
  if (!served.some(({ capabilityLists }) => capabilityLists.length > 0)) return { files, notices };
  await replaceFiles(site, makeEdits(), tellWaiting);
  return { files, notices };

  async function* makeEdits() {
    for (const file of editRootFiles(site, config, served, notices)) {
      files.files.push(file.path);
      yield file;
    }
    if (!config.htmlLinks) return;
    for await (const page of editPages(site, config, served, notices)) {
      files.pages++;
      yield page;
    }
  }
}

function listServed(site: string, { url, selection, sets }: DiscoveryConfig): ServedFile[] {
  const files: ServedFile[] = [];
  for (const { path, kind, nameless } of listEntries(site)) {
    const reason = selection(path);
    // What is left out by default, such as error pages, is not served for its own sake.
    const own = reason === undefined || (reason === 'excluded' && skippedByDefault(path) === undefined);
    if (nameless || kind !== undefined || !own) continue;
    const holding = reason === undefined ? sets.filter(({ holds }) => holds(path)) : [];
    const capabilityLists = holding.map(({ name }) => url + pathOfDocument(name, 'capabilitylist'));
    files.push({ path, capabilityLists });
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

interface Edit {
  readonly path: string;
  readonly content: Uint8Array;
}

function* editRootFiles(
  site: string,
  { url, urls, sets, robots, headers }: DiscoveryConfig,
  served: readonly ServedFile[],
  notices: Notice[],
): Generator<Edit, void> {
  if (robots) {
    const resourceLists = sets.map(({ name }) => url + pathOfDocument(name, 'resourcelist'));
    yield* edit('robots.txt', (text) => addSitemaps(text, resourceLists));
  }
  if (headers !== undefined) {
    yield* edit('_headers', (text) => {
      const rules = planLinkRules(served, url, urls);
      const elsewhere = findMediaTypeRule(text);
      if (elsewhere !== undefined) notices.push({ code: 'media-type-by-rule', rule: elsewhere });
      else rules.unshift({ path: DESCRIPTION_PATH, headers: ['Content-Type: application/xml'] });
      const added = addHeaders(text, rules, url);
      requireLimits(added, headers);
      return added;
    });
  }

  function* edit(path: 'robots.txt' | '_headers', add: (text: string) => string): Generator<Edit, void> {
    if (new URL(url).pathname !== '/') {
      notices.push({ code: 'only-at-root', file: path });
      return;
    }
    const before = readRootFile(site, path);
    const after = add(before);
    if (after !== before) yield { path, content: Buffer.from(after, 'latin1') };
  }
}

/** The bytes of a file, a character each, so that all that is not ASCII comes through as it is; '' where there is none. */
function readRootFile(site: string, path: string): string {
  const file = join(site, path);
  const entry = lstatSync(file, { throwIfNoEntry: false });
  if (entry === undefined) return '';
  if (!entry.isFile()) refuse(`${file} is not a regular file`, 'Make it one');
  const text = readBytes(file).toString('latin1');
  if (text.includes('\0')) refuse(`${file} is not text in UTF-8`, 'Save it as UTF-8');
  return text;
}

function refuse(what: string, remedy: string): never {
  throw new ResyncError(
    'discovery-failed',
    say`${what}, so nothing can be added to it.\n${remedy}, and run again.`,
  );
}

function readBytes(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined) throw error;
    throw new ResyncError(
      'file-unreadable',
      say`Cannot read ${file} (${code}).\nMake it readable, and run again.`,
      {
        cause: error,
      },
    );
  }
}

/**
 * Adds the `Sitemap` lines that `robots.txt` lacks, at its end (§6.3.4). They belong to no group (RFC 9309 §2.2.4).
 *
 * @param robots the bytes of the file, a character each
 * @param resourceLists URLs
 */
export function addSitemaps(robots: string, resourceLists: readonly string[]): string {
  const lines = robots.replace(BYTE_ORDER_MARK, '').matchAll(/^[ \t]*sitemap[ \t]*:[ \t]*([^\s#]+)/gim);
  const named = new Set(Array.from(lines, ([, url = '']) => (URL.canParse(url) ? new URL(url).href : url)));
  const missing = resourceLists.filter((url) => !named.has(url)).map((url) => `Sitemap: ${url}`);
  return appendLines(robots, missing);
}

/** In UTF-8, a character for each byte. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;

function appendLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = lineEndOf(text);
  const unfinished = text.replace(BYTE_ORDER_MARK, '') !== '' && !/[\r\n]$/.test(text);
  return text + (unfinished ? end : '') + lines.map((line) => line + end).join('');
}

function lineEndOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

const DESCRIPTION_PATH = `/${SOURCE_DESCRIPTION}`;

/** A rule of `_headers`: what a host adds to the responses for the URLs that a pattern matches. */
export interface HeaderRule {
  /** Path of a URL; `*` stands for anything. */
  readonly path: string;
  /** `Name: value` each. */
  readonly headers: readonly string[];
}

/**
 * Plans rules that link resources to the Capability Lists that pertain to them, and nothing else to anything: one for
 * a folder where all that is in it is alike, one for each file and folder in it where it is not.
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
  const parts = new Map<string, ServedFile[]>();
  for (const file of files) {
    const end = file.path.indexOf('/', folder.length) + 1;
    const part = end === 0 ? file.path : file.path.slice(0, end);
    const held = parts.get(part);
    if (held === undefined) parts.set(part, [file]);
    else held.push(file);
  }
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

interface FoundRule {
  readonly path: string;
  readonly line: number;
  readonly headers: readonly { readonly line: number; readonly name: string; readonly value: string }[];
}

/** Reads `_headers` as the hosts do: a line that begins with a path or URL begins a rule, indented or not. */
function findRules(lines: readonly string[]): FoundRule[] {
  const rules: (FoundRule & { headers: FoundRule['headers'][number][] })[] = [];
  for (const [line, raw] of lines.entries()) {
    const text = raw.replace(BYTE_ORDER_MARK, '').trim();
    const [, name, value] = /^([^:#]+?)\s*:\s*(.*)$/.exec(text) ?? [];
    if (/^(?:\/|\S+:\/\/)/.test(text)) rules.push({ path: text, line, headers: [] });
    else if (name !== undefined && value !== undefined) {
      rules.at(-1)?.headers.push({ line, name: name.toLowerCase(), value });
    }
  }
  return rules;
}

function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/**
 * Adds what `_headers` lacks, and removes links to Capability Lists of this Source where they are not wanted (any more).
 *
 * A rule that is there already is added to: of two rules with one path, Cloudflare drops the first.
 *
 * @param text the bytes of the file, a character each
 * @param url the site's, with a trailing slash
 */
export function addHeaders(text: string, wanted: readonly HeaderRule[], url: string): string {
  const lines = splitLines(text);
  const end = lineEndOf(text);
  const found = findRules(lines);
  const added: string[] = [];
  const dropped = new Set<number>();
  for (const rule of found) {
    const links = wanted.find(({ path }) => path === rule.path)?.headers ?? [];
    const outdated = rule.headers.filter(
      ({ name, value }) => name === 'link' && isOwnLink(value, url) && !links.includes(`Link: ${value}`),
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
function isSameHeader({ name, value }: FoundRule['headers'][number], header: string): boolean {
  return name === 'content-type' ? header.startsWith('Content-Type:') : header === `Link: ${value}`;
}

function isOwnLink(value: string, url: string): boolean {
  const [, target] = /^<([^>]*)>\s*;\s*rel="?resourcesync"?$/i.exec(value) ?? [];
  return target !== undefined && isOwnUri(target, url);
}

/** The rule of another path that gives the Source Description a media type: hosts would join theirs and ours. */
function findMediaTypeRule(text: string): string | undefined {
  return findRules(splitLines(text)).find(({ path, headers }) => {
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

function requireLimits(text: string, host: HeadersHost): void {
  const lines = splitLines(text);
  const rules = findRules(lines);
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

/** Pages are edited before they are found to be broken, so this follows the extension, not the configured types. */
const PAGE = /\.html?$/i;

async function* editPages(
  site: string,
  { url, urls }: DiscoveryConfig,
  served: readonly ServedFile[],
  notices: Notice[],
): AsyncGenerator<Edit, void> {
  const unlinked = new Map<UnlinkedReason, { count: number; example: string }>();
  const pages = served.filter(({ path, capabilityLists }) => PAGE.test(path) && capabilityLists.length > 0);
  for (const [index, { path, capabilityLists }] of pages.entries()) {
    // Others wait for their turn, such as the progress line.
    if (index % 256 === 255) await yieldToEventLoop();
    const page = readBytes(join(site, path));
    const outcome = linkPage(page, { uri: makeUri(url, path, urls), capabilityLists, url });
    if (typeof outcome === 'string') {
      const { count = 0, example = path } = unlinked.get(outcome) ?? {};
      unlinked.set(outcome, { count: count + 1, example });
    } else if (outcome !== undefined) yield { path, content: outcome };
  }
  for (const [reason, pages] of unlinked) notices.push({ code: 'pages-not-linked', reason, ...pages });
}
