/** Checks the presence of times (Appendix A), their format and their order (§7). Pure. */

import { parseDatetime } from '../../base/datetime.js';
import { CLOCK_SKEW } from '../../standard/limits.js';
import type { FlagHere } from '../../standard/rules/checks.js';
import type { KindRule } from '../../standard/rules/kinds.js';
import type { ReadElement } from '../../standard/xml/as-read.js';

export const TIMES = ['at', 'completed', 'from', 'until'] as const;
const PAIRS = [
  ['at', 'completed'],
  ['from', 'until'],
] as const;
const CODES_OF_MISSING = {
  mandatory: 'time-missing',
  recommended: 'time-not-said-though-recommended',
  optional: 'time-not-said',
} as const;

interface Bearer {
  readonly md: ReadElement | undefined;
  readonly line: number;
}

export function checkTimes(bearer: Bearer, rules: KindRule['head'], now: Date, flag: FlagHere): void {
  const attributes = bearer.md?.attributes ?? {};
  const line = bearer.md?.line ?? bearer.line;
  for (const [begin, end] of PAIRS) {
    const rule = rules[begin];
    if (rule === 'forbidden') {
      if (attributes[begin] !== undefined) flag('time-misplaced', { line, found: begin });
      if (attributes[end] !== undefined) flag('time-misplaced', { line, found: end });
      continue;
    }
    const [since, to] = [attributes[begin], attributes[end]];
    if (since === undefined) flag(CODES_OF_MISSING[rule], { line, expected: begin });
    const [first, last] = [checkTime(begin, since, now, flag), checkTime(end, to, now, flag)];
    if (first !== undefined && last !== undefined && last < first)
      flag('time-reversed', { line, found: `${end} ${to}`, expected: `not before ${begin}, ${since}` });
  }
}

export function checkTime(
  name: string,
  text: string | undefined,
  now: Date,
  flag: FlagHere,
): Date | undefined {
  if (text === undefined) return undefined;
  const time = parseDatetime(text);
  const found = `${name} ${text}`;
  if (time === undefined) {
    flag('time-invalid', { found, expected: 'such as 2026-11-20T10:15:00Z' });
    return undefined;
  }
  if (!/T\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text)) flag('time-incomplete', { found });
  if (time.getTime() > now.getTime() + CLOCK_SKEW) flag('time-in-future', { found });
  return time;
}
