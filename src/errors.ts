/** What can go wrong and what is worth telling: errors with stable codes, notices as data. */

import type { Words } from './text/say.js';

/** Stable names of all failures; they do not change once released. */
export type ErrorCode =
  /** The command line or the configuration holds one or more mistakes; all are listed. */
  | 'config-invalid'
  /** The configuration file is missing, cannot be read or throws. */
  | 'config-unreadable'
  /** The site is not a folder that can be read. */
  | 'site-unreadable'
  /** The site holds nothing that could be listed. */
  | 'site-empty'
  /** Files or folders of the site cannot be read. */
  | 'file-unreadable'
  /** A file kept changing while it was read. */
  | 'file-changing'
  /** A file name is not valid Unicode, so it has no URL. */
  | 'name-not-unicode'
  /** Two files of the site have one URL. */
  | 'url-conflict'
  /** A file is too large for a ZIP package. */
  | 'file-too-large'
  /** A URL is longer than the Sitemap protocol allows. */
  | 'url-too-long'
  /** A function of the configuration threw, or returned what cannot be used. */
  | 'extras-invalid'
  /** The history that was asked for does not exist. */
  | 'history-missing'
  /** The live site does not give its documents, or not in a form that can be read. */
  | 'live-unreadable'
  /** The documents of the live site are not such that their history could be continued. */
  | 'live-foreign'
  /** git refuses, or the repository is damaged. */
  | 'git-failed'
  /** `robots.txt` or `_headers` cannot take what belongs there. */
  | 'discovery-failed'
  /** A file that is not ours stands where a document belongs. */
  | 'not-ours'
  /** Documents cannot be written. */
  | 'write-failed'
  /** The system does not let the site be watched. */
  | 'watch-failed';

/**
 * A failure that a user can do something about. The message says what is wrong, where, and what to do; names and other
 * values in it are escaped, so that it can be printed anywhere.
 * Anything else that is thrown is a bug of ours.
 */
export class ResyncError extends Error {
  override readonly name = 'ResyncError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: Words, options?: ErrorOptions) {
    super(message.toString(), options);
    this.code = code;
  }
}

/** Why a file of the site is not a resource. */
export type SkipReason =
  | 'own-document'
  | 'dot-file'
  | 'host-control'
  | 'error-page'
  | 'excluded'
  | 'symbolic-link'
  | 'special-file';

/** Why a page gets no link to its Capability List. */
export type UnlinkedReason = 'other-encoding' | 'other-source' | 'fragment';

/**
 * Why changes are not in a Change Dump: no package could hold them, git does not have their bytes, or the live site has
 * no package of them.
 */
export type ShortenedReason = 'too-large' | 'versions-missing' | 'not-live';

/** Something that did not fail but that a user would want to know; wording lives in `report.ts`. */
export type Notice =
  /** The site lies under a path, so its Source Description is not at the host's `/.well-known/` (§6.3.2). */
  | { readonly code: 'well-known-under-path'; readonly description: string }
  /** GitHub Pages does not publish dot-folders unless it is told to. */
  | { readonly code: 'github-pages-dot-folders'; readonly nojekyll: boolean }
  /** A file that only counts at the root of a host is not written for a site under a path. */
  | { readonly code: 'only-at-root'; readonly file: 'robots.txt' | '_headers' }
  /** Pages that have been left as they were. */
  | {
      readonly code: 'pages-not-linked';
      readonly reason: UnlinkedReason;
      readonly count: number;
      readonly example: string;
    }
  /** Another rule in `_headers` gives the Source Description a media type. */
  | { readonly code: 'media-type-by-rule'; readonly rule: string }
  /** An `include` glob adds nothing: what it matches is listed anyway, or does not exist. */
  | { readonly code: 'include-without-effect'; readonly glob: string }
  /** There is no history, so no Change List: none was wanted, or the site is in no git repository. */
  | { readonly code: 'no-history'; readonly wanted: boolean }
  /** There is no publication yet, and this run keeps none. */
  | { readonly code: 'no-publication'; readonly ref: string }
  /** History does not reach back as far as changes are listed. */
  | { readonly code: 'changes-known-from'; readonly from: string; readonly truncated: boolean }
  /** The bytes of some changes are not in this partial clone; their digests are not listed. */
  | { readonly code: 'versions-missing'; readonly count: number }
  /** The live site has no Source Description: this is the first publication. */
  | { readonly code: 'first-published'; readonly description: string }
  /** The live site does not have this set of resources: it begins with this publication. */
  | { readonly code: 'set-first-published'; readonly set: string | undefined }
  /** The host builds something else than the live site, with the URL of the live site. */
  | { readonly code: 'preview-deploy'; readonly host: string; readonly what: string; readonly url: string }
  /** Changes before a moment are not in the Change Dump. */
  | { readonly code: 'change-dump-shortened'; readonly from: string; readonly reason: ShortenedReason }
  /** Packages are larger than some hosts take: 25 MiB a file, 1 GB a site. */
  | {
      readonly code: 'packages-large';
      readonly dump: 'resource-dump' | 'change-dump';
      readonly count: number;
      readonly example: string;
    }
  | { readonly code: 'site-large'; readonly bytes: number }
  /** The configuration says `record`, but a watch records nothing. */
  | { readonly code: 'not-recorded' }
  /** A set of resources has no resource. */
  | { readonly code: 'set-empty'; readonly set: string }
  /** Resources that no set holds, and that are therefore not listed. */
  | { readonly code: 'in-no-set'; readonly count: number; readonly example: string };

/** The `code` of a Node.js system error, such as `ENOENT`; undefined for anything else, our own errors among them. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ResyncError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
