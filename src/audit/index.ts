/** The entry point `resync-static/audit` of the package. */

import { fixNow } from '../base/time.js';
import { auditSource } from './audit.js';
import { resolveAudit } from './config.js';
import type { AuditConfig } from './options.js';
import type { AuditObserver, AuditReport } from './report.js';

export { type ErrorCode, ResyncError } from '../base/errors.js';
export type { HttpLimits } from '../base/http.js';
export type { UrlStyle } from '../paths/urls.js';
export type { CheckCode, Finding, Severity } from '../standard/rules/checks.js';
export type { AuditConfig } from './options.js';
export type {
  AuditedDocument,
  AuditObserver,
  AuditProgress,
  AuditReport,
  Extent,
  FindingGroup,
} from './report.js';

/**
 * Audits a built site, or what a Source on the web publishes: reads every document that can be reached, and compares
 * the bytes of resources and packages with what is listed.
 *
 * Prints nothing. Mistakes of the Source are in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`
 */
export async function audit(config: AuditConfig, observe?: AuditObserver): Promise<AuditReport> {
  return auditSource(resolveAudit(config), fixNow(process.env), observe);
}
