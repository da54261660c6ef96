/** Derives the states of a set of resources at previous moments, each from the one before it. Pure. */

/** The value of a URL from a moment on; undefined if it is gone. */
export interface StateChange<V> {
  readonly uri: string;
  readonly datetime: Date;
  readonly value: V | undefined;
}

/** A state, in the order of the URLs. */
export interface PastState<V> {
  readonly at: Date;
  readonly values: readonly V[];
}

/**
 * The state before all changes.
 *
 * @param present the state after them
 * @param changes in forward chronological order, with what each URL was before
 */
export function rewind<V>(
  present: ReadonlyMap<string, V>,
  changes: readonly { readonly uri: string; readonly previous?: V | undefined }[],
): Map<string, V> {
  const state = new Map(present);
  for (const { uri, previous } of changes.toReversed()) {
    if (previous === undefined) state.delete(uri);
    else state.set(uri, previous);
  }
  return state;
}

/**
 * Makes the states of some moments, one after another, so that only one is in memory.
 *
 * @param baseline the state before all steps
 * @param steps in forward chronological order
 * @param moments in the same order
 */
export function* takeSnapshots<V>(
  baseline: ReadonlyMap<string, V>,
  steps: readonly StateChange<V>[],
  moments: readonly Date[],
): Generator<PastState<V>, void> {
  const state = new Map(baseline);
  let uris = [...state.keys()].sort();
  let next = 0;
  for (const at of moments) {
    const created = new Set<string>();
    let deleted = false;
    for (let step = steps[next]; step !== undefined && step.datetime <= at; step = steps[++next]) {
      if (step.value === undefined) {
        state.delete(step.uri);
        deleted = true;
      } else {
        if (!state.has(step.uri)) created.add(step.uri);
        state.set(step.uri, step.value);
      }
    }
    // A URL that was deleted and came back is created, and is still in the list.
    if (deleted) uris = uris.filter((uri) => state.has(uri) && !created.has(uri));
    if (created.size > 0) uris = merge(uris, [...created].filter((uri) => state.has(uri)).sort());
    yield { at, values: uris.map((uri) => state.get(uri) as V) };
  }
}

/** Merges what is in order, which is quicker than sorting all of it again. */
function merge(one: readonly string[], other: readonly string[]): string[] {
  const merged: string[] = [];
  let index = 0;
  for (const uri of other) {
    for (let before = one[index]; before !== undefined && before < uri; before = one[++index]) {
      merged.push(before);
    }
    merged.push(uri);
  }
  while (index < one.length) merged.push(one[index++] as string);
  return merged;
}
