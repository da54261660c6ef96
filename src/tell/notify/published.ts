/** What a site says of itself that is worth telling: how new it is, what changed, and who is to be told of it. */

import { type FeedHead, readFeedHead } from '../../describe/people/read-atom.js';
import { newestOf } from '../../mirror/plan/history.js';
import { FEED, SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { rootOfSource } from '../../paths/urls.js';
import { readStart } from '../../source/document.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import type { ChangePart, Event } from '../../source/sets/entry.js';
import { readChangeLists, readResourceMoment } from '../../source/sets/lists.js';
import { startReadingDocuments } from '../../source/sets/reader.js';
import { findSource, type Offer, readHomeSets } from '../../source/sets/sets.js';

/** Larger feeds are not looked at. In bytes. */
const MOST_FEED_BYTES = 16 * 1024 * 1024;

/** A site as its documents describe it. */
export interface PublishedSite {
  /** URL of the root, with a trailing slash. */
  readonly base: string;
  /** The newest moment that each set tells of, by its Capability List: milliseconds since 1970. */
  readonly moments: ReadonlyMap<string, number>;
  readonly feed: (FeedHead & { readonly uri: string }) | undefined;
  /** Change Lists that are one document each. */
  readonly changeLists: readonly string[];
  /** What is to be told; undefined where there is no Change List. */
  readonly news: PublishedNews | undefined;
}

export interface PublishedNews {
  readonly events: readonly Event[];
  /** Since when changes are known; undefined where a list does not say. */
  readonly from: number | undefined;
}

/**
 * Reads a site.
 *
 * @param beginning its Source Description; undefined where that has to be found
 * @param since undefined for the newest publication
 * @throws ResyncError `source-unreadable`
 */
export async function readPublished(
  place: Origin,
  named: string,
  since: number | undefined,
  beginning?: string,
): Promise<PublishedSite> {
  const reader = startReadingDocuments(place);
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
  return {
    base,
    moments: new Map(
      sets.flatMap(({ offer, moment }) => (moment === undefined ? [] : [[offer.uri, moment]])),
    ),
    feed: await readFeed(place, base + FEED),
    changeLists: sets.flatMap(({ offer: { changeLists }, parts }) =>
      changeLists.filter((uri) => parts?.some((part) => part.uri === uri)),
    ),
    news: listed.length === 0 ? undefined : chooseNews(listed, since),
  };
}

/** The parts that tell of what is to be told. Where the newest one tells nothing yet, the one before it does. */
async function readNewest(
  reader: ReturnType<typeof startReadingDocuments>,
  { changeLists }: Offer,
  since: number | undefined,
): Promise<ChangePart[] | undefined> {
  if (changeLists.length === 0) return undefined;
  const parts = await readChangeLists(reader, changeLists, since ?? Number.POSITIVE_INFINITY);
  if (since !== undefined || parts.some(({ events = [] }) => events.length > 0)) return parts;
  const last = Math.max(...parts.map(({ until }) => until ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(last) ? readChangeLists(reader, changeLists, last) : parts;
}

/** Several sets are published at one moment. */
function chooseNews(sets: readonly (readonly ChangePart[])[], since: number | undefined): PublishedNews {
  const all = sets.flat().flatMap(({ events = [] }) => events);
  const last = newest(all.map(({ time }) => time));
  const isNews = ({ time }: Event) =>
    since === undefined ? time === last : time === undefined || time >= since;
  const beginnings = sets.map((parts) => parts.map(({ from }) => from));
  const known = beginnings.flat().includes(undefined)
    ? undefined
    : Math.max(...beginnings.map((times) => Math.min(...times.map(Number))));
  return {
    events: all.filter(isNews),
    from: known !== undefined && Number.isFinite(known) ? known : undefined,
  };
}

/** The newest of some moments; undefined where there is none. */
export function newest(times: Iterable<number | undefined>): number | undefined {
  const known = [...times].flatMap((time) => time ?? []);
  return known.length === 0 ? undefined : known.reduce((one, other) => Math.max(one, other));
}

/** A feed that cannot be read is none. */
async function readFeed(place: Origin, uri: string): Promise<PublishedSite['feed']> {
  const opened = await place.open(uri, { most: MOST_FEED_BYTES, fresh: true });
  if (isAbsent(opened)) return undefined;
  const text = await readStart(opened.body, Number.POSITIVE_INFINITY);
  const head = text === undefined ? undefined : readFeedHead(text);
  return head && { uri, ...head };
}

/** Of a site, where its Source Description says that it is; otherwise where the user says, or the root of the host. */
function rootOf(beginning: string, named: string): string {
  if (beginning.endsWith(`/${SOURCE_DESCRIPTION}`)) return beginning.slice(0, -SOURCE_DESCRIPTION.length);
  return rootOfSource(named);
}
