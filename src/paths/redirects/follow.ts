/** Follows the redirects of a site from an address to where they end. Pure. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { limitTime } from '../../base/timed.js';
import { type Address, addressOf } from '../address.js';
import { decodePath, makeUri, type UrlStyle } from '../urls.js';
import type { AddressAnswer } from './answer.js';
import { findRule, type Hop, indexRules, normalizePath, type RedirectRule, type RuleIndex } from './rule.js';

/** Browsers follow about twice as many. */
const MOST_HOPS = 10;

/** Milliseconds for all addresses; each has one more. */
const MOST_TIME = 2_000;

export interface RedirectingSite {
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
  /** Whether a URL is listed. */
  readonly has: (uri: string) => boolean;
  /** The URL that a page makes browsers load. */
  readonly leadOf: (uri: string) => string | undefined;
  readonly rules: readonly RedirectRule[];
  /** Whether the host gives paths without an extension a slash at the end, or takes it, before rules count; undefined if neither. */
  readonly trailingSlash: boolean | undefined;
}

interface ComparedSite extends RedirectingSite {
  readonly url: Address;
  readonly index: RuleIndex;
}

/** Returns the answers in the order of the addresses. @throws ResyncError `redirects-unreadable` if that takes too long */
export function followAddresses(
  uris: readonly string[],
  site: RedirectingSite,
): [uri: string, answer: AddressAnswer][] {
  const compared = { ...site, url: addressOf(site.url), index: indexRules(site.rules) };
  let last = '';
  const follow = (uri: string): [string, AddressAnswer] => {
    last = uri;
    return [uri, followAddress(uri, compared)];
  };
  const refuse = () =>
    new ResyncError(
      'redirects-unreadable',
      say`The redirect rules take too long to match; they were stopped at ${last}.\nWrite their patterns without repetitions inside of repetitions.`,
    );
  const most = MOST_TIME + uris.length;
  return limitTime((all: typeof uris) => all.map(follow), refuse, most, most)(uris);
}

function followAddress(uri: string, site: ComparedSite): AddressAnswer {
  const passed = new Set<Address>();
  let by: string | undefined;
  for (let at = addressOf(uri); ; ) {
    passed.add(at);
    const page = findServed(at, site);
    const hop = findHop(at, page, site);
    if (hop === undefined || hop.status >= 400) {
      // Such a rule hides the page.
      const shown = hop === undefined ? page : undefined;
      if (by !== undefined) return end(at, by, shown);
      if (hop?.status === 410) return { kind: 'withdrawn' };
      return { kind: shown === undefined ? 'gone' : 'there' };
    }
    by ??= hop.where;
    at = addressOf(hop.target);
    if (`${at}/` === site.url) at = site.url;
    if (!at.startsWith(site.url)) return { kind: 'redirected', to: at, by, leaves: true };
    // A rewrite shows a page, even if there are rules for the address of that page.
    if (hop.status === 200) return end(at, by, findServed(at, site));
    if (passed.has(at)) return { kind: 'nowhere', to: at, by, reason: 'circle' };
    if (passed.size > MOST_HOPS) return { kind: 'nowhere', to: at, by, reason: 'hops' };
  }
}

function end(at: string, by: string, page: string | undefined): AddressAnswer {
  return page === undefined
    ? { kind: 'nowhere', to: at, by, reason: 'gone' }
    : { kind: 'redirected', to: page, by, leaves: false };
}

function findHop(
  at: Address,
  page: string | undefined,
  { trailingSlash, leadOf, index }: ComparedSite,
): Hop | undefined {
  const path = settleSlash(normalizePath(at.slice(new URL(at).origin.length)), trailingSlash);
  const rule = findRule(index, path, page !== undefined);
  const target = rule && resolve(rule.target, at);
  // A path that shows itself shows the page that is there, or none.
  const isItself = rule?.status === 200 && target === at;
  if (rule !== undefined && target !== undefined && !isItself) return { ...rule, target };
  const lead = page && leadOf(page);
  if (page === undefined || lead === undefined) return undefined;
  const next = resolve(lead, at);
  // A page may load itself again.
  return addressOf(next) === addressOf(page) ? undefined : { target: next, where: page, status: 301 };
}

/** A path with an extension has no slash in either case. */
function settleSlash(path: string, trailingSlash: boolean | undefined): string {
  if (trailingSlash === undefined) return path;
  const bare = path.replace(/(?<=.)\/$/, '');
  return trailingSlash && !/\.[^/]*$|\/$/.test(bare) ? `${bare}/` : bare;
}

/** Without query and fragment, which choose no other page. */
function resolve(target: string, at: string): string {
  return URL.canParse(target, at) ? new URL(target, at).href.replace(/[?#].*$/s, '') : at;
}

/** The listed URL of the file that hosts serve for an address, in the style of the site; a folder is found without its slash. */
function findServed(at: Address, site: ComparedSite): string | undefined {
  const { url, urls, has, trailingSlash } = site;
  if (has(at)) return at;
  if (!at.startsWith(url)) return undefined;
  const path = decodePath(at.slice(url.length));
  const bare = path.replace(/\/$/, '');
  const files = [path, bare === '' ? 'index.html' : `${bare}/index.html`];
  const isLoose = trailingSlash !== undefined || !path.endsWith('/');
  if (urls === 'bare' || (urls === 'clean' && isLoose)) files.push(`${bare}.html`);
  return files.map((file) => addressOf(makeUri(url, file, urls))).find(has);
}
