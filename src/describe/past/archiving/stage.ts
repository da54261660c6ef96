/** Stages archived documents; those that stand in the site already as they are to be stay. */

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Notice } from '../../../base/notices.js';
import type { Config } from '../../../config/config.js';
import type { SetArchives } from '../../../history/archives/kinds.js';
import type { ArchivedDocument, KnownArchive } from '../../../history/archives/known.js';
import type { FetchBudget } from '../../../history/live/budget.js';
import type { PlannedPackage } from '../../../history/plan/packages.js';
import type { Publishable } from '../../../paths/hold/files.js';
import { isOurs } from '../../../paths/hold/ownership.js';
import type { MadePackage } from '../../dumps/job.js';
import type { Manifest } from '../../dumps/manifest.js';
import type { ArchivedText } from './compose.js';

/** Where archived documents come from and go to. */
export interface StagingPlace {
  /** Absolute path of the site. */
  readonly site: string;
  /** The folder to write into. */
  readonly staging: string;
}

/** Stages documents; while one is written, the next one can be made. */
export interface ArchiveStage {
  readonly stage: (document: Pick<ArchivedText, 'path' | 'bytes'>) => Publishable;
  /**
   * Waits until no more than so many documents are in memory, because they are still to be written.
   *
   * @throws a system error when one could not be written
   */
  readonly settle: (most: number) => Promise<void>;
  /** Waits until nothing is written any more, whatever has become of it. */
  readonly end: () => Promise<void>;
}

export function startStaging({ site, staging }: StagingPlace): ArchiveStage {
  const writing = new Set<Promise<void>>();
  let failure: unknown;
  let count = 0;
  return {
    stage: ({ path, bytes }) => {
      if (readStanding(site, path)?.equals(bytes) === true) return { path, file: undefined };
      const file = join(staging, `archived-${count++}`);
      const write = writeFile(file, bytes)
        .catch((error: unknown) => {
          failure ??= error;
        })
        .finally(() => writing.delete(write));
      writing.add(write);
      return { path, file };
    },
    settle: async (most) => {
      while (writing.size > most) await Promise.race(writing);
      if (failure !== undefined) throw failure;
    },
    end: async () => {
      await Promise.all(writing);
    },
  };
}

/** The bytes of a document of ours that stands in the site; undefined where there is none. */
export function readStanding(site: string, path: string): Buffer | undefined {
  const file = join(site, path);
  return isOurs(file) ? readFileSync(file) : undefined;
}

/** The past of a set of resources. */
export interface ArchivedSet {
  readonly name: string | undefined;
  readonly archive: KnownArchive | undefined;
  readonly dumps: PlannedDumps | undefined;
}

export interface WrittenArchives {
  /** What each set of resources has archived, in their order; undefined for one that has no archive. */
  readonly sets: readonly (SetArchives | undefined)[];
  readonly documents: readonly ArchivedDocument[];
  /** Leaves first, to be published. */
  readonly files: readonly Publishable[];
  /** Carried on; only archived dumps name them. */
  readonly packages: readonly MadePackage[];
  readonly notices: readonly Notice[];
}

/** What archives are made of, and where. */
export interface Archiving extends StagingPlace {
  readonly config: Pick<Config, 'url' | 'withdrawn'>;
  /** How much is carried on from the live site. */
  readonly budget: FetchBudget;
}

/** The dumps of the past of one set of resources. */
export interface PlannedDumps {
  /** Each once. */
  readonly packages: readonly PlannedPackage<Manifest>[];
  /** The packages of each dump, as paths, oldest dump first. */
  readonly snapshots: readonly { readonly at: Date; readonly paths: readonly string[] }[];
  readonly intervals: readonly { readonly paths: readonly string[] }[];
}
