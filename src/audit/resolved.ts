/** The options of an audit, checked and complete. */

import type { HttpLimits } from '../base/http.js';
import type { UrlStyle } from '../paths/urls.js';

export interface ResolvedAudit {
  readonly source:
    | { readonly kind: 'web'; readonly url: string }
    /** `site` is an absolute path. */
    | { readonly kind: 'folder'; readonly site: string };
  /** With a trailing slash; undefined to find it in the documents. */
  readonly url: string | undefined;
  /** Undefined to find it in what is listed. */
  readonly urls?: UrlStyle | undefined;
  /** With a trailing slash; undefined for where it is published. */
  readonly servedAt: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Undefined for all resources. */
  readonly sample: { readonly count: number } | { readonly share: number } | undefined;
  readonly since: Date | undefined;
  readonly gone: boolean;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly maxTime: number;
  readonly trust: readonly string[];
  readonly http: HttpLimits;
}
