/** The head of a memory: the state that a run saves for the next one. */

import { isDeepStrictEqual } from 'node:util';
import type { Proof } from '../../source/sets/signed.js';
import { isDue } from '../plan/history.js';
import type { SetState } from '../plan/model.js';
import type { Settlement } from '../plan/settle.js';
import type { ResolvedMirror } from '../resolved.js';
import type { MirrorHead } from './format.js';
import type { Past } from './past.js';

/** Facts from a run that go into the next head; `documents` are all that were read. */
export interface HeadFacts extends Pick<MirrorHead, 'number' | 'beginning' | 'documents'> {
  readonly pinned: ReadonlySet<string>;
  readonly states: readonly SetState[];
  readonly proof: Proof | undefined;
  /** True if a set has only a Sitemap: only a request for each resource shows if it has changed. */
  readonly hasPlain: boolean;
  /** True if the moment of the copy has to wait, even if every fetched resource was right. */
  readonly isWaiting: boolean;
}

/** Makes the head for the next run. The moments of sets advance only if nothing has failed. */
export function makeHead(
  config: ResolvedMirror,
  past: Past,
  facts: HeadFacts,
  { failed, missing, held, files, unverified }: Settlement,
): MirrorHead {
  const { proof, states } = facts;
  // The origin of `servedAt` is not saved: runs that read the Source where it is published learn nothing from it.
  const servedFrom = config.servedAt && new URL(config.servedAt).origin;
  const isRight = failed.length === 0 && !facts.isWaiting;
  const isWhole = isRight && missing.length === 0 && !facts.hasPlain;
  return {
    format: 1,
    number: facts.number,
    source: config.source,
    beginning: facts.beginning,
    pinned: [...facts.pinned].filter((origin) => origin !== servedFrom),
    sets: isRight ? states : holdStates(past.sets, states),
    documents: isWhole ? facts.documents : [],
    missing,
    only: config.sets,
    replica: config.documents || undefined,
    allow: config.allow,
    files,
    held: isRight ? held : 0,
    unverified,
    signers: proof?.keys.map(({ line }) => line),
    signedAt: proof?.moment,
    whole: past.head === undefined,
  };
}

/** Keeps the states of saved sets; new sets get an id, but no moment. */
function holdStates(saved: readonly SetState[], now: readonly SetState[]): readonly SetState[] {
  const ids = new Set(saved.map(({ id }) => id));
  return [...saved, ...now.filter(({ id }) => !ids.has(id)).map(({ id, uri }) => ({ id, uri }))];
}

/**
 * Tests whether two heads save the same state. The number of the run and, for a week, the time at which lists were read do not
 * count: else each run would change a repository that has the copy. @param now milliseconds since 1970
 */
export function isSameHead(saved: MirrorHead | undefined, next: MirrorHead, now: number): boolean {
  if (saved?.sets.some((set) => isDue(set, now)) === true) return false;
  const comparable = (head: MirrorHead | undefined): unknown => {
    const text = JSON.stringify({ ...head, number: 0, whole: false }, (key, value) =>
      key === 'read' ? 0 : value,
    );
    return JSON.parse(text);
  };
  return isDeepStrictEqual(comparable(saved), comparable(next));
}
