/** Compares two descriptions of one representation. Pure. */

import { parseDatetime } from '../../base/datetime.js';
import { compareHashes, digestsByName } from '../../standard/model.js';
import type { ListedFacts } from '../../standard/xml/as-read.js';

export interface FactDifference {
  /** True if the two descriptions contradict each other; false if one only leaves something out. */
  readonly contradiction: boolean;
  readonly found: string;
  readonly expected: string;
}

/** Finds a difference between two descriptions of one representation, preferably a contradiction. */
export function compareFacts(a: Modified, b: Modified): FactDifference | undefined {
  let silent: FactDifference | undefined;
  for (const name of ['length', 'hash', 'type', 'encoding', 'lastmod'] as const) {
    const [one, other] = [a[name], b[name]];
    if (one === other) continue;
    const said = { found: `${name} ${one ?? 'not said'}`, expected: other ?? 'not said' };
    if (one === undefined || other === undefined) silent ??= { contradiction: false, ...said };
    else if (name === 'hash') {
      if (compareHashes(one, other) === 'other') return { contradiction: true, ...said };
      if (listAlgorithms(one) !== listAlgorithms(other)) silent ??= { contradiction: false, ...said };
    } else if (name !== 'lastmod' || parseDatetime(one)?.getTime() !== parseDatetime(other)?.getTime()) {
      return { contradiction: true, ...said };
    }
  }
  return silent;
}

function listAlgorithms(hash: string): string {
  return [...digestsByName(hash).keys()].sort().join(' ');
}

type Modified = ListedFacts & { readonly lastmod?: string | undefined };

/** Removes `lastmod` from two descriptions unless both have one: that of a change may lack it (§12.1, §13.2). */
export function withoutSilence(a: Modified, b: Modified): [Modified, Modified] {
  const isComplete = a.lastmod !== undefined && b.lastmod !== undefined;
  return isComplete ? [a, b] : [withoutLastmod(a), withoutLastmod(b)];
}

/** Removes `lastmod` from two descriptions unless both have one, and always if a digest shows that the bytes are the same. */
export function withoutTimeOfSame(a: Modified, b: Modified): [Modified, Modified] {
  return compareHashes(a.hash, b.hash) === 'same'
    ? [withoutLastmod(a), withoutLastmod(b)]
    : withoutSilence(a, b);
}

function withoutLastmod({ hash, length, type, encoding }: Modified): Modified {
  return { hash, length, type, encoding };
}
