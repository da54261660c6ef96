/** How servers of others are treated. */

/** Pings and pongs of a WebSocket in half a minute: who sends more means no sign of life. */
export const MOST_SIGNS = 100;

/** How servers are treated. */
export interface HttpLimits {
  /** Milliseconds to wait for an answer, and then for each piece of it. @default 30,000 */
  readonly timeout: number;
  /** How often a request is made before it is given up. @default 3 */
  readonly attempts: number;
  /** Connections to one host at a time. @default 4 */
  readonly connections: number;
}
