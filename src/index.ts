/** The public surface of the package: the library, and as its default the integration that `astro add` looks for there. */

import { fixNow } from './base/time.js';
import type { UserConfig } from './config/options.js';
import { resolveConfig } from './config/resolve.js';
import type { DiffReport } from './diff/report.js';
import { type DiffOptions, diffSite } from './diff/run/diff.js';
import { resolveNotify } from './tell/notify/config.js';
import { notifyAll } from './tell/notify/notify.js';
import type { NotifyConfig, NotifyOptions, NotifyReport } from './tell/notify/options.js';

export { default } from '../adapters/astro.js';
export { audit } from './audit/audit.js';
export type { AuditConfig } from './audit/options.js';
export type {
  AuditedDocument,
  AuditObserver,
  AuditProgress,
  AuditReport,
  Extent,
  FindingGroup,
} from './audit/report.js';
export type { Interruption } from './base/bell.js';
export { type ErrorCode, ResyncError } from './base/errors.js';
export type { HttpLimits } from './base/http.js';
export type {
  Notice,
  NoticeChoice,
  NoticeCode,
  NoticeSeverity,
  ReportedNotice,
  SkipReason,
  UnlinkedReason,
} from './base/notices.js';
export type { Observer, Progress, Stage } from './base/progress.js';
export type { Clock } from './base/time.js';
export {
  defineConfig,
  type HeadersHost,
  type PerResource,
  type ResourceFacts,
  type SetConfig,
  type UserConfig,
} from './config/options.js';
export { type DescribeOptions, describe, record } from './describe/describe.js';
export type {
  Details,
  DocumentReport,
  JoinedReport,
  PackageReport,
  RecordConfig,
  RecordOptions,
  RecordReport,
  Report,
  SkippedFile,
} from './describe/report.js';
export type { ChangeCounts } from './describe/state.js';
export { type WatchEvent, type WatchOptions, watch } from './describe/watch/watch.js';
export type {
  Difference,
  DifferenceGroup,
  GroupReason,
} from './diff/model.js';
export type {
  ComparedWith,
  DiffReport,
  Incomplete,
  MovedDates,
  ToldChange,
  ToldChanges,
} from './diff/report.js';
export type { Unreproducible } from './diff/reproducible.js';
export type { DiffOptions } from './diff/run/diff.js';
export type { CommonPassage } from './diff/text/passages.js';
export type { ContentKind } from './files/page/kind.js';
export { type PageText, readPage } from './files/page/page.js';
export { mirror } from './mirror/library.js';
export type { MirrorConfig } from './mirror/options.js';
export type { CompareReason } from './mirror/plan/reason.js';
export type {
  MirrorChange,
  MirroredSet,
  MirrorFailure,
  MirrorObserver,
  MirrorOptions,
  MirrorProgress,
  MirrorReport,
} from './mirror/report.js';
export type { UrlStyle } from './paths/urls.js';
export type { EditedFiles } from './site/discovery/edit.js';
export type { ChangeFrequency, HashAlgorithm, Link, Resource } from './standard/model.js';
export type { CheckCode, Finding, Severity } from './standard/rules/checks.js';
export { channel } from './tell/channel/config.js';
export type {
  ChannelConfig,
  ChannelEvent,
  ChannelObserver,
  ChannelOptions,
  ToldEvent,
} from './tell/channel/options.js';
export type {
  NotifiedTarget,
  NotifyConfig,
  NotifyObserver,
  NotifyOptions,
  NotifyProgress,
  NotifyReport,
} from './tell/notify/options.js';

/**
 * Waits until what was deployed is live, and tells channels, WebSub hubs and IndexNow of it.
 *
 * Prints nothing. Who could not be told is in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `source-unreadable`, `not-live`
 */
export async function notify(config: NotifyConfig, options: NotifyOptions = {}): Promise<NotifyReport> {
  return notifyAll(resolveNotify(config), options);
}

/**
 * Tells what the next publication of a site would change: what `describe` would list with the same configuration, and
 * what kind of change each is. Writes nothing, neither into the site nor into a repository, and prints nothing.
 *
 * @throws ResyncError
 */
export async function diff(config: UserConfig, options: DiffOptions = {}): Promise<DiffReport> {
  return diffSite(resolveConfig(config), fixNow(process.env), options);
}
