/** The reports of `describe` and `record`. */

import { formatDatetime } from '../base/datetime.js';
import { judgeNotices, type Notice, type NoticeChoice, type ReportedNotice } from '../base/notices.js';
import type { Durations, Observer } from '../base/progress.js';
import type { SkipReason } from '../base/reasons.js';
import type { JoinedSet, Parts } from '../config/config.js';
import type { UserConfig } from '../config/options.js';
import type { ReportedChanges } from '../diff/report.js';
import type { ArchivedDocument } from '../history/archives/archive.js';
import type { HistoryPlace } from '../history/history.js';
import type { Publishable } from '../paths/hold/files.js';
import { SNAPSHOT_REFS } from '../paths/ours.js';
import type { EditedFiles, EditedSite } from '../site/discovery/edit.js';
import type { ScannedSite } from '../site/scanned.js';
import type { DocumentKind } from '../standard/capabilities.js';
import { countEntries } from '../standard/document.js';
import type { MadePackage } from './dumps/job.js';
import type { Joined } from './join/joined.js';
import type { PeopleFile } from './people/make.js';
import type { PlannedDocument } from './plan/documents.js';
import type { PublishOutcome } from './run/staging.js';
import type { Seal, SignatureReport } from './signature/seal.js';
import type { ChangeCounts, SiteState } from './state.js';

/** The result of a run. Plain data, fit for `JSON.stringify`. */
export interface Report {
  /** Absolute path of the site. */
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  /** URL of the Source Description, whichever build writes it: where a Destination begins. */
  readonly description: string;
  /** The moment of the snapshot, a W3C Datetime in UTC. */
  readonly at: string;
  /** Number of resources that are listed. */
  readonly resources: number;
  /** Length of all listed resources together, in bytes. */
  readonly bytes: number;
  /** Files that are no resources, counted by reason. */
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** The history of the site; absent if there is none. */
  readonly publication?: {
    /** Since when changes are known, a W3C Datetime. */
    readonly from: string;
    /** Moment of the newest publication before this run, a W3C Datetime; absent if there is none. */
    readonly newest?: string;
    /** The place that keeps publications: the live site, snapshots, commits of somebody else, or files of rows. */
    readonly place: 'live' | 'snapshots' | 'commits' | 'rows';
    /** True if the site held something that was not in the history before this run. */
    readonly pending: boolean;
    /** True if this run recorded the publication. */
    readonly recorded: boolean;
  };
  /** The changes of the publication of `at`: the newest, or the pending one. Absent without a history. */
  readonly changes?: ChangeCounts;
  /** Each change, and each file that was left out; absent unless the option `details` is set. */
  readonly details?: Details;
  /** Edits of the site for discovery; absent unless configured. */
  readonly edited?: EditedFiles;
  /** The key that signed the documents; absent where none did. */
  readonly signature?: SignatureReport;
  /** Versions of resources at addresses of their own; absent unless configured. */
  readonly versions?: {
    readonly count: number;
    /** Length of all versions together; each counts once. */
    readonly bytes: number;
  };
  /** The ZIP packages of the dumps; empty unless dumps are configured. */
  readonly packages: readonly PackageReport[];
  /** Documents in the order in which they were published, leaves first. */
  readonly documents: readonly DocumentReport[];
  /** Contents of the archives; absent if there are none. */
  readonly archives?: {
    /** Number of archived documents; parts of a list count, too. */
    readonly documents: number;
    /** Length of these documents, and of packages that only archived dumps name, together. */
    readonly bytes: number;
  };
  /** The sets that other builds describe, and that the Source Description lists; absent where there are none. */
  readonly joined?: readonly JoinedReport[];
  /** Outdated documents of ours that were removed, as paths in the site. */
  readonly removed: readonly string[];
  /** Notices, without those that the configuration silences. */
  readonly notices: readonly ReportedNotice[];
  /** Milliseconds by stage; `total` includes what lies between. */
  readonly durations: Durations;
}

/** The configuration of `record`: that of `describe`. Without `url`, it is read from the documents in the folder. */
export type RecordConfig = Omit<UserConfig, 'url'> & { readonly url?: string };

export interface RecordOptions {
  /** Compares with the site that is served at the URL first, and refuses to record if it differs. @default false */
  readonly live?: boolean;
  /** Receives the progress of the run. */
  readonly observe?: Observer;
}

/** The result of `record`. Plain data, fit for `JSON.stringify`. */
export interface RecordReport {
  /** Absolute path of the site. */
  readonly site: string;
  /** URL of the site's root, with a trailing slash. */
  readonly url: string;
  /** The ref that keeps the publications. */
  readonly ref: string;
  /** The moment of the publication, as its documents say it: a W3C Datetime in UTC. */
  readonly at: string;
  /** Since when changes are known: a W3C Datetime in UTC. */
  readonly from: string;
  /** False if the history had the publication already. */
  readonly recorded: boolean;
  /** The changes of this publication. */
  readonly changes: ChangeCounts;
  /** True if the publication was compared with the live site. */
  readonly compared: boolean;
  /** The line that pushes the ref; absent where nothing was recorded, or there is no remote. */
  readonly push?: string;
}

export interface JoinedReport {
  readonly name: string;
  /** URL of the Capability List of the set. */
  readonly url: string;
  /** True if the Capability List could be read; mistakes in it are notices. */
  readonly checked: boolean;
}

export interface Details extends ReportedChanges {
  /** Files that are no resources, without our own documents. */
  readonly skipped: readonly SkippedFile[];
}

export interface SkippedFile {
  /** Path of the file relative to the site, `/` between segments. */
  readonly path: string;
  readonly reason: SkipReason;
}

export interface DocumentReport {
  /** Path relative to the site. */
  readonly path: string;
  readonly url: string;
  readonly kind: DocumentKind | 'page' | 'feed' | 'sitemap' | 'pages' | 'sums' | 'signature';
  /**
   * Number of `<url>` or `<sitemap>` elements; of a page or a feed for people, of the changed pages in it; of sums,
   * of lines.
   */
  readonly entries: number;
  readonly bytes: number;
  /** False when the site held this very document before. */
  readonly changed: boolean;
}

export interface PackageReport {
  /** Path relative to the site. */
  readonly path: string;
  readonly url: string;
  readonly dump: 'resource-dump' | 'change-dump';
  /** Number of resources or changes in the package. */
  readonly entries: number;
  readonly bytes: number;
  /** False when the site held this very package before. */
  readonly changed: boolean;
}

/** A sitemap, a part of a sitemap, or `pages.json`. */
export interface SitemapFile {
  /** Path relative to the site. */
  readonly path: string;
  readonly uri: string;
  readonly kind: 'sitemap' | 'pages';
  readonly entries: number;
  readonly publishable: Publishable;
}

export interface PublishedState {
  readonly state: SiteState;
  readonly notices: readonly Notice[];
  readonly recorded: boolean;
  readonly versions: readonly { readonly length: number }[] | undefined;
  readonly packages: readonly MadePackage[];
  readonly archived: readonly ArchivedDocument[];
  readonly documents: readonly PlannedDocument[];
  readonly people: readonly PeopleFile[];
  readonly sitemaps: readonly SitemapFile[];
  readonly seal: Seal;
  readonly published: readonly PublishOutcome[];
  readonly removed: readonly string[];
}

interface RunOutcome extends PublishedState {
  /** Absolute path of the site. */
  readonly site: string;
  readonly scanned: ScannedSite;
  /** The place of the history, or undefined if there is none. */
  readonly source: HistoryPlace | undefined;
  readonly edited: EditedSite | undefined;
  readonly details: Details | undefined;
  readonly joined: Joined;
}

/** Separates the Source Description, which is absent if another build writes it, from the documents below. */
export function divideDocuments(
  documents: readonly PlannedDocument[],
): [below: PlannedDocument[], top: PlannedDocument[]] {
  const isTop = ({ document }: PlannedDocument) => document.kind === 'source-description';
  return [documents.filter((one) => !isTop(one)), documents.filter(isTop)];
}

export function listListed({ files, unlisted }: ScannedSite): ScannedSite['files'] {
  return unlisted.size === 0 ? files : files.filter(({ path }) => !unlisted.has(path));
}

interface ReportedFile extends Pick<DocumentReport, 'path' | 'kind' | 'entries'> {
  readonly uri: string;
}

interface ReportedSource extends Pick<Parts, 'description' | 'joined'> {
  readonly url: string;
  readonly notices: NoticeChoice;
}

export function makeReport(
  { url: siteUrl, description, joined, notices }: ReportedSource,
  outcome: RunOutcome,
  durations: Durations,
): Report {
  const { state, details, edited, versions, packages, archived, seal } = outcome;
  const [below, top] = divideDocuments(outcome.documents);
  const published = new Map(outcome.published.map(({ path, ...facts }) => [path, facts]));
  const factsOf = (path: string) => published.get(path) ?? { bytes: 0, changed: false };
  const reportFile = ({ path, uri: url, ...file }: ReportedFile): DocumentReport => {
    return { path, url, kind: file.kind, entries: file.entries, ...factsOf(path) };
  };
  const reportDocument = ({ document, ...place }: PlannedDocument) =>
    reportFile({ ...place, kind: document.kind, entries: countEntries(document) });
  return {
    site: outcome.site,
    url: siteUrl,
    description,
    at: formatDatetime(state.at),
    resources: listListed(outcome.scanned).length,
    bytes: outcome.scanned.bytes,
    skipped: outcome.scanned.skipped,
    ...(state.publication !== undefined && {
      publication: { ...state.publication, place: namePlace(outcome.source), recorded: outcome.recorded },
      changes: state.changes,
    }),
    ...(details !== undefined && { details }),
    ...(edited !== undefined && { edited: edited.files }),
    ...(seal.signature !== undefined && { signature: seal.signature }),
    ...(versions !== undefined && {
      versions: { count: versions.length, bytes: versions.reduce((sum, { length }) => sum + length, 0) },
    }),
    packages: packages.map((one) => ({
      path: one.path,
      url: one.uri,
      dump: dumpOf(one),
      entries: one.manifest.document.bitstreams.length,
      ...factsOf(one.path),
    })),
    documents: [
      ...archived.map(reportFile),
      ...below.map(reportDocument),
      ...[...outcome.people, ...outcome.sitemaps, ...seal.files].map(reportFile),
      ...top.map(reportDocument),
    ],
    ...(archived.length > 0 && {
      archives: {
        documents: archived.length,
        bytes: [...archived, ...packages.filter(({ isCurrent }) => !isCurrent)].reduce(
          (sum, { path }) => sum + factsOf(path).bytes,
          0,
        ),
      },
    }),
    ...(joined.length > 0 && { joined: listJoined(joined, outcome.joined) }),
    removed: outcome.removed,
    notices: judgeNotices(outcome.notices, notices),
    durations,
  };
}

function namePlace(place: HistoryPlace | undefined): 'live' | 'snapshots' | 'commits' {
  if (place?.kind !== 'git') return 'live';
  return place.ref.startsWith(SNAPSHOT_REFS) ? 'snapshots' : 'commits';
}

function listJoined(joined: readonly JoinedSet[], found: Joined): JoinedReport[] {
  return joined.map(({ name, uri }) => ({ name, url: uri, checked: found.read.has(uri) }));
}

export function dumpOf({ manifest }: MadePackage): PackageReport['dump'] {
  return manifest.document.kind === 'resource-dump-manifest' ? 'resource-dump' : 'change-dump';
}
