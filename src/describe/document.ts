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

/** A document to publish, or one that stays as it is. */
export type NewDocument = Publishable & NamedDocument;
