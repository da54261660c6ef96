/** The report of an audit. */

import type { CheckCode, Finding, Severity } from '../standard/rules/checks.js';
import type { StandardKind } from '../standard/rules/kinds.js';

/** The report of an audit. Plain data, fit for `JSON.stringify`. */
export interface AuditReport {
  /** Absolute path of the audited folder, or URL of the Source as the user named it. */
  readonly source: string;
  /** URL at which the Source was served for this audit, if not at its own. */
  readonly servedAt?: string;
  /** URL of the document with which the audit began, if one was found. */
  readonly description?: string;
  readonly documents: readonly AuditedDocument[];
  readonly resources: Extent;
  readonly packages: Extent;
  /** Numbers of deleted addresses by the answers of the live site. Present with `gone`, if the Source is on the web. */
  readonly addresses?: AskedAddresses;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** Findings by check, the worst first. */
  readonly findings: readonly FindingGroup[];
  /** Durations in milliseconds: reading documents and packages, comparing the bytes of resources, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'total', number>>;
}

/** What one check found: how often, and the first findings. */
export interface FindingGroup {
  readonly code: CheckCode;
  readonly severity: Severity;
  /** Section of the standard that the check is about. */
  readonly section: string;
  readonly count: number;
  /** The first hundred findings. */
  readonly findings: readonly Finding[];
}

export interface AuditedDocument {
  readonly uri: string;
  /** Kind of the document; undefined if it cannot be read, or is of an undefined or unexpected kind. */
  readonly kind: StandardKind | undefined;
  readonly entries: number;
  readonly bytes: number;
}

/** The number of listed items, and of those that were compared. */
export interface Extent {
  readonly listed: number;
  readonly checked: number;
  /** Bytes of the items that were compared. */
  readonly bytes: number;
}

/** Numbers of deleted addresses, by what the live site answers. */
export interface AskedAddresses {
  readonly listed: number;
  readonly there: number;
  readonly redirected: number;
  /** Number of addresses that are redirected to where nothing is. */
  readonly nowhere: number;
  readonly gone: number;
  /** Number of addresses answered with status 410: given up on purpose. */
  readonly withdrawn: number;
  /** Deletions before this moment are not known; a W3C Datetime. */
  readonly from?: string;
}

/** Receives the progress of an audit. */
export type AuditObserver = (progress: AuditProgress) => void;

export interface AuditProgress {
  readonly stage: 'documents' | 'packages' | 'resources';
  readonly done: number;
  /** Number of resources to compare; unknown for documents and packages. */
  readonly total?: number | undefined;
}
