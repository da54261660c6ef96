/** Waits until what was deployed is live: hosts take a while, and their caches longer. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { Origin } from '../../source/origin/origin.js';
import { formatDatetime } from '../../standard/model.js';
import { type Expected, isAnythingExpected, isLive } from './expected.js';
import type { NotifyOptions, ResolvedNotify } from './options.js';
import { newest, type PublishedSite, readPublished } from './published.js';

/** Milliseconds between looks; the last one again and again. */
const PAUSES = [1000, 2000, 4000, 8000, 15_000] as const;
const LONGEST_PAUSE = 15_000;

/** @throws ResyncError `not-live`, `source-unreadable` */
export async function waitUntilLive(
  place: Origin,
  { since, wait }: ResolvedNotify,
  expected: Expected,
  { clock, observe }: Required<NotifyOptions>,
): Promise<PublishedSite> {
  const { url } = expected;
  if (!isAnythingExpected(expected)) return readPublished(place, url, since);
  const begin = clock.now();
  let found: PublishedSite | ResyncError;
  for (let look = 0; ; look++) {
    found = await readPublished(place, url, since).catch(toProblem);
    if (!(found instanceof ResyncError) && isLive(found, expected)) return found;
    const waited = clock.now() - begin;
    const rest = wait - waited;
    if (rest <= 0) throw makeFailure(found, expected, waited);
    observe({ stage: 'waiting', done: waited, total: wait });
    await clock.sleep(Math.min(rest, PAUSES[look] ?? LONGEST_PAUSE));
  }
}

/** Before its first deploy, a site has no documents. */
function toProblem(error: unknown): ResyncError {
  if (error instanceof ResyncError && error.code === 'source-unreadable') return error;
  throw error;
}

function makeFailure(
  found: PublishedSite | ResyncError,
  { url, at, moments }: Expected,
  waited: number,
): ResyncError {
  if (found instanceof ResyncError) return found;
  const wanted = at ?? newest(moments.values());
  const live = newest(found.moments.values());
  const format = (moment: number | undefined) =>
    moment === undefined ? 'an unknown time' : formatDatetime(new Date(moment));
  return new ResyncError(
    'not-live',
    say`The publication of ${format(wanted)} was not live at ${url} after ${Math.round(waited / 1000)} s; the newest there was of ${format(live)}.\nNobody was told. Check the deploy, and run this again; --wait waits longer.`,
  );
}
