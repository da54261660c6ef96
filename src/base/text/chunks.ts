/** Joins pieces of a long text, which is never held as a whole. Pure. */

const CHUNK = 1 << 18;

/** Joins pieces of text to fewer and longer ones, which take fewer writes. */
export function* joinPieces(pieces: Iterable<string>): Generator<string, void> {
  let chunk = '';
  for (const piece of pieces) {
    chunk += piece;
    if (chunk.length < CHUNK) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}
