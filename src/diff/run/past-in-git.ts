/** The past of a site, as git keeps it: the publication before, versions of pages, and when these changed. */

import type { Config } from '../../config/config.js';
import { replayCommitted } from '../../history/from-git.js';
import { startBlobReader } from '../../history/git/blobs.js';
import { joinVersions, readBlobLengths } from '../../history/git/digest-blobs.js';
import { readPointer } from '../../history/git/pointers.js';
import type { GitHistory, GitPlace } from '../../history/known.js';
import type { SiteHistory, UriChange } from '../../history/plan/derive.js';
import type { UnpublishedChange } from '../../history/plan/replay.js';
import { isSnapshotRef } from '../../paths/ours.js';
import { PAGE_LIMIT } from '../../site/page/text/compare.js';
import { readUnchanged } from '../../site/scan/beginning.js';
import type { ScannedSite } from '../../site/scanned.js';
import { formatDatetime } from '../../standard/model.js';
import { LENGTH_LIMIT } from '../compare.js';
import type { ChangedResource } from '../model.js';
import { makeTextTest, type TextVerdict } from '../page/kind.js';
import { type FormerReader, type KnownSite, mergeSets, type Past, READ_NOTHING } from './past.js';
import { keepVerdicts } from './verdicts.js';

/** @throws ResyncError `git-failed` */
export async function findPastInGit(
  config: Config,
  scanned: ScannedSite,
  history: GitHistory,
  now: Date,
): Promise<Past> {
  const { newest, sets } = await replayCommitted(config, scanned, history, now);
  const unpublished = mergeSets(sets.map((set) => set.unpublished));
  const { ref, folder, repository } = history.place;
  const formers = new Map(
    unpublished.flatMap(({ uri, former }) => (former === undefined ? [] : [[uri, former.blob]])),
  );
  const lengths = await readBlobLengths(repository, [...new Set(formers.values())]);
  const formerLength = (uri: string) => lengths.get(formers.get(uri) ?? '');
  const present = new Map(scanned.resources.map((resource) => [resource.uri, resource]));
  return {
    comparedWith: {
      history: 'git',
      ref,
      folder,
      ...(newest !== undefined && { at: formatDatetime(newest) }),
    },
    changes: unpublished.map(tell),
    readLimit: Number.POSITIVE_INFINITY,
    formerLength,
    startReading: (uris) =>
      startReadingVersions(
        history.place,
        uris.map((uri) => formers.get(uri) ?? ''),
      ),
  };

  function tell({ uri, former, present: file }: UnpublishedChange): ChangedResource {
    const resource = present.get(uri);
    if (file === undefined || resource === undefined) {
      const path = former?.path ?? '';
      const type = scanned.typeOf(path);
      return { change: 'deleted', uri, path, type, length: formerLength(uri) ?? 0, digest: former?.blob };
    }
    const { path, type, length } = resource;
    const change = former === undefined ? 'created' : 'updated';
    return { change, uri, path, type, length, digest: file.blob };
  }
}

/** @param ids of blobs that are here */
export function startReadingVersions({ repository, ref }: GitPlace, ids: readonly string[]): FormerReader {
  if (ids.length === 0) return READ_NOTHING;
  const reader = startBlobReader(repository, ids);
  let next = 0;
  return {
    async readNext() {
      const pieces: Uint8Array[] = [];
      let length = 0;
      for await (const piece of reader.read(ids[next++] ?? '')) {
        length += piece.length;
        if (length <= LENGTH_LIMIT) pieces.push(piece);
      }
      if (length > LENGTH_LIMIT) return undefined;
      const bytes = pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces);
      // What it stands for is elsewhere.
      return isSnapshotRef(ref) || readPointer(bytes) === undefined ? bytes : undefined;
    },
    close: reader.close,
  };
}

/** A site whose past is in git. */
export interface PagePlace extends Pick<KnownSite, 'site' | 'scanned' | 'kept' | 'readFile'> {
  readonly history: GitHistory;
}

/**
 * Reads versions of pages in the order in which they are listed: from the site where it has them, or else from git.
 *
 * @param listed ids of blobs
 */
export async function openVersions(
  { site, scanned, history, readFile = ({ path, length }) => readUnchanged(site, path, length) }: PagePlace,
  listed: readonly string[],
) {
  const wanted = new Set(listed);
  const here = new Map<string, { readonly path: string; readonly length: number }>();
  for (const [index, blob] of scanned.blobs.entries()) {
    const resource = wanted.has(blob) ? scanned.resources.at(index) : undefined;
    if (resource !== undefined) here.set(blob, resource);
  }
  const { repository } = history.place;
  const lengths = await readBlobLengths(
    repository,
    [...wanted].filter((blob) => !here.has(blob)),
  );
  const isThere = (blob: string) => (lengths.get(blob) ?? Number.POSITIVE_INFINITY) <= PAGE_LIMIT;
  const reader = startReadingVersions(history.place, listed.filter(isThere));
  return {
    read: (blob: string | undefined) => {
      const file = blob === undefined ? undefined : here.get(blob);
      if (file !== undefined) {
        return file.length <= PAGE_LIMIT ? readFile(file) : undefined;
      }
      return blob !== undefined && isThere(blob) ? reader.readNext() : undefined;
    },
    close: reader.close,
  };
}

/** When pages changed. */
export interface PageDates {
  /** By URL; those of which it is not known are missing. */
  readonly dates: ReadonlyMap<string, Date>;
  /** Pages of which some change was not looked at, because that is too much. It moves no date. */
  readonly unread: number;
}

/** Versions that are read in all: what is behind them is a build that changes every page. */
const MOST_VERSIONS = 100_000;

/** A page, and the change that is looked at next. */
interface Walk {
  readonly uri: string;
  /** Oldest first. */
  readonly changes: readonly UriChange[];
  place: number;
}

/**
 * Goes back through the past of each page, as far as its text is the same, up to where it was created. What there was at
 * the baseline has no date.
 *
 * @param pages URLs
 * @throws ResyncError `git-failed`, `file-changing`
 */
export async function readTextDates(
  site: PagePlace,
  committed: SiteHistory,
  pages: ReadonlySet<string>,
): Promise<PageDates> {
  const test = makeTextTest();
  const { kept, history } = site;
  const verdicts = new Map<string, TextVerdict>();
  const dates = new Map<string, Date>();
  const unread = new Set<string>();
  let versions = MOST_VERSIONS;
  let walks = [...groupByPage(committed, pages)].map(
    ([uri, changes]): Walk => ({ uri, changes, place: changes.length - 1 }),
  );
  const texts = await history.texts;
  while (walks.length > 0) {
    // Of each page the change that is next, with both versions.
    const next = walks.flatMap((walk) => {
      const change = walk.changes[walk.place];
      if (change?.change === 'created') dates.set(walk.uri, change.datetime);
      if (change?.change !== 'updated') return [];
      const blobs = [change.former?.blob ?? '', change.file.blob] as const;
      return [{ walk, datetime: change.datetime, blobs, known: recall(joinVersions(...blobs)) }];
    });
    const read = next.slice(0, Math.max(0, Math.floor(versions / 2)));
    versions -= 2 * read.length;
    const reader = await openVersions(
      site,
      read.flatMap(({ blobs, known }) => (known === undefined ? blobs : [])),
    );
    try {
      for (const [index, { walk, datetime, blobs, known }] of next.entries()) {
        walk.place--;
        const verdict = index < read.length ? await judge(reader, blobs, known) : undefined;
        if (verdict === undefined) unread.add(walk.uri);
        else verdicts.set(joinVersions(...blobs), verdict);
        if (verdict?.isNew === true) dates.set(walk.uri, datetime);
      }
    } finally {
      reader.close();
    }
    walks = next.flatMap(({ walk }) => (dates.has(walk.uri) ? [] : [walk]));
  }
  if (kept !== undefined) keepVerdicts(site.site, verdicts, kept);
  return { dates, unread: unread.size };

  function recall(versions: string): TextVerdict | undefined {
    const isNew = texts.get(versions);
    return isNew === undefined ? kept?.get(versions) : { isNew, parsed: 0 };
  }

  async function judge(
    reader: Awaited<ReturnType<typeof openVersions>>,
    [former, present]: readonly string[],
    known: TextVerdict | undefined,
  ): Promise<TextVerdict | undefined> {
    if (known !== undefined) return test.repeat(known);
    const [before, after] = [await reader.read(former), await reader.read(present)];
    return before && after && (await test.compare(before, after));
  }
}

/** A URL may be in several sets; what happened is told by the first of them. */
function groupByPage({ sets }: SiteHistory, pages: ReadonlySet<string>): Map<string, readonly UriChange[]> {
  const all = new Map<string, readonly UriChange[]>();
  for (const { past } of sets) {
    const own = new Map<string, UriChange[]>();
    for (const change of past) {
      const known = own.get(change.uri);
      if (known !== undefined) known.push(change);
      else if (pages.has(change.uri) && !all.has(change.uri)) own.set(change.uri, [change]);
    }
    for (const [uri, some] of own) all.set(uri, some);
  }
  return all;
}
