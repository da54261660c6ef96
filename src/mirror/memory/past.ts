/** The state that the last run saved, and how far it can be trusted. */

import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import type { HeldFolder } from '../../paths/held/folder.js';
import type { Missing, SetState } from '../plan/model.js';
import type { ResolvedMirror } from '../resolved.js';
import type { MirrorHead } from './format.js';
import { isSealed } from './seal.js';
import { readLastHead } from './state.js';

export interface Past {
  /** Saved state to build on; undefined in a first run, or if it cannot be read. */
  readonly head: MirrorHead | undefined;
  /** Saved state as it is on disk, with parts that cannot be trusted, which `head` omits. */
  readonly saved: MirrorHead | undefined;
  /** True if a run in this folder wrote the saved state; otherwise a stranger may have, such as the author of a cloned repository. */
  readonly isOurs: boolean;
  /** Sets of `head`; empty without a head. */
  readonly sets: readonly SetState[];
  /** Missing resources of `head`; empty without a head. */
  readonly missing: readonly Missing[];
}

export function makePast(head: MirrorHead | undefined, saved: MirrorHead | undefined, isOurs: boolean): Past {
  const { sets = [], missing = [] } = head ?? {};
  return { head, saved, isOurs, sets, missing };
}

/**
 * Reads the saved state. If it was not written in this folder, it only says where to look, not that nothing has changed.
 * @throws ResyncError `config-invalid` if the folder is a copy of another Source
 */
export function readPast(memory: HeldFolder, config: ResolvedMirror): Past {
  const saved = readLastHead(memory);
  if (saved === undefined) return makePast(undefined, undefined, true);
  requireSameSource(config, saved);
  if (isSealed(memory)) return makePast(saved, saved, true);
  const sets = saved.sets.map(({ id, uri }) => ({ id, uri }));
  return makePast({ ...saved, sets, documents: [] }, saved, false);
}

/** Refuses a folder with a copy of another Source. @throws ResyncError `config-invalid` */
export function requireSameSource({ source, folder }: ResolvedMirror, head: MirrorHead): void {
  if (head.source === source) return;
  throw new ResyncError(
    'config-invalid',
    say`${folder} is a copy of ${head.source}, not of ${source}.\nName that URL, or another folder.`,
  );
}
