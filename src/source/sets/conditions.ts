/** Finds out whether a server looks at conditions, before an answer that nothing has changed counts (RFC 9110 §13). */

import { isUrl } from '../../standard/model.js';
import { isAbsent, type Opened, type OpenOptions, type Origin, type Validators } from '../origin/origin.js';

/** Bytes that may come although nobody wants them; what is longer is no small request. */
export const SMALL = 65_536;

/** No version of anything has these. */
export const OF_NO_VERSION: Validators = {
  etag: '"resync-static: of no version"',
  modified: 'Thu, 01 Jan 1970 00:00:00 GMT',
};

/**
 * An origin that asks with conditions only where they count: the first thing of each server that is asked for with one is asked
 * for as if another version of it were known. A server that says that this one is the same says so of all: it is asked without.
 */
export function doubtConditions(origin: Origin): Origin {
  /** By server, whether its conditions count. */
  const verdicts = new Map<string, Promise<boolean>>();

  async function ask(uri: string, options: OpenOptions) {
    const server = isUrl(uri) ? new URL(uri).origin : uri;
    const verdict = verdicts.get(server);
    if (verdict !== undefined) {
      const counts = await verdict;
      return origin.open(uri, counts ? options : { ...options, validators: undefined });
    }
    const asked = origin.open(uri, { ...options, validators: OF_NO_VERSION });
    const opening = asked.then((opened) => !isAbsent(opened) && opened.unchanged !== true);
    verdicts.set(server, opening);
    const opened = await asked;
    if (isAbsent(opened)) {
      // Nobody knows: what is asked for next tells.
      verdicts.delete(server);
      return opened;
    }
    if (opened.unchanged !== true && (opened.length ?? Number.POSITIVE_INFINITY) <= SMALL) return opened;
    await leave(opened);
    return origin.open(uri, opened.unchanged === true ? { ...options, validators: undefined } : options);
  }

  return {
    ...origin,
    open(uri, options = {}) {
      const { etag, modified } = options.validators ?? {};
      return etag === undefined && modified === undefined ? origin.open(uri, options) : ask(uri, options);
    },
  };
}

/** Takes no more of a body. */
async function leave({ body }: Opened): Promise<void> {
  for await (const _ of body) break;
}
