/** The options of `notify`: what a user writes, and what the program uses. */

import type { HttpLimits } from '../../config/http.js';

/** What to tell, and whom. Only `source` has no default; at least one of those to tell has to be named. */
export interface NotifyConfig {
  /** The folder that was deployed, which says what to wait for; or the URL of the live site, which is told as it is. */
  readonly source: string;
  /** URL of the live site, where `source` is a folder. @default what the documents in the folder say */
  readonly url?: string;
  /** W3C Datetime of a publication to wait for. @default the newest in the folder */
  readonly at?: string;
  /** W3C Datetime: all publications since are told. @default the newest one */
  readonly since?: string;
  /** URLs of channels: `resync-static channel`, where it is served. @default none */
  readonly channels?: readonly string[];
  /** URLs of WebSub hubs. @default none */
  readonly hubs?: readonly string[];
  /** The key of IndexNow, which a file `<key>.txt` at the root of the site holds, too. @default none */
  readonly indexnow?: string;
  /** Where IndexNow is told. @default 'https://api.indexnow.org/indexnow' */
  readonly indexnowEndpoint?: string;
  /** How long to wait until the publication is live: seconds, or with a unit, such as `10m`. @default '5m' */
  readonly wait?: number | string;
  /** How to treat servers. */
  readonly http?: Partial<HttpLimits>;
}

/** What to tell, and whom: checked, complete. */
export interface ResolvedNotify {
  /** Absolute path of the folder that was deployed. */
  readonly site: string | undefined;
  /** Of the live site; undefined where the documents of the folder have to say it. */
  readonly url: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number | undefined;
  readonly since: number | undefined;
  readonly channels: readonly string[];
  readonly hubs: readonly string[];
  readonly indexnow: { readonly key: string; readonly endpoint: string } | undefined;
  /** Milliseconds. */
  readonly wait: number;
  readonly http: HttpLimits;
}
