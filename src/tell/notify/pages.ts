/** Which pages changed, and may be shown by search engines. */

import { judgeType } from '../../diff/content.js';
import { lastOfEach } from '../../mirror/plan/history.js';
import { guessPath } from '../../paths/urls.js';
import { judgeNoindex } from '../../site/page/facts/judge.js';
import { tagSaysNoindex } from '../../site/page/facts/noindex.js';
import { loadTypes } from '../../site/types.js';
import { readStart } from '../../source/find.js';
import { isAbsent, type Origin } from '../../source/origin/origin.js';
import type { Event } from '../../source/sets/entry.js';
import { workSideBySide } from '../../source/web/side-by-side.js';

export interface ChosenPages {
  readonly uris: readonly string[];
  /** Pages that say `noindex`. */
  readonly noindex: number;
  /** Pages that are listed, and cannot be had. */
  readonly absent: number;
}

/** The pages below a URL that changed, each with the last thing that happened to it. */
export async function findPages(events: readonly Event[], base: string): Promise<Event[]> {
  const typeOf = await loadTypes();
  return lastOfEach(events).filter(
    ({ entry: { uri, type } }) =>
      uri.startsWith(base) && judgeType(type ?? typeOf(guessPath(uri, base))) === 'page',
  );
}

/**
 * Leaves out what search engines are asked not to show. What is deleted is told: they are to forget it.
 *
 * @param each is called after each look
 */
export async function choosePages(
  place: Origin,
  pages: readonly Event[],
  connections: number,
  each: (done: number) => void,
): Promise<ChosenPages> {
  const verdicts: ('told' | 'noindex' | 'absent')[] = [];
  let done = 0;
  await workSideBySide([...pages.entries()], connections, async ([index, { change, entry }]) => {
    verdicts[index] = change === 'deleted' ? 'told' : await judgePage(place, entry.uri);
    each(++done);
  });
  const count = (wanted: string) => verdicts.filter((verdict) => verdict === wanted).length;
  return {
    uris: pages.flatMap(({ entry: { uri } }, index) => (verdicts[index] === 'told' ? [uri] : [])),
    noindex: count('noindex'),
    absent: count('absent'),
  };
}

async function judgePage(place: Origin, uri: string) {
  const opened = await place.open(uri, { fresh: true });
  if (isAbsent(opened)) return 'absent';
  const text = await readStart(opened.body);
  if (text === undefined) return 'absent';
  if (tagSaysNoindex(opened.robots ?? '')) return 'noindex';
  return (await judgeNoindex(Buffer.from(text))) ? 'noindex' : 'told';
}
