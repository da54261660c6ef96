/** The report of an audit, in words. */

import type { AuditReport, FindingGroup } from '../../audit/report.js';
import { joinWords, type Phrase, say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatDuration, formatNumber } from '../../base/text/units.js';
import type { CheckCode, Finding, Severity } from '../../standard/rules/checks.js';
import { type Color, type ReportStyle, shortenText } from './style.js';

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
  const { documents, resources, packages, findings, description, servedAt } = report;
  const size = documents.reduce((sum, { bytes }) => sum + bytes, 0);
  const verdict = SEVERITIES.flatMap((severity) => formatTotal(report, severity)).join(', ');
  const colorOf = { error: red, warning: yellow, note: cyan };
  const { documents: reading, resources: comparing } = report.durations;
  return joinWords([
    say`${bold('Read')}     ${formatCount(documents.length, 'document', 'documents')}, ${formatBytes(size)}${description === undefined ? '' : `, from ${shortenText(description)}`}${servedAt === undefined ? '' : `, served at ${servedAt}`}`,
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
    say`${color(title)} ${CHECK_WORDS[code]} ${dim(`(${section}, ${formatCount(count, 'place', 'places')},`)} ${bold(code)}${dim(')')}`,
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
    say`    ${shortenText(entry ?? place)}${entry === undefined ? '' : say` ${dim(`in ${shortenText(place)}`)}`}`,
    ...(what === '' ? [] : [say`      ${shortenText(what)}`]),
  ];
}

/** One sentence for each check, or two. The places and what was found follow it. `docs/audit.md` has the same. */
export const CHECK_WORDS: Readonly<Record<CheckCode, string>> = {
  'document-unreachable': 'A linked document cannot be fetched.',
  'document-not-well-formed': 'A document is not well-formed XML.',
  'document-not-utf-8': 'A document is not encoded in UTF-8.',
  'document-with-doctype':
    'A document has a document type declaration. It was not read, because such declarations can pull in other files.',
  'document-not-a-sitemap': 'A document is not a Sitemap: its root must be <urlset> or <sitemapindex>.',
  'document-too-large': 'A document has more than 50,000 entries or 50 MB. Only its beginning was read.',
  'document-excessive':
    'A document has far too many elements, attributes or levels. Only its beginning was read.',
  'bound-reached': 'The audit reached a limit, such as --max-bytes or --max-time. The rest was not checked.',
  'capability-missing': 'A document does not say what it is: its root has no <rs:md> with a capability.',
  'capability-undefined': 'A capability is not defined by the standard. Its document was not checked.',
  'document-of-other-kind': 'A document is of another kind than the document above it says.',
  'root-wrong': 'A document of this kind cannot be an index.',
  'element-undefined': 'An element is not defined in this place.',
  'element-repeated': 'An element appears twice where it may appear once.',
  'element-late':
    'An element comes too late. What is about a document comes before its entries, and <loc> comes first in an entry.',
  'attribute-undefined':
    'An attribute is not defined in this place. Attributes of other vocabularies need their own namespace.',
  'attribute-misplaced': 'An attribute of the standard has no meaning in this place.',
  'text-misplaced': 'There is text where only elements may be.',
  extension: 'There are elements or attributes of another namespace. They were not checked.',
  'loc-missing': 'An entry has no <loc>.',
  'loc-invalid': 'A <loc> is not an absolute URI.',
  'loc-too-long': 'A <loc> is longer than the Sitemap protocol allows.',
  'loc-off-host': 'A <loc> is on another host than its document.',
  'changefreq-invalid': 'A <changefreq> is not one of the values of the Sitemap protocol.',
  'length-invalid': 'A length is not a number of bytes.',
  'hash-invalid':
    'A hash is not a list of checksums, each with an algorithm, a colon and hexadecimal digits.',
  'hash-unknown': 'A checksum uses an algorithm that this tool cannot compute.',
  'hash-missing': 'An entry has no hash, so nobody can check a copy of it.',
  'type-invalid': 'A type is not a media type.',
  'time-invalid': 'A time is not a W3C Datetime.',
  'time-incomplete': 'A time is less exact than recommended: to the second, and in UTC.',
  'time-missing': 'A mandatory time is missing.',
  'time-misplaced': 'A document has a time that documents of its kind must not have.',
  'time-not-said': 'An entry does not give an optional time.',
  'time-not-said-though-recommended': 'An entry does not give a recommended time.',
  'time-reversed': 'An interval ends before it begins.',
  'time-in-future': 'A time is in the future.',
  'lastmod-after-snapshot': 'A resource was modified after the date of the list that it is in.',
  'link-incomplete': 'A link has no rel or no href.',
  'link-invalid': 'The target of a link is not an absolute URI.',
  'relation-unknown': 'A relation type is neither registered nor a URI.',
  'priority-invalid': 'A priority is not a whole number from 1 to 999,999.',
  'up-missing': 'A document has no link to the document above it (rel="up").',
  'up-wrong': 'A document links up (rel="up") to another document than the one that lists it.',
  'index-link-missing': 'A part has no link to its index (rel="index").',
  'index-link-wrong': 'A document links (rel="index") to another index than the one that lists it.',
  'describedby-missing':
    'The Source Description does not link to a page about the site (rel="describedby"). The option describedby of resync-static adds the link.',
  'link-broken':
    'A link to a description (rel="describedby") or to a list of versions (rel="timemap") leads nowhere.',
  'patch-without-type': 'A link to a patch has no media type.',
  'patch-misplaced': 'A link to a patch is outside of a change.',
  'patch-without-path': 'A link to a patch does not give its path in the package.',
  'timegate-with-facts': 'A link to a TimeGate has attributes that mean nothing there.',
  'version-differs': 'The version that a change links to is not the one of the change.',
  'timemap-differs':
    'A TimeMap leads from the time of a change to another version than the one that the change links to.',
  'description-missing': 'No Source Description was found.',
  'description-not-well-known':
    'The Source Description is not at /.well-known/resourcesync of its host. Clients must be told where it is.',
  'discovery-of-other-kind': 'A page links (rel="resourcesync") to a document that is not a Capability List.',
  'discovery-not-covered': 'A page links to a Capability List whose documents do not list the page.',
  'document-unlisted': 'No document links to this document or package in the folder.',
  'not-listed-above': 'A document is not listed by the documents above it.',
  'entry-capability-missing': 'An entry does not say its capability.',
  'capability-repeated': 'A Capability List has the same capability more than once.',
  'entry-repeated': 'A URI is listed more than once.',
  'signature-invalid':
    'The sums of the documents (SHA256SUMS) are not signed as they have to be, so nobody may believe them.',
  'sums-differ': 'A document is not the one that is signed: its SHA-256 is another than in the sums.',
  'sums-incomplete': 'A document is not named by the sums, so it is not signed.',
  'key-weak': 'A key is too short: RSA needs 3072 bits.',
  'index-in-index': 'An index lists another index.',
  'part-time-differs': 'An index and one of its parts give different times.',
  'part-at-before-index': 'A part is older than its index says.',
  'index-interval-differs': 'The interval of a document differs from the interval of what it lists.',
  'parts-out-of-order': 'Parts are not in the order of their times.',
  'open-part-not-last': 'A part is still open, but others follow it.',
  'interval-gap': 'There is a gap between two intervals.',
  'interval-overlap': 'Two intervals overlap.',
  'archives-link-missing':
    'A list or dump has no link to the archive of its earlier states (rel="archives").',
  'archives-link-wrong':
    'A link to an archive (rel="archives") leads to another one than the Capability List names, or stands in a part or in an archived document.',
  'archive-out-of-order': 'The entries of an archive are not in the order of their times.',
  'archived-open': 'An archived document does not say when it ends, so it could still change.',
  'archived-state-differs':
    'An archived Resource List is not what the archived changes make of the one before it.',
  'change-missing': 'A change does not say what happened.',
  'change-invalid': 'A change is not one of the kinds that the standard defines.',
  'datetime-missing': 'A change has no date. Clients know only its place in the list.',
  'changes-out-of-order': 'A change is listed after a later one.',
  'change-outside-interval': 'A change is outside the interval of its document.',
  'change-of-deleted': 'A deletion gives the length or the hash of the deleted file.',
  'changed-but-not-listed': 'A resource was created or updated, but is not in the Resource List.',
  'deleted-but-listed': 'A resource was deleted, but is still in the Resource List.',
  'change-differs-from-list': 'Change List and Resource List contradict each other.',
  'lastmod-without-change':
    'A resource was modified in the time of the Change List, but the list has no such change.',
  'moments-differ': 'Resource Dump and Resource List have different dates.',
  'resource-not-in-dump': 'A resource of the Resource List is in no package.',
  'resource-only-in-dump': 'A package has a resource that is not in the Resource List.',
  'dump-differs-from-list': 'A manifest and the Resource List contradict each other.',
  'change-not-in-dump': 'A change of the Change List is in no package.',
  'change-only-in-dump': 'A package has a change that is not in the Change List.',
  'change-differs-from-dump': 'A manifest and the Change List contradict each other.',
  'said-only-once': 'A manifest gives a fact that its list does not give, or the other way round.',
  'packages-out-of-order': 'Packages are not in the order of their times.',
  'packages-mixed': 'A dump has packages of different formats.',
  'package-undescribed': 'The type or the length of a package is missing.',
  'package-not-zip': 'A package is not a ZIP file. It was not checked.',
  'package-missing': 'A package is missing.',
  'package-unreadable': 'A package cannot be read.',
  'package-unsafe':
    'A package has a file name that leads out of the folder in which it is unpacked, or has a name twice.',
  'package-excessive': 'A package unpacks to far more than its own size. It was not unpacked.',
  'manifest-missing': 'A package has no manifest.xml at its top.',
  'manifest-differs': 'A copy of a manifest (rel="contents") differs from the manifest in the package.',
  'package-time-differs': 'A dump and the manifest of its package give different times.',
  'path-missing': 'An entry of a manifest does not give the path of its file.',
  'path-invalid': 'A path does not begin with a slash, or leads out of the package.',
  'path-repeated': 'A manifest has the same path more than once.',
  'path-of-deleted': 'A deletion has a path, although a deleted file has no bytes.',
  'bitstream-missing': 'A manifest lists a file that is not in the package.',
  'bitstream-unlisted': 'A package has a file that its manifest does not list.',
  'resource-missing': 'A listed resource does not exist.',
  'version-missing': 'A version that a change links to does not exist.',
  'patch-missing': 'A patch that a change links to does not exist.',
  'resource-unlisted': 'A file of the site is in no Resource List.',
  'deleted-but-present': 'A resource is listed as deleted, but still exists.',
  'length-differs': 'A file has another length than the listed one.',
  'hash-differs': 'A file has another checksum than the listed one.',
  'not-in-replica': 'A copy made with --documents=lists leaves out something that the Source has.',
  'first-difference': 'The first difference between a served file and the file in the folder.',
  'type-differs': 'A resource has another media type than the listed one.',
  'encoding-differs': 'A resource has another Content-Encoding than the listed one.',
  'canonical-differs':
    'The site gives a page another URL than the listed one, in its sitemap or in rel="canonical". The option --urls of resync-static chooses how pages are listed.',
  'sitemap-page-missing':
    'The sitemap that resync-static wrote does not name a page that search engines may show.',
  'sitemap-page-hidden':
    'The sitemap names a page that search engines are not to show: it says noindex, or it is deleted.',
  'sitemap-date-wrong':
    'The sitemap dates a page to a moment at which, by the Change List, it did not change, or did not exist.',
  redirected: 'A listed URL redirects to another one.',
  'fetch-failed': 'A server did not deliver what was asked for.',
  'fetch-refused': 'A URL was not fetched, for safety.',
  'nothing-checked': 'No error was found, but nothing that is listed could be checked.',
  'not-checked':
    'Something was not checked: it is outside of the folder, or beyond the limits of what is read.',
};
