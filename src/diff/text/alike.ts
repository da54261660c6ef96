/** Says in what a text changed, so that texts that changed alike are found without comparing them to each other. */

import { hashText } from '../../base/columns/hash.js';
import { compareLines, type WorkBudget } from './lines.js';
import { maskText } from './mask.js';
import { MASK } from './names.js';
import { cut } from './unified.js';
import { splitPieces } from './window.js';

/** What changed in a text. */
export interface Alike {
  /** Equal where the same pieces changed once they are masked. */
  readonly key: string;
  /** Whether nothing but times, dates, hashes and numbers differs. */
  readonly masked: boolean;
  /** A piece that changed, for people. */
  readonly line: string;
}

/** Of more text than this, in characters, nobody would say that it changed alike. */
const WINDOW_LIMIT = 2_000_000;
/** How long a line gets that people are to read, and how much of that stands before what changed. */
const LINE_LIMIT = 120;
const LINE_LEAD = 40;
/** So many characters are masked in all: some seconds of work at most. */
const MASK_LIMIT = 16_000_000;
/** Long pieces, such as a map of all hashes, stand in many pages; so many characters of them are remembered. */
const MEMORY_LIMIT = 4_000_000;
const LONG_PIECE = 256;

/** Says of one text after another in what it changed; undefined where that is too much to look at. */
export type AlikeFinder = (before: string, after: string, budget: WorkBudget) => Alike | undefined;

/** Makes a finder, which remembers what it masked and how much. */
export function makeAlikeFinder(): AlikeFinder {
  const mask = makeMasker();
  return (before, after, budget) => {
    if (mask.isSpent() || before.length + after.length > WINDOW_LIMIT) return undefined;
    const [piecesBefore, piecesAfter] = [splitPieces(before), splitPieces(after)];
    const hunks = compareLines(piecesBefore, piecesAfter, budget);
    const removed = hunks.flatMap((hunk) => piecesBefore.slice(hunk.before, hunk.before + hunk.removed));
    const added = hunks.flatMap((hunk) => piecesAfter.slice(hunk.after, hunk.after + hunk.added));
    const maskedRemoved = removed.map(mask.maskPiece);
    const maskedAdded = added.map(mask.maskPiece);
    if (mask.isSpent()) return undefined;
    const same = maskedRemoved.join('') === maskedAdded.join('');
    // A piece that only moved is the same without a mask.
    const masked = same && removed.join('') !== added.join('');
    // How often the same piece changed in a page does not matter: one page has more scripts than the other.
    const key = hashTexts([...new Set(maskedRemoved), '', ...new Set(maskedAdded)]);
    const line = masked
      ? shortenLine(maskedAdded, (piece) => piece.indexOf(MASK))
      : shortenLine(added.length > 0 ? added : removed, (piece) => placeOfChange(piece, added, removed));
    return { key, masked, line };
  };
}

/** Masks pieces, until that has become too much. */
function makeMasker(): { maskPiece: (piece: string) => string; isSpent: () => boolean } {
  let left = MASK_LIMIT;
  let remembered = 0;
  const memory = new Map<string, string>();
  const maskPiece = (piece: string) => {
    const known = piece.length < LONG_PIECE ? undefined : memory.get(piece);
    if (known !== undefined) return known;
    left -= piece.length;
    const masked = left < 0 ? piece : maskText(piece);
    if (piece.length < LONG_PIECE) return masked;
    remembered += piece.length + masked.length;
    if (remembered > MEMORY_LIMIT) {
      memory.clear();
      remembered = piece.length + masked.length;
    }
    memory.set(piece, masked);
    return masked;
  };
  return { maskPiece, isSpent: () => left < 0 };
}

/** Where a piece begins to differ from the one that it took the place of. */
function placeOfChange(piece: string, added: readonly string[], removed: readonly string[]): number {
  const other = added.length > 0 ? removed[added.indexOf(piece)] : undefined;
  if (other === undefined) return 0;
  let place = 0;
  while (place < piece.length && piece[place] === other[place]) place++;
  return place;
}

/** Takes the first piece that is not blank, or as much of it as people want to read, around a place. */
function shortenLine(pieces: readonly string[], findPlace: (piece: string) => number): string {
  const piece = pieces.find((text) => text.trim() !== '') ?? '';
  const place = findPlace(piece);
  const start = place < LINE_LIMIT - LINE_LEAD ? 0 : place - LINE_LEAD;
  const part = piece
    .slice(start, start + 4 * LINE_LIMIT)
    .replace(/\s+/g, ' ')
    .trim();
  const lead = start > 0 ? '… ' : '';
  const text = part.length > LINE_LIMIT ? `${lead}${cut(part, LINE_LIMIT)} …` : `${lead}${part}`;
  // A part of a string keeps all of it in memory; this is a copy, and has no half of a character.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** 64 bits, which is enough to tell changes apart; who wants two to be taken for one wrote both pages. */
function hashTexts(texts: readonly string[]): string {
  const text = texts.join('\0');
  return `${hashText(text, 0).toString(36)}-${hashText(text, 1).toString(36)}`;
}
