/** What an audit found, told to people: all of its wording is here. */

import type { CheckCode, Finding, Severity } from '../audit/checks.js';
import type { AuditProgress, AuditReport, FindingGroup } from '../audit/report.js';
import { escapeForTerminal } from '../text/escape.js';
import { joinWords, type Phrase, say, type Words } from '../text/say.js';
import {
  type Color,
  formatBytes,
  formatCount,
  formatDuration,
  formatNumber,
  type ReportStyle,
} from './describe.js';

/** What each check says when it finds something: one sentence, which the places and what was found follow. */
const WORDS: Readonly<Record<CheckCode, string>> = {
  'document-unreachable': 'A document that is linked to cannot be had.',
  'document-not-well-formed': 'A document is not well-formed XML.',
  'document-not-utf-8': 'A document is not UTF-8.',
  'document-with-doctype':
    'A document has a document type declaration; it was not read, as that is how entities get in.',
  'document-not-a-sitemap': 'A document is no Sitemap: its root has to be <urlset> or <sitemapindex>.',
  'document-too-large': 'A document has more than 50,000 entries or 50 MB; it was not read to its end.',
  'document-excessive':
    'A document has more elements, attributes or levels, or longer texts, than any can need; it was not read to its end.',
  'bound-reached':
    'The audit met one of its bounds (--max-bytes, --max-time, or what it reads and remembers at most): the rest was not checked.',
  'capability-missing': 'A document does not say what it is: its root has no <rs:md> with a capability.',
  'capability-undefined':
    'A capability that the standard does not define; what it stands for was not looked at.',
  'document-of-other-kind': 'A document is of another kind than the document above it says.',
  'root-wrong': 'A document of this kind cannot be an index.',
  'element-undefined': 'An element that is not defined there.',
  'element-repeated': 'An element that may stand there once only.',
  'element-late':
    'An element that stands too late: what is about a document comes before its entries, and <loc> comes first in an entry.',
  'attribute-undefined':
    'An attribute that is not defined there; those of others need a namespace of their own.',
  'attribute-misplaced': 'An attribute of the standard that has no meaning there.',
  'text-misplaced': 'Text where only elements may be.',
  extension: 'Elements or attributes of another namespace; they were not looked at.',
  'loc-missing': 'An entry without <loc>.',
  'loc-invalid': 'A <loc> that is no absolute URI.',
  'loc-too-long': 'A <loc> that is longer than the Sitemap protocol allows.',
  'loc-off-host': 'A <loc> on another host than the document that lists it.',
  'changefreq-invalid': 'A <changefreq> that the Sitemap protocol does not define.',
  'length-invalid': 'A length that is no number of bytes.',
  'hash-invalid':
    'A hash that is no list of digests, each the name of an algorithm, a colon and hexadecimal digits.',
  'hash-unknown': 'A digest of an algorithm that cannot be checked here.',
  'hash-missing': 'An entry without a hash: nobody can tell whether a copy of it is right.',
  'type-invalid': 'A type that is no media type.',
  'time-invalid': 'A time that is no W3C Datetime.',
  'time-incomplete': 'A time that is not complete to the second and in UTC, as is recommended.',
  'time-missing': 'A time that is mandatory is missing.',
  'time-misplaced': 'A time that documents of this kind do not have there.',
  'time-not-said': 'An entry does not say its time, although it may.',
  'time-not-said-though-recommended': 'An entry does not say its time, as is recommended.',
  'time-reversed': 'An interval that ends before it begins.',
  'time-in-future': 'A time that has not come yet.',
  'lastmod-after-snapshot': 'A resource that was modified after the snapshot in which it is listed.',
  'link-incomplete': 'A link without rel or href.',
  'link-invalid': 'A link to what is no absolute URI.',
  'relation-unknown': 'A relation type that is neither registered nor a URI.',
  'priority-invalid': 'A priority that is no whole number from 1 to 999,999.',
  'up-missing': 'A document without a link to the one above it (rel="up").',
  'up-wrong': 'A document whose rel="up" leads to another than the one that lists it.',
  'index-link-missing': 'A part without a link to its index (rel="index").',
  'index-link-wrong': 'A document whose rel="index" leads to another than the index that lists it.',
  'describedby-missing':
    'The Source Description has no link to a document about the Source (rel="describedby").',
  'link-broken': 'A link to a description (rel="describedby") that is not there.',
  'patch-without-type': 'A link to a patch without its media type.',
  'patch-misplaced': 'A link to a patch elsewhere than in changes.',
  'patch-without-path': 'A link to a patch without its path in the package.',
  'timegate-with-facts': 'A link to a TimeGate with attributes that mean nothing for one.',
  'description-missing': 'There is no Source Description, and nothing that leads to one.',
  'description-not-well-known':
    'The Source Description is not at the well-known place of its host: Destinations have to be told where it is.',
  'discovery-of-other-kind': 'A page links (rel="resourcesync") to something else than a Capability List.',
  'discovery-not-covered': 'A page links to a Capability List whose documents do not list the page.',
  'document-unlisted': 'A document or package in the folder to which no other document leads.',
  'not-listed-above': 'A document that the documents above it do not list.',
  'entry-capability-missing': 'An entry that does not say its capability.',
  'capability-repeated': 'A capability that the Capability List has more than once.',
  'entry-repeated': 'A URI that is listed more than once.',
  'index-in-index': 'An index as a part of an index.',
  'part-time-differs': 'An index and its part do not say the same time.',
  'part-at-before-index': 'A part is of an earlier moment than the index promises for all.',
  'index-interval-differs': 'The interval of a document is not that of what it lists.',
  'parts-out-of-order': 'Parts that are not in the order of their times.',
  'open-part-not-last': 'A part that is still open, although others follow.',
  'interval-gap': 'Between two intervals, a time of which nothing is said.',
  'interval-overlap': 'Two intervals overlap.',
  'change-missing': 'A change that does not say what it was.',
  'change-invalid': 'A change that the standard does not define.',
  'datetime-missing':
    'A change that does not say when it was: Destinations can only go by its place in the list.',
  'changes-out-of-order': 'A change that is listed after a later one.',
  'change-outside-interval': 'A change outside the interval of its document.',
  'change-of-deleted': 'A deletion with the length or the hash of what is no longer there.',
  'changed-but-not-listed': 'A resource that was created or updated, but is not in the Resource List.',
  'deleted-but-listed': 'A resource that was deleted, but is in the Resource List.',
  'change-differs-from-list': 'Change List and Resource List contradict each other.',
  'lastmod-without-change':
    'A resource that was modified in the time of the Change List, which has no change of it.',
  'moments-differ': 'Resource Dump and Resource List are of different moments.',
  'resource-not-in-dump': 'A resource of the Resource List that is in no package.',
  'resource-only-in-dump': 'A resource in a package that the Resource List does not have.',
  'dump-differs-from-list': 'Manifest and Resource List contradict each other.',
  'change-not-in-dump': 'A change of the Change List that is in no package.',
  'change-only-in-dump': 'A change in a package that the Change List does not have.',
  'change-differs-from-dump': 'Manifest and Change List contradict each other.',
  'said-only-once': 'Something that a manifest or its list says, and the other does not.',
  'packages-out-of-order': 'Packages that are not in the order of their times.',
  'packages-mixed': 'Packages of different formats in one dump.',
  'package-undescribed': 'A package without its type or length.',
  'package-not-zip': 'A package of another format than ZIP; it was not looked at.',
  'package-missing': 'A package that is not there.',
  'package-unreadable': 'A package that cannot be read.',
  'package-unsafe':
    'A package with names that would be written outside of the folder where it is unpacked, or twice.',
  'package-excessive': 'A package that unpacks to far more than its own size; it was not unpacked.',
  'manifest-missing': 'A package without a manifest.xml at its top.',
  'manifest-differs': 'A copy of a manifest (rel="contents") that is not the manifest in its package.',
  'package-time-differs': 'A dump and the manifest of its package do not say the same time.',
  'path-missing': 'An entry of a manifest without the path of its bytes.',
  'path-invalid': 'A path that does not begin with a slash, or leads out of the package.',
  'path-repeated': 'A path that a manifest has more than once.',
  'path-of-deleted': 'A deletion with a path, although there are no bytes.',
  'bitstream-missing': 'An entry of a manifest whose bytes are not in the package.',
  'bitstream-unlisted': 'A file in a package that its manifest does not have.',
  'resource-missing': 'A listed resource that is not there.',
  'resource-unlisted': 'A file of the site that no Resource List has.',
  'deleted-but-present': 'A resource that is listed as deleted, but is there.',
  'length-differs': 'Bytes whose number is not the listed length.',
  'hash-differs': 'Bytes that are not those of the listed hash.',
  'first-difference': 'Where the bytes differ from those of the folder.',
  'type-differs': 'A media type other than the listed one.',
  'encoding-differs': 'A Content-Encoding other than the listed one.',
  redirected: 'A listed URL that leads to another one.',
  'fetch-failed': 'A server that did not answer with what was asked for.',
  'fetch-refused': 'A URL that was not fetched.',
  'nothing-checked': 'Nothing else is wrong, but nothing that is listed could be checked.',
  'not-checked': 'What is not in the folder that is audited was not checked.',
};

/** More findings of one check are told as a number, unless all are wanted. */
const SHOWN_FINDINGS = 5;
const KINDS: Readonly<Record<Severity, readonly [one: string, many: string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  note: ['note', 'notes'],
};

/** The report of an audit, several lines, without a line break at the end. */
export function formatAudit(report: AuditReport, { colors, verbose }: ReportStyle): Words {
  const { bold, cyan, dim, green, red, yellow } = colors;
  const { documents, resources, packages, findings, description } = report;
  const size = documents.reduce((sum, { bytes }) => sum + bytes, 0);
  const verdict = SEVERITIES.flatMap((severity) => formatTotal(report, severity)).join(', ');
  const colorOf = { error: red, warning: yellow, note: cyan };
  const { documents: reading, resources: comparing } = report.durations;
  return joinWords([
    say`${bold('Read')}     ${formatCount(documents.length, 'document', 'documents')}, ${formatBytes(size)}${description === undefined ? '' : `, from ${shorten(description)}`}`,
    say`${bold('Checked')}  ${formatExtent(resources, 'resource', 'resources')}`,
    ...(packages.listed === 0 ? [] : [`         ${formatExtent(packages, 'package', 'packages')}`]),
    ...findings.flatMap((group) => ['', ...formatGroup(group, colorOf[group.severity], { colors, verbose })]),
    '',
    say`${report.errors > 0 ? red('Done') : green('Done')} in ${formatDuration(report.durations.total)}: ${verdict === '' ? 'nothing found' : verdict}.`,
    ...(verbose
      ? [dim(`documents ${formatDuration(reading)} · resources ${formatDuration(comparing)}`)]
      : []),
  ]);
}

const SEVERITIES = ['error', 'warning', 'note'] as const;

function formatTotal({ errors, warnings, notes }: AuditReport, severity: Severity): string[] {
  const count = { error: errors, warning: warnings, note: notes }[severity];
  return count === 0 ? [] : [formatCount(count, ...KINDS[severity])];
}

function formatExtent(
  { listed, checked, bytes }: AuditReport['resources'],
  one: string,
  many: string,
): string {
  const of = checked === listed ? '' : ` of ${formatNumber(listed)}`;
  return `${formatNumber(checked)}${of} ${(checked === listed ? checked : listed) === 1 ? one : many}, ${formatBytes(bytes)}`;
}

function formatGroup(
  { code, severity, section, count, findings }: FindingGroup,
  color: Color,
  { colors: { bold, dim }, verbose }: ReportStyle,
): Phrase[] {
  const shown = verbose ? findings : findings.slice(0, SHOWN_FINDINGS);
  const title = severity[0]?.toUpperCase() + severity.slice(1);
  const rest = count - shown.length;
  return [
    say`${color(title)} ${bold(code)} ${dim(`(${section}, ${formatCount(count, 'place', 'places')})`)}`,
    `  ${WORDS[code]}`,
    ...shown.flatMap((finding) => formatFinding(finding, dim)),
    ...(rest === 0
      ? []
      : [
          say`  ${dim(`and ${formatNumber(rest)} more${verbose || count > findings.length ? '' : ' (--verbose)'}`)}`,
        ]),
  ];
}

function formatFinding({ document, line, entry, found, expected }: Finding, dim: Color): Phrase[] {
  const place = `${document}${line === undefined ? '' : `:${line}`}`;
  const what = [
    ...(found === undefined ? [] : [`found ${found}`]),
    ...(expected === undefined ? [] : [`expected ${expected}`]),
  ].join('; ');
  return [
    say`    ${shorten(entry ?? place)}${entry === undefined ? '' : say` ${dim(`in ${shorten(place)}`)}`}`,
    ...(what === '' ? [] : [say`      ${shorten(what)}`]),
  ];
}

/** What others wrote may be as long as they like. */
function shorten(text: string): string {
  const plain = escapeForTerminal(text);
  return plain.length <= 400 ? plain : `${plain.slice(0, 399)}…`;
}

/** One line about how far an audit has come. */
export function formatAuditProgress({ stage, done, total }: AuditProgress): string {
  const of = total === undefined ? formatNumber(done) : `${formatNumber(done)} of ${formatNumber(total)}`;
  switch (stage) {
    case 'documents':
      return `Reading documents… ${of}`;
    case 'packages':
      return `Checking packages… ${of}`;
    case 'resources':
      return `Comparing bytes… ${of}`;
  }
}
