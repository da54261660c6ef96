/** Makes keys of changes of texts. Texts with equal keys changed alike, so they need not be compared with each other. */

import { hashText } from '../../base/columns/keys.js';
import { splitLines } from '../../base/text/match.js';
import { judgeHash, MASK, splitHashedName } from '../../paths/asset-names.js';
import { compareLines, cut, type WorkBudget } from './lines.js';

export interface Alike {
  /** Key of the change: equal for texts in which the same masked pieces changed. */
  readonly key: string;
  /** True if the versions differ only in times, dates, hashes and numbers. */
  readonly masked: boolean;
  /** A changed piece, shortened for display. */
  readonly line: string;
}

/** Limit of changed text in characters: longer changes are in no group. */
const CHANGE_LIMIT = 2_000_000;
/** Maximum length of a shortened line, and length of its part before the change, in characters. */
const LINE_LIMIT = 120;
const LINE_LEAD = 40;
/** Limit of characters to mask in all, which takes some seconds at most. */
const MASK_LIMIT = 16_000_000;
/** Length from which masked pieces are remembered: long ones, such as a map of all hashes, are in many pages. */
const LONG_PIECE = 256;

/** Finds what changed in one text after another, within a limit of masking for all texts. */
export class AlikeFinder {
  readonly #masker = new PieceMasker();

  /** Finds what changed between two versions of a text; undefined if that would take too much work. */
  find(before: string, after: string, budget: WorkBudget): Alike | undefined {
    const masker = this.#masker;
    if (masker.isSpent) return undefined;
    const [piecesBefore, piecesAfter] = [splitPieces(before), splitPieces(after)];
    const hunks = compareLines(piecesBefore, piecesAfter, budget);
    const removed = hunks.flatMap((hunk) => piecesBefore.slice(hunk.before, hunk.before + hunk.removed));
    const added = hunks.flatMap((hunk) => piecesAfter.slice(hunk.after, hunk.after + hunk.added));
    if (countCharacters(removed) + countCharacters(added) > CHANGE_LIMIT) return undefined;
    const maskedRemoved = removed.map((piece) => masker.mask(piece));
    const maskedAdded = added.map((piece) => masker.mask(piece));
    if (masker.isSpent) return undefined;
    const same = maskedRemoved.join('') === maskedAdded.join('');
    // If pieces only moved, both sides are equal without a mask, too.
    const masked = same && removed.join('') !== added.join('');
    // The number of equal changes in a page does not matter: pages differ in the number of scripts.
    const key = hashTexts([...new Set(maskedRemoved), '', ...new Set(maskedAdded)]);
    const line = masked
      ? shortenLine(maskedAdded, (piece) => piece.indexOf(MASK))
      : shortenLine(added.length > 0 ? added : removed, (piece) => placeOfChange(piece, added, removed));
    return { key, masked, line };
  }
}

/** Splits a text at the ends of lines and between tags, so that pages in one long line have pieces, too. */
function splitPieces(text: string): string[] {
  return splitLines(text).flatMap((line) => line.split(/(?<=>)(?=<)/));
}

function countCharacters(pieces: readonly string[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** Masks pieces of text until the limit of work is reached, and remembers the masked text of long pieces. */
class PieceMasker {
  readonly #memory = new Map<string, string>();
  #left = MASK_LIMIT;

  get isSpent(): boolean {
    return this.#left < 0;
  }

  mask(piece: string): string {
    const remembered = this.#memory.get(piece);
    if (remembered !== undefined) return remembered;
    this.#left -= piece.length;
    if (this.isSpent) return piece;
    const masked = maskText(piece);
    if (piece.length >= LONG_PIECE) this.#memory.set(piece, masked);
    return masked;
  }
}

/** Returns the index at which a piece begins to differ from the piece that it replaces; 0 if it replaces none. */
function placeOfChange(piece: string, added: readonly string[], removed: readonly string[]): number {
  const other = added.length > 0 ? removed[added.indexOf(piece)] : undefined;
  if (other === undefined) return 0;
  let place = 0;
  while (place < piece.length && piece[place] === other[place]) place++;
  return place;
}

/** Shortens the first piece that is not blank to the text around its change. @param findPlace finds where it changed */
function shortenLine(pieces: readonly string[], findPlace: (piece: string) => number): string {
  const [piece = ''] = pieces.filter((text) => text.trim() !== '');
  const place = findPlace(piece);
  const start = place < LINE_LIMIT - LINE_LEAD ? 0 : place - LINE_LEAD;
  const part = piece
    .slice(start, start + 4 * LINE_LIMIT)
    .replace(/\s+/g, ' ')
    .trim();
  const lead = start > 0 ? '… ' : '';
  const text = part.length > LINE_LIMIT ? `${lead}${cut(part, LINE_LIMIT)} …` : `${lead}${part}`;
  // Copies the slice, because a slice keeps the whole string in memory; this also replaces lone surrogates.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

/** Hashes texts to 64 bits. Only the author of both pages can make a collision, which does no harm. */
function hashTexts(texts: readonly string[]): string {
  const text = texts.join('\0');
  return `${hashText(text, 0).toString(36)}-${hashText(text, 1).toString(36)}`;
}

/** Limit of texts to mask, in characters: longer ones stay as they are. */
const TEXT_LIMIT = 1_000_000;

const MONTHS = [
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?',
  'aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?',
  'jänner|januar|februar|märz|mai|juni|juli|oktober|dezember',
  'janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre',
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre',
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre',
  'janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro',
  'januari|februari|maart|mei|augustus',
];
const MONTH = `(?:${MONTHS.join('|')})(?![a-z\\d])`;
const WEEKDAY = '(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,?\\s)?';
const ZONE = '(?:utc|gmt|ces?t|bst|[ecmp][sd]t|z)(?![a-z])(?:[+-]\\d{1,4})?';
const CLOCK = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,]\\d{1,9})?)?(?:\\s?[ap]\\.?m(?![a-z])\\.?)?';
const OFFSET = `(?:\\s?${ZONE}|\\s?[+-]\\d{2}:?\\d{2}(?!\\d))?`;
const TIME = `${CLOCK}${OFFSET}(?:\\s\\([a-z][a-z ]{1,40}\\))?`;
const DAY = '\\d{1,2}(?:st|nd|rd|th|er|º|\\.)?';
const DATES = [
  '\\d{4}-\\d{2}-\\d{2}',
  '\\d{8}T\\d{4,6}Z?',
  // A date such as `Sat Nov 21 21:16:00 UTC 2026`.
  `${MONTH}\\s{1,2}\\d{1,2}\\s${TIME}\\s\\d{4}`,
  `${DAY}[\\s-]{1,2}(?:of\\s|de\\s)?${MONTH}(?:[.,]?[\\s-](?:de\\s)?\\d{4})?`,
  `${MONTH}\\.?[\\s-]${DAY}(?:,?[\\s-]\\d{4})?(?!\\d)`,
  `${MONTH}\\.?,?\\s\\d{4}(?!\\d)`,
];

const START = '(?<![a-z\\d])';
const UUID = `${START}[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}(?![a-z\\d])`;
/** Patterns of hashes after a fixed prefix: of Subresource Integrity, and in the name of a global variable of SvelteKit. */
const INTEGRITY = '(?<integrity>sha(?:256|384|512)-)[\\w+/-]{20,100}={0,2}';
const GLOBAL = '(?<global>__sveltekit_)[a-z\\d]{4,20}';
/** Pattern of the extensions of files that builds name by their hashes. */
const ASSET = [
  '[cm]?js|css|json|map|wasm|woff2?|ttf|otf',
  'svg|png|jpe?g|gif|webp|avif|ico|mp4|webm|txt|html',
].join('|');

const BEFORE_TIME = '(?:T|,?\\s(?:at\\s|um\\s|à\\s)?)';

/** Matches values to mask; the first branch wins. Each is bounded, or begins only where no letter or digit precedes. */
const VARIABLE = new RegExp(
  [
    UUID,
    `${START}${WEEKDAY}(?:${DATES.join('|')})(?:${BEFORE_TIME}${TIME})?`,
    `${START}${TIME}`,
    `${START}(?:${INTEGRITY}|${GLOBAL})`,
    '(?<nonce>\\snonce=["\'])[^"\']{1,200}',
    // The map of all hashes in each page of VitePress, and other values of JSON, which may be inside of a string.
    '(?<map>\\.md\\\\?":\\\\?")[\\w-]{8}(?=\\\\?")',
    '(?<json>:\\s?\\\\?")(?<value>[\\w-]{8})(?=\\\\?")',
    `(?<name>(?<![\\w.~-])[\\w.~-]{5,200}\\.(?:${ASSET}))(?![\\w-])`,
    `(?<token>${START}[a-z]{0,64}\\d[a-z\\d]*)`,
  ].join('|'),
  'gi',
);

/** Matches texts in which `VARIABLE` may match: with a digit, or a mark of a hash without digits. Most lines have none. */
const CANDIDATE = /\d|[-._~][\w-]{8}\.[a-z]|\.md\\?":|"[\w-]{8}\\?"|nonce=|__sveltekit_/i;

type Found = Readonly<
  Partial<Record<'integrity' | 'global' | 'nonce' | 'map' | 'json' | 'value' | 'name' | 'token', string>>
>;

/** Masks times, dates, hashes and numbers in a text, all with the same mask, as a hash may also be all digits. */
export function maskText(text: string): string {
  if (text.length > TEXT_LIMIT || !CANDIDATE.test(text)) return text;
  return text.replace(VARIABLE, (...found) => maskFound(found.at(-1))).replace(CHAIN, MASK);
}

const CHAIN = /…(?:[.:/,+-]…)+/g;

function maskFound({ integrity, global, nonce, map, json, value, name, token }: Found): string {
  if (name !== undefined) return maskName(name);
  if (token !== undefined) return maskToken(token);
  if (value !== undefined) return `${json}${judgeHash(value) === undefined ? maskTokens(value) : MASK}`;
  // Of the prefixes of hashes, at most one is defined.
  return `${[integrity, global, nonce, map].join('')}${MASK}`;
}

/** Masks a file name, in which weaker evidence of a hash is enough. */
function maskName(name: string): string {
  const split = splitHashedName(name);
  if (split === undefined) return maskTokens(name);
  return `${maskTokens(split.head)}${MASK}${split.tail}`;
}

function maskTokens(text: string): string {
  return text.replace(/(?<![a-z\d])[a-z]{0,64}\d[a-z\d]*/gi, maskToken);
}

/** Masks a token that is a hash as a whole; in others, numbers, except those that are part of a word: `h1`, `utf8`. */
function maskToken(token: string): string {
  if (judgeHash(token) === 'strong') return MASK;
  return token.replace(/^(v?)\d+|\d{4,}/gi, (_, version = '') => `${version}${MASK}`);
}
