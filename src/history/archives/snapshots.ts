/** Derives the states of a set of resources at previous moments, each from the state before it. Pure. */

/** A change of one URL: the value that it has from a moment on; undefined if the URL is gone. */
export interface StateChange<V> {
  readonly uri: string;
  readonly datetime: Date;
  readonly value: V | undefined;
}

/** The state of a set at one moment: a value for each URL, in the order of the URLs. */
export interface PastState<V> {
  readonly at: Date;
  readonly values: readonly V[];
}

/** Undoes changes: returns the state before all of them. @param changes in forward chronological order */
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

/** Yields the state at each moment, one at a time to save memory. @param steps and moments oldest first */
export function* takeSnapshots<V>(
  baseline: ReadonlyMap<string, V>,
  steps: readonly StateChange<V>[],
  moments: readonly Date[],
): Generator<PastState<V>, void> {
  const state = new Map(baseline);
  let next = 0;
  for (const at of moments) {
    for (let step = steps[next]; step !== undefined && step.datetime <= at; step = steps[++next]) {
      if (step.value === undefined) state.delete(step.uri);
      else state.set(step.uri, step.value);
    }
    const sorted = [...state].sort(([a], [b]) => (a < b ? -1 : 1));
    yield { at, values: sorted.map(([, value]) => value) };
  }
}
