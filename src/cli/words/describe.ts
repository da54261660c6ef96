/** Text of the reports of `describe`, `watch` and `record`. */

import type { SkipReason } from '../../base/reasons.js';
import { escapeForTerminal, joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../base/text/units.js';
import type { DocumentReport, RecordReport, Report } from '../../describe/report.js';
import type { Color, Colors, ReportStyle } from './style.js';

/** Names a kind of document, such as `Change List` for `change-list`. */
export function wordKind(kind: DocumentReport['kind']): string {
  if (kind === 'page') return 'page for people';
  if (kind === 'feed') return 'feed of changes';
  if (kind === 'pages') return 'pages and dates';
  if (kind === 'sitemap' || kind === 'sums' || kind === 'signature') return kind;
  const words = kind.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(' ').replace('Archive Index', 'Archive, index');
}

export const SKIPPED: Readonly<Record<SkipReason, readonly [one: string, many: string]>> = {
  'own-document': ['ResourceSync document', 'ResourceSync documents'],
  'node-modules': ['folder node_modules', 'files in node_modules'],
  'dot-file': ['dot-file', 'dot-files'],
  'host-control': ['host control file', 'host control files'],
  'error-page': ['error page', 'error pages'],
  noindex: ['page with noindex', 'pages with noindex'],
  excluded: ['left out by --exclude', 'left out by --exclude'],
  'symbolic-link': ['symbolic link', 'symbolic links'],
  'special-file': ['socket, FIFO or device', 'sockets, FIFOs or devices'],
};

/** Maximum number of documents to list, unless verbose. */
const LISTED_DOCUMENTS = 12;

/** Formats the report of `describe` in several lines, without a line break at the end. */
export function formatReport(report: Report, style: ReportStyle): Words {
  const { colors, verbose } = style;
  const { bold, cyan, dim, green } = colors;
  const { archives, versions, signature, removed } = report;
  /** Makes a line in two columns; none if there is no text. */
  const row = (done: string, text: string | undefined) =>
    text === undefined ? [] : [say`${bold(done)}${' '.repeat(9 - done.length)}${text}`];
  const lines: Phrase[] = [
    ...row('Listed', formatListed(report)),
    ...row('Skipped', formatSkipped(report.skipped, verbose)),
    ...formatPublication(report, bold),
    ...row('Joined', formatJoined(report.joined)),
    ...row('Edited', report.edited && formatEdited(report.edited)),
    ...row('Wrote', formatWritten(report.documents, 'document')),
    ...row('Packed', formatPackages(report.packages)),
    ...row('Archived', archives && formatSized(archives.documents, 'document', archives.bytes)),
    ...row('Kept', versions && formatSized(versions.count, 'version', versions.bytes)),
    ...row('Signed', signature && `by ${signature.type} ${signature.fingerprint}`),
    ...row('Removed', removed.length === 0 ? undefined : formatCount(removed.length, 'outdated file')),
    '',
    ...formatDocuments(report.documents, style),
    '',
    say`${green('Done')} in ${formatDuration(report.durations.total)}. ${formatBeginning(report, cyan)}`,
  ];
  if (verbose) {
    const stages = Object.entries(report.durations).filter(([stage, time]) => stage !== 'total' && time > 0);
    lines.push(dim(stages.map(([stage, time]) => `${stage} ${formatDuration(time)}`).join(' · ')));
  }
  return joinWords(lines);
}

export function formatRecorded(report: RecordReport, { bold, green }: Colors): Words {
  const { at, from, url, ref, recorded, changes, compared, push } = report;
  if (!recorded) return say`${bold('Already recorded')}: ${ref} ends with the publication of ${at}.`;
  const what = from === at ? 'first publication' : countChanged(changes);
  return joinWords([
    say`${bold('Recorded')} ${what} (${at}) on ${ref}`,
    compared ? say`The same is live at ${url}` : say`To compare with the live site first, add --live.`,
    ...(push === undefined ? [] : [say`${green('Not pushed')}. Other machines need it: ${push}`]),
  ]);
}

/** Formats the report of one run of `watch`, in one line. */
export function formatRun(report: Report, { bold, green }: Colors): Words {
  const changes = formatChanges(report);
  const parts = [
    say`${bold('Listed')} ${formatSized(report.resources, 'resource', report.bytes)}`,
    ...(changes === undefined ? [] : [changes]),
    `wrote ${formatWritten(report.documents, 'document')}`,
  ];
  return say`${joinWords(parts, '; ')}. ${green('Done')} in ${formatDuration(report.durations.total)}`;
}

/** Formats the report of an adapter's run in two lines, for the log of the framework. */
export function formatSummary(report: Report): [listed: Words, described: Words] {
  const listed = `Listed ${formatSized(report.resources, 'resource', report.bytes)}`;
  const changes = formatChanges(report);
  return [changes === undefined ? say`${listed}` : say`${listed}; ${changes}`, formatBeginning(report)];
}

/** Names the URL at which clients start. If another build writes that document, also names the Capability Lists that it has to list. */
function formatBeginning(
  { description, documents }: Report,
  color: Color = (phrase) => say`${phrase}`,
): Words {
  const start = say`Clients (ResourceSync "Destinations") start here: ${color(description)}`;
  if (documents.some(({ kind }) => kind === 'source-description')) return start;
  const lists = documents
    .filter(({ kind }) => kind === 'capability-list')
    .map(({ url }) => say`${color(url)}`);
  return lists.length === 0
    ? start
    : say`${start}, which another build writes. It has to list ${joinWords(lists, ' and ')}`;
}

/** Counts the listed resources. @returns undefined if this build only joins sets of other builds */
function formatListed({ resources, bytes, joined = [] }: Report): string | undefined {
  if (resources === 0 && joined.length > 0) return undefined;
  return formatSized(resources, 'resource', bytes);
}

function formatSized(count: number, one: string, bytes: number): string {
  return `${formatCount(count, one)}, ${formatBytes(bytes)}`;
}

function formatPublication(report: Report, bold: Color): Words[] {
  const changes = formatChanges(report);
  if (changes === undefined) return [];
  const { publication, at } = report;
  return publication?.pending === false
    ? [say`${bold('No change')} since ${at}`]
    : [say`${bold('Changed')}  ${changes}`];
}

function countChanged({ created, updated, deleted }: RecordReport['changes']): string {
  return `${formatNumber(created)} created, ${formatNumber(updated)} updated, ${formatNumber(deleted)} deleted`;
}

const PUBLISHED = { live: 'deployed', snapshots: 'recorded', commits: 'committed', rows: 'listed' } as const;

function formatChanges({ at, publication, changes }: Report): string | undefined {
  if (publication === undefined || changes === undefined) return undefined;
  const { created, updated, deleted } = changes;
  const { newest, place, pending, recorded } = publication;
  if (!pending) return `no change since ${at}`;
  const numbers = countChanged(changes);
  if (recorded) return `${newest === undefined ? 'first publication' : numbers} (${at}, recorded)`;
  if (newest === undefined) return 'first publication (pending)';
  if (place === 'rows') return `${numbers} since ${newest}`;
  const count = created + updated + deleted;
  if (count === 0) return `nothing differs from what was ${PUBLISHED[place]} on ${newest} (pending)`;
  const differ = formatCount(count, 'resource differs', 'resources differ');
  return `${differ} from what was ${PUBLISHED[place]} on ${newest}: ${numbers} (pending)`;
}

function formatJoined(joined: Report['joined'] = []): string | undefined {
  if (joined.length === 0) return undefined;
  const checked = joined.filter((set) => set.checked).length;
  const rest = checked === joined.length ? '' : `, ${formatNumber(checked)} of them checked`;
  return `${formatCount(joined.length, 'set')} of other builds${rest}`;
}

function formatEdited({ pages, files }: NonNullable<Report['edited']>): string | undefined {
  const parts = [...(pages === 0 ? [] : [formatCount(pages, 'page')]), ...files];
  return parts.join(', ') || undefined;
}

function formatSkipped(skipped: Report['skipped'], verbose: boolean): string | undefined {
  const parts = Object.entries(SKIPPED).flatMap(([reason, [one, many]]) => {
    const count = skipped[reason as SkipReason] ?? 0;
    const isShown = count > 0 && (verbose || reason !== 'own-document');
    return isShown ? formatCount(count, one, many) : [];
  });
  return parts.join(', ') || undefined;
}

function formatPackages(packages: Report['packages']): string | undefined {
  if (packages.length === 0) return undefined;
  const size = formatBytes(packages.reduce((sum, { bytes }) => sum + bytes, 0));
  return `${formatWritten(packages, 'package')} (${size} in all)`;
}

/** Counts the documents or packages that were written, and those that are unchanged. */
function formatWritten(all: readonly Pick<DocumentReport, 'bytes' | 'changed'>[], one: string): string {
  const written = all.filter(({ changed }) => changed);
  const size = formatBytes(written.reduce((sum, { bytes }) => sum + bytes, 0));
  const kept = all.length - written.length;
  const said = written.length === 0 ? 'nothing new' : `${formatCount(written.length, one)}, ${size}`;
  return kept === 0 ? said : `${said}; ${formatCount(kept, one)} unchanged`;
}

type Row = readonly [path: string, kind: string, entries: string, bytes: string];

function formatDocuments(
  documents: readonly DocumentReport[],
  { colors: { dim }, verbose, columns = Number.POSITIVE_INFINITY }: ReportStyle,
): Phrase[] {
  const shown =
    verbose || documents.length <= LISTED_DOCUMENTS ? documents : documents.slice(-LISTED_DOCUMENTS);
  const rows = shown.map(
    ({ path, kind, entries, bytes, changed }): Row => [
      escapeForTerminal(path),
      wordKind(kind),
      formatCount(entries, 'entry', 'entries'),
      `${formatBytes(bytes)}${changed ? '' : ', unchanged'}`,
    ],
  );
  const widths = [longestOf(rows, 0), longestOf(rows, 1), longestOf(rows, 2)] as const;
  const width = 2 + widths.reduce((sum, one) => sum + one + 2, 0) + longestOf(rows, 3);
  const table =
    width > columns
      ? rows.flatMap((row) => stackRow(row, dim))
      : rows.map(([path, kind, entries, bytes]) => {
          const [pathWidth, kindWidth, entriesWidth] = widths;
          return say`  ${path.padEnd(pathWidth)}  ${kind.padEnd(kindWidth)}  ${dim(`${entries.padStart(entriesWidth)}  ${bytes}`)}`;
        });
  const rest = documents.length - shown.length;
  return rest === 0 ? table : [`  ${formatCount(rest, 'document')} more (--verbose lists all)`, ...table];
}

function longestOf(rows: readonly Row[], column: 0 | 1 | 2 | 3): number {
  return Math.max(...rows.map((row) => row[column].length));
}

/** Formats a row as two lines, for a table that is wider than the terminal. */
function stackRow([path, ...facts]: Row, dim: Color): Words[] {
  return [say`  ${path}`, say`    ${dim(facts.join(', '))}`];
}
