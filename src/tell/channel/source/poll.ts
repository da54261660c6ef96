/** Polls a Source: first the Change Lists, so that changes are reported at once, then all other documents. */

import type { Origin } from '../../../source/origin/origin.js';
import type { ChangePart, Event, KnownDocument } from '../../../source/sets/entry.js';
import { bytesOfEvent, readChangeLists } from '../../../source/sets/lists.js';
import {
  areUnchanged,
  DocumentReader,
  isUnchanged,
  requireUnderstood,
  TAKE_NOTHING,
  unreadable,
} from '../../../source/sets/reader.js';
import { findSource, type Offer, readHomeSets } from '../../../source/sets/sets.js';
import type { DocumentCapability } from '../../../standard/capabilities.js';
import { listLocs } from '../../../standard/rules/values.js';
import type { PolledDocument, PolledDocuments } from '../plan/documents.js';

/** Limit of memory for the changes of one poll, in bytes; twice as much may be in use while they are read. */
const MOST_CHANGES = 64_000_000;
/** Limit of memory for one poll down to the Change Lists: its changes, those of one more list, and all addresses, in bytes. */
const MOST_KEPT = 400_000_000;
/** Limit of memory for the addresses of Resource Lists, dumps and their parts, in bytes. */
const MOST_KEPT_OF_REST = 64_000_000;

/** The documents of a Source as they were at the last poll. */
export interface SourceState {
  readonly beginning: string;
  readonly offers: readonly Offer[];
  /** Documents from the Source Description down to the Change Lists. */
  readonly top: PolledDocuments;
  /** All other documents of the Source: Resource Lists, dumps and their parts. */
  readonly rest: PolledDocuments;
}

/** The documents from the Source Description down to the Change Lists, and their changes. */
export interface PolledTop extends Omit<SourceState, 'rest'> {
  /** Parts of the Change Lists, by the Capability List of each set that has any. */
  readonly changes: ReadonlyMap<string, readonly ChangePart[]>;
}

/**
 * Reads the documents from the Source Description down to the Change Lists.
 *
 * @param since returns, by the URI of the Capability List of a set, the time before which parts are not read
 * @returns undefined if these documents are unchanged
 */
export async function pollTop(
  origin: Origin,
  source: string,
  previous: SourceState | undefined,
  since: (set: string) => number,
): Promise<PolledTop | undefined> {
  if (previous !== undefined && (await areUnchanged(origin, [...previous.top.values()].filter(isRead))))
    return undefined;
  const reader = new DocumentReader(origin, MOST_KEPT);
  const beginning = previous?.beginning ?? (await findSource(origin, source));
  const offers = await readHomeSets(reader, beginning, source);
  const above = reader.known();
  const top = new Map<string, PolledDocument>();
  const capabilityLists = new Set(offers.map(({ uri }) => uri));
  if (!above.some(({ uri }) => capabilityLists.has(uri)) || offers.some(hasNoSet))
    throw unreadable(beginning, 'it leads to no Capability List, and only such a list can have a channel');
  for (const document of above) {
    const { uri } = document;
    const isList = capabilityLists.has(uri);
    top.set(uri, { ...document, ...(isList ? { capability: 'capabilitylist', set: uri } : TOP) });
  }
  const changes = new Map<string, readonly ChangePart[]>();
  for (const { uri: set, changeLists } of offers) {
    const parts: ChangePart[] = [];
    for (const uri of changeLists) {
      const trimmer = new ChangeTrimmer(reader, MOST_CHANGES / (offers.length * changeLists.length));
      const read = await readChangeLists(reader, [uri], since(set), (some) => trimmer.trim(some));
      parts.push(...read);
      for (const document of describeChangeList(reader, uri, read, set)) top.set(document.uri, document);
    }
    if (parts.length > 0) changes.set(set, parts);
  }
  // A part of a list that was not understood would be reported as removed.
  requireUnderstood(reader);
  return { beginning, offers, top, changes };
}

/** Drops the oldest changes that were read, whenever they take twice the memory that may be kept. */
class ChangeTrimmer {
  readonly #reader: DocumentReader;
  readonly #most: number;
  #held = 0;

  constructor(reader: DocumentReader, most: number) {
    this.#reader = reader;
    this.#most = most;
  }

  trim(parts: ChangePart[]): ChangePart[] {
    this.#held += bytesOfPart(parts.at(-1));
    if (this.#held <= 2 * this.#most) return parts;
    const kept = keepNewest(parts, this.#most);
    const rest = kept.reduce((sum, part) => sum + bytesOfPart(part), 0);
    this.#reader.keep(rest - this.#held);
    this.#held = rest;
    return kept;
  }
}

function bytesOfPart({ events = [] }: Partial<ChangePart> = {}): number {
  return events.reduce((sum, event) => sum + bytesOfEvent(event), 0);
}

/** Returns parts of Change Lists with their newest changes only, up to a limit of memory. Earlier changes count as not read. */
function keepNewest(parts: readonly ChangePart[], most: number): ChangePart[] {
  let room = most;
  const keep = (part: ChangePart): ChangePart => {
    const { events = [], from } = part;
    let first = events.length;
    while (first > 0 && room > 0) room -= bytesOfEvent(events[--first] as Event);
    if (first === 0) return part;
    const kept = events.slice(first);
    return { ...part, from: kept[0]?.time ?? from, events: kept.length === 0 ? undefined : kept };
  };
  return parts.toReversed().map(keep).reverse();
}

/** Returns whether an offer is a single list or dump, to which no Capability List leads. */
function hasNoSet({ uri, resourceLists, resourceDumps }: Offer): boolean {
  return resourceLists.includes(uri) || resourceDumps.includes(uri);
}

function describeChangeList(
  reader: DocumentReader,
  uri: string,
  parts: readonly ChangePart[],
  set: string,
): PolledDocument[] {
  const common = { capability: 'changelist', set } as const;
  const known = new Map(reader.known().map((document) => [document.uri, document]));
  const below = parts.map((part) => part.uri).filter((part) => part !== uri);
  const isIndex = parts.length !== 1 || below.length > 0;
  const describeOne = (one: string) => ({ ...(known.get(one) ?? { uri: one, digest: ENDED }), ...common });
  return [
    { ...describeOne(uri), parts: isIndex ? below : undefined },
    ...below.map((part) => ({ ...describeOne(part), index: uri })),
  ];
}

const TOP = { capability: 'description' } as const;

/** Placeholder for the digest of a closed list, which is not polled, since it does not change any more. */
const ENDED = '';
const isRead = ({ digest }: KnownDocument) => digest !== ENDED;

const OTHERS = [
  ['resourcelist', 'resourceLists', 'resource-list'],
  ['resourcedump', 'resourceDumps', 'resource-dump'],
  ['changedump', 'changeDumps', 'change-dump'],
] as const satisfies readonly (readonly [DocumentCapability, keyof Offer, string])[];

/** Polls the Resource Lists, dumps and their parts, and reads those that have changed. */
export async function pollRest(
  origin: Origin,
  offers: readonly Offer[],
  previous: PolledDocuments,
): Promise<Map<string, PolledDocument>> {
  const reader = new DocumentReader(origin, MOST_KEPT_OF_REST);
  const rest = new Map<string, PolledDocument>();
  // Entries are not needed: changes of resources are in the Change Lists, and here only changes of documents are reported.
  const poll = async (uri: string, kind: string): Promise<KnownDocument & Pick<PolledDocument, 'parts'>> => {
    const known = previous.get(uri);
    if (known !== undefined && (await isUnchanged(origin, known))) return known;
    const { root, entries, document } = await reader.read(uri, { taker: TAKE_NOTHING, kind, telling: true });
    const parts = listLocs(entries);
    return { ...document, parts: root === 'sitemapindex' ? parts : undefined };
  };
  for (const offer of offers) {
    for (const [capability, lists, kind] of OTHERS) {
      for (const uri of offer[lists]) {
        const common = { capability, set: offer.uri } as const;
        const whole = await poll(uri, kind);
        rest.set(uri, { ...whole, ...common, index: undefined });
        for (const part of whole.parts ?? [])
          rest.set(part, { ...(await poll(part, kind)), ...common, index: uri, parts: undefined });
      }
    }
  }
  requireUnderstood(reader);
  return rest;
}
