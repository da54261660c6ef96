/** Notices as data: what a run reports although it did not fail. `cli/words/notices.ts` words them, docs/notices.md explains them. */

import type { UnlinkedReason } from './reasons.js';

/** Reasons why a Change Dump lacks changes: too large for a package, not in git, not live as a package, or withdrawn. */
export type ShortenedReason = 'too-large' | 'versions-missing' | 'not-live' | 'withdrawn';

/** Reasons why a row is not listed, as its key or URL says; with `no-media-type`, only its type is left out. */
export type RowOddity = 'no-key' | 'not-utf8' | 'dot-segment' | 'too-long' | 'repeated' | 'no-media-type';

export interface NamedGlob {
  readonly option: string;
  readonly glob: string;
}

/** A set that another build describes: its name, the URL of its Capability List, and what was found there. */
interface NamedSet {
  readonly set: string;
  readonly url: string;
  readonly found: string;
}

interface Cases {
  readonly count: number;
  readonly example: string;
}

interface Contradiction {
  /** Place where the site gives its pages another URL: its sitemap, or `<link rel="canonical">`. */
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

export interface UnstableBuild {
  /** Numbers of pages: changed, all, and changed only in times, hashes or numbers. With `source`, of files of all kinds. */
  readonly updated: number;
  readonly pages: number;
  readonly masked: number;
  /** True if all changed pages were compared, and not a sample. */
  readonly exact: boolean;
  /** The text that changed most often, as the site has it; '' if pages differ otherwise. */
  readonly line: string;
  /** Commit of the site's sources, if this build and the one before were made from the same commit. */
  readonly source?: string;
}

/** A joined set that is no Capability List, leads up to another Source Description, or names a document of another set. */
type WrongSet = NamedSet &
  (
    | { readonly problem: 'kind' }
    | { readonly problem: 'up'; readonly expected: string }
    | { readonly problem: 'twice'; readonly other: string }
  );

interface OddRows extends Cases {
  readonly what: RowOddity;
  readonly file: string;
  readonly line: number;
}

/** Limits in bytes: of a file for Cloudflare Pages, and of a site for GitHub Pages. */
export const HOST_LIMITS = { file: 25 * 1024 ** 2, site: 1_000_000_000 };

/** Severity: a warning asks for action. A detail may last for months: printed in the first run, and with `--verbose`. */
export type NoticeSeverity = 'detail' | 'note' | 'warning';

interface Rule<Facts> {
  readonly severity: NoticeSeverity;
  readonly facts?: Facts;
}

const detail = <Facts = unknown>(): Rule<Facts> => ({ severity: 'detail' });
const note = <Facts = unknown>(): Rule<Facts> => ({ severity: 'note' });
const warning = <Facts = unknown>(): Rule<Facts> => ({ severity: 'warning' });

const NOTICES = {
  // The site lies under a path, so its Source Description is not at the host's `/.well-known/` (§6.3.2).
  'well-known-under-path': detail<{ readonly description: string }>(),
  'github-pages-dot-folders': warning<{ readonly nojekyll: boolean }>(),
  'noindex-listed': warning<Cases>(),
  'canonical-elsewhere': warning<Cases & { readonly canonical: string }>(),
  'only-at-root': warning<{ readonly file: 'robots.txt' | '_headers' }>(),
  'pages-not-linked': warning<Cases & { readonly reason: UnlinkedReason }>(),
  'media-type-by-rule': warning<{ readonly rule: string }>(),
  'include-without-effect': warning<{ readonly glob: string }>(),
  // Globs of the configuration that match nothing; `option` is what holds one, such as `exclude` or `sets[0].include`.
  'globs-match-nothing': warning<{ readonly globs: readonly NamedGlob[] }>(),
  'no-pages': warning(),
  // The configuration of Astro does not say where the site will be, so nothing was described; only the integration can know.
  'no-site-url': warning(),
  // Pages that the build did not write, and that are listed all the same; only a plugin can know.
  'pages-not-built': warning<Cases>(),
  'urls-contradicted': warning<Contradiction>(),
  'no-history': note<{ readonly wanted: boolean }>(),
  'no-publication': note<{ readonly ref: string }>(),
  'sitemap-feed-page': note<{ readonly missing: readonly ('sitemap' | 'feed' | 'page')[] }>(),
  'changes-known-from': detail<{ readonly from: string; readonly truncated: boolean }>(),
  // `seconds` is the date of one of the commits, in seconds since 1970.
  'commit-dates-ahead': warning<{
    readonly count: number;
    readonly commit: string;
    readonly seconds: number;
  }>(),
  'kept-on-branch': warning<{ readonly ref: string; readonly folder: string; readonly count: number }>(),
  'line-ends-differ': warning<Cases>(),
  'listing-changed': note<{ readonly from: string }>(),
  'versions-missing': warning<{ readonly count: number }>(),
  // The live site cannot be read, and the build must not fail for that; only a plugin reports this.
  'live-unreachable': warning<{ readonly found: string }>(),
  'first-published': note<{ readonly description: string }>(),
  'description-not-live': warning<{ readonly description: string }>(),
  'set-first-published': note<{ readonly set: string | undefined }>(),
  // The host builds a preview, but its documents name the URL of the live site.
  'preview-deploy': warning<{ readonly host: string; readonly what: string; readonly url: string }>(),
  'change-dump-shortened': detail<{ readonly from: string; readonly reason: ShortenedReason }>(),
  withdrawn: detail<{ readonly changes: number; readonly example: string }>(),
  'withdrawn-but-present': warning<Cases>(),
  'withdraw-without-effect': warning<{ readonly name: string }>(),
  'archives-renamed': note<{ readonly count: number }>(),
  'sitemap-without-history': note(),
  'sitemap-not-dated': warning<Cases>(),
  'changed-meanwhile': warning<Cases>(),
  'sitemap-pages-unlisted': warning<Cases>(),
  'dates-not-moved': note<{ readonly count: number }>(),
  'dates-of-other-rule': note(),
  'encoding-unknown': warning<Cases>(),
  // Packages are larger than some hosts take, see `HOST_LIMITS`.
  'packages-large': warning<Cases & { readonly dump: 'resource-dump' | 'change-dump' }>(),
  'site-large': warning<{ readonly bytes: number }>(),
  // This build signs, but `count` sets that other builds describe are unsigned, or signed wrongly: the Source is signed in part.
  'set-unsigned': warning<{ readonly count: number; readonly set: string; readonly url: string }>(),
  'signature-removed': warning(),
  'not-signed': note(),
  'not-recorded': note(),
  'build-not-reproducible': warning<UnstableBuild>(),
  // `set`, `url` and `found` are about one of the sets.
  'set-unread': warning<NamedSet & { readonly count: number }>(),
  'set-wrong': warning<WrongSet>(),
  // Rows of a bucket are not listed, or only in part, for one reason: how many, and the first of them.
  'rows-odd': warning<OddRows>(),
  'columns-unread': note<{ readonly file: string; readonly columns: readonly string[] }>(),
  'set-empty': warning<{ readonly set: string }>(),
  'in-no-set': warning<Cases>(),
};

export type NoticeCode = keyof typeof NOTICES;

type FactsOf<Code extends NoticeCode> = (typeof NOTICES)[Code] extends Rule<infer Facts> ? Facts : never;

/** Something that did not fail but that a user would want to know; `cli/words/notices.ts` words it. */
export type Notice = { [Code in NoticeCode]: { readonly code: Code } & FactsOf<Code> }[NoticeCode];

export type ReportedNotice = Notice & { readonly severity: NoticeSeverity };

export const NOTICE_CODES = Object.keys(NOTICES) as readonly NoticeCode[];

export type NoticeChoice = Readonly<Partial<Record<NoticeCode, boolean>>>;

/** Makes one notice of several like cases, with the first as its example; none without cases. */
export function noticeSome<T>(all: readonly T[], make: (example: T, count: number) => Notice): Notice[] {
  const [example] = all;
  return example === undefined ? [] : [make(example, all.length)];
}

/** Drops notices that the configuration silences, and adds a severity to each of the rest. */
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
    // A fragment, which a script fetches into a page, needs no links.
    case 'pages-not-linked':
      return notice.reason === 'fragment' ? 'detail' : 'warning';
    default:
      return NOTICES[notice.code].severity;
  }
}
