/** Plans a publication: derives what changed, and prepares the features that are wanted. */

import type { ShownPages } from '../../diff/run/dates.js';
import { findCleanCommit } from '../../history/git/sources.js';
import type { History, Timeline } from '../../history/history.js';
import { readTimeline } from '../../history/read.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { prepareFeatures } from '../features/table.js';
import { deriveState } from '../state.js';
import { dateRun } from './pending.js';
import type { ReadRun } from './read.js';

export interface Plan extends PlannedRun {
  /** The commit from which the site was built; undefined if it is unknown or nothing is pending. */
  readonly builtOf: Promise<string | undefined>;
  readonly features: readonly Contribute[];
}

/** Plans a publication. @throws ResyncError `git-failed`, `file-changing`, `live-foreign` */
export async function planPublication(run: ReadRun): Promise<Plan> {
  const { config, site, now, clock, scanned, history } = run;
  clock.enter('changes');
  const moment = history === undefined ? now : await dateRun(config, site, scanned, history, now);
  const timeline = history && (await readTimeline(config, scanned, history, moment));
  const state = deriveState(config, scanned, timeline, now);
  const shown = await readShown(run, timeline);
  const planned = { ...run, timeline, state, shown };
  const features = await prepareFeatures(planned);
  return { ...planned, features, builtOf: findBuildSource(history, timeline) };
}

async function findBuildSource(
  history: History | undefined,
  timeline: Timeline | undefined,
): Promise<string | undefined> {
  if (history?.kind !== 'git' || timeline?.pending !== true) return undefined;
  return findCleanCommit(history.place);
}

async function readShown(run: ReadRun, timeline: Timeline | undefined): Promise<ShownPages | undefined> {
  if (!run.config.readsPages) return undefined;
  const { readShownPages } = await import('../../diff/run/dates.js');
  return readShownPages({ ...run, timeline });
}
