/** Our own errors, with stable codes, and tests for errors of the system. */

import type { Words } from './text/say.js';

/** Stable names of all failures, explained in docs/reference.md; they do not change once released. */
export type ErrorCode =
  | 'config-invalid'
  | 'config-unreadable'
  | 'site-unreadable'
  | 'site-is-project'
  | 'site-empty'
  | 'file-unreadable'
  | 'file-changing'
  | 'key-in-site'
  | 'name-not-unicode'
  | 'url-conflict'
  | 'file-too-large'
  | 'url-too-long'
  | 'extras-invalid'
  | 'history-missing'
  | 'live-unreadable'
  | 'live-foreign'
  | 'record-refused'
  | 'git-failed'
  | 'redirects-unreadable'
  | 'discovery-failed'
  | 'not-ours'
  | 'signing-failed'
  | 'rows-invalid'
  | 'write-failed'
  | 'source-unreadable'
  | 'signature-invalid'
  | 'bound-reached'
  | 'not-live'
  | 'watch-failed'
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

/** Creates a handler for `catch` of a promise that returns undefined for errors of the given classes, and throws others again. */
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
