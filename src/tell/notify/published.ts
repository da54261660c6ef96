/** Reads the publication on a site from its documents, and tells whether it is the expected one. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { resolveSite } from '../../files/folder.js';
import { FEED, PAGES, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { rootOfSource } from '../../paths/urls.js';
import { readStart } from '../../source/document.js';
import { type FeedHead, readFeedHead } from '../../source/feed.js';
import { SiteFolder } from '../../source/origin/folder.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import { findSiteUrl } from '../../source/origin/site-url.js';
import { type ChangePart, type Event, newest, newestOf, oldestOf } from '../../source/sets/entry.js';
import { readChangeLists, readResourceMoment } from '../../source/sets/lists.js';
import { DocumentReader } from '../../source/sets/reader.js';
import { findSource, type Offer, readHomeSets } from '../../source/sets/sets.js';
import type { Bounds } from '../../source/web/bounds.js';
import { PAGES_BYTES, parsePages, type SitePages } from '../../standard/pages.js';
import type { ResolvedNotify } from './config.js';

/** Limit of bytes of a feed; larger feeds are not read. */
const MOST_FEED_BYTES = 16 * 1024 * 1024;

export interface PublishedSite {
  /** URL of the site's root, with a trailing slash. */
  readonly base: string;
  /** The newest time in each set, by its Capability List: milliseconds since 1970. */
  readonly moments: ReadonlyMap<string, number>;
  readonly feed: PublishedFeed | undefined;
  /** `pages.json`, or what is wrong with it; undefined if it is missing, or not wanted. */
  readonly pages: SitePages | string | undefined;
  /** URLs of the Change Lists that are one document each, and no index. */
  readonly changeLists: readonly string[];
  /** The changes to report; undefined if there is no Change List. */
  readonly news: PublishedNews | undefined;
}

interface PublishedFeed extends FeedHead {
  readonly uri: string;
}

interface PublishedNews {
  readonly events: readonly Event[];
  /** Time since which all changes are known; undefined if a Change List does not say. */
  readonly from: number | undefined;
}

/**
 * Reads the publication that a site has: its newest times, its feed, and the changes to report.
 *
 * @param config `since` is undefined for the newest publication
 * @param beginning URL of the Source Description; undefined if it has to be found
 * @throws ResyncError `source-unreadable`
 */
export async function readPublished(
  place: Origin,
  named: string,
  { since, indexnow }: Pick<ResolvedNotify, 'since' | 'indexnow'>,
  beginning?: string,
): Promise<PublishedSite> {
  const reader = new DocumentReader(place);
  const start = beginning ?? (await findSource(place, named));
  const offers = await readHomeSets(reader, start, start);
  const base = rootOf(start, named);
  const sets = await Promise.all(
    offers.map(async (offer) => {
      const parts = await readNewest(reader, offer, since);
      const moment = parts && newestOf(parts);
      return { offer, parts, moment: moment ?? (await readResourceMoment(reader, offer)) };
    }),
  );
  const listed = sets.flatMap(({ parts }) => (parts === undefined ? [] : [parts]));
  const moments: ReadonlyMap<string, number> = new Map(
    sets.flatMap(({ offer, moment }) => (moment === undefined ? [] : [[offer.uri, moment]])),
  );
  return {
    base,
    moments,
    feed: await readFeed(place, base + FEED),
    pages: indexnow === undefined ? undefined : await readPages(place, base),
    changeLists: sets.flatMap(({ offer: { changeLists }, parts }) =>
      changeLists.filter((uri) => parts?.some((part) => part.uri === uri)),
    ),
    news: listed.length === 0 ? undefined : chooseNews(listed, since),
  };
}

/** Reads the parts of Change Lists with the changes to report. If the newest part is still empty, these are in the part before. */
async function readNewest(
  reader: DocumentReader,
  { changeLists }: Offer,
  since: number | undefined,
): Promise<ChangePart[] | undefined> {
  if (changeLists.length === 0) return undefined;
  const parts = await readChangeLists(reader, changeLists, since ?? Number.POSITIVE_INFINITY);
  if (since !== undefined || parts.some(({ events = [] }) => events.length > 0)) return parts;
  const last = Math.max(...parts.map(({ until }) => until ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(last) ? readChangeLists(reader, changeLists, last) : parts;
}

/** Chooses the changes to report, in all sets: those since a time, or those of the newest publication. */
function chooseNews(sets: readonly (readonly ChangePart[])[], since: number | undefined): PublishedNews {
  const all = sets.flat().flatMap(({ events = [] }) => events);
  const last = newest(all.map(({ time }) => time));
  const isNews = ({ time }: Event) =>
    since === undefined ? time === last : time === undefined || time >= since;
  const begins = sets.map((parts) => oldestOf(parts.map(({ from }) => from)));
  return {
    events: all.filter(isNews),
    from: begins.includes(undefined) ? undefined : newest(begins),
  };
}

/** Reads the head of the feed; undefined if the feed is missing or cannot be read. */
async function readFeed(place: Origin, uri: string): Promise<PublishedFeed | undefined> {
  const opened = await place.open(uri, { most: MOST_FEED_BYTES, fresh: true });
  if (isAbsent(opened)) return undefined;
  const text = await readStart(opened.body, Number.POSITIVE_INFINITY);
  const head = text === undefined ? undefined : readFeedHead(text);
  return head && { uri, ...head };
}

async function readPages(place: Origin, base: string): Promise<SitePages | string | undefined> {
  const opened = await place.open(base + PAGES, { most: PAGES_BYTES, fresh: true });
  if (isAbsent(opened)) return undefined;
  const text = await readStart(opened.body, Number.POSITIVE_INFINITY);
  return text === undefined ? 'it is not whole' : parsePages(text, base);
}

/** Returns the root of the site: the place of its Source Description, or else the URL of the user or the root of its host. */
function rootOf(beginning: string, named: string): string {
  if (beginning.endsWith(`/${SOURCE_DESCRIPTION}`)) return beginning.slice(0, -SOURCE_DESCRIPTION.length);
  return rootOfSource(named);
}

/** The publication that has to be live. Times are in milliseconds since 1970. */
export interface Expected {
  readonly url: string;
  /** The newest time in each set, by its Capability List. */
  readonly moments: ReadonlyMap<string, number>;
  /** Time of the last change of the feed. */
  readonly feed: number | undefined;
  /** Time of the publication to wait for, as the user named it. */
  readonly at: number | undefined;
}

/** Options for reading the newest publication, without `pages.json`. */
const NOTHING_ELSE = { since: undefined, indexnow: undefined };

/** Reads what must be live. @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `source-unreadable` */
export async function readExpected(
  { site: named, url, at }: ResolvedNotify,
  bounds: Bounds,
): Promise<Expected> {
  if (named === undefined) return { url: url as string, moments: new Map(), feed: undefined, at };
  const site = resolveSite(named);
  const root = url ?? (await requireUrl(site));
  const place = new SiteFolder(site, root, undefined, bounds);
  const { moments, feed } = await readPublished(place, root, NOTHING_ELSE, root + SOURCE_DESCRIPTION);
  return { url: root, moments, feed: feed?.updated, at };
}

/** Returns whether the expected publication is live, or a newer one, and `pages.json` is no older than the Change Lists. */
export function isLive({ moments, feed, pages }: PublishedSite, expected: Expected): boolean {
  const isThere = (live: number | undefined, wanted: number | undefined) =>
    wanted === undefined || (live !== undefined && live >= wanted);
  return (
    [...expected.moments].every(([uri, moment]) => isThere(moments.get(uri), moment)) &&
    isThere(feed?.updated, expected.feed) &&
    isThere(newest(moments.values()), expected.at) &&
    (typeof pages !== 'object' || isThere(pages.at.getTime(), newest(moments.values())))
  );
}

/** Returns whether anything of the expected publication is known, so that it can be waited for. */
export function isAnythingExpected({ moments, feed, at }: Expected): boolean {
  return moments.size > 0 || feed !== undefined || at !== undefined;
}

async function requireUrl(site: string): Promise<string> {
  const found = await findSiteUrl(site);
  if (found.kind === 'found') return found.url;
  throw new ResyncError(
    'config-invalid',
    found.kind === 'undescribed'
      ? say`${site} has no ${SOURCE_DESCRIPTION}, so it is not known what was deployed.\nRun resync-static on the folder before it is deployed, or name the URL of the live site instead.`
      : say`The documents in ${site} do not say at which URL it is served.\nName the URL with --url.`,
  );
}
