/** What is told to people: all wording about a run that went well is here. */

import type { Notice, SkipReason, UnlinkedReason } from '../notices.js';
import type { Progress } from '../progress.js';
import type { Waiting } from '../publish/lock.js';
import type { DocumentReport, Report } from '../report.js';
import { escapeForTerminal } from '../text/escape.js';
import { joinWords, makeColor, type Phrase, say, type Words } from '../text/say.js';

const COLORS = ['bold', 'cyan', 'dim', 'green', 'red', 'yellow'] as const;
export type Color = (phrase: Phrase) => Words;
export type Colors = Readonly<Record<(typeof COLORS)[number], Color>>;

/** Takes the colors of `picocolors`, or others like them. */
export function makeColors(plain: Readonly<Record<keyof Colors, (text: string) => string>>): Colors {
  return Object.fromEntries(COLORS.map((name) => [name, makeColor(plain[name])])) as Colors;
}

export interface ReportStyle {
  readonly colors: Colors;
  /** Adds the time of each stage, and every document however many there are. */
  readonly verbose: boolean;
}

const KINDS: Readonly<Record<DocumentReport['kind'], string>> = {
  'source-description': 'Source Description',
  'capability-list': 'Capability List',
  'resource-list': 'Resource List',
  'resource-list-index': 'Resource List Index',
  'change-list': 'Change List',
  'change-list-index': 'Change List Index',
  'resource-dump': 'Resource Dump',
  'resource-dump-index': 'Resource Dump Index',
  'resource-dump-manifest': 'Resource Dump Manifest',
  'change-dump': 'Change Dump',
  'change-dump-index': 'Change Dump Index',
  'change-dump-manifest': 'Change Dump Manifest',
};

const SKIPPED: Readonly<Record<SkipReason, readonly [one: string, many: string]>> = {
  'own-document': ['document of our own', 'documents of our own'],
  'dot-file': ['dot-file', 'dot-files'],
  'host-control': ['host control file', 'host control files'],
  'error-page': ['error page', 'error pages'],
  excluded: ['left out by --exclude', 'left out by --exclude'],
  'symbolic-link': ['symbolic link', 'symbolic links'],
  'special-file': ['socket, FIFO or device', 'sockets, FIFOs or devices'],
};

/** More documents than this are summed up. */
const LISTED_DOCUMENTS = 12;

/** The report of a run, several lines, without a line break at the end. */
export function formatReport(report: Report, { colors, verbose }: ReportStyle): Words {
  const { bold, cyan, dim, green } = colors;
  const changed = report.documents.filter((document) => document.changed);
  const size = changed.reduce((sum, { bytes }) => sum + bytes, 0);
  const unchanged = report.documents.length - changed.length;
  const skipped = formatSkipped(report.skipped, verbose);
  const lines: Phrase[] = [
    say`${bold('Listed')}   ${formatCount(report.resources, 'resource', 'resources')}, ${formatBytes(report.bytes)}`,
    ...(skipped === '' ? [] : [say`${bold('Skipped')}  ${skipped}`]),
    ...formatPublication(report, bold),
    ...formatEdited(report.edited, bold),
    say`${bold('Wrote')}    ${formatCount(changed.length, 'document', 'documents')}, ${formatBytes(size)}${unchanged === 0 ? '' : `; ${formatCount(unchanged, 'document', 'documents')} as before`}`,
    ...formatPackages(report.packages, bold),
    ...(report.removed.length === 0
      ? []
      : [say`${bold('Removed')}  ${formatCount(report.removed.length, 'outdated file', 'outdated files')}`]),
    '',
    ...formatDocuments(report.documents, verbose, dim),
    '',
    say`${green('Done')} in ${formatDuration(report.durations.total)}. Destinations begin at ${cyan(report.description)}`,
  ];
  if (verbose) {
    const stages = Object.entries(report.durations).filter(([stage, time]) => stage !== 'total' && time > 0);
    lines.push(dim(stages.map(([stage, time]) => `${stage} ${formatDuration(time)}`).join(' · ')));
  }
  return joinWords(lines);
}

/** The report of one run among many, in a line. */
export function formatRun(report: Report, { bold, green }: Colors): Words {
  const changed = report.documents.filter((document) => document.changed);
  const size = changed.reduce((sum, { bytes }) => sum + bytes, 0);
  const changes = formatChanges(report);
  const parts = [
    say`${bold('Listed')} ${formatCount(report.resources, 'resource', 'resources')}, ${formatBytes(report.bytes)}`,
    ...(changes === undefined ? [] : [changes]),
    `wrote ${formatCount(changed.length, 'document', 'documents')}, ${formatBytes(size)}`,
  ];
  return say`${joinWords(parts, '; ')}. ${green('Done')} in ${formatDuration(report.durations.total)}`;
}

/** The same in two lines, for the log of a program that has more to tell. */
export function formatSummary(report: Report): [listed: Words, described: Words] {
  const listed = `Listed ${formatCount(report.resources, 'resource', 'resources')}, ${formatBytes(report.bytes)}`;
  const changes = formatChanges(report);
  return [
    changes === undefined ? say`${listed}` : say`${listed}; ${changes}`,
    say`Destinations begin at ${report.description}`,
  ];
}

function formatPublication(report: Report, bold: Color): Words[] {
  const changes = formatChanges(report);
  return changes === undefined ? [] : [say`${bold('Changed')}  ${changes}`];
}

function formatChanges({ at, publication, changes }: Report): string | undefined {
  if (publication === undefined || changes === undefined) return undefined;
  const { created, updated, deleted } = changes;
  const numbers = `${formatNumber(created)} created, ${formatNumber(updated)} updated, ${formatNumber(deleted)} deleted`;
  const { from, pending, recorded } = publication;
  const kept = recorded ? ', recorded' : pending ? ', pending' : '';
  const what = from === at ? 'this is the first publication' : numbers;
  return `${what} (${at}${kept})`;
}

function formatEdited(edited: Report['edited'], bold: Color): Words[] {
  const { pages = 0, files = [] } = edited ?? {};
  const parts = [...(pages === 0 ? [] : [formatCount(pages, 'page', 'pages')]), ...files];
  return parts.length === 0 ? [] : [say`${bold('Edited')}   ${parts.join(', ')}`];
}

function formatSkipped(skipped: Report['skipped'], verbose: boolean): string {
  const parts = Object.entries(SKIPPED)
    .map(([reason, [one, many]]) => {
      const count = skipped[reason as SkipReason] ?? 0;
      const told = count > 0 && (verbose || reason !== 'own-document');
      return told ? `${formatNumber(count)} ${count === 1 ? one : many}` : '';
    })
    .filter((part) => part !== '');
  return parts.join(', ');
}

function formatPackages(packages: Report['packages'], bold: Color): Words[] {
  if (packages.length === 0) return [];
  const changed = packages.filter((one) => one.changed);
  const sizeOf = (some: Report['packages']) => formatBytes(some.reduce((sum, { bytes }) => sum + bytes, 0));
  const kept = packages.length - changed.length;
  return [
    say`${bold('Packed')}   ${formatCount(changed.length, 'package', 'packages')}, ${sizeOf(changed)}${kept === 0 ? '' : `; ${formatCount(kept, 'package', 'packages')} as before`} (${sizeOf(packages)} in all)`,
  ];
}

function formatDocuments(documents: readonly DocumentReport[], verbose: boolean, dim: Color): Phrase[] {
  const shown =
    verbose || documents.length <= LISTED_DOCUMENTS ? documents : documents.slice(-LISTED_DOCUMENTS);
  const rows = shown.map(({ path, kind, entries, bytes, changed }) => [
    escapeForTerminal(path),
    KINDS[kind],
    formatCount(entries, 'entry', 'entries'),
    `${formatBytes(bytes)}${changed ? '' : ', as before'}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const table = rows.map(([path = '', kind = '', entries = '', bytes = '']) => {
    const [pathWidth = 0, kindWidth = 0, entriesWidth = 0] = widths;
    return say`  ${path.padEnd(pathWidth)}  ${kind.padEnd(kindWidth)}  ${dim(`${entries.padStart(entriesWidth)}  ${bytes}`)}`;
  });
  const rest = documents.length - shown.length;
  return rest === 0
    ? table
    : [`  ${formatCount(rest, 'document', 'documents')} more (--verbose lists all)`, ...table];
}

/** A notice in words: what, and what to do about it. One line. */
export function formatNotice(notice: Notice): Words {
  return say`${wordNotice(notice)}`;
}

function wordNotice(notice: Notice): string {
  switch (notice.code) {
    case 'well-known-under-path':
      return `The site lies under a path, and only the root of a host has a /.well-known/. Tell Destinations the address of the Source Description: ${notice.description}`;
    case 'github-pages-dot-folders':
      return notice.nojekyll
        ? 'GitHub Pages: actions/upload-pages-artifact leaves out .well-known unless it has `include-hidden-files: true`.'
        : 'GitHub Pages: actions/upload-pages-artifact leaves out .well-known unless it has `include-hidden-files: true`; when deploying from a branch, put an empty .nojekyll into the site.';
    case 'only-at-root':
      return `${notice.file} only counts at the root of a host, and the site lies under a path; it is left as it is.`;
    case 'pages-not-linked':
      return wordUnlinked(notice.reason, formatCount(notice.count, 'page', 'pages'), notice.example);
    case 'media-type-by-rule':
      return `_headers gives the Source Description another media type, with the rule ${notice.rule}, and a host would join ours to that. Let that rule match less, and run again.`;
    case 'include-without-effect':
      return `--include ${notice.glob} adds nothing: it only brings back what is left out by default. To list nothing else, use --exclude '!${notice.glob}'.`;
    case 'no-history':
      return notice.wanted
        ? 'No Change List is published: --history none.'
        : 'No Change List is published: the site is in no git repository, or there is no git.';
    case 'no-publication':
      return `There is no publication before this one in ${notice.ref}. Commit or record this one; or fetch the ref, if another machine keeps it.`;
    case 'changes-known-from':
      return notice.truncated
        ? `The clone is shallow: changes are known from ${notice.from}, and what stood before that has no lastmod. To know all, clone in full: git fetch --unshallow, or fetch-depth: 0 for actions/checkout.`
        : `Changes are known from ${notice.from}; history begins there.`;
    case 'versions-missing':
      return `The bytes of ${formatCount(notice.count, 'version', 'versions')} are not in this partial clone; those changes are listed without length and digests. To have them: git fetch --refetch --no-filter.`;
    case 'first-published':
      return `There is nothing at ${notice.description} yet: history begins with this publication, when it is deployed there.`;
    case 'set-first-published':
      return `${notice.set === undefined ? 'One set of everything' : `The set "${notice.set}"`} is not on the live site yet: its history begins with this publication.`;
    case 'preview-deploy':
      return `${notice.host} builds ${notice.what}, and the documents name ${notice.url}. If that is not where this is deployed, leave resync-static out: whoever reads them there is sent to the other site. The history of the live site is not touched.`;
    case 'change-dump-shortened':
      return notice.reason === 'too-large'
        ? `The Change Dump begins at ${notice.from}: what was published then is more than a ZIP package can hold.`
        : notice.reason === 'versions-missing'
          ? `The Change Dump begins at ${notice.from}: bytes of what was published then are not in this partial clone.`
          : `The Change Dump begins at ${notice.from}: the live site has no package of the changes before that, or does not give it as it is listed.`;
    case 'packages-large': {
      const large = `${formatCount(notice.count, 'package', 'packages')} of the ${notice.dump === 'resource-dump' ? 'Resource Dump' : 'Change Dump'} ${notice.count === 1 ? 'is' : 'are'} larger than 25 MiB, ${notice.example} for one: Cloudflare Pages takes no such file.`;
      return notice.dump === 'resource-dump'
        ? `${large} Leave large files out with --exclude, or set a smaller dumps.maxBytes.`
        : `${large} A package holds what one publication changed. Publish fewer changes at a time, leave large files out with --exclude, or leave out this dump: dumps: { changes: false }.`;
    }
    case 'site-large':
      return `Site and packages have ${formatBytes(notice.bytes)} together; GitHub Pages takes 1 GB.`;
    case 'not-recorded':
      return 'The configuration says record, but a watch records nothing. Record what you deploy, with a run of its own.';
    case 'set-empty':
      return `The set "${notice.set}" holds no resource. Look at its include and exclude globs.`;
    case 'in-no-set':
      return `${formatCount(notice.count, 'file is', 'files are')} in no set and not listed, ${notice.example} for one.`;
  }
}

function wordUnlinked(reason: UnlinkedReason, pages: string, example: string): string {
  switch (reason) {
    case 'other-encoding':
      return `--html-links: ${pages} left as before, because the encoding is not UTF-8; ${example} for one.`;
    case 'other-source':
      return `--html-links: ${pages} left as before, with a link to another Source; ${example} for one.`;
    case 'fragment':
      return `--html-links: ${pages} left as before, with no doctype, title or head; ${example} for one.`;
  }
}

/** Tells of another run that this one waits for. */
export function formatWaiting({ lock, holder, seconds }: Waiting): Words {
  const who = holder === undefined ? 'another run' : `process ${holder.pid} on ${holder.host}`;
  return say`Waiting for ${who}, which works on the same site. If it gives no sign of life, this run goes on without it in ${seconds} s. If no such run is there, remove ${lock}`;
}

/** One line, short enough for a terminal, about what is going on. */
export function formatProgress({ stage, done, total }: Progress): string {
  switch (stage) {
    case 'discovery':
      return 'Linking pages…';
    case 'scan':
      return done === undefined || total === undefined || total === 0
        ? 'Reading files…'
        : `Reading files… ${formatNumber(done)} of ${formatNumber(total)} (${Math.floor((100 * done) / total)} %)`;
    case 'changes':
      return 'Reading history…';
    case 'pack':
      return done === undefined || total === undefined
        ? 'Looking at packages…'
        : `Writing packages… ${formatNumber(done)} of ${formatNumber(total)}`;
    case 'plan':
      return 'Planning documents…';
    case 'publish':
      return 'Writing documents…';
    case 'record':
      return 'Recording…';
  }
}

export function formatCount(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Grouped in the English way on every machine; `toLocaleString` takes 16 ms for its first number. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Decimal units, three significant digits: `999 B`, `38.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** `0.24 s`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
