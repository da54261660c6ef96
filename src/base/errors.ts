/** Our own errors, with stable codes, and tests for errors of the system. */

import type { Words } from './text/say.js';

/** Stable names of all failures; they do not change once released. */
export type ErrorCode =
  // The command line or the configuration holds one or more mistakes; all are listed.
  | 'config-invalid'
  // The configuration file is missing, cannot be read or throws.
  | 'config-unreadable'
  // The site is not a folder that can be read.
  | 'site-unreadable'
  // The site is the folder of a project, and has no page.
  | 'site-is-project'
  // The site holds nothing that could be listed.
  | 'site-empty'
  // Files or folders of the site, or the manual, cannot be read.
  | 'file-unreadable'
  // A file kept changing while it was read.
  | 'file-changing'
  // A file of the site is a private key, and would be published.
  | 'key-in-site'
  // A file name is not valid Unicode, so it has no URL.
  | 'name-not-unicode'
  // Two files of the site have one URL.
  | 'url-conflict'
  // A file is too large for a ZIP package.
  | 'file-too-large'
  // A URL is longer than the Sitemap protocol allows.
  | 'url-too-long'
  // A function of the configuration threw, or returned what cannot be used.
  | 'extras-invalid'
  // The history that was asked for does not exist.
  | 'history-missing'
  // The live site does not give its documents, or not in a form that can be read.
  | 'live-unreadable'
  // The documents of the live site are not such that their history could be continued.
  | 'live-foreign'
  // The folder, its documents and the history do not belong together, so the folder cannot be recorded.
  | 'record-refused'
  // git refuses, or the repository is damaged.
  | 'git-failed'
  // A file with redirects cannot be read, or its rules take too long.
  | 'redirects-unreadable'
  // `robots.txt` or `_headers` cannot take what belongs there.
  | 'discovery-failed'
  // A file that is not ours stands where a document belongs.
  | 'not-ours'
  // The documents cannot be signed.
  | 'signing-failed'
  // Rows that describe a bucket cannot be read, are not sorted, or do not continue what was published.
  | 'rows-invalid'
  // Documents cannot be written.
  | 'write-failed'
  // The documents of a Source cannot be found or read.
  | 'source-unreadable'
  // A signature, or a file of digests that is signed, is not as it should be: it was refused, and nothing was changed.
  | 'signature-invalid'
  // A mirror would have gone past a bound: bytes, time, memory, or room on the disk.
  | 'bound-reached'
  // The deployed publication is not live, or was not in time.
  | 'not-live'
  // The system does not let the site be watched.
  | 'watch-failed'
  // The build that `init` was asked to run failed.
  | 'build-failed';

/** A failure that users can act on; other exceptions are bugs. Values in the message are escaped, so it can be printed. */
export class ResyncError extends Error {
  override readonly name = 'ResyncError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: Words, options?: ErrorOptions) {
    super(hidePasswords(message.toString()), options);
    this.code = code;
  }
}

const HOST = String.raw`(?:\[[\da-f:.]+\]|[^\s"/?#:@]+)(?::\d{1,5})?/`;
/** Matches the scheme of a URL with a user or password; a path that was made of a URL has only one slash after it. */
const BEFORE_PASSWORD = new RegExp(`(?:https?|wss?):/{1,2}(?!${HOST})(?=[^/]*[:@])`, 'i');

/** Replaces users and passwords in URLs, in linear time: word by word, up to the last `@` of each word. */
function hidePasswords(text: string): string {
  return text.replace(/[^\s"]+/g, (word) => {
    const end = word.lastIndexOf('@');
    const scheme = BEFORE_PASSWORD.exec(word.slice(0, end + 1));
    return scheme === null ? word : `${word.slice(0, scheme.index)}${scheme[0]}…${word.slice(end)}`;
  });
}

/** Returns the `code` of a Node.js system error, such as `ENOENT`; undefined for anything else, our own errors among them. */
export function systemErrorCode(error: unknown): string | undefined {
  const code = nodeErrorCode(error);
  // Codes of several words are those of zlib, or of Node.js about arguments.
  return code !== undefined && /^(?:EAI_)?[A-Z0-9]+$/.test(code) ? code : undefined;
}

/** Returns the `code` of any error of Node.js, such as `ECONNRESET` or `Z_DATA_ERROR`; undefined for anything else. */
export function nodeErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || error instanceof ResyncError) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Makes a ResyncError of an error of the system; returns any other error unchanged. @param word words the message */
export function explainRefused(error: unknown, code: ErrorCode, word: (refusal: string) => Words): unknown {
  const refusal = systemErrorCode(error);
  return refusal === undefined ? error : new ResyncError(code, word(refusal), { cause: error });
}

type ErrorClass = abstract new (...facts: never[]) => Error;

/** Creates a handler for `catch` of a promise: it returns undefined for errors of these classes, and throws others again. */
export function ignoring(...expected: readonly ErrorClass[]): (error: unknown) => undefined {
  return (error) => {
    if (!expected.some((one) => error instanceof one)) throw error;
  };
}

export function unlessThrown<T>(work: () => T, ...expected: readonly ErrorClass[]): T | undefined {
  try {
    return work();
  } catch (error) {
    return ignoring(...expected)(error);
  }
}

/** Returns the result of work; undefined if the system refuses it. @param codes of errors, such as `ENOENT`. @default all */
export function unlessRefused<T>(work: () => T, ...codes: readonly string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === undefined || (codes.length > 0 && !codes.includes(code))) throw error;
    return undefined;
  }
}
