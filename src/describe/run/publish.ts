/** Publishes what was planned, and leaves to later runs what they need of it. */

import { formatDatetime } from '../../base/datetime.js';
import { leavePending } from '../../config/saved.js';
import { noticeBuild } from '../../diff/run/notice.js';
import { leaveSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import { gatherNotices, noticePages } from '../notices.js';
import { digestPending } from './pending.js';
import type { Plan } from './plan.js';
import { type PublishedState, publishState } from './publish-state.js';
import type { ReadRun } from './read.js';

/** @returns undefined if another run has recorded a publication meanwhile; nothing is published then */
export async function publish(run: ReadRun, plan: Plan): Promise<PublishedState | undefined> {
  const { config, site, scanned, history, memory } = run;
  const { known, builtOf, state } = plan;
  const [published, ...seen] = await Promise.all([
    publishState(run, plan),
    noticeBuild({ site, url: config.url }, scanned, { history, known, builtOf }, state.changes.updated),
    noticePages(site, config, scanned),
  ]);
  if (published === undefined) return undefined;
  run.records.save();
  await leaveBuild(run, plan, published.recorded);
  if (memory !== undefined && run.standing !== undefined)
    memory.sitemaps = (await leaveSitemaps(config, site)).sitemaps?.identity;
  return { ...published, notices: gatherNotices(config, published, { ...run, seen: seen.flat() }) };
}

/** Leaves what is pending to `record`, which comes after the deploy, and to builds that find an empty folder. */
async function leaveBuild(
  { config, site, scanned, history, source }: ReadRun,
  { known, builtOf }: Plan,
  recorded: boolean,
): Promise<void> {
  if (known === undefined || history === undefined || source?.kind !== 'git' || !source.mayBeMissing) return;
  if (!known.pending || recorded) return leavePending(site, config.sets, undefined);
  const state = digestPending(config.url, scanned, history);
  leavePending(site, config.sets, { at: formatDatetime(known.at), state, source: await builtOf });
}
