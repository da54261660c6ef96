/** The command `explain`: says what the code of a notice or of a finding means, and what to do. */

import { ResyncError } from '../base/errors.js';
import { joinWords, say } from '../base/text/say.js';
import { findNearest } from '../base/text/suggest.js';
import { CHECKS, type CheckCode } from '../standard/rules/checks.js';
import type { Arguments } from './arguments/arguments.js';
import { print, printJson, styleOf } from './terminal.js';
import { wordCheck } from './words/audit.js';

/** What `docs/` says, without Markdown. `bundle.mjs` puts it here. */
declare const EXPLANATIONS: {
  readonly notices: Readonly<Record<string, string>>;
  /** Of findings, what to do; the last is for those that none before it names. */
  readonly findings: readonly (readonly [codes: readonly string[], advice: string])[];
};

/** What is known of a code. */
interface Explanation {
  readonly code: string;
  readonly kind: 'notice' | 'finding';
  /** Of findings. */
  readonly severity?: string;
  readonly section?: string;
  readonly text: string;
}

/** @throws ResyncError `config-invalid` where there is no such code */
export function runExplain({ site: code = '', values, mistakes }: Arguments): void {
  const { notices, findings } = EXPLANATIONS;
  const wrong = [...mistakes, ...findMistake(code, [...Object.keys(notices), ...Object.keys(CHECKS)])];
  if (wrong.length > 0) throw new ResyncError('config-invalid', joinWords(wrong));
  const check = code as CheckCode;
  const [, advice = ''] = findings.find(([codes]) => codes.includes(code)) ?? findings.at(-1) ?? [];
  const explanation: Explanation =
    code in notices
      ? { code, kind: 'notice', text: notices[code] ?? '' }
      : { code, kind: 'finding', ...CHECKS[check], text: `${wordCheck(check)}\n\n${advice}` };
  if (values.json === true) {
    printJson(explanation, 2);
    return;
  }
  const { kind, severity, section, text } = explanation;
  const { bold, dim } = styleOf(values).colors;
  const about = severity === undefined ? kind : `${severity} of an audit, ${section}`;
  print(say`${bold(code)} ${dim(`(${about})`)}\n\n${joinWords(text.split('\n'))}\n`);
}

function findMistake(code: string, known: readonly string[]): string[] {
  if (known.includes(code)) return [];
  const nearest = findNearest(code, known);
  const advice =
    nearest === undefined ? 'Every notice and every finding ends with its code' : `Did you mean ${nearest}?`;
  return [`${code === '' ? '<code> is missing' : `${code} is not a code`}. ${advice}`];
}
