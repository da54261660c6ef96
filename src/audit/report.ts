/** The report of an audit. */

import type { CheckCode, Finding, Severity } from '../standard/rules/checks.js';
import type { StandardKind } from '../standard/rules/kinds.js';

/** The report of an audit. Plain data, fit for `JSON.stringify`. */
export interface AuditReport {
  /** Absolute path or URL, as it was named. */
  readonly source: string;
  /** URL at which it was served for this audit; absent where that is the one that was named. */
  readonly servedAt?: string;
  /** URL of the document with which the audit began; absent where none was found. */
  readonly description?: string;
  readonly documents: readonly AuditedDocument[];
  readonly resources: Extent;
  readonly packages: Extent;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** By check, worst first. */
  readonly findings: readonly FindingGroup[];
  /** Milliseconds: reading documents and packages, comparing the bytes of resources, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'total', number>>;
}

/** All that one check found. */
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
  /** Undefined where it is none that the standard defines. */
  readonly kind: StandardKind | undefined;
  readonly entries: number;
  readonly bytes: number;
}

/** The part of what is listed that was compared with what is there. */
export interface Extent {
  readonly listed: number;
  readonly checked: number;
  /** The bytes of what was checked. */
  readonly bytes: number;
}

/** Is told how far an audit has come. */
export type AuditObserver = (progress: AuditProgress) => void;

export interface AuditProgress {
  readonly stage: 'documents' | 'packages' | 'resources';
  readonly done: number;
  /** Unknown for documents. */
  readonly total?: number | undefined;
}
