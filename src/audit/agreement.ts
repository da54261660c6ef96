/** What the documents of one set of resources say of one another: the same, or the set is not uniform (§9). Pure. */

import type { ReadDocument, ReadEntry } from '../resourcesync/as-read.js';
import { parseDatetime } from '../resourcesync/model.js';
import type { CheckCode, Tell } from './checks.js';
import { textOf, timeOf } from './rules/rules.js';

/** What an entry says of a representation, as it stands. */
export interface Facts {
  readonly hash: string | undefined;
  readonly length: string | undefined;
  readonly type: string | undefined;
  readonly encoding: string | undefined;
}

/** Where something is listed. */
interface Place {
  readonly uri: string;
  readonly document: string;
  readonly line: number;
}

/** A resource, as the newest document about it says. */
export interface ListedResource extends Place, Facts {
  readonly lastmod: string | undefined;
}

export interface ListedChange extends Place, Facts {
  readonly lastmod: string | undefined;
  readonly change: string | undefined;
  readonly datetime: string | undefined;
  readonly time: Date | undefined;
}

/** An interval that is open at the end, or at both where nobody said. */
interface Interval {
  readonly from: Date | undefined;
  readonly until: Date | undefined;
}

/** What is known of a set of resources while its documents are read, one after another. */
export interface SetState {
  /** By URI; undefined where there is no Resource List, or it could not be read. */
  resources: Map<string, ListedResource> | undefined;
  /** Of the Resource List. */
  at: { readonly text: string; readonly time: Date } | undefined;
  /** Undefined where there is no Change List, or it could not be read. */
  changes: { readonly interval: Interval; readonly events: ListedChange[] } | undefined;
  dumped: Set<string>;
  dumpedChanges: Set<ListedChange>;
}

export function makeSet(): SetState {
  return {
    resources: undefined,
    at: undefined,
    changes: undefined,
    dumped: new Set(),
    dumpedChanges: new Set(),
  };
}

function toFacts({ md }: ReadEntry): Facts {
  const { hash, length, type, encoding } = md?.attributes ?? {};
  return { hash, length, type, encoding };
}

/** What an entry lists; undefined where it has no URI. */
export function makeListed(entry: ReadEntry, document: string): ListedResource | undefined {
  const { loc: uri, line, lastmod } = entry;
  if (uri === undefined) return undefined;
  const { hash, length, type, encoding } = toFacts(entry);
  return { uri, document, line, lastmod, hash, length, type, encoding };
}

/**
 * Makes resources that outlive their document. What a parser cuts out of a text is a view on it, which keeps all of it
 * in memory: every text is copied, and those that come again and again are shared.
 */
function startDetaching(): (listed: ListedResource) => ListedResource {
  const known = new Map<string, string>();
  const share = (text: string | undefined) => {
    if (text === undefined) return undefined;
    const before = known.get(text);
    if (before !== undefined) return before;
    const kept = copyText(text);
    if (known.size < MOST_SHARED) known.set(kept, kept);
    return kept;
  };
  return ({ uri, document, line, lastmod, hash, length, type, encoding }) => ({
    uri: copyText(uri),
    document,
    line,
    lastmod: share(lastmod),
    hash: hash && copyText(hash),
    // Short texts are copies already.
    length: length === undefined || length.length < 13 ? length : copyText(length),
    type: share(type),
    encoding: share(encoding),
  });
}

const MOST_SHARED = 1000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const buffer = new Uint8Array(8192);

/** Copies a text that a parser cut out of a larger one, and that is to outlive it. */
export function copyText(text: string): string {
  const { read, written } = encoder.encodeInto(text, buffer);
  return read === text.length ? decoder.decode(buffer.subarray(0, written)) : Buffer.from(text).toString();
}

/** Starts to add the resources of a Resource List, whole or a part; tells of those that are there already. */
export function startAdding(
  set: SetState,
  document: string,
  tell: Tell,
  keep: (bytes: number) => void,
): (entry: ReadEntry) => void {
  const detach = startDetaching();
  set.resources ??= new Map();
  const { resources } = set;
  return (entry) => {
    const listed = makeListed(entry, document);
    if (listed === undefined) return;
    const before = resources.get(listed.uri);
    if (before !== undefined) {
      const { uri, line } = listed;
      tell('entry-repeated', {
        document,
        line,
        entry: uri,
        found: `also in ${before.document}:${before.line}`,
      });
    }
    const kept = detach(listed);
    keep(weigh(kept));
    resources.set(kept.uri, kept);
  };
}

/** Adds a Change List, whole or a part, in the order of their times. */
export function addChanges(
  set: SetState,
  document: string,
  { entries }: ReadDocument,
  keep: (bytes: number) => void,
): void {
  const detach = startDetaching();
  set.changes ??= { interval: { from: undefined, until: undefined }, events: [] };
  for (const entry of entries) {
    const listed = makeListed(entry, document);
    if (listed === undefined) continue;
    // Its key in the comparison with a dump holds the URI once more.
    keep(weigh(listed) + LISTED_BYTES + listed.uri.length);
    const { uri, line, lastmod, hash, length, type, encoding } = detach(listed);
    const [change, said] = [textOf(entry, 'change'), textOf(entry, 'datetime')];
    // Spelled out, as what is spread takes twice the memory.
    set.changes.events.push({
      uri,
      document,
      line,
      lastmod,
      change: change && copyText(change),
      // Most changes say the same moment twice.
      datetime: said === listed.lastmod ? lastmod : said && copyText(said),
      time: timeOf(entry, 'datetime'),
      hash,
      length,
      type,
      encoding,
    });
  }
}

/** About how many bytes of memory something listed takes, in all tables together. */
function weigh({ uri, hash = '', length = '', type = '', encoding = '' }: Facts & { readonly uri: string }) {
  const texts = Buffer.byteLength(uri) + Buffer.byteLength(hash);
  return LISTED_BYTES + texts + length.length + type.length + encoding.length;
}

/** Values, and their places in the tables of an audit. */
const LISTED_BYTES = 250;

interface Difference {
  /** Otherwise one of the two only leaves something out. */
  readonly contradiction: boolean;
  readonly found: string;
  readonly expected: string;
}

/** What two descriptions of one representation do not have in common; rather what they contradict each other in. */
function compareFacts(a: Modified, b: Modified): Difference | undefined {
  let silent: Difference | undefined;
  for (const name of ['length', 'hash', 'type', 'encoding', 'lastmod'] as const) {
    const [one, other] = [a[name], b[name]];
    if (one === other) continue;
    const said = { found: `${name} ${one ?? 'not said'}`, expected: other ?? 'not said' };
    if (one === undefined || other === undefined) silent ??= { contradiction: false, ...said };
    else if (name === 'hash') {
      const digests = readDigests(other);
      const common = [...readDigests(one)].filter(([algorithm]) => digests.has(algorithm));
      if (common.some(([algorithm, digest]) => digests.get(algorithm) !== digest)) {
        return { contradiction: true, ...said };
      }
      if (common.length < Math.max(digests.size, readDigests(one).size))
        silent ??= { contradiction: false, ...said };
    } else if (name !== 'lastmod' || parseDatetime(one)?.getTime() !== parseDatetime(other)?.getTime()) {
      return { contradiction: true, ...said };
    }
  }
  return silent;
}

type Modified = Facts & { readonly lastmod?: string | undefined };

/** Two descriptions of a change; of its `lastmod` either may say nothing (§12.1, §13.2). */
function withoutSilence(a: Modified, b: Modified): [Modified, Modified] {
  const told = a.lastmod !== undefined && b.lastmod !== undefined;
  return told
    ? [a, b]
    : [
        { ...a, lastmod: undefined },
        { ...b, lastmod: undefined },
      ];
}

/** The digests of a `hash` attribute by the names of their algorithms, in lower case (§7). */
export function readDigests(hash: string | undefined): ReadonlyMap<string, string> {
  const digests = new Map<string, string>();
  for (const token of hash?.split(/\s+/) ?? []) {
    const colon = token.indexOf(':');
    if (colon > 0) digests.set(token.slice(0, colon), token.slice(colon + 1).toLowerCase());
  }
  return digests;
}

/** Change List against Resource List: the newest change of a URI that the list has to know, and its entry there. */
export function compareListWithChanges({ resources, at, changes }: SetState, tell: Tell): void {
  if (resources === undefined || changes === undefined || at === undefined) return;
  const newest = new Map<string, ListedChange>();
  for (const event of changes.events) newest.set(event.uri, event);
  for (const event of newest.values()) {
    // §7: the list holds all changes up to `at`; of a later one, or one without a time, it need not know.
    if (event.time === undefined || event.time > at.time) continue;
    const { uri: entry, document, line } = event;
    const listed = resources.get(entry);
    if (event.change === 'deleted') {
      if (listed !== undefined)
        tell('deleted-but-listed', { document, line, entry, expected: `not in ${listed.document}` });
    } else if (listed === undefined) tell('changed-but-not-listed', { document, line, entry });
    else {
      // §12.1: a change need not say anything of the representation, nor be the time of its last modification.
      const difference = compareFacts(...withoutSilence(event, listed));
      if (difference?.contradiction === true) {
        const { found, expected } = difference;
        tell('change-differs-from-list', { document, line, entry, found, expected });
      }
    }
  }
  const { from } = changes.interval;
  if (from === undefined) return;
  for (const { uri: entry, document, line, lastmod } of resources.values()) {
    const time = lastmod === undefined ? undefined : parseDatetime(lastmod);
    if (time === undefined || time <= from || newest.has(entry)) continue;
    if (changes.interval.until !== undefined && time > changes.interval.until) continue;
    tell('lastmod-without-change', { document, line, entry, found: `lastmod ${lastmod}` });
  }
}

/** Resource List against Resource Dump. */
export function startDumpComparison(set: SetState, document: string, at: Date | undefined, tell: Tell) {
  const { resources, changes } = set;
  const same = set.at === undefined || at === undefined || set.at.time.getTime() === at.getTime();
  if (!same) tell('moments-differ', { document, found: at?.toISOString(), expected: set.at?.text });
  const earlier = Math.min(set.at?.time.getTime() ?? 0, at?.getTime() ?? 0);
  // Between the two moments a resource may have changed.
  const moved = new Set(
    changes?.events.flatMap(({ uri, time }) => (time !== undefined && time.getTime() > earlier ? uri : [])),
  );
  const excused = (uri: string) => !same && (changes === undefined || moved.has(uri));
  const say = (code: CheckCode, place: Place, difference?: Difference) => {
    const { uri: entry, document: where, line } = place;
    const { found, expected } = difference ?? {};
    if (!excused(entry)) tell(code, { document: where, line, entry, found, expected });
  };
  return {
    /** Takes a manifest, or its copy. */
    add(manifest: string, { entries }: ReadDocument): void {
      for (const entry of entries) {
        const { loc: uri, line, lastmod } = entry;
        if (uri === undefined || resources === undefined) continue;
        const place = { uri, line, document: manifest };
        const listed = resources.get(uri);
        if (listed !== undefined) set.dumped.add(listed.uri);
        if (listed === undefined) say('resource-only-in-dump', place);
        else {
          const difference = compareFacts({ ...toFacts(entry), lastmod }, listed);
          if (difference !== undefined) {
            say(difference.contradiction ? 'dump-differs-from-list' : 'said-only-once', place, difference);
          }
        }
      }
    },
    /** Tells of what is in no package; all have to have been added. */
    finish(): void {
      for (const listed of resources?.values() ?? []) {
        if (!set.dumped.has(listed.uri)) say('resource-not-in-dump', listed);
      }
    },
  };
}

/** Change List against Change Dump, as far as their intervals are the same. */
export function startChangeDumpComparison(
  { changes, dumpedChanges }: SetState,
  interval: Interval,
  tell: Tell,
) {
  const keyOf = (uri: string, time: Date) => `${time.getTime()} ${uri}`;
  const begin = Math.max(changes?.interval.from?.getTime() ?? 0, interval.from?.getTime() ?? 0);
  const end = Math.min(
    ...[changes?.interval.until, interval.until].map((time) => time?.getTime() ?? Infinity),
  );
  const isCommon = (time: Date | undefined): time is Date =>
    time !== undefined && time.getTime() > begin && time.getTime() <= end;
  const events = new Map<string, ListedChange[]>();
  for (const event of changes?.events ?? []) {
    if (!isCommon(event.time)) continue;
    const key = keyOf(event.uri, event.time);
    events.set(key, [...(events.get(key) ?? []), event]);
  }
  return {
    add(document: string, { entries }: ReadDocument): void {
      for (const entry of entries) {
        const { loc: uri, line, lastmod } = entry;
        const time = timeOf(entry, 'datetime');
        if (uri === undefined || changes === undefined || !isCommon(time)) continue;
        const event = events.get(keyOf(uri, time))?.find((candidate) => !dumpedChanges.has(candidate));
        if (event === undefined) {
          tell('change-only-in-dump', {
            document,
            line,
            entry: uri,
            found: `datetime ${textOf(entry, 'datetime')}`,
          });
          continue;
        }
        dumpedChanges.add(event);
        const change = textOf(entry, 'change');
        const difference =
          change === event.change
            ? compareFacts(...withoutSilence({ ...toFacts(entry), lastmod }, event))
            : { contradiction: true, found: `change ${change}`, expected: event.change ?? 'not said' };
        if (difference === undefined) continue;
        const { contradiction, found, expected } = difference;
        const code = contradiction ? 'change-differs-from-dump' : 'said-only-once';
        tell(code, { document, line, entry: uri, found, expected });
      }
    },
    finish(): void {
      for (const event of [...events.values()].flat()) {
        const { uri: entry, document, line, datetime } = event;
        if (!dumpedChanges.has(event))
          tell('change-not-in-dump', { document, line, entry, found: `datetime ${datetime}` });
      }
    },
  };
}

/**
 * What there should be now: the Resource List, and the changes after it (§5.2); and what is gone by now. Uses the
 * Resource List up, which may be large.
 */
export function deriveState({ resources, at, changes }: SetState): {
  present: ReadonlyMap<string, ListedResource>;
  /** The last change of each URI that is gone. */
  deleted: ListedChange[];
} {
  const present = resources ?? new Map<string, ListedResource>();
  const deleted = new Map<string, ListedChange>();
  for (const event of changes?.events ?? []) {
    const { uri, change, datetime, time } = event;
    if (change === 'deleted') deleted.set(uri, event);
    else deleted.delete(uri);
    if (resources !== undefined && (time === undefined || at === undefined || time <= at.time)) continue;
    if (change === 'deleted') present.delete(uri);
    else if (change !== undefined) present.set(uri, { ...event, lastmod: datetime });
  }
  return { present, deleted: [...deleted.values()].filter(({ uri }) => !present.has(uri)) };
}
