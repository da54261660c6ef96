/** Lets one wait, and others end the waiting. */

export interface Bell {
  readonly ring: () => void;
  /** Waits until it rings, or for so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Timers take no more milliseconds, some 24 days. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export function makeBell(): Bell {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** What is used of an `AbortSignal`. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}
