/** Text about addresses that were published once. */

import { type Phrase, say, type Words } from '../../base/text/say.js';
import { formatCount, formatNumber } from '../../base/text/units.js';
import type { GoneReport, MissingAddress, MovedText } from '../../diff/gone/model.js';
import type { DiffReport } from '../../diff/report.js';
import type { ReportStyle } from './style.js';

/** Maximum number of addresses in a list, unless verbose. */
const LISTED = 40;

/** Says how many pages of the last publication the site lacks, and suggests `--gone`, unless that was given. */
export function formatLost({ changes, gone }: DiffReport): Phrase[] {
  const lost = changes.filter(({ change, kind }) => change === 'deleted' && kind === 'text').length;
  if (lost === 0 || gone !== undefined) return [];
  return [
    `${formatCount(lost, 'page')} of the last publication ${lost === 1 ? 'is' : 'are'} gone. --gone finds out whether redirects answer.`,
  ];
}

/** Counts the addresses that nothing answers any more; 0 without `--gone`. */
export function countMissing({ gone }: Pick<DiffReport, 'gone'>): number {
  return gone === undefined ? 0 : gone.nowhere.length + gone.gone.length;
}

/** Lists kinds of answers with their counts, such as `3 redirected, 1 gone`, without counts of 0. @param counts by words for the kind */
export function wordAnswers(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.map(([words, count]) => `${formatNumber(count)} ${words}`).join(', ');
}

/** Formats what answers earlier addresses of the site. Redirects that work and stay in the site are listed only if verbose. */
export function formatGone(report: GoneReport, style: ReportStyle): Phrase[] {
  const { from, there, redirected, nowhere, gone, withdrawn, idle, unread } = report;
  const { bold, dim, red } = style.colors;
  const count = there + redirected.length + nowhere.length + gone.length + withdrawn.length;
  const answers = wordAnswers({
    there,
    redirected: redirected.length,
    'given up': withdrawn.length,
    'redirected to nothing': nowhere.length,
    gone: gone.length,
  });
  const leaving = redirected.filter(({ leaves }) => leaves);
  return [
    say`${bold('Addresses')}  ${formatNumber(count)} since ${from}: ${answers || 'none'}`,
    ...(report.truncated ? [dim('This clone is shallow, so older addresses are not known.')] : []),
    ...listSome(style.verbose ? redirected : leaving, style, ({ uri, to, by, leaves }) => [
      say`  ${uri} → ${to}  ${dim(leaves ? `(${by}; leaves the site)` : `(${by})`)}`,
    ]),
    ...listSome(nowhere, style, ({ to, by, reason, ...missing }) => [
      say`  ${red('Redirected to nothing')}  ${missing.uri} → ${to}  ${dim(`(${by}; ${REASONS[reason]})`)}`,
      ...formatMoved(missing),
    ]),
    ...listSome(gone, style, (missing) => [
      say`  ${red('Gone')}  ${missing.uri}  ${dim(missing.since === undefined ? 'with this build' : `since ${missing.since}`)}`,
      ...formatMoved(missing),
    ]),
    ...formatRedirects([...nowhere, ...gone], style),
    ...idle.map((glob) => say`The option gone names ${glob}, which matches no address that is gone.`),
    ...formatUnread(unread),
  ];
}

function formatUnread(unread: readonly string[]): Words[] {
  const rules = formatCount(unread.length, 'redirect rule is', 'redirect rules are');
  return unread.length === 0 ? [] : [say`${rules} not understood: ${unread.slice(0, 5).join(', ')}`];
}

const REASONS = {
  gone: 'no page is there',
  circle: 'it leads in a circle',
  hops: 'more than ten redirects',
} as const;

const LIKE: Readonly<Record<MovedText['like'], string>> = {
  text: 'Its text is now at',
  most: 'Its title and most of its text are now at',
};

function formatMoved({ moved }: MissingAddress): Words[] {
  return moved === undefined ? [] : [say`        ${LIKE[moved.like]} ${moved.uri}`];
}

/** Formats redirects to add for missing addresses: lines to paste into a file, and pages to add, each with its path. */
function formatRedirects(missing: readonly MissingAddress[], style: ReportStyle): Phrase[] {
  const redirects = missing.flatMap(({ redirect }) => redirect ?? []);
  const pages = redirects.filter(({ text }) => text.startsWith('<'));
  const lines = redirects.filter(({ text }) => !text.startsWith('<'));
  const [line] = lines;
  return [
    ...(line === undefined ? [] : ['', say`Redirects to paste into ${line.file}, before all others:`]),
    ...listSome(lines, style, ({ text }) => text.split('\n')),
    ...(pages.length === 0 ? [] : ['', 'Pages to add to the site:']),
    ...listSome(pages, style, ({ file, text }) => [say`${file}`, say`  ${text}`]),
  ];
}

/** Formats the first entries of a list, all if verbose, and says how many are left out. */
export function listSome<T>(
  all: readonly T[],
  { verbose }: ReportStyle,
  format: (one: T) => readonly Phrase[],
): Phrase[] {
  const shown = verbose ? all : all.slice(0, LISTED);
  const rest = all.length - shown.length;
  return [
    ...shown.flatMap(format),
    ...(rest === 0 ? [] : [`  ${formatNumber(rest)} more (--verbose lists all)`]),
  ];
}
