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
  /** Changes of the set that are pending, in order of URL, with the previous versions. */
  readonly unpublished: readonly UnpublishedChange[];
  /** Moment since which the set has been listed by the current options; no earlier change is listed. */
  readonly from: Date;
  /** Changes of the set after `from`, in order of datetime, then of URL. */
  readonly changes: readonly UriChange[];
  /** All changes of the set since the baseline, in order of datetime, then of URL. */
  readonly past: readonly UriChange[];
  /** Returns the moment at which the present bytes of a URL were published; undefined if it is not known. */
  lastmod(uri: string): Date | undefined;
}

export interface SiteHistory {
  readonly from: Date;
  readonly baseline: Date;
  /** True if this run is the first one that lists a set by its current options. */
  readonly begins: boolean;
  /** True if publications before the baseline are missing (shallow clone). */
  readonly truncated: boolean;
  /** The moment of the newest publication, or of this run if something is pending. */
  readonly at: Date;
  /** The moment of the newest publication in the history. */
  readonly newest: Date | undefined;
  /** True if this run makes a publication: the site, or the options of a set, differ from the history. */
  readonly pending: boolean;
  /** The history of each set, in the order in which the sets were given. */
  readonly sets: readonly SetHistory[];
}

/**
 * Derives change events by comparing URLs and bytes.
 *
 * - The oldest publication is the baseline: a state, and not a change.
 * - A commit that changes no URL of any set is no publication.
 * - Every publication is at least a second after the one before it, whatever the clocks said.
 * - Files that differ from the history make one more publication, of this run.
 * - A change of a set's options makes a publication, too, with which the set begins anew.
 *
 * @param recording if this run records pending changes, or a first baseline @param since earlier changes are not listed
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
  // Each set is replayed from its own beginning, but all have the baseline of the site: what came later is a change.
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
    // The map of datetimes is in order, and that of pending changes comes last.
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

/** Dates a change. Fields are written out: changes may be very many, and spreading takes several times as long. */
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

/** Dates the publications, in whole seconds, by their indexes. The index after the last stands for pending changes. */
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
    // Pending changes, and publications at the end that have no date, get the last seconds up to `next`.
    const seconds = publications[index]?.seconds ?? next - (dated.length - 1 - place);
    last = Math.max(seconds, last + 1);
    datetimes.set(index, new Date(last * 1000));
  }
  return datetimes;
}
