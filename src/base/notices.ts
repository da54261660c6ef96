/** Notices, which are no failures, as data, and their severity. Their wording is in `cli/words/notices.ts`. */

import type { UnlinkedReason } from './reasons.js';

/** Reasons why a Change Dump lacks changes: too large for a package, not in git, not live as a package, or withdrawn. */
export type ShortenedReason = 'too-large' | 'versions-missing' | 'not-live' | 'withdrawn';

/** Reasons why a row is not listed, as its key or URL says; with `no-media-type`, only its type is left out. */
export type RowOddity = 'no-key' | 'not-utf8' | 'dot-segment' | 'too-long' | 'repeated' | 'no-media-type';

export interface NamedGlob {
  readonly option: string;
  readonly glob: string;
}

/** A set that another build describes, and what was found of it. */
interface NamedSet {
  readonly set: string;
  readonly url: string;
  readonly found: string;
}

/** Limits in bytes: of a file for Cloudflare Pages, and of a site for GitHub Pages. */
export const HOST_LIMITS = { file: 25 * 1024 ** 2, site: 1_000_000_000 };

/** Something that did not fail but that a user would want to know; `cli/words/notices.ts` words it. */
export type Notice =
  // The site lies under a path, so its Source Description is not at the host's `/.well-known/` (§6.3.2).
  | { readonly code: 'well-known-under-path'; readonly description: string }
  // GitHub Pages does not publish dot-folders unless it is told to.
  | { readonly code: 'github-pages-dot-folders'; readonly nojekyll: boolean }
  // `robots.txt` leads search engines to pages that say `noindex`.
  | { readonly code: 'noindex-listed'; readonly count: number; readonly example: string }
  // `robots.txt` leads search engines to pages that name another page as canonical.
  | {
      readonly code: 'canonical-elsewhere';
      readonly count: number;
      readonly example: string;
      /** Canonical URL that the example names. */
      readonly canonical: string;
    }
  // A file that only counts at the root of a host is not written for a site under a path.
  | { readonly code: 'only-at-root'; readonly file: 'robots.txt' | '_headers' }
  // Pages that got no links in their heads, for one reason.
  | {
      readonly code: 'pages-not-linked';
      readonly reason: UnlinkedReason;
      readonly count: number;
      readonly example: string;
    }
  // Another rule in `_headers` gives the Source Description a media type.
  | { readonly code: 'media-type-by-rule'; readonly rule: string }
  // An `include` glob adds nothing: what it matches is listed anyway, or does not exist.
  | { readonly code: 'include-without-effect'; readonly glob: string }
  // Globs of the configuration that match nothing; `option` is what holds one, such as `exclude` or `sets[0].include`.
  | { readonly code: 'globs-match-nothing'; readonly globs: readonly NamedGlob[] }
  // No page of HTML is listed.
  | { readonly code: 'no-pages' }
  // The configuration of Astro does not say where the site will be, so nothing was described; only the integration can know.
  | { readonly code: 'no-site-url' }
  // Pages that the build did not write, and that are listed all the same; only a plugin can know.
  | { readonly code: 'pages-not-built'; readonly count: number; readonly example: string }
  // The site itself gives its pages other URLs than the listed ones: those of another style, or all at another address.
  | {
      readonly code: 'urls-contradicted';
      /** Place where the site gives the other URL: in its sitemap, or in `<link rel="canonical">`. */
      readonly source: 'sitemap' | 'canonical';
      /** Number of pages whose URL differs, and number of pages that were looked at. */
      readonly count: number;
      readonly checked: number;
      /** URLs of an example: the one that the site gives it (`said`), and the listed one. */
      readonly said: string;
      readonly listed: string;
      /** Style of URLs that gives the URLs of the site; missing if all pages are at another address. */
      readonly style?: 'directory' | 'clean' | 'bare' | 'file';
    }
  // There is no history, so no Change List: none was wanted, or the site is in no git repository.
  | { readonly code: 'no-history'; readonly wanted: boolean }
  // No publication is recorded yet, and this run records none.
  | { readonly code: 'no-publication'; readonly ref: string }
  // This is the first run of a site with pages, and could also write a sitemap, a feed or a page of changes.
  | { readonly code: 'sitemap-feed-page'; readonly missing: readonly ('sitemap' | 'feed' | 'page')[] }
  // History does not reach back as far as changes are listed.
  | { readonly code: 'changes-known-from'; readonly from: string; readonly truncated: boolean }
  // Commits are dated later than those after them, or than now: so many, and one of them, with its seconds since 1970.
  | {
      readonly code: 'commit-dates-ahead';
      readonly count: number;
      readonly commit: string;
      readonly seconds: number;
    }
  // A folder of the branch that deploys write has many files that no build has: it seems that deploys keep the folder.
  | {
      readonly code: 'kept-on-branch';
      readonly ref: string;
      readonly folder: string;
      readonly count: number;
    }
  // Files have other line ends than git keeps: they count as unchanged, and are listed as they are in the site.
  | { readonly code: 'line-ends-differ'; readonly count: number; readonly example: string }
  // The options that decide what is listed have changed since the last publication: changes are listed from this run on.
  | { readonly code: 'listing-changed'; readonly from: string }
  // The bytes of some changes are not in this partial clone; their digests are not listed.
  | { readonly code: 'versions-missing'; readonly count: number }
  // The live site cannot be read, and the build must not fail for that; only a plugin reports this.
  | {
      readonly code: 'live-unreachable';
      readonly found: string;
      /** Time at which the live site was last read, on which the lists are based; absent if nothing is described. */
      readonly read?: string;
    }
  // The live site has no Source Description: this is the first publication.
  | { readonly code: 'first-published'; readonly description: string }
  // The live site has lists, but no Source Description.
  | { readonly code: 'description-not-live'; readonly description: string }
  // The live site does not have this set of resources: it begins with this publication.
  | { readonly code: 'set-first-published'; readonly set: string | undefined }
  // The host builds a preview, but its documents name the URL of the live site.
  | { readonly code: 'preview-deploy'; readonly host: string; readonly what: string; readonly url: string }
  // Changes before a moment are not in the Change Dump.
  | { readonly code: 'change-dump-shortened'; readonly from: string; readonly reason: ShortenedReason }
  // Bytes of withdrawn resources are left out: this many changes are listed without them.
  | { readonly code: 'withdrawn'; readonly changes: number; readonly example: string }
  // The site still has files that the option `withdraw` names.
  | { readonly code: 'withdrawn-but-present'; readonly count: number; readonly example: string }
  // `withdraw` names something that matches no listed file.
  | { readonly code: 'withdraw-without-effect'; readonly name: string }
  // Archived documents have other names than before, because they have other bytes.
  | { readonly code: 'archives-renamed'; readonly count: number }
  // Without a history, nobody knows when pages changed: the sitemap has no dates.
  | { readonly code: 'sitemap-without-history' }
  // Sitemaps of a generator that cannot be read: they stay as they are.
  | { readonly code: 'sitemap-not-dated'; readonly count: number; readonly example: string }
  // Files that somebody has changed since they were read: they stay as they are.
  | { readonly code: 'changed-meanwhile'; readonly count: number; readonly example: string }
  // Sitemaps of a generator name URLs that are not listed, or that no search engine is to show.
  | { readonly code: 'sitemap-pages-unlisted'; readonly count: number; readonly example: string }
  // The texts of so many changed pages were too much to compare: their changes moved no date in the sitemap.
  | { readonly code: 'dates-not-moved'; readonly count: number }
  // The live `pages.json` was made by another rule for main texts, so no date in the sitemap moved.
  | { readonly code: 'dates-of-other-rule' }
  // Pages name an encoding that Node does not know; they were read as windows-1252.
  | { readonly code: 'encoding-unknown'; readonly count: number; readonly example: string }
  // Packages are larger than some hosts take, see `HOST_LIMITS`.
  | {
      readonly code: 'packages-large';
      readonly dump: 'resource-dump' | 'change-dump';
      readonly count: number;
      readonly example: string;
    }
  | { readonly code: 'site-large'; readonly bytes: number }
  // This build signs, and so many sets of others are not signed, or not as they have to be: the Source is signed in part.
  | { readonly code: 'set-unsigned'; readonly count: number; readonly set: string; readonly url: string }
  // This run signs nothing, and removed the signature of an earlier run.
  | { readonly code: 'signature-removed' }
  // The configuration says `sign`, but a watch signs nothing.
  | { readonly code: 'not-signed' }
  // The configuration says `record`, but a watch records nothing.
  | { readonly code: 'not-recorded' }
  // Builds seem to change files without need: most pages, mainly in times, hashes or numbers, or files of equal sources.
  | {
      readonly code: 'build-not-reproducible';
      /** Numbers of pages: changed, all, and changed only in times, hashes or numbers. With `source`, of files of all kinds. */
      readonly updated: number;
      readonly pages: number;
      readonly masked: number;
      /** True if all changed pages were compared, and not a sample. */
      readonly exact: boolean;
      /** The text that changed most often, as the site has it; '' if pages differ otherwise. */
      readonly line: string;
      /** The commit of the sources, if both builds were made of the same one. */
      readonly source?: string;
    }
  // Capability Lists of sets that other builds describe could not be read, so they are not checked.
  | {
      readonly code: 'set-unread';
      readonly count: number;
      /** An example of these sets: its name (`set`), the URL of its Capability List, and why that was not read (`found`). */
      readonly set: string;
      readonly url: string;
      readonly found: string;
    }
  // A set that another build describes is not what it is listed as.
  | (NamedSet & {
      readonly code: 'set-wrong';
      /** The document at the URL of the set is no Capability List. */
      readonly problem: 'kind';
    })
  | (NamedSet & {
      readonly code: 'set-wrong';
      /** The Capability List of the set leads up to another Source Description than this one. */
      readonly problem: 'up';
      readonly expected: string;
    })
  | (NamedSet & {
      readonly code: 'set-wrong';
      /** The Capability List of the set names a document that another set names, too. */
      readonly problem: 'twice';
      /** Name of the other set. */
      readonly other: string;
    })
  // Rows of a bucket are not listed, or only in part, for one reason: how many, and the first of them.
  | {
      readonly code: 'rows-odd';
      readonly what: RowOddity;
      readonly file: string;
      readonly count: number;
      readonly line: number;
      readonly example: string;
    }
  // Columns in a file of rows that nothing reads.
  | { readonly code: 'columns-unread'; readonly file: string; readonly columns: readonly string[] }
  // A set of resources has no resource.
  | { readonly code: 'set-empty'; readonly set: string }
  // Resources that no set holds, and that are therefore not listed.
  | { readonly code: 'in-no-set'; readonly count: number; readonly example: string };

export type NoticeCode = Notice['code'];

/** Severity: a warning asks for action. A detail may last for months: printed in the first run, and with `--verbose`. */
export type NoticeSeverity = 'detail' | 'note' | 'warning';

export type ReportedNotice = Notice & { readonly severity: NoticeSeverity };

const SEVERITIES = {
  'well-known-under-path': 'detail',
  'github-pages-dot-folders': 'warning',
  'noindex-listed': 'warning',
  'canonical-elsewhere': 'warning',
  'only-at-root': 'warning',
  'pages-not-linked': 'warning',
  'media-type-by-rule': 'warning',
  'include-without-effect': 'warning',
  'globs-match-nothing': 'warning',
  'no-pages': 'warning',
  'no-site-url': 'warning',
  'pages-not-built': 'warning',
  'urls-contradicted': 'warning',
  'no-history': 'note',
  'no-publication': 'note',
  'sitemap-feed-page': 'note',
  'changes-known-from': 'detail',
  'commit-dates-ahead': 'warning',
  'kept-on-branch': 'warning',
  'line-ends-differ': 'warning',
  'listing-changed': 'note',
  'versions-missing': 'warning',
  'live-unreachable': 'warning',
  'first-published': 'note',
  'description-not-live': 'warning',
  'set-first-published': 'note',
  'preview-deploy': 'warning',
  'change-dump-shortened': 'detail',
  withdrawn: 'detail',
  'withdrawn-but-present': 'warning',
  'withdraw-without-effect': 'warning',
  'archives-renamed': 'note',
  'sitemap-without-history': 'note',
  'sitemap-not-dated': 'warning',
  'changed-meanwhile': 'warning',
  'sitemap-pages-unlisted': 'warning',
  'dates-not-moved': 'note',
  'dates-of-other-rule': 'note',
  'encoding-unknown': 'warning',
  'packages-large': 'warning',
  'site-large': 'warning',
  'set-unsigned': 'warning',
  'signature-removed': 'warning',
  'not-signed': 'note',
  'not-recorded': 'note',
  'build-not-reproducible': 'warning',
  'set-unread': 'warning',
  'set-wrong': 'warning',
  'rows-odd': 'warning',
  'columns-unread': 'note',
  'set-empty': 'warning',
  'in-no-set': 'warning',
} as const satisfies Readonly<Record<NoticeCode, NoticeSeverity>>;

export const NOTICE_CODES = Object.keys(SEVERITIES) as readonly NoticeCode[];

export type NoticeChoice = Readonly<Partial<Record<NoticeCode, boolean>>>;

/** Makes one notice of several like cases, with the first as its example; none without cases. */
export function noticeSome<T>(all: readonly T[], make: (example: T, count: number) => Notice): Notice[] {
  const [example] = all;
  return example === undefined ? [] : [make(example, all.length)];
}

/** Drops the silenced notices, and adds the severity of the others. */
export function judgeNotices(notices: readonly Notice[], wanted: NoticeChoice): ReportedNotice[] {
  return notices
    .filter(({ code }) => wanted[code] !== false)
    .map((notice) => ({ ...notice, severity: severityOf(notice) }));
}

/** Returns the notices to print: details only if this run found no earlier publication, or if all are wanted. */
export function selectNotices<T extends { readonly severity: NoticeSeverity }>(
  {
    notices,
    publication,
  }: {
    readonly notices: readonly T[];
    readonly publication?: { readonly newest?: string | undefined } | undefined;
  },
  isVerbose: boolean,
): readonly T[] {
  const isFirst = publication !== undefined && publication.newest === undefined;
  return isVerbose || isFirst ? notices : notices.filter(({ severity }) => severity !== 'detail');
}

function severityOf(notice: Notice): NoticeSeverity {
  switch (notice.code) {
    case 'no-history':
      return notice.wanted ? 'detail' : 'note';
    case 'changes-known-from':
      return notice.truncated ? 'warning' : 'detail';
    // A piece of a page that a script fetches is no page.
    case 'pages-not-linked':
      return notice.reason === 'fragment' ? 'detail' : 'warning';
    default:
      return SEVERITIES[notice.code];
  }
}
