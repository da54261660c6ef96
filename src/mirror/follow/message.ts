/** What a message of a channel tells, if it is one. */

import { checkDocument } from '../../audit/rules/document.js';
import { CLOCK_SKEW } from '../../audit/rules/times.js';
import { MESSAGE_BYTES } from '../../standard/limits.js';
import { CHECKS } from '../../standard/rules/checks.js';
import { timeOf } from '../../standard/rules/values.js';
import { ParseError } from '../../standard/xml/as-read.js';
import { parseDocument } from '../../standard/xml/read.js';
import type { Channel, Heard } from './model.js';

/** A message that is none. */
export interface Nonsense {
  readonly found: string;
}

/** Checks a message by the rules of an audit, and against the set that the channel tells of. */
export async function readMessage(
  bytes: Uint8Array,
  { set, capability }: Channel,
  now: Date,
): Promise<Heard | Nonsense> {
  const problems: string[] = [];
  try {
    const read = await parseDocument([bytes], { bytes: MESSAGE_BYTES });
    checkDocument(read, { uri: set, up: set, expected: capability, now }, (code, { found }) => {
      if (CHECKS[code].severity === 'error' && problems.length === 0)
        problems.push(found === undefined ? code : `${code}: ${found}`);
    });
    if (read.entries.length === 0) problems.push('it tells of nothing');
    const [found] = problems;
    if (found !== undefined) return { found };
    const all = read.entries.flatMap((entry) => timeOf(entry, 'datetime')?.getTime() ?? []);
    const times = all.filter((time) => time <= now.getTime() + CLOCK_SKEW);
    const moment = times.length === 0 ? undefined : times.reduce((one, other) => Math.max(one, other));
    return { changes: read.entries.length, moment };
  } catch (error) {
    if (error instanceof ParseError) return { found: error.message };
    throw error;
  }
}
