/** Documents that a run publishes. */

import type { Publishable } from '../paths/hold/files.js';
import type { DocumentKind } from '../standard/capabilities.js';

export interface NamedDocument {
  /** Path relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: DocumentKind | 'page' | 'feed' | 'sitemap' | 'pages' | 'sums' | 'signature';
  readonly entries: number;
}

/** A document of this run: with new content or a staged file, or with neither if its file in the site stays. */
export type NewDocument = Publishable & NamedDocument;
