/** The options of `notify`, as users write them and resolved, its progress and its report. */

import type { HttpLimits } from '../../base/http.js';
import type { Clock } from '../../base/time.js';

/** The publication to report, and the targets to notify. Only `source` has no default; at least one target has to be named. */
export interface NotifyConfig {
  /** The deployed folder, whose publication is waited for; or the URL of the live site, to report its state now. */
  readonly source: string;
  /** URL of the live site, where `source` is a folder. @default what the documents in the folder say */
  readonly url?: string;
  /** W3C Datetime of a publication to wait for. @default the newest in the folder */
  readonly at?: string;
  /** W3C Datetime: all publications since then are reported. @default the newest one */
  readonly since?: string;
  /** URLs at which `resync-static channel` is served. @default none */
  readonly channels?: readonly string[];
  /** URLs of WebSub hubs. @default none */
  readonly hubs?: readonly string[];
  /** The key of IndexNow, which a file `<key>.txt` at the root of the site holds, too. @default none */
  readonly indexnow?: string;
  /** Endpoint of IndexNow. @default 'https://api.indexnow.org/indexnow' */
  readonly indexnowEndpoint?: string;
  /** The longest wait until the publication is live: seconds, or with a unit, such as `10m`. @default '5m' */
  readonly wait?: number | string;
  /** Limits of requests to servers. */
  readonly http?: Partial<HttpLimits>;
}

export interface NotifyOptions {
  /** Receives the progress of the wait until a publication is live. */
  readonly observe?: NotifyObserver;
  /** The clock for waiting. @default the clock of the system */
  readonly clock?: Clock;
}

/** Report of who was notified of what. Plain data, fit for `JSON.stringify`. */
export interface NotifyReport {
  /** URL of the live site, or of a document of it. */
  readonly source: string;
  /** Datetime of the newest publication that is live; absent if no list gives one. */
  readonly at?: string;
  readonly since?: string;
  /** Milliseconds until the publication was live. */
  readonly waited: number;
  /** Time since which changes are known, if that is later than `since`: nobody is notified of earlier ones. */
  readonly from?: string;
  /** Number of resources that changed in the publications of which others were notified. */
  readonly changes: number;
  readonly notified: readonly NotifiedTarget[];
}

/** The outcome of one request to a target, or of one that could not be made. */
export interface NotifiedTarget {
  readonly kind: 'channel' | 'hub' | 'indexnow';
  /** Origin of the target's URL: the rest of the URL may be a secret. */
  readonly target: string;
  readonly done: boolean;
  /** URL of the document of which a hub was notified. */
  readonly topic?: string;
  /** Number of URLs that were submitted to a search engine. */
  readonly urls?: number;
  /**
   * Number of changed pages that were not submitted: `unlisted` ones are not in `pages.json`, because they say `noindex`, name
   * another page as canonical, or are in the set of another build; of `markup` ones, the main text is the same.
   */
  readonly skipped?: { readonly unlisted: number; readonly markup: number };
  readonly status?: number;
  /** What the server answered to a refused request, or why the request failed. */
  readonly found?: string;
}

/** Receives the progress of the wait until a publication is live. */
export type NotifyObserver = (progress: NotifyProgress) => void;

export interface NotifyProgress {
  readonly stage: 'waiting';
  /** Milliseconds of waiting so far; `total` is the longest wait. */
  readonly done: number;
  readonly total?: number;
}

export const NOTIFY_DEFAULTS = {
  wait: '5m',
  indexnowEndpoint: 'https://api.indexnow.org/indexnow',
  http: { timeout: 30_000, attempts: 3, connections: 4 },
} as const;
