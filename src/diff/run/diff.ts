/** Compares a site with its newest publication, and writes nothing. */

import type { Config } from '../../config/config.js';
import type { UserConfig } from '../../config/options.js';
import { resolveConfig } from '../../config/resolve.js';
import { blobNameOf, findHistory } from '../../history/find.js';
import { readHistory } from '../../history/read.js';
import { type Clock, type Observer, startClock } from '../../progress.js';
import { resolveSite } from '../../site/folder.js';
import { refuseProject } from '../../site/project.js';
import { type ScannedSite, scanSite } from '../../site/scan.js';
import { fixNow } from '../../time.js';
import { LENGTH_LIMIT, listNeededVersions, startComparison } from '../compare.js';
import { judgeType } from '../content.js';
import type { ChangedResource, Comparison } from '../model.js';
import { findRenames } from '../renames.js';
import type { DiffReport, Incomplete } from '../report.js';
import { judgeBuild, takeSample } from '../reproducible.js';
import { findPast } from './find-past.js';
import type { Past } from './past.js';
import { type PresentSite, readPresentSite } from './present.js';

/** How to compare. */
export interface DiffOptions {
  /** Whether to write unified diffs of texts: one of each group, and of all else that fits. @default false */
  readonly diffs?: boolean;
  /** Is told how far it has come. */
  readonly observe?: Observer;
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

/** `diff` with a configuration that is resolved already. */
export async function diffSite(
  config: Config,
  now: Date,
  { diffs = false, observe = () => undefined }: DiffOptions = {},
): Promise<DiffReport> {
  const clock = startClock(observe);
  const site = resolveSite(config.site);
  refuseProject(site, config);
  clock.enter('scan');
  const place = await findHistory(config, site);
  // Neither packages nor the digests of what was superseded are of interest.
  const wanted: Config = {
    ...config,
    dumps: { ...config.dumps, resources: false, changes: false },
    changes: { ...config.changes, window: 0 },
  };
  const present = await readPresentSite(site, config, blobNameOf(place));
  const [scanned, history] = await Promise.all([
    scanSite(site, wanted, {
      blobName: blobNameOf(place),
      onProgress: clock.tell,
      reader: present.reader,
    }),
    place && readHistory(place, wanted),
  ]);
  clock.enter('changes');
  const past = await findPast(config, scanned, history, now);
  const { comparison, incomplete } = await compare(past, present, diffs, clock);
  const unreproducible = judgeBuild(countPages(past.changes, scanned), comparison.pages);
  return {
    site,
    url: config.url,
    comparedWith: past.comparedWith,
    changes: comparison.changes,
    groups: comparison.groups,
    ...(incomplete !== undefined && { incomplete }),
    ...(unreproducible !== undefined && { unreproducible }),
  };
}

/** Hands over the bytes of one change after another. */
async function compare(
  past: Past,
  { readFile }: PresentSite,
  diffs: boolean,
  clock: Clock,
): Promise<{ readonly comparison: Comparison; readonly incomplete: Incomplete | undefined }> {
  const changes = findRenames(past.changes);
  const wanted = changes.filter(
    (change) =>
      listNeededVersions(change).includes('before') && (past.formerLength(change.uri) ?? 0) <= LENGTH_LIMIT,
  );
  const here = wanted.filter(({ uri }) => past.formerLength(uri) !== undefined);
  const asked = takeSample(here, past.readLimit);
  const isAsked = new Set(asked.map(({ uri }) => uri));
  const isPageRead = asked.some(({ change, type }) => change === 'updated' && judgeType(type) !== 'data');
  const readPage = isPageRead ? (await import('../page/read.js')).readPageText : undefined;
  const comparer = startComparison({ readPage, diffs });
  const reader = past.startReading([...isAsked]);
  let read = 0;
  try {
    for (const [index, change] of changes.entries()) {
      const before = isAsked.has(change.uri) ? await reader.readNext() : undefined;
      if (before !== undefined) read++;
      const isOfUse = change.change === 'created' || before !== undefined;
      const after = isOfUse && listNeededVersions(change).includes('after') ? readFile(change) : undefined;
      comparer.add(change, { before, after });
      if (index % 256 === 255) clock.tell(index + 1, changes.length);
    }
  } finally {
    reader.close();
  }
  const incomplete = read < wanted.length ? { wanted: wanted.length, asked: asked.length, read } : undefined;
  return { comparison: comparer.finish(), incomplete };
}

const isPage = (type: string | undefined) => judgeType(type) === 'page';

function countPages(
  changes: readonly ChangedResource[],
  { resources }: ScannedSite,
): { readonly updated: number; readonly pages: number } {
  return {
    updated: changes.filter(({ change, type }) => change === 'updated' && isPage(type)).length,
    pages: resources.filter(({ type }) => isPage(type)).length,
  };
}
