/** The options of an audit, checked and complete. */

import type { HttpLimits } from '../base/http.js';
import type { UrlStyle } from '../paths/urls.js';

export interface ResolvedAudit {
  readonly source:
    | { readonly kind: 'web'; readonly url: string }
    /** A folder on disk; `site` is its absolute path. */
    | { readonly kind: 'folder'; readonly site: string };
  /** URL at which a folder is served, with a trailing slash; undefined to find it in the documents. */
  readonly url: string | undefined;
  /** Style of the URLs of HTML files; undefined to find it from the listed URLs. */
  readonly urls?: UrlStyle | undefined;
  /** URL at which the Source is served now, with a trailing slash; undefined for where it is published. */
  readonly servedAt: string | undefined;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Number or share of the resources to compare; undefined for all. */
  readonly sample: { readonly count: number } | { readonly share: number } | undefined;
  readonly since: Date | undefined;
  readonly gone: boolean;
  readonly maxBytes: number;
  /** The longest time that the audit may take, in milliseconds. */
  readonly maxTime: number;
  readonly trust: readonly string[];
  readonly http: HttpLimits;
}
