/** Publishes a plan: collects what features contribute, stages it, records it, and moves it into place. */

import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { formatDatetime } from '../../base/datetime.js';
import { unlessRefused } from '../../base/errors.js';
import type { Notice } from '../../base/notices.js';
import { recordState } from '../../history/record.js';
import { pathOfSignature } from '../../paths/ours.js';
import { noticeChanged } from '../../site/discovery/edit.js';
import { excludeSitemaps } from '../../site/discovery/exclude-sitemaps.js';
import type { Contribution, Draft } from '../feature.js';
import { gatherNotices, noticePages } from '../notices.js';
import { NO_SEAL, type Seal } from '../signature/seal.js';
import { digestPending } from './pending.js';
import { savePending } from './pending-file.js';
import type { Plan } from './plan.js';
import type { PublishedState } from './published.js';
import { type StagedFile, Staging } from './staging.js';

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
  if (plan.existingSitemaps !== undefined)
    memory.sitemaps = (await excludeSitemaps(config, site)).sitemaps?.identity;
  return { ...published, notices: gatherNotices(plan, published, found.flat()) };
}

/** Reports if a build changes files that nobody edited. Only a history in git has the bytes to compare. */
async function noticeChangingBuild(plan: Plan): Promise<readonly Notice[]> {
  const { config, site, scanned, history, timeline, builtOf, state } = plan;
  const { updated } = state.changes;
  const { committed, pending } = timeline ?? {};
  if (history?.kind !== 'git' || committed === undefined || !pending || updated === 0) return [];
  // The code that compares is large, and few runs need it, so it is loaded here.
  const { noticeBuild } = await import('../../diff/run/notice.js');
  return noticeBuild({ site, scanned, history }, config.url, committed, builtOf, updated);
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
  const { state } = plan;
  const { draft, removed, last, notices } = await contributeAll(plan, staging);
  const seal = await staging.prepare({ removed, last }, (staged) => sealRun(plan, draft, staged));
  const recording = await record(plan);
  if (recording === 'overtaken') return undefined;
  const recorded = recording === 'recorded';
  const { left, ...published } = staging.commit(recorded);
  const found = [...state.notices, ...notices, ...noticeChanged(left), ...seal.notices];
  return { ...published, state, draft, seal, recorded, notices: found };
}

async function sealRun(plan: Plan, draft: Draft, staged: readonly StagedFile[]): Promise<Seal> {
  if (!plan.config.writesSums && !hasSums(plan)) return NO_SEAL;
  const { sealStaged } = await import('../signature/sign.js');
  return sealStaged(plan, draft, staged);
}

/** Tests if a previous run left sums or a signature. */
function hasSums({ config, site }: Plan): boolean {
  const exists = (path: string) => unlessRefused(() => lstatSync(join(site, path))) !== undefined;
  return config.sums.some((path) => exists(path) || exists(pathOfSignature(path)));
}

interface Contributed extends Required<Pick<Contribution, 'removed' | 'last' | 'notices'>> {
  readonly draft: Draft;
}

async function contributeAll({ features, state }: Plan, staging: Staging): Promise<Contributed> {
  let draft: Draft = {
    sets: state.sets,
    versions: { versions: [], timeMaps: [], paths: new Set() },
    packages: [],
    archived: [],
    documents: [],
    excerpts: new Map(),
  };
  const contributions: Contribution[] = [];
  for (const contribute of features) {
    const one = await contribute(draft, staging.folder);
    const { files = [], documents = [] } = one;
    draft = { ...draft, ...one.draft, documents: [...draft.documents, ...documents] };
    staging.stage([...files, ...documents]);
    contributions.push(one);
  }
  return {
    draft,
    removed: contributions.flatMap(({ removed = [] }) => removed),
    last: contributions.flatMap(({ last = [] }) => last),
    notices: contributions.flatMap(({ notices = [] }) => notices),
  };
}

async function record(plan: Plan): Promise<'recorded' | 'nothing' | 'overtaken'> {
  const { config, site, now, clock, scanned, history, state } = plan;
  if (!config.record || history?.kind !== 'git') return 'nothing';
  clock.enter('record');
  const source = await plan.builtOf;
  const recording = await recordState(history, site, scanned, { at: state.at, now, source });
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
