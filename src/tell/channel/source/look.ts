/** One look at a Source: first at its changes, so that they are told at once, then at all its other documents. */

import type { Origin } from '../../../source/origin/origin.js';
import type { ChangePart, Event, KnownDocument } from '../../../source/sets/entry.js';
import { bytesOfEvent, readChangeLists, type Trim } from '../../../source/sets/lists.js';
import {
  areUnchanged,
  DocumentReader,
  isUnchanged,
  requireUnderstood,
  TAKE_NOTHING,
  unreadable,
} from '../../../source/sets/reader.js';
import { findSource, type Offer, readHomeSets } from '../../../source/sets/sets.js';
import type { DocumentCapability } from '../../../standard/document.js';
import type { SeenDocument, SeenDocuments } from '../plan/documents.js';

/** Bytes of memory for the changes that one look meets, of which twice as many may be held while it is read. */
const MOST_CHANGES = 64_000_000;
/** For these, those of one list more, and the addresses of all documents. */
const MOST_KEPT = 400_000_000;
/** For the addresses of all other documents. */
const MOST_KEPT_OF_REST = 64_000_000;

/** What a look has met. */
export interface LookMemory {
  readonly beginning: string;
  readonly offers: readonly Offer[];
  /** From the Source Description down to the Change Lists. */
  readonly top: SeenDocuments;
  /** All others. */
  readonly rest: SeenDocuments;
}

/** What the top of a Source says now. */
export type SeenTop = NonNullable<Awaited<ReturnType<typeof lookAtTop>>>;

/**
 * Reads the documents from the Source Description down to the Change Lists.
 *
 * @param since for each set, by the URI of its Capability List: parts that ended before are not read
 * @returns undefined where they are what they were
 */
export async function lookAtTop(
  origin: Origin,
  source: string,
  former: LookMemory | undefined,
  since: (set: string) => number,
) {
  if (former !== undefined && (await areUnchanged(origin, [...former.top.values()].filter(isRead))))
    return undefined;
  const reader = new DocumentReader(origin, MOST_KEPT);
  const beginning = former?.beginning ?? (await findSource(origin, source));
  const offers = await readHomeSets(reader, beginning, source);
  const above = reader.known();
  const top = new Map<string, SeenDocument>();
  const capabilityLists = new Set(offers.map(({ uri }) => uri));
  if (!above.some(({ uri }) => capabilityLists.has(uri)) || offers.some(isWithoutSet))
    throw unreadable(beginning, 'it leads to no Capability List, and only such a list can have a channel');
  for (const document of above) {
    const { uri } = document;
    const isList = capabilityLists.has(uri);
    top.set(uri, { ...document, ...(isList ? { capability: 'capabilitylist', set: uri } : TOP) });
  }
  /** Of each set that has Change Lists, what they say. */
  const changes = new Map<string, readonly ChangePart[]>();
  for (const { uri: set, changeLists } of offers) {
    const parts: ChangePart[] = [];
    for (const uri of changeLists) {
      const trim = startTrimming(reader, MOST_CHANGES / (offers.length * changeLists.length));
      const read = await readChangeLists(reader, [uri], since(set), trim);
      parts.push(...read);
      for (const document of describeChangeList(reader, uri, read, set)) top.set(document.uri, document);
    }
    if (parts.length > 0) changes.set(set, parts);
  }
  // A part that is not found there would be told to be gone.
  requireUnderstood(reader);
  return { beginning, offers, top, changes };
}

/** Lets go of the oldest changes whenever there are twice as many as are kept, in bytes. */
function startTrimming(reader: DocumentReader, most: number): Trim {
  let held = 0;
  return (parts) => {
    held += bytesOfPart(parts.at(-1));
    if (held <= 2 * most) return parts;
    const kept = keepNewest(parts, most);
    const rest = kept.reduce((sum, part) => sum + bytesOfPart(part), 0);
    reader.keep(rest - held);
    held = rest;
    return kept;
  };
}

function bytesOfPart(part: ChangePart | undefined): number {
  return (part?.events ?? []).reduce((sum, event) => sum + bytesOfEvent(event), 0);
}

/** The newest changes of parts in their order. What stands before them counts as not read. */
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

/** Where a Source begins with a list, it has no Capability List. */
function isWithoutSet({ uri, resourceLists, resourceDumps }: Offer): boolean {
  return resourceLists.includes(uri) || resourceDumps.includes(uri);
}

/** A Change List, and its parts where it is an index. */
function describeChangeList(
  reader: DocumentReader,
  uri: string,
  parts: readonly ChangePart[],
  set: string,
): SeenDocument[] {
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

/** A list that has ended changes no more, so nobody looks at it. */
const ENDED = '';
const isRead = ({ digest }: KnownDocument) => digest !== ENDED;

const OTHERS = [
  ['resourcelist', 'resourceLists', 'resource-list'],
  ['resourcedump', 'resourceDumps', 'resource-dump'],
  ['changedump', 'changeDumps', 'change-dump'],
] as const satisfies readonly (readonly [DocumentCapability, keyof Offer, string])[];

/** Looks at all other documents, and reads those that are not what they were. */
export async function lookAtRest(
  origin: Origin,
  offers: readonly Offer[],
  former: SeenDocuments,
): Promise<Map<string, SeenDocument>> {
  const reader = new DocumentReader(origin, MOST_KEPT_OF_REST);
  const rest = new Map<string, SeenDocument>();
  // What is in it is not wanted: that it changed is told, and what changed is in the Change Lists.
  const lookAt = async (uri: string, kind: string): Promise<KnownDocument & Pick<SeenDocument, 'parts'>> => {
    const seen = former.get(uri);
    if (seen !== undefined && (await isUnchanged(origin, seen))) return seen;
    const { root, entries, document } = await reader.read(uri, { taker: TAKE_NOTHING, kind, telling: true });
    const parts = entries.flatMap(({ loc }) => loc ?? []);
    return { ...document, parts: root === 'sitemapindex' ? parts : undefined };
  };
  for (const offer of offers) {
    for (const [capability, lists, kind] of OTHERS) {
      for (const uri of offer[lists]) {
        const common = { capability, set: offer.uri } as const;
        const whole = await lookAt(uri, kind);
        rest.set(uri, { ...whole, ...common, index: undefined });
        for (const part of whole.parts ?? [])
          rest.set(part, { ...(await lookAt(part, kind)), ...common, index: uri, parts: undefined });
      }
    }
  }
  requireUnderstood(reader);
  return rest;
}
