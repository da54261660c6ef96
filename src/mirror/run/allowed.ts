/** Tells resources on allowed origins from those on others. */

import type { Entry, Event } from '../../source/sets/entry.js';
import type { KeptComparison } from '../plan/digests.js';
import type { SetPlanner } from '../plan/plan.js';
import type { ResolvedMirror } from '../resolved.js';

type Allowed = Pick<ResolvedMirror, 'home' | 'allow'>;

export function isAllowed({ home, allow }: Allowed, uri: string): boolean {
  // Fast path: nearly all URLs begin with it, and need not be parsed.
  if (uri.startsWith(home)) return true;
  const { origin } = new URL(uri);
  return `${origin}/` === home || allow.includes(origin);
}

/** Limit of the other origins that are named. */
const MOST_ORIGINS = 3;

/** Hands a planner the resources on allowed origins, and counts the others. */
export class AllowedPlanner implements SetPlanner {
  readonly #planner: SetPlanner;
  readonly #allowed: Allowed;
  readonly #origins: Set<string>;
  #elsewhere = 0;

  /** @param setsElsewhere URLs of Capability Lists on other origins */
  constructor(planner: SetPlanner, allowed: Allowed, setsElsewhere: readonly string[]) {
    this.#planner = planner;
    this.#allowed = allowed;
    this.#origins = new Set(setsElsewhere.slice(0, MOST_ORIGINS).map((uri) => new URL(uri).origin));
  }

  /** Resources on other origins so far. */
  get elsewhere(): number {
    return this.#elsewhere;
  }

  /** The first few other origins. */
  get otherOrigins(): readonly string[] {
    return [...this.#origins];
  }

  list(entry: Entry, set: number, time?: number): boolean {
    if (isAllowed(this.#allowed, entry.uri)) return this.#planner.list(entry, set, time);
    this.#elsewhere++;
    if (this.#origins.size < MOST_ORIGINS) this.#origins.add(new URL(entry.uri).origin);
    return true;
  }

  drop(uri: string, set: number, time?: number): void {
    this.#planner.drop(uri, set, time);
  }

  dropOthers(set: number): void {
    this.#planner.dropOthers(set);
  }

  compare(event: Event, set: number): KeptComparison {
    return isAllowed(this.#allowed, event.entry.uri) ? this.#planner.compare(event, set) : 'same';
  }
}
