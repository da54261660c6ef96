/** Describes a site in five steps: open → read → plan → publish → report. */

import { type Observer, StageClock } from '../base/progress.js';
import type { Config } from '../config/config.js';
import type { Report } from './report.js';
import type { RunMemory } from './run/memory.js';
import { openRun } from './run/open.js';
import { planPublication } from './run/plan.js';
import { publish } from './run/publish.js';
import { readHistoryOf, readSite } from './run/read.js';
import { reportRun } from './run/report.js';

export interface DescribeOptions {
  /** Adds `details` to the report: changes by URL and kind, and skipped files. Takes as long as `diff`. @default false */
  readonly details?: boolean;
}

interface RunKnowledge extends DescribeOptions {
  /** Data that `watch` keeps from one run to the next. */
  readonly memory?: RunMemory;
}

export async function describeSite(
  config: Config,
  now: Date,
  observe: Observer = () => undefined,
  { memory = {}, details = false }: RunKnowledge = {},
): Promise<Report> {
  const run = await openRun(config, { now, clock: new StageClock(observe), memory, details });
  let site = await readSite(run);
  for (;;) {
    const plan = await planPublication(site);
    const published = await publish(plan);
    if (published !== undefined) return reportRun(plan, published);
    // Another run has recorded a publication meanwhile, so the history is read again and the plan made anew.
    site = { ...site, history: await readHistoryOf(run) };
  }
}
