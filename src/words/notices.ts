/** The notices of a run, in words: what, and what to do about it. */

import type { Notice, UnlinkedReason } from '../notices.js';
import { say, type Words } from '../text/say.js';
import { formatBytes, formatCount } from './units.js';

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
