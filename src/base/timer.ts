/** A timer that can be cut short, and the signal that ends a run. */

/** The longest delay that timers of Node.js take, in milliseconds: some 24 days. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export class WakeableTimer {
  #end = (): void => undefined;

  /** Ends the wait. Bound, because it is passed as a listener. */
  readonly wake = (): void => this.#end();

  wait(milliseconds: number): Promise<void> {
    return new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(milliseconds, LONGEST_TIMER));
      this.#end = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A signal that ends a run: the used part of an `AbortSignal`. */
export interface Interruption {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options: { readonly once: true }): void;
}
