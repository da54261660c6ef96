/** Asks the live site for the addresses that its Change Lists and archives report as deleted (§12). */

import { formatDatetime } from '../base/datetime.js';
import { askAddresses } from '../source/answers.js';
import { FetchError } from '../source/web/bounds.js';
import type { ListedTable } from './agreement/set.js';
import type { ArchivedPast } from './archives.js';
import type { Picture, Reading } from './picture.js';

/** Notes the addresses of a set whose last archived change is a deletion, and the moment since which changes are known. */
export function noteDeletedBefore(
  reading: Reading,
  from: Date | undefined,
  { begin, changes }: Pick<ArchivedPast, 'begin' | 'changes'>,
  present: ListedTable,
): void {
  const known = new Set(reading.deleted.map(({ entry }) => entry));
  const last = new Map(
    changes.toSorted((a, b) => a.time.getTime() - b.time.getTime()).map((change) => [change.uri, change]),
  );
  for (const { document, uri: entry, time, deleted } of last.values()) {
    if (!deleted || known.has(entry) || present.has(entry)) continue;
    reading.deletedBefore.push({ document, entry, found: formatDatetime(time) });
  }
  const moments = [reading.knownFrom, begin, from].flatMap((moment) => moment?.getTime() ?? []);
  if (moments.length > 0) reading.knownFrom = new Date(Math.min(...moments));
}

/** Matches the URL of a page, as far as a URL tells: it ends with `/`, or with a name without extension or in `.html`. */
const PAGE = /\/(?:[^/.?]*|[^/?]*\.html?)$/i;

/** Requests each deleted address of a page once. Reports those that answer nothing, or redirect to nothing. */
export async function askDeleted({ run, deleted, deletedBefore, knownFrom }: Picture): Promise<void> {
  const { config, flag, counts } = run;
  const { ask } = run.origin;
  if (!config.gone || ask === undefined) return;
  const places = [...deletedBefore, ...deleted].filter(({ entry }) => PAGE.test(entry));
  const addresses = new Map(places.map((place) => [place.entry, place]));
  const tally = {
    listed: addresses.size,
    there: 0,
    redirected: 0,
    nowhere: 0,
    gone: 0,
    withdrawn: 0,
    ...(knownFrom !== undefined && { from: formatDatetime(knownFrom) }),
  };
  counts.addresses = tally;
  await askAddresses(ask, addresses.keys(), config.http.connections, (uri, answer) => {
    const { found: since, ...place } = addresses.get(uri) ?? { document: uri };
    if (answer instanceof FetchError) return flag('fetch-failed', { ...place, found: answer.message });
    tally[answer.kind]++;
    const found = `deleted ${since}`;
    if (answer.kind === 'gone') flag('address-gone', { ...place, found });
    if (answer.kind === 'nowhere')
      flag('address-gone', { ...place, found: `${found}, redirected to ${answer.to}` });
  });
}
