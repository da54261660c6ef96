/** Limits of requests to servers on the web. */

/** Limit of pings and pongs on a WebSocket in half a minute; a sender of more counts as dead. */
export const MOST_SIGNS = 100;

export interface HttpLimits {
  /** Milliseconds to wait for an answer, and then for each piece of it. @default 30,000 */
  readonly timeout: number;
  /** Attempts of a request before it fails. @default 3 */
  readonly attempts: number;
  /** Connections to one host at a time. @default 4 */
  readonly connections: number;
}
