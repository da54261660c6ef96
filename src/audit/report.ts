/** The report of an audit. */

import type { CheckCode, Finding, Severity } from '../standard/rules/checks.js';
import type { StandardKind } from '../standard/rules/kinds.js';

/** The report of an audit. Plain data, fit for `JSON.stringify`. */
export interface AuditReport {
  /** Absolute path, or URL as the user named it. */
  readonly source: string;
  /** URL at which it was served for this audit, if not at that of the Source. */
  readonly servedAt?: string;
  /** URL of the document with which the audit began, if one was found. */
  readonly description?: string;
  readonly documents: readonly AuditedDocument[];
  readonly resources: Extent;
  readonly packages: Extent;
  /** Present with `gone`, if the Source is on the web. */
  readonly addresses?: AskedAddresses;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** By check, worst first. */
  readonly findings: readonly FindingGroup[];
  /** Milliseconds: reading documents and packages, comparing the bytes of resources, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'total', number>>;
}

/** All findings of one check. */
export interface FindingGroup {
  readonly code: CheckCode;
  readonly severity: Severity;
  /** A section of the standard. */
  readonly section: string;
  readonly count: number;
  /** The first hundred. */
  readonly findings: readonly Finding[];
}

export interface AuditedDocument {
  readonly uri: string;
  /** Undefined for a kind that the standard does not define. */
  readonly kind: StandardKind | undefined;
  readonly entries: number;
  readonly bytes: number;
}

/** The number of listed items, and of those that were compared. */
export interface Extent {
  readonly listed: number;
  readonly checked: number;
  /** Bytes of the checked ones. */
  readonly bytes: number;
}

/** The numbers of addresses that were deleted, by what the live site answers. */
export interface AskedAddresses {
  readonly listed: number;
  readonly there: number;
  readonly redirected: number;
  /** Redirected, and nothing is there. */
  readonly nowhere: number;
  readonly gone: number;
  /** Answered with status 410: given up on purpose. */
  readonly withdrawn: number;
  /** Deletions before this moment are not known; a W3C Datetime. */
  readonly from?: string;
}

/** Receives the progress of an audit. */
export type AuditObserver = (progress: AuditProgress) => void;

export interface AuditProgress {
  readonly stage: 'documents' | 'packages' | 'resources';
  readonly done: number;
  /** Unknown for documents. */
  readonly total?: number | undefined;
}
