/** Text of an audit report. */

import type { AskedAddresses, AuditReport, FindingGroup } from '../../audit/report.js';
import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../base/text/units.js';
import type { CheckCode, Finding, Severity } from '../../standard/rules/checks.js';
import { wordAnswers } from './gone.js';
import { type Color, type ReportStyle, shortenText } from './style.js';

/** Maximum number of findings that are shown for one check, unless verbose. */
const SHOWN_FINDINGS = 5;

/** Formats the report of an audit. Notes need no action, and are shown only if verbose. */
export function formatAudit(report: AuditReport, style: ReportStyle): Words {
  const { bold, cyan, dim, green, red, yellow } = style.colors;
  const { documents, resources, packages, addresses, findings, description, servedAt } = report;
  const size = documents.reduce((sum, { bytes }) => sum + bytes, 0);
  const verdict = SEVERITIES.flatMap((severity) => formatTotal(report, severity)).join(', ');
  const shown = findings.filter(({ severity }) => style.verbose || severity !== 'note');
  const rest = shown.length === findings.length ? '' : ' (see --verbose)';
  const colorOf = { error: red, warning: yellow, note: cyan };
  const { documents: reading, resources: comparing } = report.durations;
  return joinWords([
    say`${bold('Read')}     ${formatCount(documents.length, 'document')}, ${formatBytes(size)}${description === undefined ? '' : `, from ${shortenText(description)}`}${servedAt === undefined ? '' : `, served at ${servedAt}`}`,
    say`${bold('Checked')}  ${formatExtent(resources, 'resource')}`,
    ...(packages.listed === 0 ? [] : [`         ${formatExtent(packages, 'package')}`]),
    ...(addresses === undefined ? [] : [say`${bold('Asked')}    ${wordAddresses(addresses)}`]),
    ...shown.flatMap((group) => ['', ...formatGroup(group, colorOf[group.severity], style)]),
    '',
    say`${report.errors > 0 ? red('Done') : green('Done')} in ${formatDuration(report.durations.total)}: ${verdict === '' ? 'nothing found' : verdict}${rest}.`,
    ...(style.verbose
      ? [dim(`documents ${formatDuration(reading)} · resources ${formatDuration(comparing)}`)]
      : []),
  ]);
}

function wordAddresses({
  listed,
  from,
  there,
  redirected,
  nowhere,
  gone,
  withdrawn,
}: AskedAddresses): string {
  const answers = wordAnswers({
    answered: there,
    redirected,
    'redirected to nothing': nowhere,
    gone,
    'given up (410)': withdrawn,
  });
  const since = from === undefined ? '' : ` since ${from}`;
  return `${formatCount(listed, 'deleted address', 'deleted addresses')}${since}: ${answers || 'none answered'}`;
}

const SEVERITIES = ['error', 'warning', 'note'] as const;

function formatTotal({ errors, warnings, notes }: AuditReport, severity: Severity): string[] {
  const count = { error: errors, warning: warnings, note: notes }[severity];
  return count === 0 ? [] : [formatCount(count, severity)];
}

function formatExtent({ listed, checked, bytes }: AuditReport['resources'], one: string): string {
  const part = checked === listed ? '' : `${formatNumber(checked)} of `;
  return `${part}${formatCount(listed, one)}, ${formatBytes(bytes)}`;
}

function* formatGroup(
  { code, severity, section, count, findings }: FindingGroup,
  color: Color,
  { colors: { bold, dim }, verbose }: ReportStyle,
): Generator<Phrase> {
  const shown = verbose ? findings : findings.slice(0, SHOWN_FINDINGS);
  const title = severity[0]?.toUpperCase() + severity.slice(1);
  const rest = count - shown.length;
  yield say`${color(title)} ${wordCheck(code)} ${dim(`(${section}, ${formatCount(count, 'place')},`)} ${bold(code)}${dim(')')}`;
  for (const finding of shown) yield* formatFinding(finding, dim);
  if (rest > 0)
    yield say`  ${dim(`and ${formatNumber(rest)} more${verbose || count > findings.length ? '' : ' (--verbose)'}`)}`;
}

function* formatFinding({ document, line, entry, found, expected }: Finding, dim: Color): Generator<Phrase> {
  const place = `${document}${line === undefined ? '' : `:${line}`}`;
  const said = { found, expected };
  const what = Object.entries(said).flatMap(([name, text]) => (text === undefined ? [] : `${name} ${text}`));
  yield say`    ${shortenText(entry ?? place)}${entry === undefined ? '' : say` ${dim(`in ${shortenText(place)}`)}`}`;
  if (what.length > 0) yield say`      ${shortenText(what.join('; '))}`;
}

/** One or two sentences for each check, inserted by `bundle.mjs` from `docs/findings.md`. */
declare const CHECK_WORDS: Readonly<Record<CheckCode, string>>;

export function wordCheck(code: CheckCode): string {
  return CHECK_WORDS[code];
}
