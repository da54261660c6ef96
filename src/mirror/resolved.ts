/** The options of a mirror, checked and complete. Sizes are in bytes, times in milliseconds. */

import type { AllowedOrigins } from './plan/origins.js';
import type { MostDeletions } from './plan/plan.js';

export interface ResolvedMirror extends AllowedOrigins {
  /** URL of the Source, normalized. */
  readonly source: string;
  /** URL at which the Source is read, with a trailing slash; undefined if that is where it is published. */
  readonly servedAt: string | undefined;
  /** Absolute path of the copy. */
  readonly folder: string;
  readonly documents: boolean;
  readonly sets: readonly string[];
  /** Request headers: values by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly from: 'auto' | 'list' | 'dump';
  readonly maxDelete: MostDeletions;
  readonly dryRun: boolean;
  readonly verify: boolean;
  /** Absolute path of the file that gets the changes. */
  readonly changes: string | undefined;
  readonly maxBytes: number;
  readonly maxTime: number;
  /** Trusted keys, as the user wrote them; if empty, a key that signed the copy before is required, if any did. */
  readonly trust: readonly string[];
  readonly maxAge: number | undefined;
  /** Least time between two requests to one server. */
  readonly gap: number;
  readonly agent: string;
  /** Limit of the memory that the entries of lists take. */
  readonly mostKept: number;
  readonly http: { readonly timeout: number; readonly attempts: number; readonly connections: number };
}
