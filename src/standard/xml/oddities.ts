/** Takes note of what the standard does not define, however much of it there is. */

import { RESOURCESYNC, SCHEMA_INSTANCE, SITEMAP } from '../namespaces.js';
import type { Oddity } from './as-read.js';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const KNOWN_NAMESPACES: ReadonlySet<string> = new Set(['', SITEMAP, RESOURCESYNC, SCHEMA_INSTANCE]);
const MOST_ODDITIES = 1000;
/** Characters. */
const LONGEST_NAME = 1000;

export interface OddityList {
  readonly all: readonly Oddity[];
  /** Adds one; past the first thousand, it is counted with the first that is alike. */
  add(oddity: Omit<Oddity, 'count'>): void;
}

export function startOddities(): OddityList {
  const all: Mutable<Oddity>[] = [];
  /** The first of each kind, of which the others are counted. */
  const counted = new Map<string, Mutable<Oddity>>();
  return {
    all,
    add(oddity) {
      const { what, name, namespace, parent } = oddity;
      const kind = `${what} ${KNOWN_NAMESPACES.has(namespace) ? namespace : 'another'}`;
      const alike = counted.get(kind);
      if (alike !== undefined && all.length >= MOST_ODDITIES) {
        alike.count++;
        return;
      }
      const kept = {
        ...oddity,
        name: copyName(name),
        namespace: copyName(namespace),
        parent: copyName(parent),
        count: 1,
      };
      if (alike === undefined) counted.set(kind, kept);
      all.push(kept);
    },
  };
}

/** What a parser cuts out of a text is a view of all that is around it, and would keep it in memory. */
function copyName(name: string): string {
  return Buffer.from(name.length <= LONGEST_NAME ? name : `${name.slice(0, LONGEST_NAME - 1)}…`).toString();
}
