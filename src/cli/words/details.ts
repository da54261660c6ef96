/** What a run changed and what it left out, one by one, in words. */

import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatNumber } from '../../base/text/units.js';
import type { Details, Report } from '../../describe/report.js';
import { SKIPPED } from './describe.js';
import { formatDifferences, wordIncomplete } from './diff.js';
import type { ReportStyle } from './style.js';

/** More files are summed up: a glob may leave out any number. */
const LISTED_SKIPPED = 40;

/** All changed URLs and skipped files, a line each; undefined where there is none. */
export function formatDetails({ details, url }: Report, style: ReportStyle): Words | undefined {
  if (details === undefined) return undefined;
  const parts = [formatChanges({ ...details, url }, style), formatSkippedFiles(details, style)];
  const told = parts.filter((lines) => lines.length > 0);
  return told.length === 0
    ? undefined
    : joinWords(
        told.map((lines) => joinWords(lines)),
        '\n\n',
      );
}

/** What changed, a line each. */
export function formatChanges(
  told: Pick<Details, 'changes' | 'groups' | 'incomplete' | 'comparedWith'> & Pick<Report, 'url'>,
  style: ReportStyle,
): Phrase[] {
  const { incomplete, comparedWith } = told;
  if (incomplete === undefined || comparedWith === undefined) return formatDifferences(told, style);
  return [
    ...formatDifferences(told, style),
    style.colors.dim(wordIncomplete(incomplete, comparedWith.history)),
  ];
}

/** What was left out, a line each. */
export function formatSkippedFiles(
  { skipped }: Pick<Details, 'skipped'>,
  { colors: { bold, dim } }: ReportStyle,
): Phrase[] {
  const shown = skipped.slice(0, LISTED_SKIPPED);
  const rest = skipped.length - shown.length;
  return [
    ...shown.map(({ path, reason }) => say`${bold('Skipped')}  ${path}  ${dim(SKIPPED[reason][0])}`),
    ...(rest === 0 ? [] : [say`${bold('Skipped')}  ${formatNumber(rest)} more (--json lists all)`]),
  ];
}
