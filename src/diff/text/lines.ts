/** Compares sequences of lines by Myers' algorithm in linear space, with a limit of work. */

/** Remaining work, in steps of some nanoseconds. Comparisons subtract the steps that they take. */
export interface WorkBudget {
  left: number;
}

/** Lines of one version that replace lines of the other, by their indexes and numbers; either number may be 0. */
export interface Hunk {
  readonly before: number;
  readonly removed: number;
  readonly after: number;
  readonly added: number;
}

/**
 * Finds the shortest edit between two sequences of lines. If the budget ends, the lines that are left count as replaced.
 * @returns hunks in order, with at least one equal line between any two
 */
export function compareLines(
  before: readonly string[],
  after: readonly string[],
  budget: WorkBudget,
): Hunk[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let [beforeEnd, afterEnd] = [before.length, after.length];
  while (beforeEnd > start && afterEnd > start && before[beforeEnd - 1] === after[afterEnd - 1]) {
    beforeEnd--;
    afterEnd--;
  }
  const [removed, added] = [beforeEnd - start, afterEnd - start];
  if (removed === 0 || added === 0 || removed + added === 2) {
    return removed + added === 0 ? [] : [{ before: start, removed, after: start, added }];
  }
  const [a, b] = numberLines(before.slice(start, beforeEnd), after.slice(start, afterEnd));
  // Leaves out lines that only one version has. In unrelated versions, these are nearly all lines.
  const [sharedA, sharedB] = [findShared(a, b), findShared(b, a)];
  const keptA = new Uint8Array(a.length);
  const keptB = new Uint8Array(b.length);
  const pair = (x: number, y: number) => {
    keptA[sharedA.places[x] ?? 0] = 1;
    keptB[sharedB.places[y] ?? 0] = 1;
  };
  pairEqual(sharedA.numbers, sharedB.numbers, pair, budget);
  return collectHunks(keptA, keptB, start);
}

function numberLines(before: readonly string[], after: readonly string[]): [Int32Array, Int32Array] {
  const numbers = new Map<string, number>();
  const [a, b] = [new Int32Array(before.length), new Int32Array(after.length)];
  for (const [lines, numbered] of [[before, a] as const, [after, b] as const]) {
    for (const [place, line] of lines.entries()) {
      const number = numbers.get(line) ?? numbers.size;
      if (number === numbers.size) numbers.set(line, number);
      numbered[place] = number;
    }
  }
  return [a, b];
}

/** Finds the lines of one version that the other version has, too: their places and numbers. */
function findShared(lines: Int32Array, others: Int32Array): { places: Int32Array; numbers: Int32Array } {
  const shared = new Uint8Array(lines.length + others.length);
  for (const number of others) shared[number] = 1;
  const places = new Int32Array(lines.length);
  let count = 0;
  for (const [place, number] of lines.entries()) if (shared[number] === 1) places[count++] = place;
  return { places: places.subarray(0, count), numbers: lines.filter((number) => shared[number] === 1) };
}

function collectHunks(keptA: Uint8Array, keptB: Uint8Array, start: number): Hunk[] {
  const hunks: Hunk[] = [];
  for (let x = 0, y = 0; x < keptA.length || y < keptB.length; ) {
    const [before, after] = [x, y];
    while (x < keptA.length && keptA[x] === 0) x++;
    while (y < keptB.length && keptB[y] === 0) y++;
    const [removed, added] = [x - before, y - after];
    if (removed + added > 0) hunks.push({ before: start + before, removed, after: start + after, added });
    while (x < keptA.length && keptA[x] === 1 && keptB[y] === 1) {
      x++;
      y++;
    }
  }
  return hunks;
}

/** A range of each of two sequences: left to right of one, top to bottom of the other; ends are exclusive. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Calls `pair` for the indexes of a longest common subsequence, or of a shorter one if the budget ends. */
function pairEqual(
  a: Int32Array,
  b: Int32Array,
  pair: (x: number, y: number) => void,
  budget: WorkBudget,
): void {
  const forward = new Int32Array(a.length + b.length + 3);
  const backward = new Int32Array(a.length + b.length + 3);
  const boxes: Box[] = [{ left: 0, right: a.length, top: 0, bottom: b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { left, right, top, bottom } = box;
    while (left < right && top < bottom && a[left] === b[top]) pair(left++, top++);
    while (left < right && top < bottom && a[right - 1] === b[bottom - 1]) pair(--right, --bottom);
    if (left === right || top === bottom) continue;
    const middle = findMiddle(a, b, { left, right, top, bottom }, forward, backward, budget);
    if (middle === undefined) continue;
    boxes.push({ left, right: middle.x, top, bottom: middle.y });
    boxes.push({ left: middle.x, right, top: middle.y, bottom });
  }
}

/**
 * Finds a point in the middle of a shortest path from one corner of the box to the other, from both corners at once (E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986, section 4b).
 *
 * @param forward scratch: how far right the paths from the upper left corner reach, by diagonal
 * @param backward scratch: the same from the lower right corner
 * @returns undefined if the budget ends first
 */
function findMiddle(
  a: Int32Array,
  b: Int32Array,
  { left, right, top, bottom }: Box,
  forward: Int32Array,
  backward: Int32Array,
  budget: WorkBudget,
): { x: number; y: number } | undefined {
  const width = right - left;
  const height = bottom - top;
  const delta = width - height;
  const odd = delta % 2 !== 0;
  // Diagonals are numbered from -height to width.
  const origin = height + 1;
  forward[origin + 1] = 0;
  backward[origin + 1] = 0;
  for (let depth = 0; depth <= Math.ceil((width + height) / 2); depth++) {
    const first = -depth + 2 * Math.max(0, depth - height);
    const last = depth - 2 * Math.max(0, depth - width);
    budget.left -= last - first + 2;
    if (budget.left < 0) return undefined;
    for (let k = first; k <= last; k += 2) {
      let x = step(forward, origin + k, k === -depth, k === depth);
      const begin = x;
      while (x < width && x - k < height && a[left + x] === b[top + x - k]) x++;
      budget.left -= x - begin;
      forward[origin + k] = x;
      const met = delta - k;
      if (odd && Math.abs(met) < depth && x + (backward[origin + met] ?? 0) >= width) {
        return { x: left + x, y: top + x - k };
      }
    }
    for (let k = first; k <= last; k += 2) {
      let x = step(backward, origin + k, k === -depth, k === depth);
      const begin = x;
      while (x < width && x - k < height && a[right - 1 - x] === b[bottom - 1 - x + k]) x++;
      budget.left -= x - begin;
      backward[origin + k] = x;
      const met = delta - k;
      if (!odd && Math.abs(met) <= depth && x + (forward[origin + met] ?? 0) >= width) {
        return { x: right - x, y: bottom - x + k };
      }
    }
  }
  return undefined;
}

/** Takes one step to a diagonal: down from the diagonal above, or right from that below, whichever reaches further. */
function step(reached: Int32Array, place: number, lowest: boolean, highest: boolean): number {
  const down = reached[place + 1] ?? 0;
  const across = (reached[place - 1] ?? 0) + 1;
  return lowest || (!highest && across <= down) ? down : across;
}

/** Cuts a text, but not between the halves of a surrogate pair. */
export function cut(text: string, length: number): string {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}
