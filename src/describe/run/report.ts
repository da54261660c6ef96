/** Reports what a run did. */

import type { ToldChanges } from '../../diff/report.js';
import { tellPublication } from '../../diff/run/publication.js';
import { makeReport, type Report } from '../report.js';
import type { Plan } from './plan.js';
import type { PublishedState } from './publish-state.js';
import type { ReadRun } from './read.js';

export async function tellRun(run: ReadRun, { known }: Plan, published: PublishedState): Promise<Report> {
  const { config, clock, history, skipped } = run;
  if (!run.details) return makeReport(config, { ...run, ...published, details: undefined }, clock.stop());
  let told: ToldChanges = { changes: [], groups: [] };
  if (history !== undefined && known !== undefined) {
    clock.enter('changes');
    told = await tellPublication({ ...run, history, known }, clock);
  }
  return makeReport(config, { ...run, ...published, details: { ...told, skipped } }, clock.stop());
}
