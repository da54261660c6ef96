/** Texts of notices: each says what was found, and what to do about it. */

import { formatDatetime } from '../../base/datetime.js';
import {
  HOST_LIMITS,
  type NamedGlob,
  type Notice,
  type RowOddity,
  type ShortenedReason,
  type UnstableBuild,
} from '../../base/notices.js';
import type { UnlinkedReason } from '../../base/reasons.js';
import { say, type Words } from '../../base/text/say.js';
import { formatBytes, formatCount, formatLimit, formatNumber } from '../../base/text/units.js';
import { LAST_SECOND } from '../../base/time.js';
import { SNAPSHOT_REFS } from '../../paths/ours.js';

/** Formats a notice in one line, with its code for `explain`. */
export function formatNotice(notice: Notice): Words {
  // Each function takes notices of its own code only, which the type of `WORDS[notice.code]` cannot express.
  const word = WORDS[notice.code] as (notice: Notice) => string;
  return say`${word(notice)} (${notice.code})`;
}

type NoticeWords = { readonly [Code in Notice['code']]: (notice: Extract<Notice, { code: Code }>) => string };

const ODDITIES: Readonly<Record<RowOddity, string>> = {
  'no-key': 'without a key, not listed.',
  'not-utf8':
    'with a key that is not UTF-8, not listed, because there is no URL for it. Write the file in UTF-8.',
  'dot-segment':
    'with . or .. as a segment of the key, not listed, because clients would ask for another URL. Rename such objects.',
  'too-long': 'with a key that makes a URL of 2,048 characters or more, not listed. Rename such objects.',
  repeated:
    'with the key of the row before, not listed. Write one row for each object, that of its newest version.',
  'no-media-type': 'with a type that is no media type, listed without it.',
};

const WORDS: NoticeWords = {
  'rows-odd': ({ what, file, count, line, example }) =>
    `${file} has ${formatCount(count, 'row', 'rows')} ${ODDITIES[what]} The first is ${example === '' ? '' : `${example}, `}line ${line}.`,
  'columns-unread': ({ file, columns }) =>
    `${file} has unknown columns: ${columns.join(', ')}. The columns that are read are key, length, md5, sha256, type and modified.`,
  'well-known-under-path': (notice) =>
    `The site is under a path, but clients look for /.well-known/ only at the root of a host. Give them the URL of the Source Description: ${notice.description}`,
  'github-pages-dot-folders': (notice) => {
    const tools =
      'GitHub Pages: .well-known is left out by actions/upload-pages-artifact without `include-hidden-files: true`, and by gh-pages without `--dotfiles`.';
    return notice.nojekyll
      ? tools
      : `${tools} If you deploy from a branch, put an empty file .nojekyll into the site.`;
  },
  'noindex-listed': (notice) =>
    `${formatCount(notice.count, 'listed page asks', 'listed pages ask')} search engines not to list ${notice.count === 1 ? 'it' : 'them'} (noindex), such as ${notice.example}, but robots.txt leads search engines to the Resource List. To leave such pages out, set noindex: 'skip' in the configuration.`,
  'canonical-elsewhere': (notice) =>
    `${formatCount(notice.count, 'listed page names', 'listed pages name')} another page as canonical, such as ${notice.example}, which names ${notice.canonical}. robots.txt leads search engines to the Resource List, and they report such pages. Leave them out with --exclude, or leave out --robots.`,
  'only-at-root': (notice) =>
    `${notice.file} works only at the root of a host, and this site is under a path. The file was not changed.`,
  'pages-not-linked': (notice) =>
    `htmlLinks did not change ${formatCount(notice.count, 'page')}, such as ${notice.example}: ${UNLINKED[notice.reason]}.`,
  'media-type-by-rule': (notice) =>
    `In _headers, the rule ${notice.rule} gives the Source Description another media type, and a host would send both. Make the rule match fewer files, and run again.`,
  'include-without-effect': (notice) =>
    `--include ${notice.glob} adds nothing: it can only add files that are left out by default. To list only these files, use --exclude '!${notice.glob}'.`,
  'globs-match-nothing': (notice) => wordIdle(notice.globs),
  'no-pages': () =>
    'No HTML page is listed. If the build writes its pages into another folder, name that one. If it writes them later, as React Router and TanStack Start do, which prerender after the plugins of Vite, run the command resync-static on the folder after the build.',
  'no-site-url': () =>
    `Nothing was listed: the configuration of Astro does not say where the site will be. Set site to its address, such as site: 'https://example.org'.`,
  'pages-not-built': (notice) =>
    `${formatCount(notice.count, 'page was', 'pages were')} in the output folder before this build, which did not write ${notice.count === 1 ? 'it' : 'them'}, such as ${notice.example}. Pages left from an earlier build are published: empty the folder before each build, or leave them out with exclude: ['${notice.example}'].`,
  'urls-contradicted': (notice) => {
    const { source, count, checked, said, listed, style } = notice;
    const where =
      source === 'sitemap' ? 'The sitemap of the site' : 'The site (rel="canonical" in its pages)';
    if (style === undefined)
      return `${where} gives its pages another address than the lists: ${said} instead of ${listed}. Set the base URL of your generator, or --url, so that both are the same.`;
    return `${where} gives ${formatNumber(count)} of ${formatCount(checked, 'page')} another URL than the listed one: ${said} instead of ${listed}. If your host serves the site so, use --urls ${style} (in a configuration: urls: '${style}').`;
  },
  'no-history': (notice) =>
    notice.wanted
      ? 'No Change List was written, because of --history none.'
      : 'No Change List was written: the site is not in a git repository, or git is not installed. Without git, use --history published.',
  'no-publication': (notice) => wordUnpublished(notice.ref),
  'sitemap-feed-page': ({ missing }) =>
    `Add ${missing
      .map((name) => UNUSED[name])
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' and ')}.`,
  'changes-known-from': (notice) =>
    notice.truncated
      ? `This clone is shallow: its history starts at ${notice.from}. Earlier changes are not known, and older files have no lastmod. To fetch the whole history, run git fetch --unshallow, or set fetch-depth: 0 for actions/checkout.`
      : `The Change List starts at ${notice.from}: older history is missing, or was listed with other options.`,
  'commit-dates-ahead': (notice) => {
    const { count, commit, seconds } = notice;
    const date = seconds <= LAST_SECOND ? formatDatetime(new Date(seconds * 1000)) : 'after the year 9999';
    return `${formatCount(count, 'commit has a date', 'commits have dates')} later than the next commit, or than now, such as ${commit.slice(0, 12)} (${date}): a clock was wrong. ${count === 1 ? 'It counts' : 'They count'} as published just before the next commit, or now if there is no next one. Set the clock before you commit.`;
  },
  'kept-on-branch': (notice) => {
    const { ref, folder, count } = notice;
    const [are, they] = count === 1 ? ['is', 'it is'] : ['are', 'they are'];
    return `${formatCount(count, 'file')} below ${folder}/ ${are} on ${ref} and not in the site, so ${they} listed as deleted. If deploys keep this folder on the branch, it stays online, and each build lists that again: leave it out with --exclude '${folder}/**'.`;
  },
  'line-ends-differ': (notice) => {
    const { count, example } = notice;
    return `${formatCount(count, 'file differs', 'files differ')} from git only in line ends (CRLF for LF), such as ${example}, and ${count === 1 ? 'counts' : 'count'} as unchanged. The lists have the checksums of the bytes in the folder: a host that publishes from git serves other bytes. To get the bytes of git, write \`* -text\` into a .gitattributes in the site, or run git config core.autocrlf false, and check the site out again.`;
  },
  'listing-changed': (notice) =>
    `The options that decide what is listed have changed, so the Change List starts again at ${notice.from}. Clients compare the whole list once.`,
  'versions-missing': (notice) =>
    `This partial clone does not have the bytes of ${formatCount(notice.count, 'version')}. These changes are listed without length and checksums. To fetch the bytes, run git fetch --refetch --no-filter.`,
  'live-unreachable': (notice) =>
    `Not described: ${notice.found} Do not deploy this folder from here: it has no lists, or those of an earlier build.`,
  'first-published': (notice) =>
    `Nothing is published at ${notice.description} yet. The history starts when you deploy this publication.`,
  'description-not-live': (notice) =>
    `The live site has lists, but no ${notice.description}, where clients begin: the deploy, or the host, leaves out names that begin with a dot. Have it take them.`,
  'set-first-published': (notice) =>
    `${notice.set === undefined ? 'The set of all files' : `The set "${notice.set}"`} is not on the live site yet. Its history starts with this publication.`,
  'preview-deploy': (notice) =>
    `${notice.host} builds ${notice.what}, but the documents name ${notice.url}. If you deploy this somewhere else, do not run resync-static here: its documents would lead clients to the other site. The history of the live site does not change.`,
  'change-dump-shortened': (notice) =>
    `The Change Dump starts at ${notice.from}: ${SHORTENED[notice.reason]}.`,
  withdrawn: (notice) =>
    `Withdrawn: the bytes of ${formatCount(notice.changes, 'listed change')}, such as of ${notice.example}, are nowhere below resourcesync/. The Change List still lists them, without their content.`,
  'withdrawn-but-present': (notice) =>
    `The site still has ${formatCount(notice.count, 'file')} to be withdrawn, such as ${notice.example}. Delete ${notice.count === 1 ? 'it' : 'them'}, or leave ${notice.count === 1 ? 'it' : 'them'} out with --exclude.`,
  'withdraw-without-effect': (notice) =>
    `withdraw: '${notice.name}' matches no listed file. Check the spelling.`,
  'archives-renamed': (notice) =>
    `${formatCount(notice.count, 'archived document has', 'archived documents have')} a new name, because ${notice.count === 1 ? 'its' : 'their'} content changed: by new options, another start of the history, another version of resync-static, or a file version that is no longer published. The old documents were removed.`,
  'sitemap-without-history': () =>
    'Record what you deploy, such as with --record: without a history, the sitemap has no dates.',
  'sitemap-not-dated': (notice) =>
    `${formatCount(notice.count, 'sitemap of your generator was', 'sitemaps of your generator were')} not changed, such as ${notice.example}: ${notice.count === 1 ? 'it is' : 'they are'} too large, cut off, empty, a symbolic link, the file of another user, or not XML in UTF-8 without a DOCTYPE.`,
  'changed-meanwhile': (notice) =>
    `Run again when the build is done. Another program changed ${formatCount(notice.count, 'file')} during this run, such as ${notice.example}, so ${notice.count === 1 ? 'it was' : 'they were'} not edited.`,
  'sitemap-pages-unlisted': (notice) =>
    `The sitemap of your generator names ${formatCount(notice.count, 'URL')} that search engines cannot use, such as ${notice.example}: there is no file, or the page has noindex, a redirect or another canonical URL. Leave ${notice.count === 1 ? 'it' : 'them'} out of the sitemap.`,
  'dates-not-moved': (notice) =>
    `The texts of ${formatCount(notice.count, 'changed page')} were too much to compare, and moved no date in the sitemap.`,
  'dates-of-other-rule': () =>
    'Another version of resync-static, which finds the main text by another rule, described the live site. Pages keep their dates this time.',
  'encoding-unknown': (notice) =>
    `${formatCount(notice.count, 'page declares', 'pages declare')} an encoding that Node does not know, such as ${notice.example}, and ${notice.count === 1 ? 'was' : 'were'} read as windows-1252. Correct <meta charset>.`,
  'packages-large': (notice) => wordLarge(notice),
  'site-large': (notice) =>
    `The site and its packages have ${formatBytes(notice.bytes)} together. GitHub Pages takes ${formatLimit(HOST_LIMITS.site)}.`,
  'set-unsigned': (notice) => {
    const which = `"${notice.set}" (${notice.url})`;
    const what =
      notice.count === 1
        ? `The set ${which} of another build is`
        : `${formatNumber(notice.count)} sets of other builds are`;
    const example = notice.count === 1 ? '' : `, such as ${which}`;
    return `${what} not signed${example}. Clients that check signatures refuse a Source that is signed in part, so sign each build.`;
  },
  'signature-removed': () =>
    'This run did not sign, so the earlier SHA256SUMS and its signature were removed. Clients that know your key will refuse this state. Sign what you deploy: --sign <key>.',
  'not-signed': () => 'watch signs nothing. Sign what you deploy in a separate run: --sign <key>.',
  'not-recorded': () =>
    'The configuration sets record, but watch records nothing. Record what you deploy in a separate run.',
  'build-not-reproducible': (notice) => wordUnreproducible(notice),
  'set-unread': (notice) => {
    const which = `"${notice.set}" (${notice.url}: ${notice.found})`;
    return notice.count === 1
      ? `The set ${which} could not be read. It is listed, but not checked.`
      : `${formatNumber(notice.count)} sets could not be read, such as ${which}. They are listed, but not checked.`;
  },
  'set-wrong': (notice) => wordWrong(notice),
  'set-empty': (notice) => `The set "${notice.set}" is empty. Check its include and exclude globs.`,
  'in-no-set': (notice) =>
    `${formatCount(notice.count, 'file is', 'files are')} in no set and therefore not listed, such as ${notice.example}.`,
};

function wordWrong(notice: Extract<Notice, { code: 'set-wrong' }>): string {
  const { set, url, found } = notice;
  switch (notice.problem) {
    case 'kind':
      return `The set "${set}" is listed, but ${url} is no Capability List: ${found}. Check capabilityList.`;
    case 'up':
      return `The set "${set}" does not belong to this Source: ${url} links up to ${found}. In the configuration of the build that writes it, set source: '${notice.expected}'.`;
    case 'twice':
      return `The sets "${notice.other}" and "${set}" are the same: both have ${found}. Leave one of them out.`;
  }
}

/** Describes a build that is not reproducible: it changes files that nobody edited. */
export function wordUnreproducible({ updated, pages, masked, exact, line, source }: UnstableBuild): string {
  const number = `${exact ? '' : 'about '}${formatNumber(masked)}`;
  const part = masked >= updated ? 'all of them' : `${number} of them`;
  if (source !== undefined) {
    const shown = line === '' ? '' : `: "${line}"`;
    return `${number} of ${formatCount(pages, 'file')} changed, only in times, hashes or numbers${shown}. Their sources did not change since ${source.slice(0, 7)}, so every build seems to change them. See resync-static help reproducible`;
  }
  return `${formatNumber(updated)} of ${formatNumber(pages)} pages changed, ${part} only in times, hashes or numbers: "${line}". Every build, or every edit, seems to change these pages, so the Change List is of little use. See resync-static help reproducible`;
}

const NAMED_GLOBS = 20;

function wordIdle(globs: readonly NamedGlob[]): string {
  const named = globs.slice(0, NAMED_GLOBS).map(({ option, glob }) => `${option} ${JSON.stringify(glob)}`);
  const rest = globs.length - named.length;
  const all = [...named, ...(rest > 0 ? [`${formatNumber(rest)} more`] : [])].join(', ');
  return globs.length === 1
    ? `This glob matches no file: ${all}. Check how it is written: globs are relative to the site.`
    : `These globs match no file: ${all}. Check how they are written: globs are relative to the site.`;
}

const UNUSED = {
  sitemap: '--sitemap for a sitemap with true dates',
  feed: '--feed for an Atom feed of changed pages',
  page: '--page for a page of changes',
} as const;

const SHORTENED: Readonly<Record<ShortenedReason, string>> = {
  'too-large': 'the publication before that is too large for a ZIP package',
  'versions-missing':
    'this clone lacks the bytes of the publication before that: it is a partial clone, or Git LFS keeps them',
  'not-live':
    'the live site has no package of the earlier changes, or its package differs from the listed one',
  withdrawn: 'some of the earlier changes are withdrawn',
};

/** Says how to keep a first publication in git: by recording for snapshots, otherwise by a commit. */
function wordUnpublished(ref: string): string {
  const step = ref.startsWith(SNAPSHOT_REFS)
    ? 'After each deploy, run resync-static record: the next build then lists what changed. In a CI job that deploys, add --record to the build instead.'
    : `Commit the site to ${ref}: the next build then lists what changed.`;
  return `${step} git has no earlier state of this site.`;
}

function wordLarge({ dump, count, example }: Extract<Notice, { code: 'packages-large' }>): string {
  const name = dump === 'resource-dump' ? 'Resource Dump' : 'Change Dump';
  const large = `${formatCount(count, 'package')} of the ${name} ${count === 1 ? 'is' : 'are'} larger than ${formatLimit(HOST_LIMITS.file)}, such as ${example}. Cloudflare Pages does not take such files.`;
  return dump === 'resource-dump'
    ? `${large} Leave large files out with --exclude, or set a smaller dumps.maxBytes.`
    : `${large} A package has the changes of one publication. Publish fewer changes at a time, leave large files out with --exclude, or leave out this dump: dumps: { changes: false }.`;
}

const UNLINKED: Readonly<Record<UnlinkedReason, string>> = {
  'other-encoding': 'the encoding is not UTF-8',
  'other-source': 'there is a link to another Source already',
  fragment: 'there is no doctype, title or head',
};
