/** Derives change events from the publications of a site. Pure. */

import {
  type BecomingVersion,
  type IndexedChange,
  type PresentSet,
  type Publication,
  type PublicationLog,
  replay,
  type UnpublishedChange,
} from './replay.js';

export type UriChange = BecomingVersion & { readonly uri: string; readonly datetime: Date };

export interface SetHistory {
  /** Pending changes of this run, in order of URL, with the versions before. */
  readonly unpublished: readonly UnpublishedChange[];
  /** The moment since which it has been listed by the current options: no earlier state was listed in this way. */
  readonly from: Date;
  /** After `from`, in order of datetime, then of URL. */
  readonly changes: readonly UriChange[];
  /** All changes since the baseline, in the same order. */
  readonly past: readonly UriChange[];
  /** The moment at which the present bytes of a URL were published, or undefined if it is not known. */
  lastmod(uri: string): Date | undefined;
}

export interface SiteHistory {
  readonly from: Date;
  readonly baseline: Date;
  /** True if this run is the first one that lists by the current options. */
  readonly begins: boolean;
  /** True if publications before the baseline are missing (shallow clone). */
  readonly truncated: boolean;
  /** The moment of the newest publication, or of this run if something is pending. */
  readonly at: Date;
  /** The moment of the newest publication in the history. */
  readonly newest: Date | undefined;
  /** True if the site holds something that is not in the history yet. */
  readonly pending: boolean;
  /** In the order of the requested sets. */
  readonly sets: readonly SetHistory[];
}

/**
 * Derives change events by comparing URLs and bytes.
 *
 * - The oldest publication is the baseline, a state and not a change.
 * - A publication that changes no URL of any set is none.
 * - Every publication is at least a second after the one before it, whatever the clocks said.
 * - Files that are not in the history make one more publication, of this run.
 * - A change of a set's options makes a publication, too, which is its first.
 *
 * @param recording whether this run records what is pending, or a first baseline @param since lists no earlier change
 */
export function deriveHistory(
  history: PublicationLog,
  present: readonly PresentSet[],
  clock: Date,
  recording: boolean,
  since?: Date,
): SiteHistory {
  const now = latest(clock, since);
  const runs = present.map((set) => replay(history.publications, set));
  const baseline = Math.min(...runs.map(({ first }) => first));
  const known = baseline < history.publications.length;
  // Each set is replayed from its own beginning; what came after the site's baseline is a change in every set.
  const publishedAt = new Set(runs.flatMap(({ changes }) => changes.map(({ index }) => index)));
  const starts = present.map(({ begins = 0 }) => Math.max(baseline, begins));
  for (const start of starts) if (start > baseline) publishedAt.add(start);
  const datetimes = makeDatetimes(history.publications, baseline, publishedAt, now);
  const pending = !known || publishedAt.has(history.publications.length);
  const oldest = history.publications[baseline];
  const truncated = oldest !== undefined && history.boundary.has(oldest.id);
  const dateOf = (index: number) => datetimes.get(index) ?? now;
  const begins = starts.map((start) => latest(dateOf(start), since));
  return {
    from: latest(...begins),
    baseline: dateOf(baseline),
    begins: known && starts.includes(history.publications.length),
    truncated,
    // In order; pending changes come last.
    at: latest([...datetimes.values()].at(-1) ?? now, since),
    newest: [...datetimes].findLast(([index]) => index < history.publications.length)?.[1],
    pending,
    sets: runs.map(({ changes, changedAt, unpublished }, set) => {
      const from = begins[set] ?? now;
      const past = changes
        .filter(({ index }) => index > baseline)
        .map((change) => dateChange(change, dateOf(change.index)));
      return {
        unpublished: known ? unpublished : [],
        from,
        changes: from > dateOf(baseline) ? past.filter(({ datetime }) => datetime > from) : past,
        past,
        lastmod: (uri) => {
          const index = changedAt.get(uri);
          if (index === undefined) return undefined;
          if (index === baseline && (truncated || (!known && !recording))) return undefined;
          return dateOf(index);
        },
      };
    }),
  };
}

function latest(...moments: readonly (Date | undefined)[]): Date {
  return new Date(Math.max(...moments.map((moment = new Date(0)) => moment.getTime())));
}

/** Written out, because there may be hundreds of thousands, and spreading takes several times as long. */
function dateChange(dated: IndexedChange, datetime: Date): UriChange {
  const { change, uri, file, previous } = dated;
  if (change === 'created') return { change, uri, file, datetime };
  if (change === 'deleted') return { change, uri, previous, datetime };
  return { change, uri, previous, file, datetime };
}

/** Returns the date of the newest dated publication, in seconds since 1970. */
export function newestSeconds(publications: readonly Publication[]): number {
  return publications.findLast(({ seconds }) => seconds !== undefined)?.seconds ?? 0;
}

/** Datetimes by the index of the publication, in whole seconds; the one after the last is what is pending. */
function makeDatetimes(
  publications: readonly Publication[],
  baseline: number,
  publishedAt: ReadonlySet<number>,
  now: Date,
): Map<number, Date> {
  const datetimes = new Map<number, Date>();
  let last = Number.NEGATIVE_INFINITY;
  // Pending changes come after everything recorded, even commits that turned out to be no publication.
  const next = Math.max(Math.floor(now.getTime() / 1000), newestSeconds(publications) + 1);
  const dated = [...publications.keys(), publications.length].filter(
    (index) => index === baseline || (index > baseline && publishedAt.has(index)),
  );
  for (const [place, index] of dated.entries()) {
    // The last one is of this run, and so are those before it that have no date.
    const seconds = publications[index]?.seconds ?? next - (dated.length - 1 - place);
    last = Math.max(seconds, last + 1);
    datetimes.set(index, new Date(last * 1000));
  }
  return datetimes;
}
