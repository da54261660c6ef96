/** A log of events, and promises for those that are still to come. */

export interface Log<E> {
  readonly events: readonly E[];
  readonly take: (event: E) => void;
  /** Waits for an event that has happened, or will. */
  readonly until: <T extends E = E>(
    test: ((event: E) => event is T) | ((event: E) => boolean),
    from?: number,
  ) => Promise<T>;
}

export function startLog<E>(): Log<E> {
  const events: E[] = [];
  const waiting = new Set<() => void>();
  return {
    events,
    take(event) {
      events.push(event);
      for (const look of [...waiting]) look();
    },
    until: <T extends E>(test: (event: E) => boolean, from = 0) =>
      new Promise<T>((resolve) => {
        const look = () => {
          const found = events.slice(from).find(test);
          if (found === undefined) return;
          waiting.delete(look);
          resolve(found as T);
        };
        waiting.add(look);
        look();
      }),
  };
}
