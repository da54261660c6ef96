/** The public surface of the package. */

export { audit } from './audit/audit.js';
export type { CheckCode, Finding, Severity } from './audit/checks.js';
export type {
  AuditedDocument,
  AuditObserver,
  AuditProgress,
  AuditReport,
  Extent,
  FindingGroup,
} from './audit/report.js';
export type { Interruption } from './bell.js';
export { channel } from './channel/channel.js';
export type {
  ChannelConfig,
  ChannelEvent,
  ChannelObserver,
  ChannelOptions,
  ToldEvent,
} from './channel/options.js';
export {
  type AuditConfig,
  defineConfig,
  type HeadersHost,
  type PerResource,
  type ResourceFacts,
  type SetConfig,
  type UserConfig,
} from './config/options.js';
export { type DescribeOptions, describe } from './describe.js';
export type {
  ContentKind,
  Difference,
  DifferenceGroup,
  GroupReason,
  LineCounts,
} from './diff/model.js';
export type { ComparedWith, DiffReport, Incomplete, ToldChange, ToldChanges } from './diff/report.js';
export type { Unreproducible } from './diff/reproducible.js';
export { type DiffOptions, diff } from './diff/run/diff.js';
export type { EditedFiles } from './discovery/edit.js';
export { type ErrorCode, ResyncError } from './errors.js';
export { mirror } from './mirror/library.js';
export type { MirrorConfig } from './mirror/options.js';
export type { CompareReason } from './mirror/plan/reason.js';
export type {
  MirroredSet,
  MirrorFailure,
  MirrorObserver,
  MirrorProgress,
  MirrorReport,
} from './mirror/report.js';
export type {
  Notice,
  NoticeChoice,
  NoticeCode,
  NoticeSeverity,
  ReportedNotice,
  SkipReason,
  UnlinkedReason,
} from './notices.js';
export { type NotifyOptions, notify } from './notify/notify.js';
export type { NotifyConfig } from './notify/options.js';
export type {
  NotifiedTarget,
  NotifyObserver,
  NotifyProgress,
  NotifyReport,
} from './notify/report.js';
export type { UrlStyle } from './paths/urls.js';
export type { Observer, Progress, Stage } from './progress.js';
export type { Details, DocumentReport, JoinedReport, PackageReport, Report, SkippedFile } from './report.js';
export type { ChangeFrequency, HashAlgorithm, Link, Resource } from './resourcesync/model.js';
export type { ChangeCounts } from './state.js';
export type { Clock } from './time.js';
export { type WatchEvent, type WatchOptions, watch } from './watch/watch.js';
export type { HttpLimits } from './web/limits.js';
