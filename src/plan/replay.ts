/** What changed, and when: from the publications of a site to its change events. Pure. */

/** What a publication did to one path. */
export interface PathChange {
  /** Relative to the site, `/` between segments. */
  readonly path: string;
  /** Identifies the bytes from now on; undefined when the file is gone. */
  readonly blob: string | undefined;
}

/** One state of the site, made public at one moment, as the difference from the state before. */
export interface Publication {
  readonly id: string;
  /** When, in seconds since 1970, by the clock of whoever made it. */
  readonly seconds: number;
  readonly changes: readonly PathChange[];
}

/** What a producer of history knows. */
export interface PublicationLog {
  /** Oldest first. */
  readonly publications: readonly Publication[];
  /** Publications before which there were others that cannot be seen (shallow clone). */
  readonly boundary: ReadonlySet<string>;
}

/** A file that stands for a URL. */
export interface FileVersion {
  readonly path: string;
  readonly blob: string;
}

/** How a set of resources sees the site: the URL of a path; undefined for what is no resource of the set. */
export type UriOf = (path: string) => string | undefined;

/** A set of resources as it is now, by URL. */
export interface PresentSet {
  readonly uriOf: UriOf;
  readonly files: ReadonlyMap<string, FileVersion>;
}

/** What happened to a URL; `file` is what it became. */
export type UriChange =
  | {
      readonly change: 'created' | 'updated';
      readonly uri: string;
      readonly datetime: Date;
      readonly file: FileVersion;
    }
  | { readonly change: 'deleted'; readonly uri: string; readonly datetime: Date };

/** What is known of one set of resources. */
export interface SetHistory {
  /** Since the baseline, in order of datetime, then of URL. */
  readonly changes: readonly UriChange[];
  /** When the bytes that stand under a URL now were published; undefined where that is not known. */
  lastmod(uri: string): Date | undefined;
}

/** What is known of the site. */
export interface SiteHistory {
  /** The moment of the baseline: all changes since then are known. */
  readonly from: Date;
  /** Whether there were publications before the baseline that cannot be seen (shallow clone). */
  readonly truncated: boolean;
  /** The moment of the newest publication, or of this run if something is pending. */
  readonly at: Date;
  /** Whether the site holds something that is not in history yet. */
  readonly pending: boolean;
  /** In the order in which they were asked for. */
  readonly sets: readonly SetHistory[];
}

/**
 * Derives change events: compared are URLs and bytes.
 *
 * - The oldest publication is the baseline, a state and not a change.
 * - A publication that changes no URL of any set is none.
 * - Every publication is at least a second after the one before it, whatever the clocks said.
 * - What stands in the site and not in history is one more publication, of this run.
 *
 * @param now the moment of this run
 * @param recording whether what is pending, or a first baseline, is kept by this run
 */
export function deriveHistory(
  history: PublicationLog,
  present: readonly PresentSet[],
  now: Date,
  recording: boolean,
): SiteHistory {
  const runs = present.map((set) => replay(history.publications, set));
  const baseline = Math.min(...runs.map(({ first }) => first));
  const known = baseline < history.publications.length;
  // Each set is replayed from its own beginning; what came after the site's baseline is a change in every set.
  const publishedAt = new Set(runs.flatMap(({ changes }) => changes.map(({ index }) => index)));
  const datetimes = makeDatetimes(history.publications, baseline, publishedAt, now);
  const pending = !known || publishedAt.has(history.publications.length);
  const truncated = history.boundary.has(history.publications[baseline]?.id ?? '');
  const dateOf = (index: number) => datetimes.get(index) ?? now;
  return {
    from: dateOf(baseline),
    truncated,
    at: pending
      ? dateOf(history.publications.length)
      : // They are in order.
        ([...datetimes.values()].at(-1) ?? now),
    pending,
    sets: runs.map(({ changes, changedAt }) => ({
      changes: changes
        .filter(({ index }) => index > baseline)
        .map(({ index, ...change }) => ({ ...change, datetime: dateOf(index) })),
      lastmod: (uri) => {
        const index = changedAt.get(uri);
        if (index === undefined) return undefined;
        if (index === baseline && (truncated || (!known && !recording))) return undefined;
        return dateOf(index);
      },
    })),
  };
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
  // What is pending comes after all that is recorded, also after what turned out to be no publication.
  const next = Math.max(Math.floor(now.getTime() / 1000), (publications.at(-1)?.seconds ?? 0) + 1);
  for (let index = baseline; index <= publications.length; index++) {
    if (index !== baseline && !publishedAt.has(index)) continue;
    const seconds = publications[index]?.seconds ?? next;
    last = Math.max(seconds, last + 1);
    datetimes.set(index, new Date(last * 1000));
  }
  return datetimes;
}

type IndexedChange = { readonly uri: string; readonly index: number } & (
  | { readonly change: 'created' | 'updated'; readonly file: FileVersion }
  | { readonly change: 'deleted' }
);

interface Replay {
  /** Index of the first publication that holds a resource of the set; past the last one when none does. */
  readonly first: number;
  /** Including those of the first publication. */
  readonly changes: IndexedChange[];
  /** By URL that stands in the present site: the publication that last changed its bytes. */
  readonly changedAt: ReadonlyMap<string, number>;
}

function replay(publications: readonly Publication[], { uriOf, files }: PresentSet): Replay {
  const state = makeState();
  const changes: IndexedChange[] = [];
  const changedAt = new Map<string, number>();
  for (const [index, publication] of publications.entries()) {
    const before = new Map<string, FileVersion | undefined>();
    for (const { path, blob } of publication.changes) {
      const uri = uriOf(path);
      if (uri === undefined) continue;
      if (!before.has(uri)) before.set(uri, state.get(uri));
      state.put(uri, path, blob);
    }
    for (const uri of [...before.keys()].sort()) note(index, uri, before.get(uri), state.get(uri));
  }
  const uris = new Set([...state.uris(), ...files.keys()]);
  for (const uri of [...uris].sort()) note(publications.length, uri, state.get(uri), files.get(uri));
  return { first: changes[0]?.index ?? publications.length, changes, changedAt };

  function note(index: number, uri: string, was: FileVersion | undefined, is: FileVersion | undefined): void {
    if (was?.blob === is?.blob) return;
    if (is === undefined) {
      changedAt.delete(uri);
      changes.push({ change: 'deleted', uri, index });
    } else {
      changedAt.set(uri, index);
      changes.push({ change: was === undefined ? 'created' : 'updated', uri, index, file: is });
    }
  }
}

/**
 * The files behind each URL. In the past, two files may have had one URL; the first by path stands for it, so that
 * every machine says the same.
 */
function makeState() {
  const visible = new Map<string, FileVersion>();
  const hidden = new Map<string, FileVersion[]>();
  return {
    get: (uri: string) => visible.get(uri),
    uris: () => visible.keys(),
    put(uri: string, path: string, blob: string | undefined): void {
      const current = visible.get(uri);
      if ((current === undefined || current.path === path) && !hidden.has(uri)) {
        if (blob === undefined) visible.delete(uri);
        else visible.set(uri, { path, blob });
        return;
      }
      const others = [current, ...(hidden.get(uri) ?? [])].filter((file) => file !== undefined);
      const files = others.filter((file) => file.path !== path);
      if (blob !== undefined) files.push({ path, blob });
      const [first, ...rest] = files.sort((a, b) => (a.path < b.path ? -1 : 1));
      if (first === undefined) visible.delete(uri);
      else visible.set(uri, first);
      if (rest.length === 0) hidden.delete(uri);
      else hidden.set(uri, rest);
    },
  };
}
