/** The library `resync-static`. Its default export is the integration for Astro, because `astro add` looks for it there. */

import { fixNow } from './base/time.js';
import type { UserConfig } from './config/options.js';
import { resolveConfig } from './config/resolve.js';
import type { DiffReport } from './diff/report.js';
import { type DiffOptions, diffSite } from './diff/run/diff.js';

export { default } from '../adapters/astro.js';
export { type ErrorCode, ResyncError } from './base/errors.js';
export type { Notice, NoticeChoice, NoticeCode, NoticeSeverity, ReportedNotice } from './base/notices.js';
export type { Observer, Progress, Stage } from './base/progress.js';
export type { SkipReason, UnlinkedReason } from './base/reasons.js';
export type { Interruption } from './base/timer.js';
export {
  defineConfig,
  type HeadersHost,
  type PerResource,
  type ResourceFacts,
  type SetConfig,
  type UserConfig,
} from './config/options.js';
export { type DescribeOptions, describe, record } from './describe/index.js';
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
  ReportedChange,
  ReportedChanges,
} from './diff/report.js';
export type { Unreproducible } from './diff/reproducible.js';
export type { DiffOptions } from './diff/run/diff.js';
export type { CommonPassage } from './diff/text/passages.js';
export { type PageText, readPage } from './files/index.js';
export type { ContentKind } from './files/page/kind.js';
export type { UrlStyle } from './paths/urls.js';
export type { EditedFiles } from './site/discovery/edit.js';
export type { ChangeFrequency, HashAlgorithm, Link, Resource } from './standard/model.js';

/**
 * Reports what the next publication of a site would change: the changes that `describe` would list with the same configuration,
 * each with its kind. Writes nothing, neither into the site nor into a repository, and prints nothing.
 *
 * @throws ResyncError
 */
export async function diff(config: UserConfig, options: DiffOptions = {}): Promise<DiffReport> {
  return diffSite(resolveConfig(config), fixNow(process.env), options);
}
