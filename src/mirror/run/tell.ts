/** Makes the report of a run. */

import { formatDatetime } from '../../standard/model.js';
import type { MirrorHead } from '../memory/format.js';
import type { Failure, Settlement } from '../plan/settle.js';
import { type MirrorFailure, type MirrorReport, MOST_FAILURES } from '../report.js';
import type { Reading } from './round.js';
import type { Session } from './work.js';

/** Moments of a run, by the clock of `performance`. */
export interface Timing {
  readonly begin: number;
  /** When the documents were read. */
  read?: number;
  /** When all resources were there. */
  got?: number;
}

interface Told extends Timing {
  readonly reading?: Reading;
  readonly settlement?: Settlement;
  readonly isUnsettled?: boolean;
  /** As the next run will find it. */
  readonly head?: MirrorHead;
  readonly bytes?: number;
  readonly counts?: Pick<MirrorReport, 'created' | 'updated' | 'deleted' | 'unchanged' | 'held' | 'stopped'>;
}

const NOTHING = { created: 0, updated: 0, deleted: 0, stopped: false };

export function makeMirrorReport({ config, head: former }: Session, told: Told): MirrorReport {
  const { reading, settlement, isUnsettled = false } = told;
  const head = told.head ?? former;
  const failed = (settlement?.failed ?? []).map(toFailure);
  if (isUnsettled && reading !== undefined) {
    const found = 'the Source changed each time while it was copied';
    failed.unshift({ uri: reading.beginning, reason: 'changing', found });
  }
  const [other] = reading?.onlyOn ?? [];
  if (reading !== undefined && other !== undefined) {
    const found = `--allow ${reading.onlyOn.join(' --allow ')}`;
    failed.unshift({ uri: reading.beginning, reason: 'elsewhere', found });
  }
  const unread = reading?.unread ?? [];
  failed.unshift(
    ...unread.map(({ uri, error }) => ({ uri, reason: 'unread' as const, found: tellCause(error) })),
  );
  const outstanding = (settlement?.outstanding ?? []).map(toFailure);
  const at = momentOf(head);
  const done = settlement ?? told.counts ?? { ...NOTHING, held: head?.held ?? 0 };
  const unchanged = reading?.plan.unchanged ?? head?.files ?? 0;
  return {
    source: config.source,
    folder: config.folder,
    ...(at !== undefined && { at }),
    inSync: failed.length + outstanding.length === 0 && !done.stopped,
    dryRun: config.dryRun,
    sets: reading?.sets ?? (head?.sets ?? []).map(({ uri }) => ({ uri, way: 'unchanged' as const })),
    created: done.created,
    updated: done.updated,
    deleted: done.deleted,
    unchanged: told.counts?.unchanged ?? unchanged + countRight(settlement, reading),
    held: done.held,
    stopped: done.stopped,
    failed: failed.slice(0, MOST_FAILURES),
    outstanding: outstanding.slice(0, MOST_FAILURES),
    unverified: head?.unverified ?? 0,
    elsewhere: reading?.elsewhere ?? 0,
    setsElsewhere: reading?.setsElsewhere ?? [],
    bytes: told.bytes ?? 0,
    durations: measure(told),
  };
}

/** What was found, without the address, which is told beside it. */
function tellCause({ cause, message }: Error): string {
  return cause instanceof Error ? cause.message : (message.split('\n')[0] ?? '');
}

/** Those that were asked about and are as they were. */
function countRight(settlement: Settlement | undefined, reading: Reading | undefined): number {
  if (settlement === undefined || reading === undefined) return 0;
  const { created, updated, failed, outstanding } = settlement;
  return reading.plan.wants.length - created - updated - failed.length - outstanding.length;
}

function toFailure({ want: { entry, path }, reason, found }: Failure): MirrorFailure {
  return { uri: entry.uri, path, reason, found };
}

/** The oldest of the sets. */
function momentOf(head: MirrorHead | undefined): string | undefined {
  const moments = head?.sets.map(({ moment }) => moment) ?? [];
  if (moments.length === 0 || moments.includes(undefined)) return undefined;
  return formatDatetime(new Date(Math.min(...moments.map(Number))));
}

function measure({ begin, read, got }: Timing): MirrorReport['durations'] {
  const now = performance.now();
  const [first, second] = [read ?? now, got ?? now];
  return {
    documents: Math.round(first - begin),
    resources: Math.round(second - first),
    moves: Math.round(now - second),
    total: Math.round(now - begin),
  };
}
