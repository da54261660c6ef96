/** The command `explain`: prints the meaning of the code of a notice, finding or error, or lists all codes. */

import { ResyncError } from '../base/errors.js';
import { joinWords, say, type Words } from '../base/text/say.js';
import { findNearest } from '../base/text/suggest.js';
import { CHECKS, type CheckCode } from '../standard/rules/checks.js';
import type { Arguments } from './arguments/arguments.js';
import { readManual } from './manual.js';
import { print, printJson, styleOf } from './terminal.js';
import { wordCheck } from './words/audit.js';
import { type Explanations, findExplanations } from './words/explanations.js';
import { makePlain } from './words/manual.js';
import type { Colors } from './words/style.js';

interface Explanation {
  readonly code: string;
  readonly kind: 'notice' | 'finding' | 'error';
  readonly severity?: string;
  readonly section?: string;
  readonly text: string;
}

/** Explains one code, or lists all codes if none is given. @throws ResyncError `config-invalid` for an unknown code or flag */
export function runExplain({ site: code, values, mistakes }: Arguments): void {
  const all = listExplanations();
  // A finding and an error may share a code.
  const found = all.filter((one) => one.code === code);
  const wrong = code === undefined || found.length > 0 ? mistakes : [...mistakes, wordUnknown(code, all)];
  if (wrong.length > 0) throw new ResyncError('config-invalid', joinWords(wrong));
  const { colors } = styleOf(values);
  if (values.json === true)
    printJson(found.length === 1 ? { ...found[0] } : code === undefined ? all : found, 2);
  else if (code === undefined) print(formatList(all, colors));
  else print(joinWords(found.map((one) => formatExplanation(one, colors))));
}

function listExplanations(): Explanation[] {
  const { notices, findings, errors } = findExplanations(readManual);
  return [
    ...Object.entries(notices).map(
      ([code, text]) => ({ code, kind: 'notice', text: showText(text) }) as const,
    ),
    ...(Object.keys(CHECKS) as CheckCode[]).map((code) => explainCheck(code, findings)),
    ...Object.entries(errors).map(([code, text]) => ({ code, kind: 'error', text: showText(text) }) as const),
  ];
}

function explainCheck(code: CheckCode, findings: Explanations['findings']): Explanation {
  const [, advice = ''] = findings.find(([codes]) => codes.includes(code)) ?? findings.at(-1) ?? [];
  return { code, kind: 'finding', ...CHECKS[code], text: `${wordCheck(code)}\n\n${showText(advice)}` };
}

/** Formats Markdown as plain text, with each paragraph and each item of a list on one line. */
function showText(markdown: string): string {
  const lines = markdown.replace(/(?<!\n)\n *(?![-\n ])/g, ' ').replace(/ {2,}/g, ' ');
  return makePlain(lines.trim(), 'resync-static help');
}

function wordUnknown(code: string, all: readonly Explanation[]): string {
  const nearest = findNearest(
    code,
    all.map((one) => one.code),
  );
  const advice =
    nearest === undefined ? 'To list all, run resync-static explain' : `Did you mean ${nearest}?`;
  return `${code} is not a code. ${advice}`;
}

function formatExplanation(
  { code, kind, severity, section, text }: Explanation,
  { bold, dim }: Colors,
): Words {
  const about = severity === undefined ? kind : `${severity} of an audit, ${section}`;
  return say`${bold(code)} ${dim(`(${about})`)}\n\n${joinWords(text.split('\n'))}\n`;
}

const TITLES = { notice: 'Notices', finding: 'Findings of an audit', error: 'Errors' } as const;

/** Matches the beginning of an explanation: the severity, if any, and the first sentence, up to a colon. */
const BEGINNING = /^(?:(?:Detail|Note|Warning)[.;] )?.*?(?:[.:](?= |$)|$)/;

function formatList(all: readonly Explanation[], { bold }: Colors): Words {
  const width = Math.max(...all.map(({ code }) => code.length));
  const groups = (Object.keys(TITLES) as Explanation['kind'][]).map((kind) =>
    joinWords([
      say`${bold(TITLES[kind])}`,
      ...all
        .filter((one) => one.kind === kind)
        .map(
          ({ code, text }) =>
            say`  ${code.padEnd(width)}  ${BEGINNING.exec(text.split('\n', 1)[0] ?? '')?.[0] ?? ''}`,
        ),
    ]),
  );
  return say`${joinWords(groups, '\n\n')}\n\nTo read about one, run resync-static explain <code>.\n`;
}
