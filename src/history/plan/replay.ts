/** Replays publications: derives how they changed the URLs of a set of resources. Pure. */

export interface PathChange {
  /** Path of a file, relative to the site, `/` between segments. */
  readonly path: string;
  /** Id of the bytes that the file has after the change; undefined if the file is gone. */
  readonly blob: string | undefined;
}

/** One state of the site, made public at one moment, as the difference from the state before. */
export interface Publication {
  readonly id: string;
  /** Moment in seconds since 1970, by the clock of the committer; undefined if that was wrong and cannot be corrected. */
  readonly seconds: number | undefined;
  readonly changes: readonly PathChange[];
  /** The values of the trailers `Listing` of a snapshot, separated by commas: the options of its sets. */
  readonly listing?: string;
}

/** Returns the moment of a publication in seconds since 1970; 0 if it has no usable date. */
export function secondsOf({ seconds = 0 }: Pick<Publication, 'seconds'>): number {
  return seconds;
}

export interface PublicationLog {
  readonly publications: readonly Publication[];
  /** Ids of publications before which there are others that a shallow clone lacks. */
  readonly boundary: ReadonlySet<string>;
}

export interface FileVersion {
  readonly path: string;
  readonly blob: string;
}

/** Rules by which a set leaves files out: by their own content, or by a file such as `_headers` with rules for all. */
export interface Hiding {
  readonly rules: string;
  /** Tests if a file is left out. @param rules blob id of the file with rules for all; undefined if there is none */
  readonly isHidden: (uri: string, file: FileVersion, rules: string | undefined) => boolean;
}

export interface PresentSet {
  /** Returns the URL of a path; undefined if the file is no resource of the set. */
  readonly uriOf: (path: string) => string | undefined;
  /** Rules by which files are left out; undefined if none are. `files` lacks these files already. */
  readonly hiding?: Hiding | undefined;
  /** Index of the first publication that was listed by the current options; past the last one if none was. @default 0 */
  readonly begins?: number | undefined;
  readonly files: ReadonlyMap<string, FileVersion>;
}

/** A URL whose bytes in the site differ from those in the newest publication. At most one of the versions is undefined. */
export interface UnpublishedChange {
  readonly uri: string;
  readonly previous: FileVersion | undefined;
  readonly present: FileVersion | undefined;
}

/** How a URL changed: `file` is the version after the change, `previous` the version before. */
export type BecomingVersion =
  | { readonly change: 'created'; readonly file: FileVersion; readonly previous?: undefined }
  | { readonly change: 'updated'; readonly file: FileVersion; readonly previous: FileVersion }
  | { readonly change: 'deleted'; readonly file?: undefined; readonly previous: FileVersion };

/** A change of a URL, with the index of its publication. */
export type IndexedChange = BecomingVersion & {
  readonly uri: string;
  readonly index: number;
};

interface Replay {
  /** Index of the first publication that holds a resource of the set, hidden or not; past the last one when none does. */
  readonly first: number;
  readonly changes: IndexedChange[];
  /** Index of the publication that last changed the bytes, by URL of the present site. */
  readonly changedAt: ReadonlyMap<string, number>;
  readonly unpublished: readonly UnpublishedChange[];
}

export function replay(publications: readonly Publication[], { uriOf, hiding, files }: PresentSet): Replay {
  const state = makeState();
  let rules: string | undefined;
  let first: number | undefined;
  const show = (uri: string): FileVersion | undefined => {
    const file = state.get(uri);
    return file !== undefined && hiding?.isHidden(uri, file, rules) === true ? undefined : file;
  };
  const changes: IndexedChange[] = [];
  const changedAt = new Map<string, number>();
  for (const [index, publication] of publications.entries()) {
    const before = new Map<string, FileVersion | undefined>();
    const newRules = publication.changes.find(({ path }) => path === hiding?.rules);
    // Another version of the file with rules may hide or show any file.
    if (newRules !== undefined) for (const uri of state.uris()) before.set(uri, show(uri));
    for (const { path, blob } of publication.changes) {
      const uri = uriOf(path);
      if (uri === undefined) continue;
      if (!before.has(uri)) before.set(uri, show(uri));
      state.put(uri, path, blob);
    }
    if (newRules !== undefined) rules = newRules.blob;
    if (!state.isEmpty()) first ??= index;
    for (const uri of [...before.keys()].sort()) note(index, uri, before.get(uri), show(uri));
  }
  const uris = new Set([...state.uris(), ...files.keys()]);
  const unpublished: UnpublishedChange[] = [];
  for (const uri of [...uris].sort()) {
    const [previous, present] = [show(uri), files.get(uri)];
    if (previous?.blob !== present?.blob) unpublished.push({ uri, previous, present });
    note(publications.length, uri, previous, present);
  }
  return { first: first ?? publications.length, changes, changedAt, unpublished };

  function note(index: number, uri: string, was: FileVersion | undefined, is: FileVersion | undefined): void {
    if (was?.blob === is?.blob) return;
    if (is !== undefined) changedAt.set(uri, index);
    else changedAt.delete(uri);
    if (was === undefined) {
      if (is !== undefined) changes.push({ change: 'created', uri, index, file: is });
    } else if (is === undefined) changes.push({ change: 'deleted', uri, index, previous: was });
    else changes.push({ change: 'updated', uri, index, previous: was, file: is });
  }
}

/** Creates a map of files by URL. If several files have one URL, the first by path wins, on every machine. */
function makeState() {
  const visible = new Map<string, FileVersion>();
  const hidden = new Map<string, FileVersion[]>();
  return {
    get: (uri: string) => visible.get(uri),
    uris: () => visible.keys(),
    isEmpty: () => visible.size === 0,
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
