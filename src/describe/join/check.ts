/** Checks the sets that other builds describe, as far as their Capability Lists can be read (§8, §9). */

import { ResyncError } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { isUrl } from '../../base/url.js';
import type { JoinedSet, Parts } from '../../config/config.js';
import { pathOfSignature } from '../../paths/ours.js';
import { collectBytes, parseBody } from '../../source/document.js';
import { SiteFolder } from '../../source/origin/folder.js';
import { type Absent, isAbsent } from '../../source/origin/origin.js';
import { openWeb } from '../../source/origin/web.js';
import { BoundReached, Bounds } from '../../source/web/bounds.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { findSums, linksOf, listLocs, listOffered } from '../../standard/rules/values.js';
import { SUMS_BYTES } from '../../standard/sums.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import type { Joined, JoinedSums } from './joined.js';

const CONNECTIONS = 4;

/** A set with its Capability List, or the reason why that cannot be read. */
interface ListedSet extends JoinedSet {
  readonly read: ReadDocument | Absent;
}

interface RightSet extends JoinedSet {
  readonly up: string | undefined;
  readonly entries: ReadDocument['entries'];
}

/** Reads Capability Lists of other builds, in the site or on the web. Never fails, since each build publishes for itself. */
export async function checkJoined(
  { joined, description }: Pick<Parts, 'joined' | 'description'>,
  { url, site }: { readonly url: string; readonly site: string },
  isSigned: boolean,
): Promise<Joined> {
  // Sets and their signatures keep the order of the configuration, whatever is read first.
  const listed: ListedSet[] = [];
  const signed: JoinedSums[] = [];
  const lists = openLists(joined, url, site);
  try {
    await workSideBySide(joined.entries(), CONNECTIONS, async ([index, set]) => {
      const read = await lists.read(set.uri);
      listed[index] = { ...set, read };
      if (!isSigned || isAbsent(read)) return;
      const place = findSums(read.head);
      const sums = await lists.readBytes(place, SUMS_BYTES);
      const signature = await lists.readBytes(place && pathOfSignature(place), MOST_BYTES);
      signed[index] = { ...set, sums, signature };
    });
  } finally {
    lists.close();
  }
  const isUnread = ({ read }: ListedSet) => isAbsent(read) && read.failure !== 'malformed';
  const right = listed.flatMap(({ read, ...set }): RightSet[] =>
    isAbsent(read) || kindOfDocument(read) !== 'capability-list'
      ? []
      : [{ ...set, up: linksOf(read.head, 'up')[0], entries: read.entries }],
  );
  return {
    read: new Set(listed.filter((set) => !isUnread(set)).map(({ uri }) => uri)),
    resourceLists: right.flatMap(({ entries }) => listOffered(entries, 'resourcelist')),
    signed: signed.filter(Boolean),
    notices: [
      ...noticeUnread(listed.filter(isUnread)),
      ...listed.filter((set) => !isUnread(set)).flatMap(noticeKind),
      ...right.flatMap((set) => noticeUp(set, description)),
      ...noticeTwice(right),
    ],
  };
}

function noticeUnread(unread: readonly ListedSet[]): Notice[] {
  const [first] = unread;
  if (first === undefined || !isAbsent(first.read)) return [];
  const { name, uri, read } = first;
  return [{ code: 'set-unread', count: unread.length, set: name, url: uri, found: read.found }];
}

function noticeKind({ name, uri, read }: ListedSet): Notice[] {
  const kind = isAbsent(read) ? undefined : kindOfDocument(read);
  if (kind === 'capability-list') return [];
  const found = isAbsent(read) ? read.found : `it is ${kind ?? 'a Sitemap'}`;
  return [{ code: 'set-wrong', problem: 'kind', set: name, url: uri, found }];
}

function noticeUp({ name, uri, up = 'nothing' }: RightSet, description: string): Notice[] {
  if (up === description) return [];
  return [{ code: 'set-wrong', problem: 'up', set: name, url: uri, found: up, expected: description }];
}

/** Finds sets that are joined under two addresses: they have the same Resource List. */
function noticeTwice(right: readonly RightSet[]): Notice[] {
  const seen = new Map<string, string>();
  return right.flatMap(({ name, uri, entries }): Notice[] => {
    const offered = listLocs(entries);
    const again = offered.find((one) => seen.has(one));
    for (const one of offered) if (!seen.has(one)) seen.set(one, name);
    if (again === undefined) return [];
    const other = seen.get(again) ?? '';
    return [{ code: 'set-wrong', problem: 'twice', set: name, url: uri, found: again, other }];
  });
}

const MOST_BYTES = 1_000_000;
/** Limits for all requests, in bytes and milliseconds: publishing must not wait long for other sites. */
const TOTAL_BYTES = 100_000_000;
const TOTAL_TIME = 60_000;
const LIMITS = { timeout: 10_000, attempts: 2, connections: 4 };

function openLists(joined: readonly JoinedSet[], url: string, site: string) {
  const bounds = new Bounds({ bytes: TOTAL_BYTES, time: TOTAL_TIME, memory: Number.POSITIVE_INFINITY });
  const folder = new SiteFolder(site, url, 'file', bounds);
  const web = openWeb(url, LIMITS, {
    agent: 'resync-static',
    bounds,
    staysHome: true,
    others: joined.flatMap(({ uri }) => (isUrl(uri) ? new URL(uri).origin : [])),
  });
  async function open<T>(
    uri: string,
    most: number,
    read: (body: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T | Absent> {
    try {
      const here = await folder.open(uri);
      const opened = isAbsent(here) ? await web.open(uri, { most, fresh: true }) : here;
      return isAbsent(opened) ? opened : await read(opened.body);
    } catch (error) {
      if (error instanceof BoundReached || error instanceof ResyncError)
        return { failure: 'failed', found: error.message };
      throw error;
    }
  }
  return {
    /** Reads sums or a signature; undefined if they cannot be read: then the signer of the set is unknown. */
    async readBytes(uri: string | undefined, most: number): Promise<Buffer | undefined> {
      if (uri === undefined) return undefined;
      const got = await open(uri, most, (body) => collectBytes(body, most));
      return isAbsent(got) || got.broken !== undefined ? undefined : got.bytes;
    },
    read: (uri: string): Promise<ReadDocument | Absent> => open(uri, MOST_BYTES, parseBody),
    close() {
      bounds.stop();
      web.close();
    },
  };
}
