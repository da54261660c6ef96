/** The feature that reports which changes and pages the option `withdraw` names, and which of its entries have no effect. */

import type { Notice } from '../../base/notices.js';
import type { Config } from '../../config/config.js';
import type { Contribute, PlannedRun } from '../feature.js';
import { listedChanges } from '../past/versions/links.js';
import type { StateSet } from '../state.js';

export function prepare({ config, state }: PlannedRun): Contribute {
  return () => ({ notices: noticeWithdrawals(config, state.sets) });
}

function noticeWithdrawals(
  { withdrawals, withdrawn }: Pick<Config, 'withdrawals' | 'withdrawn'>,
  sets: readonly StateSet[],
): Notice[] {
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
  const [example] = changes.values();
  const [there] = present;
  return [
    ...(example === undefined ? [] : [{ code: 'withdrawn', changes: changes.size, example } as const]),
    ...(there === undefined
      ? []
      : [{ code: 'withdrawn-but-present', count: present.size, example: there } as const]),
    ...[...idle].map(({ name }): Notice => ({ code: 'withdraw-without-effect', name })),
  ];
}
