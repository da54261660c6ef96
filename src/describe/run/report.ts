/** Reports what a run did. */

import type { ReportedChanges } from '../../diff/report.js';
import { makeReport, type PublishedState, type Report } from '../report.js';
import type { Plan } from './plan.js';

export async function reportRun(plan: Plan, published: PublishedState): Promise<Report> {
  const { config, clock, history, timeline, skipped } = plan;
  const report = (details: Report['details']) =>
    makeReport(config, { ...plan, ...published, details }, clock.stop());
  if (!plan.details) return report(undefined);
  let changes: ReportedChanges = { changes: [], groups: [] };
  if (history !== undefined && timeline !== undefined) {
    clock.enter('changes');
    const { reportPublication } = await import('../../diff/run/publication.js');
    changes = await reportPublication(config, { ...plan, history, timeline }, clock);
  }
  return report({ ...changes, skipped });
}
