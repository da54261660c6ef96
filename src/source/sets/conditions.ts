/** Finds out whether a server looks at conditions, before an answer that nothing has changed counts (RFC 9110 §13). */

import { hashText } from '../../base/columns/keys.js';
import { isUrl } from '../../base/url.js';
import { isAbsent, type Opened, type OpenOptions, type Origin, type Validators } from '../origin/origin.js';
import { makeWhole } from '../web/bounds.js';

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
    // No more of it is taken.
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
 * An origin that asks about a version only the server that told of it: what one says of its own, such as when a file was last
 * modified there, means something else on another one. What it tells is marked with where it is served.
 *
 * @param servedAt undefined where it is published
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
    open(uri, options = {}) {
      // Most have no versions to tell apart.
      return mark === '' && options.validators === undefined
        ? origin.open(uri, options)
        : openMarked(uri, options);
    },
  };

  async function openMarked(uri: string, { validators, ...options }: OpenOptions) {
    const asked = validators && { etag: unmark(validators.etag), modified: unmark(validators.modified) };
    const opened = await origin.open(uri, {
      ...options,
      validators: validators === OF_NO_VERSION ? validators : asked,
    });
    if (isAbsent(opened) || mark === '') return opened;
    const { etag, modified } = opened.validators ?? {};
    return { ...opened, validators: { etag: addMark(etag), modified: addMark(modified) } };
  }
}

/** Bytes of answers that are kept at once. */
const MOST_KEPT = 16 * SMALL;

/**
 * An origin that keeps the small answers of its first look, which asks with conditions: who reads the same document then is
 * given that, once, and nobody asks again.
 */
export function keepAnswers(origin: Origin) {
  const kept = new Map<string, Opened>();
  let room = MOST_KEPT;
  let isLooking = true;

  /** Gives a body on, and keeps it where it comes to its end. */
  async function* note(uri: string, opened: Opened): AsyncGenerator<Buffer, void> {
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of opened.body) {
      length += piece.length;
      if (length <= SMALL) pieces.push(piece);
      yield piece;
    }
    if (!isLooking || length > Math.min(SMALL, room)) return;
    room -= length;
    kept.set(uri, { ...opened, body: makeWhole(Buffer.concat(pieces)), coded: undefined });
  }

  return {
    ...origin,
    async open(uri: string, options: OpenOptions = {}) {
      const { fresh, validators } = options;
      const answer = kept.get(uri);
      // Who asks for another version than any wants to know no more than that it is there.
      if (answer !== undefined && validators === OF_NO_VERSION) return answer;
      kept.delete(uri);
      if (answer !== undefined && validators === undefined && fresh === true) return answer;
      const opened = await origin.open(uri, options);
      if (isAbsent(opened) || opened.unchanged === true) return opened;
      const isNoted = isLooking && fresh === true && validators !== undefined;
      return isNoted ? { ...opened, body: note(uri, opened), coded: undefined } : opened;
    },
    /** From here on, all is asked for. */
    forgetAnswers(): void {
      isLooking = false;
      kept.clear();
    },
  };
}
