/** The lines of a journal: what a run does to the folder, URL by URL. */

import type { ContentKind } from '../../files/page/kind.js';
import type { Address } from '../../paths/address.js';
import type { Kept } from './model.js';

/** What the change of a page means to its readers, as the file of `--changes` reports it. */
export interface LineMeaning {
  readonly kind: ContentKind;
  /** Title of the page; undefined if it was deleted, or has none. */
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
}

/** One line of a journal: what a run does to the file of one URL. */
export type Line = {
  /** Undefined if the change is not reported. */
  readonly meaning?: LineMeaning | undefined;
} & (
  | {
      readonly kind: 'file';
      readonly uri: Address;
      readonly kept: Kept;
      /** Name of the new file in the `ready` folder; undefined if the bytes are in place. */
      readonly staged?: string | undefined;
      readonly change?: 'created' | 'updated' | undefined;
      readonly time?: ChangeTime;
      readonly type?: string | undefined;
    }
  | {
      readonly kind: 'gone';
      readonly uri: Address;
      readonly path: string;
      /** True if a later line puts the file of another URL at this path. */
      readonly isTaken: boolean;
      /** Set for a document of the Source, which is not reported as a change. */
      readonly isDocument?: true;
      readonly time?: ChangeTime;
    }
);

/** Time of a change as the Source says, in milliseconds since 1970; undefined if no change says so. */
type ChangeTime = number | undefined;

/** The lines of a journal, in order. Iteration makes them anew: those of a large Source would take more memory than all else. */
export interface Lines extends Iterable<Line> {
  readonly length: number;
}
