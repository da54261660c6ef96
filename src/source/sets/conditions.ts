/** Makes conditional requests reliable (RFC 9110 §13): tests whether a server evaluates conditions before status 304 counts. */

import { hashText } from '../../base/columns/keys.js';
import { isUrl } from '../../base/url.js';
import { isAbsent, type OpenOptions, type Origin, type Validators } from '../origin/origin.js';

/** Limit of a small answer, in bytes: to receive one without need costs little. */
export const SMALL = 65_536;

/** Validators that no version of any document has. */
export const OF_NO_VERSION: Validators = {
  etag: '"resync-static: of no version"',
  modified: 'Thu, 01 Jan 1970 00:00:00 GMT',
};

/**
 * Makes an origin that sends conditions only to servers that evaluate them. The first conditional request to each server has
 * validators that no version has; a server that answers 304 to it always would, and gets no further conditions.
 */
export function doubtConditions(origin: Origin): Origin {
  /** Verdict on each server: true if it evaluates conditions. */
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
      // Whether the server evaluates conditions is still unknown: the next request decides.
      verdicts.delete(server);
      return opened;
    }
    if (opened.unchanged !== true && (opened.length ?? Number.POSITIVE_INFINITY) <= SMALL) return opened;
    for await (const _ of opened.body) break;
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

/**
 * Makes an origin that sends validators only to the server that they came from, marked with its address: on another server,
 * the same time of modification may be that of another version. @param servedAt undefined for a Source at its published URL
 */
export function tellServersApart(origin: Origin, servedAt: string | undefined): Origin {
  const mark = servedAt === undefined ? '' : `@${hashText(servedAt, 0).toString(16)} `;
  const unmark = (said: string | undefined) =>
    said?.startsWith(mark) === true && (mark !== '' || !said.startsWith('@'))
      ? said.slice(mark.length)
      : undefined;
  const addMark = (said: string | undefined) => said && mark + said;
  return {
    ...origin,
    async open(uri, { validators, ...options } = {}) {
      const asked = validators && { etag: unmark(validators.etag), modified: unmark(validators.modified) };
      const opened = await origin.open(uri, {
        ...options,
        validators: validators === OF_NO_VERSION ? validators : asked,
      });
      if (isAbsent(opened)) return opened;
      const { etag, modified } = opened.validators ?? {};
      return { ...opened, validators: { etag: addMark(etag), modified: addMark(modified) } };
    },
  };
}
