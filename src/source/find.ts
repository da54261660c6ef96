/** Finds the Source Description, or the highest document below it, in all ways of the standard (§6.3). */

import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import { isUrl } from '../base/url.js';
import { findListLinks, listLinks } from '../files/page/elements.js';
import { readHead } from '../files/page/head.js';
import { isSitemap } from '../paths/host-rules.js';
import { SOURCE_DESCRIPTION } from '../paths/ours.js';
import { DOCUMENT_LIMITS } from '../standard/limits.js';
import type { CheckCode, Finding, Flag } from '../standard/rules/checks.js';
import { kindOfDocument } from '../standard/rules/kinds.js';
import { linksOf } from '../standard/rules/values.js';
import type { ReadDocument } from '../standard/xml/as-read.js';
import { parseBody, readDocument, readStart, toFinding } from './document.js';
import { type Absent, isAbsent, type Origin } from './origin/origin.js';
import { isForbidden, MOST_PAGE_BYTES, ROBOTS, readRobots } from './robots.js';
import { readLinkHeader } from './web/link-header.js';

/** The document of a Source with which reading begins. */
export interface Beginning {
  readonly uri: string;
  /** URL of the document from which `up` links were followed; it must be found again on the way down. */
  readonly from?: string | undefined;
  /** URL of the page whose link to a Capability List was followed; the list must cover the page (§6.3.3). */
  readonly page?: string | undefined;
  /** First URL that the document lists, if it was found at its well-known place. */
  readonly names?: string | undefined;
  /** URLs of further documents to begin with, if no document leads to all. */
  readonly others?: readonly string[];
}

/** Limit of documents on the way up, one to spare: Resource List, its index, Capability List, Source Description, its index. */
const MOST_STEPS = 6;
/** Limit of the links to Capability Lists in a page, and of the Sitemaps in `robots.txt`, that are followed. */
const MOST_LINKS = 20;

/** Finds the document on the web to begin with. @param named URL that the user named: of a site, a page or a document */
export async function findBeginning(
  origin: Origin,
  named: string,
  flag: Flag,
): Promise<Beginning | undefined> {
  const wellKnown = new URL(`/${SOURCE_DESCRIPTION}`, named).href;
  /** Documents at well-known places that cannot be read. */
  const broken: (readonly [CheckCode, Finding])[] = [];
  const found = await search();
  for (const [code, finding] of broken) {
    // A broken document below the path of the named URL is reported only if nothing was found; one of the whole host, always.
    if (found === undefined || finding.document === wellKnown) flag(code, finding);
  }
  return found;

  async function tryWellKnown(uri: string): Promise<Beginning | undefined> {
    const read = await readDocument(origin, uri);
    if (!isAbsent(read)) return { uri, names: read.entries[0]?.loc };
    if (read.failure !== 'missing') broken.push(toFinding(uri, read));
    return undefined;
  }

  async function search(): Promise<Beginning | undefined> {
    const below = new URL(named).pathname.endsWith('/') ? new URL(SOURCE_DESCRIPTION, named).href : undefined;
    const own = below === undefined ? undefined : await tryWellKnown(below);
    if (own !== undefined) return own;
    const page = await readPage(origin, named);
    if (page !== undefined && isAbsent(page)) {
      // If the server does not answer, only that is reported: nobody knows what the server has.
      broken.splice(0, Infinity, toFinding(named, page));
      if (!isForbidden(page)) return undefined;
    } else if (page?.isDocument === true) return climb(origin, named);
    const links = page === undefined || isAbsent(page) ? [] : page.links;
    for (const target of links.slice(0, MOST_LINKS)) {
      const beginning = await climb(origin, target);
      const read = await readQuietly(origin, target);
      const kind = read && kindOfDocument(read);
      if (kind !== 'capability-list') {
        flag('discovery-of-other-kind', {
          document: named,
          found: `${kind ?? 'none'}: ${target}`,
          expected: 'capability-list',
        });
      }
      if (read !== undefined) return { ...beginning, page: named };
    }
    const ofHost = wellKnown === below ? undefined : await tryWellKnown(wellKnown);
    if (ofHost !== undefined) return ofHost;
    const { sitemaps } = await readRobots(origin, new URL(`/${ROBOTS}`, named).href);
    for (const sitemap of sitemaps.slice(0, MOST_LINKS)) {
      const read = await readQuietly(origin, sitemap);
      if (read?.head.md !== undefined) return climb(origin, sitemap);
    }
    if (broken.length === 0) flag('description-missing', { document: below ?? named });
    return undefined;
  }
}

interface Offered {
  readonly command: string;
  readonly does: string;
  /** Arguments of the command after the URL, with a space before them. */
  readonly operand: string;
}

/** Refuses a preview whose documents describe another host. @param names first URL in them @throws ResyncError `config-invalid` */
export async function refusePreview(
  origin: Origin,
  named: string,
  names: string | undefined,
  { command, does, operand }: Offered,
): Promise<void> {
  const home = new URL(named);
  if (names === undefined || !isUrl(names) || new URL(names).origin === home.origin) return;
  const { origin: other, pathname } = new URL(names);
  const here = await origin.open(home.origin + pathname, { most: DOCUMENT_LIMITS.bytes });
  if (isAbsent(here)) return;
  const read = await parseBody(here.body);
  // A host that redirects to the other one is no preview of it.
  if (isAbsent(read) || here.redirects.length > 0) return;
  const published = other + home.pathname;
  const right = say`resync-static ${command} ${published}${operand}`;
  throw new ResyncError(
    'config-invalid',
    say`The documents at ${named} describe ${published}\nTo ${does} what is served here: ${right} --served-at ${named}\nTo ${does} what is served there: ${right}`,
  );
}

/** Follows `up` links from a document as far as they lead (§6.2). */
async function climb(origin: Origin, from: string): Promise<Beginning> {
  let uri = from;
  for (let step = 0; step < MOST_STEPS; step++) {
    const read = await readQuietly(origin, uri);
    // A list that is part of an index has the same `up` as its index.
    const [up] = read === undefined ? [] : linksOf(read.head, 'up');
    if (up === undefined || kindOfDocument(read as ReadDocument) === 'source-description') break;
    if ((await readQuietly(origin, up)) === undefined) break;
    uri = up;
  }
  return { uri, from: uri === from ? undefined : from };
}

async function readQuietly(origin: Origin, uri: string): Promise<ReadDocument | undefined> {
  const read = await readDocument(origin, uri);
  return isAbsent(read) ? undefined : read;
}

async function readPage(
  origin: Origin,
  uri: string,
): Promise<{ isDocument: boolean; links: string[] } | Absent | undefined> {
  const opened = await origin.open(uri, { most: MOST_PAGE_BYTES });
  if (isAbsent(opened)) return opened.failure === 'missing' ? undefined : opened;
  const text = await readStart(opened.body);
  if (text === undefined) return undefined;
  const named = readLinkHeader(opened.link, opened.uri).filter(({ rels }) => rels.includes('resourcesync'));
  return {
    isDocument: isSitemap(text),
    links: [...named.map(({ href }) => href), ...readPageLinks(text, opened.uri)],
  };
}

/** Lists the targets of all links to Capability Lists (§6.3.3) in the head of a page, as absolute URLs. */
function readPageLinks(markup: string, uri: string): string[] {
  const links = findListLinks(listLinks(readHead(markup), uri));
  return links.map(({ href }) => href).filter((href) => href !== '');
}
