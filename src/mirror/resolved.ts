/** The options of a mirror, checked and complete. Sizes are in bytes, times in milliseconds. */

import type { AllowedOrigins } from './plan/origins.js';
import type { MostDeletions } from './plan/plan.js';

export interface ResolvedMirror extends AllowedOrigins {
  /** Normalized URL. */
  readonly source: string;
  /** URL with a trailing slash; undefined if the Source is read where it is published. */
  readonly servedAt: string | undefined;
  /** Absolute path. */
  readonly folder: string;
  readonly documents: boolean;
  readonly sets: readonly string[];
  /** Values by names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly from: 'auto' | 'list' | 'dump';
  readonly maxDelete: MostDeletions;
  readonly dryRun: boolean;
  readonly verify: boolean;
  /** Absolute path. */
  readonly changes: string | undefined;
  readonly maxBytes: number;
  readonly maxTime: number;
  /** As the user wrote it; if empty, the keys that signed the copy before are required, if any. */
  readonly trust: readonly string[];
  readonly maxAge: number | undefined;
  /** Least time between two requests to one server. */
  readonly gap: number;
  /** Value of `User-Agent`. */
  readonly agent: string;
  /** Limit of the memory that the entries of lists take. */
  readonly mostKept: number;
  readonly http: { readonly timeout: number; readonly attempts: number; readonly connections: number };
}
