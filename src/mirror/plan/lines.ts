/** The lines of a journal: what a run does to the folder, URL by URL. */

import type { ContentKind } from '../../files/page/kind.js';
import type { Entry } from '../../source/sets/entry.js';
import type { Kept } from './model.js';

/** A resource that is listed, and was not there. */
export interface Missing {
  readonly entry: Entry;
  readonly sets: readonly number[];
  /** In so many runs. */
  readonly runs: number;
}

/** What a change means to readers. */
export interface LineMeaning {
  readonly kind: ContentKind;
  /** Of a page that is there now. */
  readonly title?: string | undefined;
  readonly lang?: string | undefined;
}

/** What a journal says of one URL. */
export type Line = {
  /** Undefined where nobody asked. */
  readonly meaning?: LineMeaning | undefined;
} & (
  | {
      readonly kind: 'file';
      readonly uri: string;
      readonly kept: Kept;
      /** Its name in the folder of what is ready; undefined where the bytes are in place. */
      readonly staged?: string | undefined;
      readonly change?: 'created' | 'updated' | undefined;
      readonly time?: ChangeTime;
      /** The media type, as it is listed; not remembered. */
      readonly type?: string | undefined;
    }
  | {
      readonly kind: 'gone';
      readonly uri: string;
      readonly path: string;
      /** Whether a later line puts the file of another URL there. */
      readonly isTaken: boolean;
      /** Of a document of the builder, nobody is told. */
      readonly isDocument?: true;
      readonly time?: ChangeTime;
    }
);

/** When the Source says that it happened: milliseconds since 1970; undefined where no change tells. */
type ChangeTime = number | undefined;

/** Lines in their order, made each time they are asked for: those of a large Source would take more memory than all else. */
export interface Lines extends Iterable<Line> {
  readonly length: number;
}
