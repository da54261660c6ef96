/** Cuts changes into Change Lists, as `standard/cuts/changes.ts` does, without holding more than one list. Pure. */

import { LIST_HEAD_BYTES } from '../../standard/cuts/limits.js';
import { DOCUMENT_LIMITS } from '../../standard/limits.js';
import { type Change, MOST_ENTRY } from './entries.js';

/** A change, ready to be written: URL and facts are escaped, datetimes are as §7 recommends. */
export interface WrittenChange {
  readonly datetime: string;
  readonly change: Change;
  /** Empty if unknown, and for a deletion. */
  readonly modified: string;
  readonly uri: string;
  /** Attributes of the metadata. */
  readonly facts: string;
}

/** The changes of one Change List. */
export interface ChangeSegment {
  readonly from: string;
  /** Undefined for the list that is still open; it is the last one. */
  readonly until: string | undefined;
  /** From 1; counts the lists that begin at one moment, because a publication had to be divided. */
  readonly part: number;
  readonly changes: readonly WrittenChange[];
}

/** More bytes than an entry has besides its URL and facts. */
const REST_BYTES = 192;

/** Consecutive changes, and their bytes. */
class Batch {
  readonly changes: WrittenChange[] = [];
  bytes = 0;

  add(change: WrittenChange): void {
    this.changes.push(change);
    this.bytes += change.uri.length + change.facts.length + REST_BYTES;
  }
}

/** Lists end between publications; one is divided only if no list could hold it (§12). */
export class ChangeListCutter {
  /** Publications that are whole. */
  #list = new Batch();
  /** The last one, which may go on. */
  #publication = new Batch();
  #from: string;
  #part: number;
  #isContinued = false;
  readonly #horizon: string;
  readonly #emit: (segment: ChangeSegment) => void;

  /**
   * @param begin the beginning of the first list
   * @param horizon the moment after which changes are listed
   * @param emit takes the lists, the open one last
   */
  constructor(
    begin: Pick<ChangeSegment, 'from' | 'part'>,
    horizon: string,
    emit: (segment: ChangeSegment) => void,
  ) {
    this.#from = begin.from;
    this.#part = begin.part;
    this.#horizon = horizon;
    this.#emit = emit;
  }

  /** @param change not before those that were added already */
  add(change: WrittenChange): void {
    const last = this.#publication.changes.at(-1);
    if (last !== undefined && last.datetime !== change.datetime) this.#endPublication();
    const ended = this.#list.changes.at(-1);
    if (ended !== undefined && this.#isFull()) {
      this.#close(this.#list, ended.datetime);
      this.#list = new Batch();
    }
    if (this.#isFull()) {
      this.#close(this.#publication, change.datetime);
      this.#publication = new Batch();
    }
    this.#publication.add(change);
  }

  /** The window cuts an open list that no list goes before. */
  end(): void {
    this.#endPublication();
    const { changes } = this.#list;
    const isCut = !this.#isContinued && this.#from < this.#horizon;
    const recent = changes.filter(({ datetime }) => datetime > this.#horizon);
    const open = isCut
      ? { from: this.#horizon, part: 1, changes: recent }
      : { from: this.#from, part: this.#part, changes };
    this.#emit({ ...open, until: undefined });
  }

  #endPublication(): void {
    for (const change of this.#publication.changes) this.#list.add(change);
    this.#publication = new Batch();
  }

  /** Returns whether there is no room for one more change in one list. */
  #isFull(): boolean {
    const [list, publication] = [this.#list, this.#publication];
    return (
      list.changes.length + publication.changes.length === DOCUMENT_LIMITS.entries ||
      list.bytes + publication.bytes + LIST_HEAD_BYTES + MOST_ENTRY > DOCUMENT_LIMITS.bytes
    );
  }

  #close({ changes }: Batch, until: string): void {
    const segment = { from: this.#from, until, part: this.#part, changes };
    // A list that the window has passed as a whole is listed no longer.
    if (until > this.#horizon) {
      this.#emit(segment);
      this.#isContinued = true;
    }
    this.#part = until === this.#from ? this.#part + 1 : 1;
    this.#from = until;
  }
}
