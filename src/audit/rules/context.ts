/** What is known of a document while it is checked. Pure. */

import type { KindRule, StandardKind } from '../../standard/rules/kinds.js';

/** What is known of a document before it is read. */
export interface DocumentContext {
  /** Its URL. */
  readonly uri: string;
  /** What a document above said that it is; undefined where nothing did. */
  readonly expected?: StandardKind | 'capability' | undefined;
  /** The URLs to which its `up` link has to lead; undefined where nothing above is known. */
  readonly up?: string | undefined;
  /** The index of which it is a part. */
  readonly index?: string | undefined;
  /** The archive of such documents; false where there is to be no link to one. */
  readonly archives?: string | false | undefined;
  readonly now: Date;
}

/** A document of which the kind is known. */
export interface DocumentOfKind {
  readonly kind: StandardKind;
  readonly rule: KindRule;
  readonly context: DocumentContext;
  /** The root of its host, with a trailing slash; undefined where it is not on the web. */
  readonly root: string | undefined;
  /** When the snapshot was complete; undefined where it is none. */
  readonly snapshotEnd: Date | undefined;
}
