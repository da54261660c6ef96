/** The lines of a journal: what a run does to the folder, URL by URL. */

import type { ContentKind } from '../../files/page/kind.js';
import type { Address } from '../../paths/address.js';
import type { Kept } from './model.js';

/** Meaning of a change to readers. */
export interface LineMeaning {
  readonly kind: ContentKind;
  /** Title of the page; undefined if it was deleted, or has none. */
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
}

/** A line of a journal: its effect on one URL. */
export type Line = {
  /** Meaning of the change to readers; undefined if the change is not reported. */
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
      /** The listed media type. */
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
