/** Finds out how far two texts are the same, as bytes. */

/** How many bytes are the same, from a place on in each. */
export function countSame(one: Uint8Array, from: number, other: Uint8Array, otherFrom: number): number {
  const most = Math.min(one.length - from, other.length - otherFrom);
  let same = 0;
  while (same + BLOCK <= most && isSameBlock(one, from + same, other, otherFrom + same)) same += BLOCK;
  while (same < most && one[from + same] === other[otherFrom + same]) same++;
  return same;
}

/** How many bytes both end with. @param start before which nothing is looked at */
export function countSameEnd(one: Uint8Array, other: Uint8Array, start: number): number {
  const most = Math.min(one.length, other.length) - start;
  const [end, otherEnd] = [one.length, other.length];
  let same = 0;
  while (same + BLOCK <= most && isSameBlock(one, end - same - BLOCK, other, otherEnd - same - BLOCK))
    same += BLOCK;
  while (same < most && one[end - same - 1] === other[otherEnd - same - 1]) same++;
  return same;
}

/** Bytes that are compared at once; comparing them one by one takes ten times as long. */
const BLOCK = 512;

function isSameBlock(one: Uint8Array, start: number, other: Uint8Array, otherStart: number): boolean {
  return (
    Buffer.compare(one.subarray(start, start + BLOCK), other.subarray(otherStart, otherStart + BLOCK)) === 0
  );
}
