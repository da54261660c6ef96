/** Lets one wait, and others end the waiting. */

/** Lets one wait, and others end the waiting. */
export interface Bell {
  readonly ring: () => void;
  /** Waits until it rings, or for so many milliseconds. */
  readonly wait: (milliseconds: number) => Promise<void>;
}

export function makeBell(): Bell {
  let wake = (): void => undefined;
  return {
    ring: () => wake(),
    wait: (milliseconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
