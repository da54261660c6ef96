/** The command `explain`: prints the meaning of the code of a notice or finding, and what to do. */

import { ResyncError } from '../base/errors.js';
import { joinWords, say } from '../base/text/say.js';
import { findNearest } from '../base/text/suggest.js';
import { CHECKS, type CheckCode } from '../standard/rules/checks.js';
import type { Arguments } from './arguments/arguments.js';
import { print, printJson, styleOf } from './terminal.js';
import { wordCheck } from './words/audit.js';

/** Texts of `docs/` without Markdown, inserted by `bundle.mjs`. */
declare const EXPLANATIONS: {
  readonly notices: Readonly<Record<string, string>>;
  /** Advice for findings; the last is for codes that no other names. */
  readonly findings: readonly (readonly [codes: readonly string[], advice: string])[];
};

interface Explanation {
  readonly code: string;
  readonly kind: 'notice' | 'finding';
  /** Of a finding. */
  readonly severity?: string;
  readonly section?: string;
  readonly text: string;
}

/** @throws ResyncError `config-invalid` if there is no such code */
export function runExplain({ site: code = '', values, mistakes }: Arguments): void {
  const { notices, findings } = EXPLANATIONS;
  const wrong = [...mistakes, ...findMistake(code, [...Object.keys(notices), ...Object.keys(CHECKS)])];
  if (wrong.length > 0) throw new ResyncError('config-invalid', joinWords(wrong));
  const notice = notices[code];
  const explanation: Explanation =
    notice !== undefined
      ? { code, kind: 'notice', text: notice }
      : { code, kind: 'finding', ...explainCheck(code as CheckCode, findings) };
  if (values.json === true) {
    printJson(explanation, 2);
    return;
  }
  const { kind, severity, section, text } = explanation;
  const { bold, dim } = styleOf(values).colors;
  const about = severity === undefined ? kind : `${severity} of an audit, ${section}`;
  print(say`${bold(code)} ${dim(`(${about})`)}\n\n${joinWords(text.split('\n'))}\n`);
}

function explainCheck(
  check: CheckCode,
  findings: typeof EXPLANATIONS.findings,
): Omit<Explanation, 'code' | 'kind'> {
  const [, advice] = findings.find(([codes]) => codes.includes(check)) ?? findings.at(-1) ?? [];
  return { ...CHECKS[check], text: `${wordCheck(check)}\n\n${advice}` };
}

function findMistake(code: string, known: readonly string[]): string[] {
  if (known.includes(code)) return [];
  const nearest = findNearest(code, known);
  const advice =
    nearest === undefined ? 'Every notice and every finding ends with its code' : `Did you mean ${nearest}?`;
  return [`${code === '' ? '<code> is missing' : `${code} is not a code`}. ${advice}`];
}
