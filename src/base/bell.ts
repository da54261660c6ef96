/** Lets one wait, and others end the waiting. */

export type Bell = ReturnType<typeof makeBell>;

/** Timers take no more milliseconds, some 24 days. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export function makeBell() {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    /** Waits until it rings, or for so many milliseconds. */
    wait: (milliseconds: number) =>
      new Promise<void>((resolve) => {
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
