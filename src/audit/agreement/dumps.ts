/** Compares the dumps of a set with its lists (§9), manifest by manifest. */

import { groupBy } from '../../base/group.js';
import { type Address, addressOf } from '../../paths/address.js';
import { type ListedChange, type ListedPlace, toFacts } from '../../source/listed.js';
import type { CheckCode, Flag } from '../../standard/rules/checks.js';
import { textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import { compareFacts, type FactDifference, withoutSilence } from './differences.js';
import { type AuditedSet, type Interval, type ListedTable, listEvents } from './set.js';

export interface ManifestComparison {
  /** Compares a manifest of the dump, or a copy of it outside of the package, with the lists. */
  add(document: string, manifest: ReadDocument): void;
  /** Reports listed resources or changes that no manifest names; called once all manifests were added. */
  finish(): void;
}

/** Compares the manifests of a Resource Dump with the Resource List of its set. */
export class DumpComparison implements ManifestComparison {
  readonly #resources: ListedTable | undefined;
  readonly #dumped: Set<number>;
  readonly #isExcused: (uri: Address) => boolean;
  readonly #flag: Flag;

  constructor(set: AuditedSet, document: string, at: Date | undefined, flag: Flag) {
    const { changes } = set;
    this.#flag = flag;
    this.#resources = set.resources;
    this.#dumped = set.dumped;
    const isSame = set.at === undefined || at === undefined || set.at.time.getTime() === at.getTime();
    if (!isSame) flag('moments-differ', { document, found: at?.toISOString(), expected: set.at?.text });
    const earlier = Math.min(timeOr(set.at?.time, 0), timeOr(at, 0));
    // If list and dump are of different moments, a resource may have changed in between.
    const moved = new Set(
      changes?.events.flatMap(({ uri, time }) => (time !== undefined && time.getTime() > earlier ? uri : [])),
    );
    this.#isExcused = (uri) => !isSame && (changes === undefined || moved.has(uri));
  }

  add(document: string, { entries }: ReadDocument): void {
    const resources = this.#resources;
    for (const entry of entries) {
      const { loc, line, lastmod } = entry;
      if (loc === undefined || resources === undefined) continue;
      const uri = addressOf(loc);
      const place = { uri, line, document };
      const number = resources.find(uri);
      const listed = number === undefined ? undefined : resources.at(number);
      if (number !== undefined) this.#dumped.add(number);
      if (listed === undefined) this.#flagEntry('resource-only-in-dump', place);
      else {
        const difference = compareFacts({ ...toFacts(entry), lastmod }, listed);
        const code = difference?.contradiction === true ? 'dump-differs-from-list' : 'said-only-once';
        if (difference !== undefined) this.#flagEntry(code, place, difference);
      }
    }
  }

  finish(): void {
    const resources = this.#resources;
    if (resources === undefined) return;
    for (const number of resources.numbers())
      if (!this.#dumped.has(number)) this.#flagEntry('resource-not-in-dump', resources.at(number));
  }

  #flagEntry(code: CheckCode, { uri, document, line }: ListedPlace, difference?: FactDifference): void {
    if (!this.#isExcused(uri)) this.#flag(code, { document, line, entry: uri, ...difference });
  }
}

/** Returns a date in milliseconds since 1970, or else the value for a missing date. */
function timeOr(date: Date | undefined, missing: number): number {
  return date === undefined ? missing : date.getTime();
}

/** Compares a Change Dump with the Change List, within the interval that both cover. */
export class ChangeDumpComparison implements ManifestComparison {
  readonly #changes: AuditedSet['changes'];
  readonly #dumped: Set<ListedChange>;
  /** Bounds of the interval that both Change List and Change Dump cover, in milliseconds since 1970. */
  readonly #begin: number;
  readonly #end: number;
  /** Listed changes in the common interval of list and dump, by moment and URI. */
  readonly #events: ReadonlyMap<string, readonly ListedChange[]>;
  readonly #flag: Flag;

  constructor({ changes, dumpedChanges }: AuditedSet, { from, until }: Interval, flag: Flag) {
    this.#changes = changes;
    this.#dumped = dumpedChanges;
    this.#begin = Math.max(timeOr(changes?.interval.from, 0), timeOr(from, 0));
    this.#end = Math.min(timeOr(changes?.interval.until, Infinity), timeOr(until, Infinity));
    this.#events = groupBy(listEvents({ changes }), ({ uri, time }) => this.#keyOf(uri, time));
    this.#flag = flag;
  }

  add(document: string, { entries }: ReadDocument): void {
    if (this.#changes === undefined) return;
    for (const entry of entries) {
      const { loc = '', line, lastmod } = entry;
      const uri = addressOf(loc);
      const key = this.#keyOf(uri, timeOf(entry, 'datetime'));
      if (key === undefined) continue;
      const event = this.#events.get(key)?.find((candidate) => !this.#dumped.has(candidate));
      if (event === undefined) {
        const found = `datetime ${textOf(entry, 'datetime')}`;
        this.#flag('change-only-in-dump', { document, line, entry: uri, found });
        continue;
      }
      this.#dumped.add(event);
      const change = textOf(entry, 'change');
      const difference =
        change === event.change
          ? compareFacts(...withoutSilence({ ...toFacts(entry), lastmod }, event))
          : { contradiction: true, found: `change ${change}`, expected: event.change ?? 'not said' };
      if (difference === undefined) continue;
      const code = difference.contradiction ? 'change-differs-from-dump' : 'said-only-once';
      this.#flag(code, { document, line, entry: uri, ...difference });
    }
  }

  finish(): void {
    for (const event of [...this.#events.values()].flat()) {
      const { uri: entry, document, line, datetime } = event;
      if (!this.#dumped.has(event))
        this.#flag('change-not-in-dump', { document, line, entry, found: `datetime ${datetime}` });
    }
  }

  /** Makes the key of a change; undefined if it has no URI, no time, or one outside of the common interval of list and dump. */
  #keyOf(uri: string, time: Date | undefined): string | undefined {
    const moment = time?.getTime();
    const isCommon = moment !== undefined && moment > this.#begin && moment <= this.#end;
    return uri !== '' && isCommon ? `${moment} ${uri}` : undefined;
  }
}
