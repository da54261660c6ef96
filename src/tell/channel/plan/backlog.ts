/** The newest messages of a channel, kept for who comes late. Pure. */

/** A publication, as it was told. */
export interface ToldPublication {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly messages: readonly Buffer[];
}

export interface Backlog {
  /** All changes after it are kept: milliseconds since 1970. */
  readonly from: number;
  /** Grows by one with each publication that is added; of the first that is kept. */
  readonly first: number;
  /** In the order in which they were told. */
  readonly publications: readonly ToldPublication[];
}

/** Nothing is kept, and nothing can be said of what was before. */
export const EMPTY_BACKLOG: Backlog = { from: Number.POSITIVE_INFINITY, first: 0, publications: [] };

/** Keeps more, and lets go of the oldest where that is too much. */
export function keepPublications(
  { from, first, publications }: Backlog,
  more: readonly ToldPublication[],
  mostBytes: number,
): Backlog {
  const all = [...publications, ...more];
  let rest = mostBytes;
  let start = all.length;
  for (let one = all[start - 1]; one !== undefined; one = all[start - 1]) {
    rest -= messageBytes(one);
    if (rest < 0) break;
    start--;
  }
  const gone = all[start - 1]?.time;
  return {
    from: gone === undefined ? from : Math.max(from, gone),
    first: first + start,
    publications: all.slice(start),
  };
}

/** Starts anew, with numbers that nobody has been told yet. */
export function replaceBacklog(
  { first, publications }: Backlog,
  from: number,
  kept: readonly ToldPublication[],
  mostBytes: number,
): Backlog {
  return keepPublications({ from, first: first + publications.length, publications: [] }, kept, mostBytes);
}

/** The number of the first publication to send to who knows all up to a moment; undefined where that is too long ago. */
export function findStart({ from, first, publications }: Backlog, moment: number): number | undefined {
  if (moment < from) return undefined;
  const index = publications.findIndex(({ time }) => time > moment);
  return first + (index === -1 ? publications.length : index);
}

/** What a publication takes, about. */
export function messageBytes({ messages }: ToldPublication): number {
  return messages.reduce((sum, { length }) => sum + length, 100);
}
