/** The result of a run of a mirror, from which its report is made. */

import type { SshKey } from '../../standard/signature.js';
import type { MirrorHead } from '../memory/format.js';
import type { MirrorPlan } from '../plan/plan.js';
import type { Failure, Settlement } from '../plan/settle.js';
import type { MirrorFailure, MirrorNeeds, MirrorReport, MirrorSignature } from '../report.js';
import { listOnlyOrigins, type Offered } from './read-source.js';

export interface RunResult {
  readonly counts: Counts;
  readonly failed: readonly MirrorFailure[];
  readonly outstanding: readonly MirrorFailure[];
  /** State of the copy for the next run; undefined if a rehearsal has found no copy. */
  readonly head: MirrorHead | undefined;
  /** What the Source lists; undefined if the Source is unchanged, so that no list was read. */
  readonly offered?: Offered;
  readonly signature?: MirrorSignature | undefined;
  /** Estimate of what the run would take; undefined unless it was a rehearsal. */
  readonly needs?: MirrorNeeds;
}

export type Counts = Pick<MirrorReport, 'created' | 'updated' | 'deleted' | 'unchanged' | 'held' | 'stopped'>;

/** Makes the result of a run that found the Source unchanged. @param key the required key that signed it */
export function makeUnchanged(head: MirrorHead | undefined, key: SshKey | undefined): RunResult {
  const { files: unchanged, held } = head ?? { files: 0, held: 0 };
  return {
    counts: { created: 0, updated: 0, deleted: 0, unchanged, held, stopped: false },
    failed: [],
    outstanding: [],
    head,
    signature: key && describeSigner(key, true),
  };
}

export function countSettled(plan: MirrorPlan, settlement: Settlement): Counts {
  const { created, updated, deleted, held, stopped, failed, outstanding } = settlement;
  const right = plan.wants.length - created - updated - failed.length - outstanding.length;
  return { created, updated, deleted, unchanged: plan.unchanged + right, held, stopped };
}

/** Describes the signer for the report. @param isKnown whether the signature was required */
export function describeSigner({ fingerprint, type, line }: SshKey, isKnown: boolean): MirrorSignature {
  return { fingerprint, type, key: line, isKnown };
}

/** Lists the failures of the Source as a whole, and of its lists. */
export function listSourceFailures(
  offered: Offered,
  plan: MirrorPlan,
  { isUnsettled }: { readonly isUnsettled: boolean },
): MirrorFailure[] {
  const { beginning: uri, unread, skipped } = offered;
  const origins = listOnlyOrigins(offered, plan);
  const failures: MirrorFailure[] = [
    ...unread.map(({ uri, error }) => ({ uri, reason: 'unread' as const, found: describeCause(error) })),
    ...skipped.map(({ document: uri, line, found }) => ({
      uri,
      reason: 'skipped' as const,
      found: line === undefined ? found : `line ${line}: ${found}`,
    })),
  ];
  if (origins.length > 0)
    failures.push({ uri, reason: 'elsewhere', found: `--allow ${origins.join(' --allow ')}` });
  if (isUnsettled)
    failures.push({ uri, reason: 'changing', found: 'the Source changed each time while it was copied' });
  return failures;
}

/** Returns the cause of an error without the URL, which the report has beside it. */
function describeCause({ cause, message }: Error): string {
  const [first = ''] = message.split('\n');
  return cause instanceof Error ? cause.message : first;
}

export function toMirrorFailure({ want: { entry, path }, reason, found }: Failure): MirrorFailure {
  return { uri: entry.uri, path, reason, found };
}
