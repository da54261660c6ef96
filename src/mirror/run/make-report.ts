/** Makes the report of a run of a mirror. */

import { formatDatetime } from '../../base/datetime.js';
import { oldestMoment } from '../plan/model.js';
import { type MirrorReport, MOST_FAILURES } from '../report.js';
import type { RunResult } from './result.js';
import type { Session } from './session.js';
import type { Timing } from './timing.js';

export function makeMirrorReport({ config, web }: Session, result: RunResult, timing: Timing): MirrorReport {
  const { counts, failed, outstanding, head, offered, signature, needs } = result;
  const { sets: states, unverified } = head ?? { sets: [], unverified: 0 };
  const { elsewhere, setsElsewhere, reader } = offered ?? { elsewhere: 0, setsElsewhere: [] };
  const relative = reader?.resolved();
  const at = oldestMoment(states);
  const changes = counts.created + counts.updated;
  const isToDo = config.dryRun && changes + counts.deleted > 0;
  // A rehearsal fetches no file, so that only unchanged ones are right.
  const right = counts.unchanged + (needs === undefined ? changes : 0);
  return {
    source: config.source,
    folder: config.folder,
    ...(config.servedAt !== undefined && { servedAt: config.servedAt }),
    ...(at !== undefined && { at: formatDatetime(new Date(at)) }),
    inSync: failed.length + outstanding.length === 0 && !counts.stopped && !isToDo,
    dryRun: config.dryRun,
    sets: offered?.sets ?? states.map(({ uri }) => ({ uri, way: 'unchanged' })),
    ...counts,
    failed: failed.slice(0, MOST_FAILURES),
    outstanding: outstanding.slice(0, MOST_FAILURES),
    unverified,
    ...(relative !== undefined && { relative }),
    elsewhere,
    setsElsewhere,
    ...(signature !== undefined && { signature }),
    requests: web.pace.requests(),
    bytes: web.pace.bytes(),
    unasked: Math.max(0, right - web.received.files()),
    pauses: web.pace.asked(),
    ...(needs && { needs }),
    durations: timing.measure(),
  };
}
