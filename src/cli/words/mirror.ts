/** Text of the report and the progress of a mirror. */

import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../base/text/units.js';
import type { FollowEvent } from '../../mirror/follow/model.js';
import {
  type MirroredSet,
  type MirrorFailure,
  type MirrorProgress,
  type MirrorReport,
  MOST_FAILURES,
} from '../../mirror/report.js';
import { type Color, type ReportStyle, shortenText } from './style.js';

/** Maximum number of failures to list, unless verbose. */
const SHOWN_FAILURES = 10;

const REASONS: Readonly<Record<NonNullable<MirroredSet['reason']>, string>> = {
  first: 'nothing had been copied before',
  'no-changes': 'no Change List leads here',
  gap: 'the Change List begins after the last run',
  replaced: 'the site went back to an older version, or replaced its Change List',
  options: 'the site changed the options for its lists',
  cloned: 'the memory of the copy was not written in this folder',
  contradiction: 'its Change List contradicts its Resource List',
  'unknown-change': 'a change has an unknown kind',
  time: 'only its Change List was read for a week',
  verify: 'every file was read again',
  origins: 'more servers are allowed than before',
  signed: 'the copy was not signed before, or by another key',
};

export function formatMirror(report: MirrorReport, style: ReportStyle): Words {
  return joinWords(listLines(report, style));
}

function* listLines(report: MirrorReport, style: ReportStyle): Generator<Phrase> {
  const { bold, dim, green, red, yellow } = style.colors;
  const { sets, failed, outstanding, durations } = report;
  yield say`${bold(report.dryRun ? 'Would copy' : 'Copied')}  ${formatDone(report)}`;
  for (const { uri, archived } of sets)
    if (archived !== undefined)
      yield say`${bold('Read')}  ${formatCount(archived, 'archived list')} of changes of ${uri}: ${REASONS.gap}`;
  for (const { uri, reason } of sets)
    if (reason !== undefined && (style.verbose || reason !== 'first'))
      yield say`${bold('Compared')}  with the whole list of ${uri}: ${REASONS[reason]}`;
  yield* formatRest(report);
  yield* formatSignature(report, style.verbose);
  for (const line of formatServed(report)) yield say`${bold('Trusted')}  ${line}`;
  yield* formatRequirements(report, style);
  yield* listFailures('Failed', failed, red, style);
  yield* listFailures('Outstanding', outstanding, yellow, style);
  yield '';
  if (style.verbose) yield dim(formatTimes(report));
  const done = report.inSync
    ? green('In sync')
    : report.stopped
      ? yellow('Stopped')
      : report.dryRun && failed.length + outstanding.length === 0
        ? yellow('Not in sync yet')
        : red('Not in sync');
  yield say`${done} after ${formatDuration(durations.total)}${report.at === undefined ? '' : `, as of ${report.at}`}: ${formatTraffic(report)}.`;
}

function formatSignature({ signature, source }: MirrorReport, verbose: boolean): Words[] {
  if (signature === undefined) return [];
  const { fingerprint, type, key, isKnown } = signature;
  if (isKnown && !verbose) return [];
  const signed = say`Signed by ${fingerprint} (${type}).`;
  if (isKnown) return [signed];
  return [
    say`${signed} Nobody has confirmed this key: compare it with what the publisher of ${source} says.`,
    say`This copy accepts no other key from now on. To demand it everywhere: --trust '${key}'`,
  ];
}

function formatTraffic({ requests, bytes, unasked }: MirrorReport): string {
  const files = unasked === 0 ? '' : `, ${formatCount(unasked, 'file')} needed none`;
  return `${formatCount(requests, 'request')}, ${formatBytes(bytes)}${files}`;
}

/** Formats pauses for which servers asked, and the requests, bytes and time that a dry run expects. */
function* formatRequirements(
  { pauses, needs }: MirrorReport,
  { colors: { bold }, verbose }: ReportStyle,
): Generator<Phrase> {
  for (const { origin, reason, milliseconds } of pauses) {
    const pause = formatDuration(milliseconds);
    yield reason === 'busy'
      ? say`${origin} was busy, and was asked less often, for a while every ${pause} only.`
      : say`${origin} asks for ${pause} between files (Crawl-delay in robots.txt).`;
  }
  if (needs === undefined) return;
  const { requests, bytes, time, uris } = needs;
  const takes = time === undefined ? '' : `, at least ${formatDuration(time)}`;
  yield say`${bold('Would take')}  ${formatCount(requests, 'request')}, ${formatBytes(bytes)}${takes}`;
  if (verbose) for (const uri of uris) yield say`  ${uri}`;
}

/** Warns that a copy trusts the server of `--served-at`, unless a known key signed it. Printed after each run. */
export function formatServed({ source, servedAt, signature }: MirrorReport): Words[] {
  // A signature by a known key proves who published the site.
  if (servedAt === undefined || signature?.isKnown === true) return [];
  return [
    say`${servedAt}, in place of ${source}: nothing but that server says that it has what was published.`,
  ];
}

/** Formats the report of a successful run after which others follow, in one line. */
export function formatMirrorRun(report: MirrorReport): Words {
  const at = report.at === undefined ? '' : `, as of ${report.at}`;
  return say`${formatDone(report)}. In sync after ${formatDuration(report.durations.total)}${at}: ${formatTraffic(report)}`;
}

function formatDone({ created, updated, deleted, unchanged }: MirrorReport): string {
  const counts = `${formatNumber(created)} created, ${formatNumber(updated)} updated, ${formatNumber(deleted)} deleted`;
  return `${counts}, ${formatNumber(unchanged)} unchanged`;
}

function* formatRest(report: MirrorReport): Generator<Phrase> {
  const { stopped, held, unverified, relative, elsewhere, setsElsewhere } = report;
  const [set] = setsElsewhere;
  if (stopped)
    yield `Nothing was deleted: ${formatCount(held, 'file is', 'files are')} no longer listed, which is more than --max-delete allows. If that is right, run again with a higher --max-delete.`;
  else if (held > 0 && report.failed.some(({ reason }) => reason === 'skipped'))
    yield `${formatCount(held, 'file is', 'files are')} kept for now, because some of the lists could not be understood.`;
  else if (held > 0)
    yield `${formatCount(held, 'file that is no longer listed is', 'files that are no longer listed are')} kept for now.`;
  if (unverified > 0)
    yield `${formatCount(unverified, 'file is', 'files are')} unverified: the lists have no checksum that can be compared.`;
  if (relative !== undefined)
    yield say`Lists have relative addresses, which were resolved, such as ${shortenText(relative.found)} in ${shortenText(relative.document)}, line ${String(relative.line)}.`;
  if (set !== undefined)
    yield say`${formatCount(setsElsewhere.length, 'set is', 'sets are')} on another server and not copied, such as ${shortenText(set)}. --allow ${new URL(set).origin} adds that server.`;
  if (elsewhere > 0)
    yield `${formatCount(elsewhere, 'listed URL is', 'listed URLs are')} on another server and not copied. --allow <origin> adds a server.`;
}

const KINDS: Readonly<Record<MirrorFailure['reason'], string>> = {
  missing: 'is listed, but not there',
  different: 'is not what the list says',
  'in-the-way': 'has no place in the folder',
  failed: 'could not be fetched',
  changing: 'kept changing',
  unread: 'has lists that cannot be read',
  skipped: 'may list more than could be read',
  elsewhere: 'lists only URLs on other servers; allow them with --allow',
};

function* listFailures(
  title: string,
  failures: readonly MirrorFailure[],
  color: Color,
  { colors: { bold, dim }, verbose }: ReportStyle,
): Generator<Phrase> {
  if (failures.length === 0) return;
  const shown = verbose ? failures : failures.slice(0, SHOWN_FAILURES);
  const rest = failures.length - shown.length;
  yield '';
  yield say`${color(title)}  ${bold(countFailures(failures))}`;
  for (const { uri, reason, found } of shown)
    yield say`  ${shortenText(uri)} ${KINDS[reason]} ${dim(`(${shortenText(found)})`)}`;
  if (rest > 0) yield dim(`  and ${formatNumber(rest)} more (--verbose)`);
}

/** Counts failures, and says what failed: resources, sets, or places in lists. */
function countFailures(failures: readonly MirrorFailure[]): string {
  if (failures.every(({ reason }) => reason === 'unread')) return formatCount(failures.length, 'set');
  if (failures.every(({ reason }) => reason === 'skipped'))
    return formatCount(failures.length, 'place in the lists', 'places in the lists');
  if (failures.every(({ path }) => path === undefined)) return 'all that is listed';
  const count = formatCount(failures.length, 'resource');
  return failures.length < MOST_FAILURES ? count : `at least ${count}`;
}

function formatTimes({ durations: { documents, resources, moves } }: MirrorReport): string {
  return `documents ${formatDuration(documents)} · resources ${formatDuration(resources)} · moves ${formatDuration(moves)}`;
}

/** Formats the duration of fetching files one by one under a rate limit. */
export function formatLimited({ done, total = 0 }: MirrorProgress, takes: number): string {
  const files = formatCount(total - done, 'file');
  return `To fetch ${files} one by one takes at least ${formatDuration(takes)}, with the limit in force.`;
}

export function formatMirrorProgress({ stage, done, total, bytes = 0, elapsed = 0 }: MirrorProgress): string {
  const of = total === undefined ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`;
  switch (stage) {
    case 'waiting':
      return 'Waiting for another run on this folder…';
    case 'documents':
      return `Reading documents… ${of}`;
    case 'verify':
      return `Reading ${formatNumber(total ?? 0)} files of the copy…`;
    case 'resources': {
      const rate = elapsed < 1000 ? '' : `, ${formatBytes((1000 * bytes) / elapsed)}/s`;
      const left =
        elapsed < 1000 || total === undefined
          ? ''
          : `, ${formatDuration((elapsed / done) * (total - done))} left`;
      return `Fetching… ${of}, ${formatBytes(bytes)}${rate}${left}`;
    }
    case 'moves':
      return `Putting files in place… ${of}`;
  }
}

/** Formats an event of `mirror --follow` in one line, without a line break. */
export function formatFollowing(event: Exclude<FollowEvent, { kind: 'synchronized' | 'failed' }>): Words {
  const { uri } = event.channel;
  switch (event.kind) {
    case 'connected':
      return say`Listening to ${uri}.`;
    case 'lost':
      return say`Not listening to ${uri}: ${event.found}. Meanwhile, the lists are read again and again.`;
    case 'message':
      return say`${uri} reports ${formatCount(event.changes, 'change')}.`;
    case 'ignored':
      return say`${uri} sent what is no message: ${event.found}.`;
  }
}
