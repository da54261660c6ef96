/** Follows the redirects of a site from an address to where they end. Pure. */

import { addressOf } from '../address.js';
import { decodePath, makeUri, type UrlStyle } from '../urls.js';
import { normalize, type RedirectTable } from './rule.js';

/** Browsers follow about twice as many. */
const MOST_HOPS = 10;

/** The answer to an address. */
export type AddressAnswer =
  | { readonly kind: 'there' | 'gone' | 'withdrawn' }
  | { readonly kind: 'redirected'; readonly redirect: LiveRedirect }
  | { readonly kind: 'nowhere'; readonly redirect: DeadRedirect };

export interface LiveRedirect {
  /** Where the redirects end. */
  readonly to: string;
  /** Place of the first rule, such as `_redirects:3`, or URL of the page that redirects. */
  readonly by: string;
  /** True if that is another site, which is not looked at. */
  readonly leaves: boolean;
}

export interface DeadRedirect {
  readonly to: string;
  readonly by: string;
  /** `gone`: no page is there; `circle`: redirects lead back; `hops`: there are more than ten. */
  readonly reason: 'gone' | 'circle' | 'hops';
}

/** A site with its redirects. */
export interface RedirectingSite {
  /** URL of the site, with a trailing slash. */
  readonly url: string;
  readonly urls: UrlStyle;
  /** Whether a URL is listed. */
  readonly has: (uri: string) => boolean;
  /** The URL that a page makes browsers load. */
  readonly leadOf: (uri: string) => string | undefined;
  readonly table: RedirectTable;
}

export function followAddress(uri: string, site: RedirectingSite): AddressAnswer {
  const passed = new Set<string>();
  let by: string | undefined;
  for (let at = addressOf(uri); ; ) {
    passed.add(at);
    const page = findServed(at, site);
    const hop = findHop(at, page, site);
    if (hop === undefined || hop.status >= 400) {
      if (by !== undefined) return end(at, by, page);
      if (hop?.status === 410) return { kind: 'withdrawn' };
      return { kind: page === undefined ? 'gone' : 'there' };
    }
    by ??= hop.by;
    at = addressOf(hop.to);
    if (`${at}/` === site.url) at = site.url;
    if (!at.startsWith(site.url)) return { kind: 'redirected', redirect: { to: at, by, leaves: true } };
    // What a rewrite shows is a page, whatever rules there are for that.
    if (hop.status === 200) return end(at, by, findServed(at, site));
    const reason = passed.has(at) ? 'circle' : passed.size > MOST_HOPS ? 'hops' : undefined;
    if (reason !== undefined) return { kind: 'nowhere', redirect: { to: at, by, reason } };
  }
}

function end(at: string, by: string, page: string | undefined): AddressAnswer {
  return page === undefined
    ? { kind: 'nowhere', redirect: { to: at, by, reason: 'gone' } }
    : { kind: 'redirected', redirect: { to: page, by, leaves: false } };
}

interface Hop {
  readonly to: string;
  readonly by: string;
  readonly status: number;
}

function findHop(at: string, page: string | undefined, { table, leadOf }: RedirectingSite): Hop | undefined {
  const { origin } = new URL(at);
  const rule = table.find(normalize(at.slice(origin.length)), page !== undefined);
  if (rule !== undefined) return { to: resolve(rule.target, at), by: rule.where, status: rule.status };
  const lead = page && leadOf(page);
  if (page === undefined || lead === undefined) return undefined;
  const to = resolve(lead, at);
  // A page may load itself again.
  return addressOf(to) === addressOf(page) ? undefined : { to, by: page, status: 301 };
}

/** Without query and fragment, which choose no other page. */
function resolve(target: string, at: string): string {
  return URL.canParse(target, at) ? new URL(target, at).href.replace(/[?#].*$/s, '') : at;
}

/** The listed URL of the file that hosts serve for an address, in the style of the site; a folder is found without its slash. */
function findServed(at: string, { url, urls, has }: RedirectingSite): string | undefined {
  if (has(at)) return at;
  if (!at.startsWith(url)) return undefined;
  const path = decodePath(at.slice(url.length));
  const bare = path.replace(/\/$/, '');
  const files = [path, bare === '' ? 'index.html' : `${bare}/index.html`];
  if (urls === 'clean' && !path.endsWith('/')) files.push(`${path}.html`);
  if (urls === 'bare') files.push(`${bare}.html`);
  return files.map((file) => addressOf(makeUri(url, file, urls))).find(has);
}
