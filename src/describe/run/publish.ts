/** Publishes a plan: collects what features contribute, stages it, records it, and moves it into place. */

import { formatDatetime } from '../../base/datetime.js';
import type { Notice } from '../../base/notices.js';
import { recordState } from '../../history/record.js';
import { noticeChanged } from '../../site/discovery/edit.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import type { Contribution, Draft } from '../feature.js';
import { gatherNotices, noticePages } from '../notices.js';
import type { PublishedState } from '../report.js';
import { NO_SEAL } from '../signature/seal.js';
import { digestPending } from './pending.js';
import { savePending } from './pending-file.js';
import type { Plan } from './plan.js';
import { Staging } from './staging.js';

/** Publishes a plan. @returns undefined if another run has recorded a publication meanwhile, so that nothing is published */
export async function publish(plan: Plan): Promise<PublishedState | undefined> {
  const { config, site, scanned, memory } = plan;
  const [published, ...found] = await Promise.all([
    publishFiles(plan),
    noticeChangingBuild(plan),
    noticePages(site, config, scanned),
  ]);
  if (published === undefined) return undefined;
  plan.records.save();
  await leaveBuild(plan, published.recorded);
  if (memory !== undefined && plan.existingSitemaps !== undefined)
    memory.sitemaps = (await excludeSitemaps(config, site)).sitemaps?.identity;
  return { ...published, notices: gatherNotices(config, published, { ...plan, found: found.flat() }) };
}

/** Reports if a build changes files that nobody edited. Only a history in git has the bytes to compare. */
async function noticeChangingBuild(plan: Plan): Promise<readonly Notice[]> {
  const { config, site, scanned, history, timeline, builtOf, state } = plan;
  const { updated } = state.changes;
  if (history?.kind !== 'git' || timeline?.pending !== true || updated === 0) return [];
  // The code that compares is large, and few runs need it, so it is loaded here.
  const { noticeBuild } = await import('../../diff/run/notice.js');
  return noticeBuild({ site, scanned, history }, config.url, timeline, builtOf, updated);
}

async function publishFiles(plan: Plan): Promise<PublishedState | undefined> {
  const { config, site, clock } = plan;
  clock.enter('changes');
  const staging = await Staging.open(site, clock.wait, config.isOthers);
  try {
    return await stageAndMove(plan, staging);
  } catch (error) {
    throw staging.explain(error);
  } finally {
    staging.close();
  }
}

async function stageAndMove(plan: Plan, staging: Staging): Promise<PublishedState | undefined> {
  const { config, state } = plan;
  const { draft, contributions } = await contributeAll(plan, staging);
  const removed = contributions.flatMap((one) => one.removed);
  const last = contributions.flatMap((one) => one.last);
  const [makeSeal] = contributions.flatMap((one) => one.seal ?? []);
  let seal = NO_SEAL;
  await staging.prepare({ removed, last }, async (staged) => {
    if (makeSeal !== undefined) seal = await makeSeal(staged);
    return seal.files.map(({ publishable }) => publishable);
  });
  const recording = await record(plan);
  if (recording === 'overtaken') return undefined;
  const recorded = recording === 'recorded';
  const { left, ...published } = staging.commit(recorded);
  return {
    ...draft,
    ...published,
    state,
    notices: [
      ...state.notices,
      ...contributions.flatMap(({ notices }) => notices),
      ...noticeChanged(left),
      ...seal.notices,
    ],
    versions: config.versions && draft.versions.versions,
    documents: [...draft.packages.map(({ manifest }) => manifest), ...draft.documents],
    sitemaps: draft.sitemaps.filter(({ path }) => !left.includes(path)),
    seal,
    recorded,
  };
}

type WholeContribution = Contribution & Required<Omit<Contribution, 'draft' | 'seal'>>;

const NOTHING = { files: [], top: [], removed: [], last: [], notices: [] };

async function contributeAll(
  { features, state }: Plan,
  staging: Staging,
): Promise<{ readonly draft: Draft; readonly contributions: readonly WholeContribution[] }> {
  let draft: Draft = {
    sets: state.sets,
    versions: { versions: [], timeMaps: [], paths: new Set() },
    packages: [],
    archived: [],
    documents: [],
    people: [],
    excerpts: new Map(),
    sitemaps: [],
  };
  const contributions: WholeContribution[] = [];
  for (const contribute of features) {
    const one: WholeContribution = { ...NOTHING, ...(await contribute(draft, staging.folder)) };
    draft = { ...draft, ...one.draft };
    staging.stage(one.files);
    contributions.push(one);
  }
  staging.stage(contributions.flatMap(({ top }) => top));
  return { draft, contributions };
}

type Recording = 'recorded' | 'nothing' | 'overtaken';

async function record({
  config,
  site,
  now,
  clock,
  scanned,
  history,
  builtOf,
  state: { at },
}: Plan): Promise<Recording> {
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const source = await builtOf;
  const recording = await recordState(history, site, scanned, { at, now, source });
  clock.enter('publish');
  return recording;
}

/** Saves the pending publication for `record`, and for builds into an empty folder; removes it if nothing is pending. */
async function leaveBuild(plan: Plan, recorded: boolean): Promise<void> {
  const { config, site, scanned, history, source: place, timeline, builtOf } = plan;
  if (timeline === undefined || history === undefined || place?.kind !== 'git' || !place.mayBeMissing) return;
  if (!timeline.pending || recorded) return savePending(site, scanned.sets, undefined);
  const state = digestPending(config.url, scanned, history);
  savePending(site, scanned.sets, { at: formatDatetime(timeline.at), state, source: await builtOf });
}
