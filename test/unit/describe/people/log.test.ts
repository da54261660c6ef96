/** Entries that a feed withdraws because their pages are gone, also if a publication deleted too many to name each. */

import { expect, test } from 'vitest';
import { buryDeleted, type FileChange, type NewsItem } from '../../../../src/describe/people/log.js';
import { makeUnread } from '../../../../src/describe/people/run/examine.js';

const LIMIT = 3;

/** A publication on a day, with its changes, such as `+a ~b -c`. */
function publish(day: number, changes: string): NewsItem {
  const kinds: Readonly<Record<string, FileChange['change']>> = {
    '+': 'created',
    '~': 'updated',
    '-': 'deleted',
  };
  const candidates = changes.split(' ').map((change) => ({
    uri: change.slice(1),
    change: kinds[change.charAt(0)] ?? 'updated',
    id: `${day}${change}`,
  }));
  const datetime = new Date(Date.UTC(2026, 0, day));
  return makeUnread({ datetime, id: `${day}`, candidates, others: [] }, LIMIT);
}

test.each<[what: string, publications: string[], stones: string[]]>([
  ['few pages', ['+a +b', '-a'], ['1+a on 2']],
  ['many pages', ['+a +b', '~a', '-a -b -c -d'], ['1+a on 3', '2~a on 3', '1+b on 3']],
  ['some of many pages', ['+a +b', '-a +c +d ~b'], ['1+a on 2']],
  ['pages that came back with many others', ['+a', '-a -b -c -d', '+a +b', '-a'], ['1+a on 2', '3+a on 4']],
  ['pages whose deletion was told', ['+a', '-a', '+a', '-a -b -c -d'], ['1+a on 2', '2-a on 4', '3+a on 4']],
  ['many pages that nobody was told of', ['+a +b +c +d', '-a -b -c -d'], []],
])('%s that were deleted', (_, publications, stones) => {
  const items = publications.map((changes, index) => publish(index + 1, changes));
  expect(buryDeleted(items).map(({ id, when }) => `${id} on ${when.getUTCDate()}`)).toEqual(stones);
});
