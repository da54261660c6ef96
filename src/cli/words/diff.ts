/** Text of the report of `diff`, and of the changes in other reports. */

import type { Progress } from '../../base/progress.js';
import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatNumber } from '../../base/text/units.js';
import type { Details, Report } from '../../describe/report.js';
import type { Difference, DifferenceGroup } from '../../diff/model.js';
import type {
  ComparedWith,
  DiffReport,
  Incomplete,
  MovedDates,
  ReportedChange,
  ReportedChanges,
} from '../../diff/report.js';
import type { CommonPassage } from '../../diff/text/passages.js';
import type { ContentKind } from '../../files/page/kind.js';
import { SKIPPED } from './describe.js';
import { formatLost, listSome } from './gone.js';
import { wordUnreproducible } from './notices.js';
import { formatProgress } from './progress.js';
import type { ReportStyle } from './style.js';

/** Maximum number of changes of one kind that are listed, unless verbose. */
const LISTED_CHANGES = 40;
/** Maximum width of the column of URLs, in characters. */
const WIDEST_ADDRESS = 50;

const CHANGES = {
  updated: 'Updated',
  created: 'Created',
  renamed: 'Renamed',
  deleted: 'Deleted',
} as const;
const ORDER = ['updated', 'created', 'renamed', 'deleted'] as const;

export function formatDiff(report: DiffReport, style: ReportStyle): Words {
  const { comparedWith, changes, incomplete, unreproducible, passage, sitemap } = report;
  const { bold, dim } = style.colors;
  if (comparedWith.at === undefined) return wordNoPast(comparedWith);
  const lines: Phrase[] = [say`Compared with ${wordPast(comparedWith)} (${comparedWith.at})`, ''];
  if (changes.length === 0) lines.push('Nothing differs.');
  lines.push(...formatDifferences(report, style));
  if (changes.length > 0) lines.push('', say`${bold(wordCounts(changes))}`);
  if (incomplete !== undefined) lines.push(dim(wordIncomplete(incomplete, comparedWith.history)));
  if (sitemap !== undefined) lines.push(...formatMoved(sitemap, report.url, style));
  if (unreproducible !== undefined)
    lines.push('', say`${wordUnreproducible(unreproducible)} (build-not-reproducible)`);
  if (passage !== undefined) lines.push('', wordPassage(passage));
  lines.push(...formatLost(report));
  return joinWords(lines);
}

/** Describes a passage that most updated pages gained or lost, and says how to exclude it from the main text. */
function wordPassage({ change, pages, compared, text }: CommonPassage): Words {
  const happened = change === 'came' ? 'was added to' : 'was removed from';
  const most = pages === compared ? 'all' : `${formatNumber(pages)} of the`;
  return say`“${text}” ${happened} the main text of ${most} ${formatNumber(compared)} updated pages.\nIf it does not belong to their text, such as a menu, add the attribute data-pagefind-ignore to its element.`;
}

/** Lists the pages whose dates in the sitemap would change. */
function formatMoved({ moved, unread }: MovedDates, url: string, style: ReportStyle): Phrase[] {
  const left = unread === 0 ? '' : `; ${formatCount(unread, 'page was', 'pages were')} not compared`;
  return [
    '',
    say`${style.colors.bold('Sitemap')}  ${formatCount(moved.length, 'date')} would move${left}`,
    ...listSome(moved, style, (uri) => [say`  ${addressOf({ uri }, url)}`]),
  ];
}

/** Maximum number of skipped files that are listed: a glob may exclude any number. */
const LISTED_SKIPPED = 40;

/** Lists changes and skipped files of a report, one line each; undefined if there are none. */
export function formatDetails({ details, url }: Report, style: ReportStyle): Words | undefined {
  if (details === undefined) return undefined;
  const parts = [formatChanged({ ...details, url }, style), formatSkippedFiles(details, style)];
  const blocks = parts.map((lines) => joinWords(lines)).filter((words) => words.toString() !== '');
  return blocks.length === 0 ? undefined : joinWords(blocks, '\n\n');
}

/** Lists changes, one line each, and says how many changed files were not compared. */
export function* formatChanged(
  report: Pick<Details, 'changes' | 'groups' | 'incomplete' | 'comparedWith'> & Pick<Report, 'url'>,
  style: ReportStyle,
): Generator<Phrase> {
  const { incomplete, comparedWith } = report;
  yield* formatDifferences(report, style);
  if (incomplete !== undefined && comparedWith !== undefined)
    yield style.colors.dim(wordIncomplete(incomplete, comparedWith.history));
}

/** Lists skipped files, one line each, up to a limit. */
export function* formatSkippedFiles(
  { skipped }: Pick<Details, 'skipped'>,
  { colors: { bold, dim } }: ReportStyle,
): Generator<Phrase> {
  for (const { path, reason } of skipped.slice(0, LISTED_SKIPPED))
    yield say`${bold('Skipped')}  ${path}  ${dim(SKIPPED[reason][0])}`;
  const rest = skipped.length - LISTED_SKIPPED;
  if (rest > 0) yield say`${bold('Skipped')}  ${formatNumber(rest)} more (--json lists all)`;
}

function formatDifferences(changes: ChangesOfSite, style: ReportStyle): Phrase[] {
  return ORDER.flatMap((change) => formatChanges(changes, change, style));
}

interface ChangesOfSite extends Pick<ReportedChanges, 'changes' | 'groups'> {
  readonly url: string;
}

function wordPast(past: ComparedWith): string {
  switch (past.history) {
    case 'none':
      return '';
    case 'git':
      return past.folder === '' ? past.ref : `${past.ref}:${past.folder}`;
    case 'published':
      return past.description;
  }
}

function wordNoPast(past: ComparedWith): Words {
  switch (past.history) {
    case 'none':
      return say`There is nothing to compare with: this site has no history.\nChanges are known from the second publication on. To keep publications, see resync-static help history.`;
    case 'git':
      return say`There is nothing to compare with: ${wordPast(past)} has no publication of this site yet.\nAfter the first one, diff shows what changed.`;
    case 'published':
      return say`There is nothing to compare with: ${past.description} is not there yet.\nThe next publication is the first. Changes are known from the second on.`;
  }
}

/** Counts changes by kind, such as `2 updated, 1 created`. */
function wordCounts(changes: readonly ReportedChange[]): string {
  return ORDER.map((change) => [changes.filter((one) => one.change === change).length, change] as const)
    .filter(([count]) => count > 0)
    .map(([count, change]) => `${formatNumber(count)} ${change}`)
    .join(', ');
}

function formatChanges(
  { changes, groups, url }: ChangesOfSite,
  change: Difference['change'],
  { colors, verbose }: ReportStyle,
): Phrase[] {
  const own = changes.filter((one) => one.change === change);
  const label = colors.bold(CHANGES[change]);
  const grouped = groups.flatMap((group): Phrase[] => {
    const members = own.filter((one) => one.group === group.id);
    return members.length === 0 ? [] : [say`${label}  ${formatGroup(group, members, url)}`];
  });
  // The verbose report also lists the members of groups.
  const single = verbose ? own : own.filter((one) => one.group === undefined);
  const shown = verbose ? single : single.slice(0, LISTED_CHANGES);
  const width = Math.min(WIDEST_ADDRESS, Math.max(0, ...shown.map((one) => addressOf(one, url).length)));
  const rows = shown.map(
    (one) => say`${label}  ${addressOf(one, url).padEnd(width)}${colors.dim(formatFacts(one, verbose))}`,
  );
  const rest = single.length - shown.length;
  const more = rest === 0 ? [] : [say`${label}  ${formatNumber(rest)} more (--verbose lists all)`];
  return [...grouped, ...rows, ...more];
}

/** Returns the URL of a change without its origin; for a rename, the old one and the new one. */
function addressOf({ uri, from }: Pick<ReportedChange, 'uri' | 'from'>, url: string): string {
  const short = (address: string) => address.slice(new URL(url).origin.length);
  return from === undefined ? short(uri) : `${short(from)} → ${short(uri)}`;
}

function formatFacts({ change, kind, line = '', length, group }: ReportedChange, verbose: boolean): string {
  if (change === 'deleted') return '';
  const inGroup = group === undefined ? '' : `  group ${group}`;
  const size = length === undefined ? inGroup : `  ${formatBytes(length)}${inGroup}`;
  if (change !== 'updated' || kind === undefined) return size;
  return `  ${kind.padEnd(6)}${size}${verbose && line !== '' ? `  ${line}` : ''}`;
}

function formatGroup(
  { count, kind, line, reason }: DifferenceGroup,
  members: readonly ReportedChange[],
  url: string,
): Words {
  switch (reason) {
    case 'renamed': {
      const [first] = members;
      return say`${first === undefined ? line : addressOf(first, url)}  (${formatNumber(count)} such assets)`;
    }
    case 'masked':
      return say`${wordMembers(count, kind)}, only in times, hashes or numbers:  ${line}`;
    case 'alike':
      return say`${wordMembers(count, kind)}, all alike (${kind}):  ${line}`;
  }
}

function wordMembers(count: number, kind: ContentKind): string {
  return kind === 'data' || kind === 'binary' ? formatCount(count, 'file') : formatCount(count, 'page');
}

function wordIncomplete({ wanted, asked, read }: Incomplete, history: ComparedWith['history']): string {
  const lost = asked - read;
  if (history !== 'published') {
    return `The earlier bytes of ${formatCount(wanted - read, 'file')} are not in this clone; these are listed, but not compared.`;
  }
  if (asked === 0) {
    return `What changed in ${formatCount(wanted, 'file')} was not compared. resync-static diff fetches what is live, and compares.`;
  }
  const sample =
    asked === wanted
      ? ''
      : `A sample: of ${formatNumber(wanted)} changed files, ${formatNumber(asked)} were fetched from the live site. `;
  const failed =
    lost === 0
      ? ''
      : `The live site did not serve ${formatCount(lost, 'file')} with the bytes that its list says. `;
  return `${sample}${failed}What was not fetched is listed, but not compared.`;
}

export function formatDiffProgress(progress: Progress): string {
  const { stage, done, total } = progress;
  if (stage !== 'changes' || done === undefined || total === undefined) return formatProgress(progress);
  return `Comparing… ${formatNumber(done)} of ${formatNumber(total)} (${Math.floor((100 * done) / total)} %)`;
}
