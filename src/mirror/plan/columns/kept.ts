/** What is remembered of files, as bytes: of a large Source, these are very many. Pure. */

import { startDigestColumn } from '../../../base/columns/digests.js';
import { startNumbers } from '../../../base/columns/numbers.js';
import { startShared } from '../../../base/columns/shared.js';
import { startOptionalTexts } from '../../../base/columns/texts.js';
import { type Kept, shareSets } from '../model.js';
import { startPaths } from './paths.js';

/** Files that are added one after another. A part of one is made in a fraction of the time that the whole takes. */
export interface KeptColumns {
  readonly push: (kept: Kept, uri: string) => void;
  readonly at: (index: number, uri: string) => Kept;
  readonly pathAt: (index: number, uri: string) => string;
  readonly setsAt: (index: number) => Kept['sets'];
  readonly isVerifiedAt: (index: number) => boolean;
}

export function startKept(): KeptColumns {
  const paths = startPaths();
  const lengths = startNumbers();
  const hashes = startDigestColumn();
  const sets = startShared<Kept['sets']>();
  /** As JSON. */
  const validators = startOptionalTexts();
  return {
    push(kept, uri) {
      paths.push(kept.path, uri);
      lengths.push(kept.length);
      hashes.push(kept.hash);
      sets.push(shareSets(kept.sets));
      validators.push(kept.validators && JSON.stringify(kept.validators));
    },
    at(index, uri) {
      const kept = {
        path: paths.at(index, uri),
        length: lengths.at(index),
        hash: hashes.at(index) ?? '',
        sets: sets.at(index),
      };
      const known = validators.at(index);
      return known === undefined ? kept : { ...kept, validators: JSON.parse(known) as Kept['validators'] };
    },
    pathAt: paths.at,
    setsAt: sets.at,
    isVerifiedAt: (index) => validators.at(index) === undefined,
  };
}
