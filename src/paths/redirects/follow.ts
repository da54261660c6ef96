/** Follows the redirects of a site from an address to where they end. Pure. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { limitTime } from '../../base/timed.js';
import { type Address, addressOf } from '../address.js';
import { decodePath, makeUri, type UrlStyle } from '../urls.js';
import type { AddressAnswer } from './answer.js';
import { findRule, type Hop, indexRules, normalizePath, type RedirectRule, type RuleIndex } from './rule.js';

/** Limit of redirects in a row; browsers follow about twice as many. */
const MOST_HOPS = 10;

/** Milliseconds that following all addresses may take; one more is added for each address. */
const MOST_TIME = 2_000;

export interface RedirectingSite {
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
  readonly has: (uri: string) => boolean;
  /** Returns the URL that a page makes browsers load, or undefined if it is no redirect. */
  readonly leadOf: (uri: string) => string | undefined;
  readonly rules: readonly RedirectRule[];
  /** True if the host adds a slash to paths without an extension before it applies rules; false if it removes it; else undefined. */
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
      // A rule with an error status hides the page.
      const shown = hop === undefined ? page : undefined;
      if (by !== undefined) return end(at, by, shown);
      if (hop?.status === 410) return { kind: 'withdrawn' };
      return { kind: shown === undefined ? 'gone' : 'there' };
    }
    by ??= hop.where;
    at = addressOf(hop.target);
    if (`${at}/` === site.url) at = site.url;
    if (!at.startsWith(site.url)) return { kind: 'redirected', to: at, by, leaves: true };
    // A rewrite (status 200) shows a page, even if there are rules for the address of that page.
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
  // A rewrite of a path to itself is no redirect: it shows the page at the path, or none.
  const isItself = rule?.status === 200 && target === at;
  if (rule !== undefined && target !== undefined && !isItself) return { ...rule, target };
  const lead = page && leadOf(page);
  if (page === undefined || lead === undefined) return undefined;
  const next = resolve(lead, at);
  // A page that loads itself again redirects nowhere.
  return addressOf(next) === addressOf(page) ? undefined : { target: next, where: page, status: 301 };
}

/** Adds or removes the slash at the end of a path, as the host does. A path with an extension has none in either case. */
function settleSlash(path: string, trailingSlash: boolean | undefined): string {
  if (trailingSlash === undefined) return path;
  const bare = path.replace(/(?<=.)\/$/, '');
  return trailingSlash && !/\.[^/]*$|\/$/.test(bare) ? `${bare}/` : bare;
}

/** Resolves the target of a redirect, without query and fragment, which choose no other page. */
function resolve(target: string, at: string): string {
  return URL.canParse(target, at) ? new URL(target, at).href.replace(/[?#].*$/s, '') : at;
}

/** Returns the listed URL of the file that hosts serve for an address. An address without its slash finds a folder, too. */
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
