/** Reports which changes and pages the option `withdraw` names, and which of its entries have no effect. */

import { type Notice, noticeSome } from '../base/notices.js';
import type { Config } from '../config/config.js';
import { listedChanges } from './past/versions/links.js';
import type { StateSet } from './state.js';

export function noticeWithdrawals({ withdrawals, withdrawn }: Config, sets: readonly StateSet[]): Notice[] {
  if (withdrawals.length === 0) return [];
  const idle = new Set(withdrawals);
  const seen = (uri: string) => {
    for (const one of idle) if (one.matches(uri)) idle.delete(one);
    return withdrawn(uri);
  };
  const changes = new Map<string, string>();
  for (const { change, uri, datetime } of listedChanges(sets)) {
    // A change of a URL in several sets counts once.
    if (seen(uri) && change !== 'deleted') changes.set(`${datetime.getTime()} ${uri}`, uri);
  }
  const present = new Set(
    sets.flatMap(({ resources }) => [...resources.filter(({ uri }) => seen(uri))].map(({ uri }) => uri)),
  );
  return [
    ...noticeSome([...changes.values()], (example, count) => ({
      code: 'withdrawn',
      changes: count,
      example,
    })),
    ...noticeSome([...present], (example, count) => ({ code: 'withdrawn-but-present', count, example })),
    ...[...idle].map(({ name }): Notice => ({ code: 'withdraw-without-effect', name })),
  ];
}
