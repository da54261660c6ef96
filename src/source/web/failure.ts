/** Why something could not be fetched. */

import { nodeErrorCode } from '../../base/errors.js';

export type FetchFailure =
  /** 404 or 410. */
  | 'missing'
  /** Any other status, or no answer at all. */
  | 'failed'
  /** No answer in time, or one that comes too slowly. */
  | 'slow'
  /** We did not ask: another protocol than http(s), an address that is not public, redirects without end. */
  | 'refused';

/** Why something could not be fetched; the message is what was found. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly failure: FetchFailure;

  constructor(failure: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = failure;
  }
}

/** What may be over when we ask once more. */
export function isPassing(error: unknown): boolean {
  const code = nodeErrorCode(error);
  return (
    code !== undefined && ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'].includes(code)
  );
}

/** What the system or the network says, in words; a bug of ours as it is. */
export function describeFailure(error: unknown): unknown {
  // What has no code is a bug of ours.
  if (error instanceof FetchError || nodeErrorCode(error) === undefined) return error;
  const { message, code, hostname } = error as NodeJS.ErrnoException & { hostname?: string };
  if (code === 'ENOTFOUND')
    return new FetchError('failed', `the host ${hostname} was not found`, { cause: error });
  // Several addresses that all failed come as one error without a message.
  return new FetchError('failed', message === '' ? String(code) : message, { cause: error });
}
