/** The contract of a feature: what it finds in a run, and what it adds to a publication. */

import type { Notice } from '../base/notices.js';
import type { ShownPages } from '../diff/run/dates.js';
import type { Timeline } from '../history/history.js';
import type { Publishable } from '../paths/hold/files.js';
import type { NewDocument } from './document.js';
import type { MadePackage } from './dumps/job.js';
import type { PlannedDumps } from './past/archiving/dumps.js';
import type { VersionFile } from './past/versions/plan.js';
import type { ReadRun } from './run/read.js';
import type { SiteState, StateSet } from './state.js';

export interface PlannedRun extends ReadRun {
  /** Changes and dates of the site, derived from its history; undefined if there is no history. */
  readonly timeline: Timeline | undefined;
  readonly state: SiteState;
  /** Pages that a search engine may show, with their dates; undefined if no option needs them. */
  readonly shown: ShownPages | undefined;
}

/** Adds files and notices of a feature to the publication, while the site is locked. */
export type Contribute = (draft: Draft, staging: string) => Contribution | Promise<Contribution>;

export interface DraftSet extends StateSet {
  /** The archived dumps of the set, whose packages are made already; undefined if no dumps are archived. */
  readonly archivedDumps?: PlannedDumps | undefined;
}

/** What features have added to the publication so far. */
export interface Draft {
  readonly sets: readonly DraftSet[];
  readonly versions: DraftVersions;
  readonly packages: readonly MadePackage[];
  /** Paths of archived documents, and of packages that only archived dumps name. */
  readonly archived: readonly string[];
  /** Documents, leaves first; only the Source Description may come before others. */
  readonly documents: readonly NewDocument[];
  /** Excerpts from changed pages, by URL. */
  readonly excerpts: ReadonlyMap<string, string>;
}

/** The versions of resources, and the TimeMaps that list them. */
interface DraftVersions {
  readonly versions: readonly VersionFile[];
  readonly timeMaps: readonly Pick<VersionFile, 'path' | 'sha256'>[];
  /** Paths of the inventory, and of those versions and TimeMaps that this run writes. */
  readonly paths: ReadonlySet<string>;
}

export interface Contribution {
  /** Changed parts of the draft, for later features. */
  readonly draft?: Partial<Omit<Draft, 'documents'>>;
  /** Files to publish before the documents of this feature: packages and versions. */
  readonly files?: readonly Publishable[];
  /** Documents to publish, leaves first. */
  readonly documents?: readonly NewDocument[];
  /** Paths of outdated files, besides documents that staging finds by itself. */
  readonly removed?: readonly string[];
  /** Files to move after outdated ones were removed. */
  readonly last?: readonly Publishable[];
  readonly notices?: readonly Notice[];
}
