/** What the lists of a Source say of one resource, and of one change. Who keeps texts that a parser cut out copies them. */

import { isUrl } from '../../standard/model.js';
import { PATCH } from '../../standard/namespaces.js';
import { PATCH_TYPE } from '../../standard/patches/type.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ListedFacts, ReadEntry } from '../../standard/xml/as-read.js';
import { toFacts } from '../listed.js';

/** A resource as a list, a change or a manifest describes it. */
export interface Entry extends ListedFacts {
  readonly uri: string;
  /** Where the same bytes are to be had: duplicates by their priority, and the version that this entry is about (§14.2, §14.6). */
  readonly copies?: readonly Copy[] | undefined;
  /** What leads here from the version before (§14.4). */
  readonly patch?: ListedPatch | undefined;
}

/** A JSON Patch (RFC 6902), as a change lists it. */
export interface ListedPatch {
  readonly uri: string;
  readonly length: number;
  /** Digests in the notation of §7. */
  readonly hash: string;
}

export interface Copy {
  readonly rel: 'duplicate' | 'memento';
  readonly uri: string;
}

/** A change, in the order of its list (§12.1). */
export interface Event {
  readonly change: 'created' | 'updated' | 'deleted';
  /** Milliseconds since 1970; undefined where it is not said. */
  readonly time: number | undefined;
  readonly entry: Entry;
}

/** A Change List, or a part of one. */
export interface ChangePart {
  readonly uri: string;
  /** Milliseconds since 1970. */
  readonly from: number | undefined;
  readonly until: number | undefined;
  /** Undefined where all that it has is before the moment that was asked about. */
  readonly events: readonly Event[] | undefined;
  /** By the clock of its server, when that gave it: milliseconds since 1970; absent where it was not said. */
  readonly date?: number | undefined;
}

/** What numbers, sets, names and the outcome of a run take beside the texts. */
const ROW_BYTES = 60;
const LINK_BYTES = 100;

/** About so many bytes an entry takes in memory, from when it is listed until a run is over. */
export function bytesOf({ uri, hash = '', type = '', encoding = '', copies = [], patch }: Entry): number {
  const own = ROW_BYTES + uri.length + hash.length + type.length + encoding.length;
  const links = patch === undefined ? copies : [...copies, patch];
  return links.reduce((sum, link) => sum + LINK_BYTES + link.uri.length, own);
}

/** What a document was when it was read last: any other answer than this one is news. */
export interface KnownDocument {
  readonly uri: string;
  readonly etag?: string | undefined;
  readonly modified?: string | undefined;
  /** SHA-256. */
  readonly digest: string;
  /** Bytes. */
  readonly length?: number | undefined;
}

/** The lowest priority (§7, `pri`). */
const LAST = 1_000_000;

/** What an entry says; undefined where there is no URL that could be asked for. */
export function makeEntry(read: ReadEntry): Entry | undefined {
  const { loc: uri, links } = read;
  if (uri === undefined || !/^https?:\/\//i.test(uri) || !isUrl(uri)) return undefined;
  const { hash, length, type, encoding } = toFacts(read);
  if (links.length === 0) return { uri, hash, length, type, encoding };
  const [copies, patch] = [listCopies(read), findPatch(read)];
  return { uri, hash, length, type, encoding, copies: copies.length === 0 ? undefined : copies, patch };
}

/** The patch of a change that we can apply; undefined where there is none, or too little is said of it. */
function findPatch({ links, md }: ReadEntry): ListedPatch | undefined {
  if (md?.attributes.change !== 'updated') return undefined;
  const found = links.find(({ attributes: { rel, type } }) => rel === PATCH && type === PATCH_TYPE);
  const { href, hash, length } = found?.attributes ?? {};
  if (href === undefined || hash === undefined || !isUrl(href)) return undefined;
  if (length === undefined || !/^\d{1,9}$/.test(length)) return undefined;
  return { uri: href, hash, length: Number(length) };
}

function listCopies({ links, md }: ReadEntry): Copy[] {
  const ranked = links.flatMap(({ attributes: { rel, href, pri, hash } }) => {
    const known = rel === 'duplicate' || rel === 'memento' ? rel : undefined;
    if (known === undefined || href === undefined || !isUrl(href)) return [];
    // A version of another time has other bytes.
    if (known === 'memento' && (hash === undefined || hash !== md?.attributes.hash)) return [];
    const rank = Number(pri ?? LAST);
    return [{ rank: Number.isNaN(rank) ? LAST : rank, copy: { rel: known, uri: href } as const }];
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ copy }) => copy);
}

/** The changes among entries, copied. */
export function makeEvents(entries: readonly ReadEntry[]): readonly Event[] {
  const events = entries.flatMap((read): Event[] => {
    const change = textOf(read, 'change');
    const entry = makeEntry(read);
    const isChange = change === 'created' || change === 'updated' || change === 'deleted';
    if (entry === undefined || !isChange) return [];
    return [{ change, time: timeOf(read, 'datetime')?.getTime(), entry }];
  });
  return structuredClone(events);
}
