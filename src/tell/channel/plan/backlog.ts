/** Backlog of a channel: its newest messages, for Destinations that connect later. Pure. */

export interface PublicationMessages {
  /** Datetime of the publication, in milliseconds since 1970. */
  readonly time: number;
  readonly messages: readonly Buffer[];
}

export interface Backlog {
  /** The backlog keeps all changes after this time, in milliseconds since 1970. */
  readonly from: number;
  /** Number of the first publication that is kept; publications are numbered in the order in which they were added. */
  readonly first: number;
  readonly publications: readonly PublicationMessages[];
}

/** The backlog of a channel before its first poll: it reaches back to no moment. */
export const EMPTY_BACKLOG: Backlog = { from: Number.POSITIVE_INFINITY, first: 0, publications: [] };

/** Adds publications to a backlog, and drops the oldest ones beyond the limit. */
export function keepPublications(
  { from, first, publications }: Backlog,
  more: readonly PublicationMessages[],
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

/** Replaces all publications of a backlog; the new ones get numbers that were not in use before. */
export function replaceBacklog(
  { first, publications }: Backlog,
  from: number,
  kept: readonly PublicationMessages[],
  mostBytes: number,
): Backlog {
  return keepPublications({ from, first: first + publications.length, publications: [] }, kept, mostBytes);
}

/** Returns the number of the first publication after a moment; undefined if the backlog does not reach back to the moment. */
export function findStart({ from, first, publications }: Backlog, moment: number): number | undefined {
  if (moment < from) return undefined;
  const index = publications.findIndex(({ time }) => time > moment);
  return first + (index === -1 ? publications.length : index);
}

/** Returns the approximate size of a publication in memory, in bytes. */
export function messageBytes({ messages }: PublicationMessages): number {
  return messages.reduce((sum, { length }) => sum + length, 100);
}
