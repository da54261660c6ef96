/** What can go wrong and what is worth telling: errors with stable codes, notices as data. */

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
  /** A URL is longer than the Sitemap protocol allows. */
  | 'url-too-long'
  /** A function of the configuration threw, or returned what cannot be used. */
  | 'extras-invalid'
  /** The history that was asked for does not exist. */
  | 'history-missing'
  /** git refuses, or the repository is damaged. */
  | 'git-failed'
  /** A file that is not ours stands where a document belongs. */
  | 'not-ours'
  /** Documents cannot be written. */
  | 'write-failed';

/**
 * A failure that a user can do something about. The message says what is wrong, where, and what to do.
 * Anything else that is thrown is a bug of ours.
 */
export class ResyncError extends Error {
  override readonly name = 'ResyncError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
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

/** Something that did not fail but that a user would want to know; wording lives in `report.ts`. */
export type Notice =
  /** The site lies under a path, so its Source Description is not at the host's `/.well-known/` (§6.3.2). */
  | { readonly code: 'well-known-under-path'; readonly description: string }
  /** GitHub Pages does not publish dot-folders unless it is told to. */
  | { readonly code: 'github-pages-dot-folders'; readonly nojekyll: boolean }
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
  /** A set of resources has no resource. */
  | { readonly code: 'set-empty'; readonly set: string }
  /** Resources that no set holds, and that are therefore not listed. */
  | { readonly code: 'in-no-set'; readonly count: number; readonly example: string };

/** The `code` of a Node.js system error, such as `ENOENT`; undefined for anything else, our own errors among them. */
export function systemErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ResyncError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
