/** Compares the versions of what changed since a publication. */

import type { StageClock } from '../../base/progress.js';
import { LENGTH_LIMIT, listNeededVersions, startComparison } from '../compare.js';
import { judgeType } from '../content.js';
import type { Comparison } from '../model.js';
import { findRenames } from '../renames.js';
import type { Incomplete } from '../report.js';
import { takeSample } from '../reproducible.js';
import type { Past } from './past.js';
import type { PresentSite } from './present.js';

/**
 * Compares what changed since a publication, one change after another.
 *
 * @param diffs whether to write unified diffs
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function compareWithPast(
  past: Past,
  readFile: PresentSite['readFile'],
  { tell }: Pick<StageClock, 'tell'>,
  diffs: boolean,
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
      if (index % 256 === 255) tell(index + 1, changes.length);
    }
  } finally {
    reader.close();
  }
  const incomplete = read < wanted.length ? { wanted: wanted.length, asked: asked.length, read } : undefined;
  return { comparison: comparer.finish(), incomplete };
}
