/** What `notify` tells of itself. */

/** Who was told what. Plain data, fit for `JSON.stringify`. */
export interface NotifyReport {
  /** URL of the live site, or of a document of it. */
  readonly source: string;
  /** The newest publication that is live; absent where no list says one. */
  readonly at?: string;
  /** As it was asked for. */
  readonly since?: string;
  /** Milliseconds until the publication was live. */
  readonly waited: number;
  /** Where changes are known from, if that is later than `since`: what came before was not told. */
  readonly from?: string;
  /** Resources that changed in what was told. */
  readonly changes: number;
  readonly told: readonly NotifiedTarget[];
}

/** One request, or one that could not be made. */
export interface NotifiedTarget {
  readonly kind: 'channel' | 'hub' | 'indexnow';
  /** Its URL, without a query: there may be a secret in it. */
  readonly target: string;
  readonly done: boolean;
  /** URL of what a hub was told of. */
  readonly topic?: string;
  /** How many URLs a search engine was told. */
  readonly urls?: number;
  /** Pages that changed and were not told: they say `noindex`, or cannot be had. */
  readonly left?: { readonly noindex: number; readonly absent: number };
  /** Of the answer. */
  readonly status?: number;
  /** Why it failed, or what was answered. */
  readonly found?: string;
}

/** Is told while the publication is waited for. */
export type NotifyObserver = (progress: NotifyProgress) => void;

export interface NotifyProgress {
  readonly stage: 'waiting' | 'pages';
  /** Milliseconds; or pages that were looked at. */
  readonly done: number;
  readonly total?: number;
}
