/** Text of the progress of a run or an audit. */

import type { AuditProgress } from '../../audit/report.js';
import type { Progress, Waiting } from '../../base/progress.js';
import { say, type Words } from '../../base/text/say.js';
import { formatNumber } from '../../base/text/units.js';

/** Writes a message about another run that this run waits for. */
export function formatWaiting({ lock, holder, seconds }: Waiting): Words {
  const who = holder === undefined ? 'another run' : `process ${holder.pid} on ${holder.host}`;
  return say`Waiting for ${who}, which works on the same site. If it shows no activity, this run continues in ${seconds} s. If there is no such run, remove ${lock}`;
}

export function formatProgress({ stage, done, total }: Progress): string {
  switch (stage) {
    case 'discovery':
      return 'Linking pages…';
    case 'scan':
      if (done === undefined || total === 0) return 'Reading files…';
      return total === undefined
        ? `Reading files… ${formatNumber(done)}`
        : `Reading files… ${formatNumber(done)} of ${formatNumber(total)} (${Math.floor((100 * done) / total)} %)`;
    case 'changes':
      return 'Reading history…';
    case 'pack':
      return done === undefined || total === undefined
        ? 'Checking packages…'
        : `Packing files… ${formatNumber(done)} of ${formatNumber(total)}`;
    case 'plan':
      return 'Planning documents…';
    case 'publish':
      return 'Writing documents…';
    case 'record':
      return 'Recording…';
  }
}

export function formatAuditProgress({ stage, done, total }: AuditProgress): string {
  const of = total === undefined ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`;
  switch (stage) {
    case 'documents':
      return `Reading documents… ${of}`;
    case 'packages':
      return `Checking packages… ${of}`;
    case 'resources':
      return `Comparing bytes… ${of}`;
  }
}
