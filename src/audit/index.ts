/** `resync-static/audit`. */

export { type ErrorCode, ResyncError } from '../base/errors.js';
export type { HttpLimits } from '../base/http.js';
export type { UrlStyle } from '../paths/urls.js';
export type { CheckCode, Finding, Severity } from '../standard/rules/checks.js';
export { audit } from './audit.js';
export type { AuditConfig } from './options.js';
export type {
  AuditedDocument,
  AuditObserver,
  AuditProgress,
  AuditReport,
  Extent,
  FindingGroup,
} from './report.js';
