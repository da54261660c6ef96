/** The checks of an audit by code: severity, and section of the standard. docs/findings.md words them. */

/**
 * Severity of a finding. An error violates a requirement of the standard, or misleads Destinations; a warning ignores a
 * recommendation, or causes trouble for some programs; a note is worth knowing.
 */
export type Severity = 'error' | 'warning' | 'note';

interface Check {
  readonly severity: Severity;
  readonly section: string;
}

/** Every check by its code. Codes do not change once released. */
export const CHECKS = {
  // Checks whether documents can be read.
  'document-unreachable': { severity: 'error', section: '§6.1' },
  'document-not-well-formed': { severity: 'error', section: '§7' },
  'document-not-utf-8': { severity: 'error', section: '§7' },
  'document-with-doctype': { severity: 'error', section: '§7' },
  'document-not-a-sitemap': { severity: 'error', section: '§7' },
  'document-too-large': { severity: 'error', section: '§7' },
  'document-excessive': { severity: 'error', section: '§7' },
  'bound-reached': { severity: 'error', section: '§5.2' },

  // Checks of the content of documents.
  'capability-missing': { severity: 'error', section: '§7' },
  'capability-undefined': { severity: 'note', section: '§7' },
  'document-of-other-kind': { severity: 'error', section: '§6.1' },
  'root-wrong': { severity: 'error', section: '§7' },
  'element-undefined': { severity: 'error', section: '§7' },
  'element-repeated': { severity: 'error', section: '§7' },
  'element-late': { severity: 'error', section: '§7' },
  'attribute-undefined': { severity: 'error', section: '§7' },
  'attribute-misplaced': { severity: 'error', section: '§7' },
  'text-misplaced': { severity: 'error', section: '§7' },
  extension: { severity: 'note', section: '§7' },
  'loc-missing': { severity: 'error', section: '§7' },
  'loc-invalid': { severity: 'error', section: '§7' },
  'loc-too-long': { severity: 'warning', section: '§7' },
  'loc-off-host': { severity: 'warning', section: '§7' },
  'changefreq-invalid': { severity: 'error', section: '§7' },
  'length-invalid': { severity: 'error', section: '§7' },
  'hash-invalid': { severity: 'warning', section: '§7' },
  'hash-unknown': { severity: 'note', section: '§7' },
  'hash-missing': { severity: 'note', section: '§5.2' },
  'type-invalid': { severity: 'warning', section: '§7' },

  // Checks of times (§7, Appendix A).
  'time-invalid': { severity: 'error', section: '§7' },
  'time-incomplete': { severity: 'note', section: '§7' },
  'time-missing': { severity: 'error', section: 'Appendix A' },
  'time-misplaced': { severity: 'error', section: 'Appendix A' },
  'time-not-said': { severity: 'note', section: 'Appendix A' },
  'time-not-said-though-recommended': { severity: 'warning', section: 'Appendix A' },
  'time-reversed': { severity: 'error', section: '§7' },
  'time-in-future': { severity: 'warning', section: '§7' },
  'lastmod-after-snapshot': { severity: 'warning', section: '§10.1' },

  // Checks of links in documents.
  'link-incomplete': { severity: 'error', section: '§7' },
  'link-invalid': { severity: 'error', section: '§7' },
  'relation-unknown': { severity: 'warning', section: '§7' },
  'priority-invalid': { severity: 'error', section: '§7' },
  'up-missing': { severity: 'error', section: '§6.2' },
  'up-wrong': { severity: 'error', section: '§6.2' },
  'index-link-missing': { severity: 'warning', section: '§6.2' },
  'index-link-wrong': { severity: 'error', section: '§6.2' },
  'describedby-missing': { severity: 'note', section: '§8' },
  'link-broken': { severity: 'warning', section: '§7' },
  'patch-without-type': { severity: 'error', section: '§14.4' },
  'patch-misplaced': { severity: 'error', section: '§14.4' },
  'patch-without-path': { severity: 'error', section: '§14.4' },
  'timegate-with-facts': { severity: 'warning', section: '§14.6' },
  'version-differs': { severity: 'error', section: '§14.6' },
  'timemap-differs': { severity: 'warning', section: '§14.6' },

  // Checks of discovery, and of what Capability Lists offer.
  'description-missing': { severity: 'error', section: '§6.3.2' },
  'description-not-well-known': { severity: 'note', section: '§6.3.2' },
  'discovery-of-other-kind': { severity: 'error', section: '§6.3.3' },
  'discovery-not-covered': { severity: 'error', section: '§6.3.3' },
  'document-unlisted': { severity: 'warning', section: '§6.1' },
  'not-listed-above': { severity: 'error', section: '§6.2' },
  'list-missing': { severity: 'error', section: '§9' },
  'entry-capability-missing': { severity: 'error', section: '§9' },
  'capability-repeated': { severity: 'error', section: '§9' },
  'entry-repeated': { severity: 'warning', section: '§10.1' },
  'entry-contradicted': { severity: 'error', section: '§10.1' },

  // Checks of signatures: the standard defines only the link to the sums.
  'signature-invalid': { severity: 'error', section: '§7' },
  'sums-differ': { severity: 'error', section: '§7' },
  'sums-incomplete': { severity: 'error', section: '§7' },

  // Checks of indexes and their parts.
  'index-in-index': { severity: 'error', section: '§6.1' },
  'part-time-differs': { severity: 'error', section: '§12.2' },
  'part-at-before-index': { severity: 'warning', section: '§10.2' },
  'index-interval-differs': { severity: 'error', section: '§12.2' },
  'parts-out-of-order': { severity: 'error', section: '§12.2' },
  'open-part-not-last': { severity: 'error', section: '§12.2' },
  'interval-gap': { severity: 'warning', section: '§12.2' },
  'interval-overlap': { severity: 'warning', section: '§12.2' },

  // Checks of archives.
  'archives-link-missing': { severity: 'warning', section: 'Archives §2' },
  'archives-link-wrong': { severity: 'warning', section: 'Archives §2' },
  'archive-out-of-order': { severity: 'error', section: 'Archives §2' },
  'archived-open': { severity: 'warning', section: 'Archives §5' },
  'archived-state-differs': { severity: 'error', section: 'Archives §3' },

  // Checks of the changes in Change Lists.
  'change-missing': { severity: 'error', section: '§12.1' },
  'change-invalid': { severity: 'error', section: '§12.1' },
  'datetime-missing': { severity: 'note', section: '§12.1' },
  'changes-out-of-order': { severity: 'error', section: '§12.1' },
  'change-outside-interval': { severity: 'error', section: '§7' },
  'change-of-deleted': { severity: 'warning', section: '§12.1' },

  // Checks of the agreement between the documents of a set.
  'changed-but-not-listed': { severity: 'error', section: '§9' },
  'deleted-but-listed': { severity: 'error', section: '§9' },
  'change-differs-from-list': { severity: 'error', section: '§9' },
  'lastmod-without-change': { severity: 'note', section: '§9' },
  'moments-differ': { severity: 'note', section: '§9' },
  'resource-not-in-dump': { severity: 'error', section: '§9' },
  'resource-only-in-dump': { severity: 'error', section: '§9' },
  'dump-differs-from-list': { severity: 'error', section: '§9' },
  'change-not-in-dump': { severity: 'error', section: '§9' },
  'change-only-in-dump': { severity: 'error', section: '§9' },
  'change-differs-from-dump': { severity: 'error', section: '§9' },
  'said-only-once': { severity: 'note', section: '§9' },

  // Checks of dumps and their packages.
  'packages-out-of-order': { severity: 'warning', section: '§13.1' },
  'packages-mixed': { severity: 'warning', section: '§11.1' },
  'package-undescribed': { severity: 'warning', section: '§11.1' },
  'package-not-zip': { severity: 'note', section: '§11.1' },
  'package-missing': { severity: 'error', section: '§11.1' },
  'package-unreadable': { severity: 'error', section: '§11.1' },
  'package-unsafe': { severity: 'error', section: '§11.1' },
  'package-excessive': { severity: 'error', section: '§11.1' },
  'manifest-missing': { severity: 'error', section: '§11.2' },
  'manifest-differs': { severity: 'error', section: '§11.1' },
  'package-time-differs': { severity: 'error', section: '§11.1' },
  'path-missing': { severity: 'error', section: '§11.2' },
  'path-invalid': { severity: 'error', section: '§11.2' },
  'path-repeated': { severity: 'warning', section: '§11.2' },
  'path-of-deleted': { severity: 'warning', section: '§13.2' },
  'bitstream-missing': { severity: 'error', section: '§11.2' },
  'bitstream-unlisted': { severity: 'warning', section: '§11.2' },

  // Checks of the bytes of resources, and of sitemaps.
  'resource-missing': { severity: 'error', section: '§7' },
  'version-missing': { severity: 'error', section: '§14.6' },
  'patch-missing': { severity: 'error', section: '§14.4' },
  'resource-unlisted': { severity: 'warning', section: '§10.1' },
  'deleted-but-present': { severity: 'warning', section: '§12.1' },
  'length-differs': { severity: 'error', section: '§7' },
  'hash-differs': { severity: 'error', section: '§7' },
  'type-differs': { severity: 'warning', section: '§7' },
  'encoding-differs': { severity: 'warning', section: '§7' },
  'canonical-differs': { severity: 'warning', section: '§7' },
  'sitemap-page-missing': { severity: 'warning', section: '§7' },
  'sitemap-page-hidden': { severity: 'warning', section: '§7' },
  'sitemap-date-wrong': { severity: 'warning', section: '§7' },
  'sitemap-date-differs': { severity: 'warning', section: '§7' },

  // Checks of pages.json, the list of pages that the Source Description names.
  'pages-unreadable': { severity: 'error', section: '§8' },
  'pages-of-other-publication': { severity: 'error', section: '§8' },
  'pages-entry-unlisted': { severity: 'error', section: '§8' },
  'pages-date-wrong': { severity: 'error', section: '§8' },
  'pages-text-differs': { severity: 'error', section: '§8' },

  // Checks of resources that are fetched.
  redirected: { severity: 'warning', section: '§7' },
  'fetch-failed': { severity: 'error', section: '§7' },
  'fetch-refused': { severity: 'warning', section: '§7' },
  // Checks of the addresses of deleted resources, and of the audit itself.
  'address-gone': { severity: 'error', section: '§12' },
  'nothing-checked': { severity: 'error', section: '§5.2' },
  'not-checked': { severity: 'note', section: '§5.2' },
} as const satisfies Readonly<Record<string, Check>>;

export type CheckCode = keyof typeof CHECKS;

export interface Finding {
  /** URL of the document with the finding, or of what was read instead of a document. */
  readonly document: string;
  /** Line in the document, from 1. */
  readonly line?: number | undefined;
  readonly entry?: string | undefined;
  readonly found?: string | undefined;
  readonly expected?: string | undefined;
}

/** A function that reports a finding, or `count` similar ones by the first of them. */
export type Flag = (code: CheckCode, finding: Finding, count?: number) => void;

/** A function that reports a finding in one document, whose URL it adds. */
export type FlagHere = (code: CheckCode, finding?: Omit<Finding, 'document'>, count?: number) => void;
