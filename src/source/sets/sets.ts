/** Finds the sets of resources of a Source, and the lists of each (§8, §9). */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { sameAddress } from '../../paths/address.js';
import { SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { type ChannelCapability, isDefinedCapability } from '../../standard/capabilities.js';
import { MOST_INDEXES } from '../../standard/limits.js';
import { LISTING, RESOURCESYNC } from '../../standard/namespaces.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { findSkipped } from '../../standard/rules/skipped.js';
import { findSums, linksOf, listOffered, textOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { findBeginning } from '../find.js';
import type { Origin } from '../origin/origin.js';
import { findPlainSitemap, hasNoDocument, isPlainPlace } from '../plain-sitemap.js';
import { isRobots, readRobots } from '../robots.js';
import { workSideBySide } from '../web/side-by-side.js';
import {
  type DocumentReader,
  inItself,
  isUnreadable,
  type ReadAnswer,
  requireUnderstood,
  tooDeep,
  unreadable,
} from './reader.js';

export interface Offer {
  /** URL of the Capability List of the set, or of the only document. */
  readonly uri: string;
  readonly resourceLists: readonly string[];
  readonly changeLists: readonly string[];
  readonly resourceDumps: readonly string[];
  readonly changeDumps: readonly string[];
  readonly changeListArchives: readonly string[];
  /** URLs of the channels for changes of resources, and of documents (Notification 0.8, §3). */
  readonly channels: Readonly<Record<ChannelCapability, readonly string[]>>;
  readonly unknown: readonly string[];
  /** True if the list of the set is a Sitemap with nothing of ResourceSync in it. */
  readonly isPlain: boolean;
  /** URL of the `SHA256SUMS` with the documents of the set, if its Capability List names one. */
  readonly sums?: string | undefined;
  /** Fingerprint of the options by which the set is listed, if its Capability List has one. */
  readonly listing?: string | undefined;
  /** URL of the Source Description that the Capability List names; given only with `sums`. */
  readonly up?: string | undefined;
}

/**
 * Finds the document to begin with, as an audit does; or a Sitemap, if there is nothing of ResourceSync.
 * @param former the first document of the last run @throws ResyncError `source-unreadable`
 */
export async function findSource(origin: Origin, named: string, former?: string): Promise<string> {
  let reason = 'there is no Source Description, nothing that leads to one, and no Sitemap';
  let isMissing = true;
  const places: string[] = [];
  const found = await findBeginning(origin, named, (code, { document, found: what }) => {
    if (code === 'document-unreachable' && what !== 'status 403') isMissing = false;
    else if (document !== undefined && code !== 'description-missing' && code !== 'discovery-of-other-kind')
      places.push(document);
    if (what !== undefined) reason = `${document}: ${what}`;
  });
  if (found !== undefined) return found.uri;
  for (const place of places) isMissing &&= await hasNoDocument(origin, place);
  // A Source whose description is missing for a while may list less in its Sitemap, which must not delete anything.
  const mayBePlain = isMissing && (former === undefined || isPlainPlace(former));
  const plain = mayBePlain ? await findPlainSitemap(origin, named, former) : undefined;
  if (plain === undefined) throw unreadable(named, reason);
  return plain;
}

export interface SourceSets {
  readonly offers: readonly Offer[];
  /** URLs of Capability Lists on servers that may not be asked; the first thousand. */
  readonly elsewhere: readonly string[];
  /** Sets that cannot be read, if other sets can: each set may be written by another build. */
  readonly unread: readonly Unread[];
}

const MOST_ELSEWHERE = 1000;

export interface Unread {
  readonly uri: string;
  readonly error: ResyncError;
}

/** Reads the sets of a Source, from its first document on. @param isAllowed tests if the server of a URL may be requested */
export async function readSets(
  reader: DocumentReader,
  beginning: string,
  isAllowed: (uri: string) => boolean,
): Promise<SourceSets> {
  const elsewhere: string[] = [];
  const unread: Unread[] = [];
  const offers = await readOffers(reader, beginning, async (uri, read) => {
    if (isAllowed(uri)) return await tryReading(uri, read, unread);
    if (elsewhere.length < MOST_ELSEWHERE) elsewhere.push(uri);
    return [];
  });
  unread.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  if (offers.length === 0) for (const { error } of unread) throw error;
  return { offers, elsewhere, unread };
}

/** Reads the sets of a Source that are on its own server. @throws ResyncError `source-unreadable` unless all are understood */
export async function readHomeSets(
  reader: DocumentReader,
  beginning: string,
  home: string,
): Promise<readonly Offer[]> {
  const isHome = (uri: string) => isUrl(uri) && new URL(uri).origin === new URL(home).origin;
  const { offers, unread } = await readSets(reader, beginning, isHome);
  for (const { error } of unread) throw error;
  requireUnderstood(reader);
  return offers;
}

type ReadBelow = (uri: string, read: () => Promise<Offer[]>) => Promise<Offer[]>;

/** Reads a set, or adds it to `unread` if it cannot be read. */
export async function tryReading<T>(uri: string, read: () => Promise<T[]>, unread: Unread[]): Promise<T[]> {
  try {
    return await read();
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    unread.push({ uri, error });
    return [];
  }
}

async function readOffers(reader: DocumentReader, beginning: string, below: ReadBelow): Promise<Offer[]> {
  if (isRobots(beginning)) {
    const { sitemaps: resourceLists, odd, broken } = await readRobots(reader.origin, beginning);
    if (resourceLists.length === 0) throw unreadable(beginning, broken ?? 'it names no Sitemap any more');
    reader.skip(...odd.map((line) => ({ document: beginning, ...line })));
    return [{ ...makeOffer(beginning), resourceLists, isPlain: true }];
  }
  const read = await reader.read(beginning, { telling: true });
  switch (kindOfDocument(read)) {
    case 'source-description':
    case 'source-description-index':
      return readDescription(reader, read, below);
    case 'capability-list':
      reader.keepAddresses(read.entries);
      return [makeOffer(beginning, read)];
    case 'resource-list':
    case 'resource-list-index':
      return [{ ...makeOffer(beginning), resourceLists: [beginning] }];
    case 'resource-dump':
    case 'resource-dump-index':
      return [{ ...makeOffer(beginning), resourceDumps: [beginning] }];
    case undefined:
      if (!isPlainSitemap(beginning, read))
        throw unreadable(
          beginning,
          `its root must have <rs:md> of ${RESOURCESYNC} with a known capability, but has ${textOf(read.head, 'capability') ?? 'none'}`,
        );
      return [{ ...makeOffer(beginning), resourceLists: [beginning], isPlain: true }];
    default:
      throw unreadable(
        beginning,
        `it is a ${kindOfDocument(read) ?? 'document'}, and leads to no Resource List`,
      );
  }
}

/** Returns whether nothing in a document is of ResourceSync: a damaged Capability List must not be read as a Sitemap. */
function isPlainSitemap(uri: string, { head, entries }: ReadDocument): boolean {
  const isOfLists = (entry: ReadEntry) => textOf(entry, 'capability') ?? textOf(entry, 'change');
  return (
    head.md === undefined &&
    !uri.endsWith(`/${SOURCE_DESCRIPTION}`) &&
    entries.every((entry) => isOfLists(entry) === undefined)
  );
}

/** Reads the sets that a Source Description, or an index of some, names. @param indexes URLs of the indexes that led to it */
async function readDescription(
  reader: DocumentReader,
  { root, entries, document }: ReadAnswer,
  below: ReadBelow,
  indexes: readonly string[] = [],
): Promise<Offer[]> {
  const offers: Offer[][] = [];
  const above = [...indexes, document.uri];
  const isIndex = root === 'sitemapindex';
  if (isIndex && above.length > MOST_INDEXES) {
    reader.skip(tooDeep(document.uri));
    return [];
  }
  await workSideBySide(entries.entries(), SIDE_BY_SIDE, async ([place, entry]) => {
    const { loc } = entry;
    if (loc === undefined || findSkipped(entry) !== undefined) return;
    if (above.some((uri) => sameAddress(uri, loc))) return reader.skip(inItself(document.uri, entry));
    const readOne = async () => {
      if (isIndex) {
        const part = await reader.read(loc, { kind: 'source-description', telling: true });
        return readDescription(reader, part, below, above);
      }
      const list = await reader.read(loc, { kind: 'capability-list', telling: true });
      reader.keepAddresses(list.entries);
      return [makeOffer(loc, list)];
    };
    offers[place] = await below(loc, readOne);
  });
  return offers.flat();
}

const SIDE_BY_SIDE = 8;

/** Makes the offer of a set. @param read its Capability List, if there is one */
function makeOffer(uri: string, read?: ReadDocument): Offer {
  const entries = read === undefined ? [] : read.entries;
  const list = (capability: string) => listOffered(entries, capability);
  const sums = read && findSums(read.head);
  const [listing] = read === undefined ? [] : linksOf(read.head, LISTING);
  return {
    uri,
    ...(read !== undefined && sums !== undefined && { sums, up: linksOf(read.head, 'up')[0] }),
    ...(listing !== undefined && { listing }),
    resourceLists: list('resourcelist'),
    changeLists: list('changelist'),
    resourceDumps: list('resourcedump'),
    changeDumps: list('changedump'),
    changeListArchives: list('changelist-archive'),
    channels: {
      'change-notification': list('change-notification'),
      'framework-notification': list('framework-notification'),
    },
    unknown: entries.flatMap((entry) => {
      const capability = textOf(entry, 'capability');
      return capability === undefined || isDefinedCapability(capability) ? [] : [capability];
    }),
    isPlain: false,
  };
}

/** Chooses sets by URL of Capability List, or name of folder. @throws ResyncError `config-invalid`, which names existing sets */
export function chooseSets(
  { offers, elsewhere, unread }: SourceSets,
  wanted: readonly string[],
): readonly Offer[] {
  const known = [...offers, ...unread].map(({ uri }) => uri);
  const unknown = wanted.find((name) => !known.some((uri) => isCalled(uri, name)));
  const refused = elsewhere.find((uri) => unknown !== undefined && isCalled(uri, unknown));
  if (refused !== undefined) {
    throw new ResyncError(
      'config-invalid',
      say`The set of resources ${refused} is on another server.\nTo copy it, add --allow ${new URL(refused).origin}`,
    );
  }
  if (unknown !== undefined) {
    throw new ResyncError(
      'config-invalid',
      say`The Source has no set of resources called ${unknown}.\nThere are: ${known.join(', ')}`,
    );
  }
  return offers.filter(({ uri }) => isChosen(uri, wanted));
}

/** Returns whether a set is chosen. @param wanted names and URLs of sets; empty for all sets */
export function isChosen(uri: string, wanted: readonly string[]): boolean {
  return wanted.length === 0 || wanted.some((name) => isCalled(uri, name));
}

function isCalled(uri: string, name: string): boolean {
  return uri === name || nameOfSet(uri) === name;
}

/**
 * Derives the name of a set from its URL: `https://example.org/resourcesync/texts/capabilitylist.xml` → `texts`. The only set of
 * a site below a path has the name of that path: `https://example.org/texts/resourcesync/capabilitylist.xml` → `texts`.
 */
export function nameOfSet(uri: string): string | undefined {
  if (!isUrl(uri)) return undefined;
  const folders = new URL(uri).pathname.split('/').slice(1, -1);
  return folders.findLast((folder) => folder !== 'resourcesync') ?? folders.at(-1);
}
