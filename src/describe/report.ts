/** The reports of `describe` and `record`. */

import type { ReportedNotice } from '../base/notices.js';
import type { Durations, Observer } from '../base/progress.js';
import type { SkipReason } from '../base/reasons.js';
import type { UserConfig } from '../config/options.js';
import type { ReportedChanges } from '../diff/report.js';
import type { EditedFiles } from '../site/discovery/edit.js';
import type { NamedDocument } from './document.js';
import type { SignatureReport } from './signature/seal.js';
import type { ChangeCounts } from './state.js';

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
  /** Before recording, compares with the live site at the URL, and refuses if that differs. @default false */
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
  readonly kind: NamedDocument['kind'];
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
