/** Checks archives: their documents, gaps between them, and their agreement with one another and with the current lists. */

import { type Address, addressOf } from '../paths/address.js';
import { copyText, toFacts } from '../source/listed.js';
import type { StandardKind } from '../standard/rules/kinds.js';
import { textOf, timeOf } from '../standard/rules/values.js';
import type { ListedFacts, ReadEntry } from '../standard/xml/as-read.js';
import { compareFacts } from './agreement/differences.js';
import type { AuditedSet } from './agreement/set.js';
import { auditPackages } from './packages/packages.js';
import type { Problem, Reading, Run } from './picture.js';
import {
  auditDocument,
  compareTimes,
  eachPart,
  type FoundDocument,
  isKnown,
  noteLinked,
  URI_BYTES,
} from './read.js';

/** The past of one set, as its archives describe it. */
export interface ArchivedPast {
  readonly states: {
    readonly document: string;
    readonly at: Date;
    readonly facts: ReadonlyMap<Address, ListedFacts>;
  }[];
  readonly changes: (ListedFacts & {
    readonly document: string;
    readonly uri: Address;
    readonly time: Date;
    readonly deleted: boolean;
  })[];
  /** The beginning of the first archived Change List; undefined if there is none. */
  begin: Date | undefined;
  /** The end of the last archived Change List, and where an archive lists it; undefined if there is none. */
  end: { readonly document: string; readonly line: number; readonly until: Date } | undefined;
  /** False if a document of an archive is not part of this past: it is unreadable, or another document led to it before. */
  whole: boolean;
}

export function createPast(): ArchivedPast {
  return { states: [], changes: [], begin: undefined, end: undefined, whole: true };
}

export async function auditArchive(
  reading: Reading,
  past: ArchivedPast,
  archive: FoundDocument,
): Promise<void> {
  await eachPart(reading, archive, (part) => auditEntries(reading, past, part));
}

async function auditEntries(reading: Reading, past: ArchivedPast, archive: FoundDocument): Promise<void> {
  const { uri: document, up, read, kind } = archive;
  const expected = kind.replace('-archive', '') as StandardKind;
  for (const entry of read.entries) {
    if (entry.loc === undefined) continue;
    const uri = copyText(entry.loc);
    const until = timeOf(entry, 'until');
    if (kind === 'change-list-archive' && until !== undefined) {
      past.begin ??= timeOf(entry, 'from');
      if (past.end === undefined || until > past.end.until) past.end = { document, line: entry.line, until };
    }
    const found = await auditDocument(reading, { uri, expected, up, archives: false });
    if (!isKnown(found)) {
      past.whole = false;
      continue;
    }
    compareTimes(entry, found.read.head, (facts) =>
      reading.run.flag('part-time-differs', { document, line: entry.line, entry: uri, ...facts }),
    );
    if (expected.startsWith('change') && timeOf(found.read.head, 'until') === undefined) {
      reading.run.flag('archived-open', { document: uri, line: found.read.head.md?.line });
    }
    await take(reading, past, found);
  }
}

/** Adds the state or changes of an archived list to the past of a set; checks the packages of an archived dump. */
async function take(reading: Reading, past: ArchivedPast, archived: FoundDocument): Promise<void> {
  const { uri: document, kind, read } = archived;
  const at = timeOf(read.head, 'at');
  if (kind.startsWith('resource-list') && at !== undefined) {
    const facts = new Map<Address, ListedFacts>();
    await eachPart(reading, archived, async (part) => {
      for (const one of part.read.entries)
        if (one.loc !== undefined) facts.set(copyText(addressOf(one.loc)), keepFacts(reading.run, one));
    });
    past.states.push({ document, at, facts });
  } else if (kind.startsWith('change-list')) {
    await eachPart(reading, archived, async (part) => {
      noteLinked(reading, part.uri, part.read);
      for (const one of part.read.entries) {
        const time = timeOf(one, 'datetime');
        if (one.loc === undefined || time === undefined) continue;
        const deleted = textOf(one, 'change') === 'deleted';
        past.changes.push({
          document: part.uri,
          uri: copyText(addressOf(one.loc)),
          time,
          deleted,
          ...keepFacts(reading.run, one),
        });
      }
    });
  } else if (!kind.startsWith('resource-list')) {
    await eachPart(reading, archived, async (part) => {
      await auditPackages(reading, part, () => undefined);
    });
  }
}

function keepFacts({ bounds }: Run, entry: ReadEntry): ListedFacts {
  const facts = toFacts(entry);
  for (const text of [facts.hash, entry.loc]) if (text !== undefined) bounds.keep(text.length);
  bounds.keep(URI_BYTES);
  return structuredClone(facts);
}

/** Checks that no time is missing between archives and Change List, and that archived changes lead from state to state. */
export function* comparePast(past: ArchivedPast, { changes: current }: AuditedSet): Generator<Problem> {
  const from = current?.interval.from;
  if (past.end !== undefined && from !== undefined && from > past.end.until) {
    const { document, line, until } = past.end;
    const expected = `not before ${from.toISOString()}, where the Change List begins`;
    yield ['interval-gap', { document, line, found: `until ${until.toISOString()}`, expected }];
  }
  if (!past.whole || past.begin === undefined || past.end === undefined) return;
  // Archives that are out of order are reported when they are read.
  const states = past.states.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const changes = past.changes.toSorted((a, b) => a.time.getTime() - b.time.getTime());
  let next = 0;
  for (const [index, { document, at, facts }] of states.entries()) {
    const before = states[index - 1];
    // Only states between the first archived Change List and the last one are compared: other changes are unknown.
    if (before === undefined || before.at < past.begin || at > past.end.until) continue;
    const state = new Map(before.facts);
    for (let change = changes[next]; change !== undefined && change.time <= at; change = changes[++next]) {
      if (change.time <= before.at) continue;
      if (change.deleted) state.delete(change.uri);
      else state.set(change.uri, change);
    }
    for (const entry of new Set([...state.keys(), ...facts.keys()])) {
      const [expected, found] = [state.get(entry), facts.get(entry)];
      const difference = expected && found && compareFacts(found, expected);
      if (expected === undefined) yield ['archived-state-differs', { document, entry, found: 'listed' }];
      else if (found === undefined)
        yield ['archived-state-differs', { document, entry, found: 'not listed' }];
      else if (difference?.contradiction === true)
        yield ['archived-state-differs', { document, entry, ...difference }];
    }
  }
}
