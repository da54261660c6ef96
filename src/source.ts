/** Where the history of a site is kept: finds it, reads it, adds to it. */

import { basename } from 'node:path';
import type { Config } from './config.js';
import { ResyncError } from './errors.js';
import {
  hasFolder,
  openRepository,
  type Repository,
  readPublications,
  recordSnapshot,
  resolveCommit,
} from './git.js';
import type { History } from './history.js';
import type { ScannedSite } from './scan.js';

/** Where publications are read from, and recorded. */
export interface HistorySource {
  readonly repository: Repository;
  /** Full name of the ref. */
  readonly ref: string;
  /** The folder that holds the site in its commits; '' for the top. */
  readonly folder: string;
  /** Whether a ref that does not exist means that there is no publication yet. */
  readonly mayBeMissing: boolean;
}

/** The publications, and where the next one goes. */
export interface SourceHistory extends History {
  /** The commit that the ref points to; undefined where there is none yet. */
  readonly tip: string | undefined;
}

/**
 * Finds out where the site's history is.
 *
 * @returns undefined where there is none
 * @throws ResyncError `history-missing`, `config-invalid`, `git-failed`
 */
export async function findHistory(config: Config, site: string): Promise<HistorySource | undefined> {
  const { history, record } = config;
  if (history.kind === 'none') {
    if (record) refuseRecord('there is no history to keep it in');
    return undefined;
  }
  const around = await openRepository(site);
  // A site may lie outside the repository that keeps its history: then it is the one of the working directory.
  const repository = around ?? (history.kind === 'auto' ? undefined : await openRepository(process.cwd()));
  if (repository === undefined) {
    if (history.kind === 'auto' && !record) return undefined;
    throw new ResyncError(
      'history-missing',
      `There is no git repository around ${site} or the working directory, or no git.\nRun git init, install git, or use --history none.`,
    );
  }
  if (history.kind === 'ref') {
    if (record) refuseRecord(`${history.ref} is written by whoever deploys`);
    return { repository, ref: history.ref, folder: history.folder, mayBeMissing: false };
  }
  if (history.kind === 'auto') {
    const head = await resolveCommit(repository, 'HEAD');
    if (head !== undefined && (await hasFolder(repository, head, repository.prefix))) {
      if (record) refuseRecord('the site is committed, and its commits are its history');
      return { repository, ref: 'HEAD', folder: repository.prefix, mayBeMissing: false };
    }
  }
  const place = around === undefined ? basename(site) : around.prefix;
  const name = (history.kind === 'snapshots' ? history.name : undefined) ?? makeRefName(place);
  return { repository, ref: `refs/resync-static/${name}`, folder: '', mayBeMissing: true };
}

function refuseRecord(reason: string): never {
  throw new ResyncError(
    'config-invalid',
    `--record keeps a publication as a snapshot, but ${reason}.\nLeave it out, or use --history snapshots.`,
  );
}

/** Writes a path as a ref name: what git does not allow is percent-encoded. */
function makeRefName(path: string): string {
  if (path === '') return '_root';
  return path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment)
        .replace(/[~*!'()]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
        .replace(/^\.|\.(?=\.|$|lock$)/g, '%2E'),
    )
    .join('/');
}

/** The ids by which the repository knows bytes. */
export function blobNameOf({ objectFormat }: Repository): 'git-sha1' | 'git-sha256' {
  return objectFormat === 'sha1' ? 'git-sha1' : 'git-sha256';
}

/**
 * Reads the publications.
 *
 * @throws ResyncError `history-missing` when the ref should exist and does not, `git-failed`
 */
export async function readHistory({
  repository,
  ref,
  folder,
  mayBeMissing,
}: HistorySource): Promise<SourceHistory> {
  const tip = await resolveCommit(repository, ref);
  const { boundary } = repository;
  if (tip !== undefined)
    return { tip, boundary, publications: await readPublications(repository, tip, folder) };
  if (mayBeMissing) return { tip, boundary, publications: [] };
  throw new ResyncError(
    'history-missing',
    `There is no ${ref} in ${repository.root}.\nFetch it (git fetch origin, with the full name of the branch), or use --history none for the first publication.`,
  );
}

/** Records the site as it was scanned, if it differs from the newest snapshot. */
export async function recordState(
  { repository, ref }: HistorySource,
  history: SourceHistory,
  site: string,
  { resources, blobs }: ScannedSite,
  at: Date,
  now: Date,
): Promise<'recorded' | 'nothing' | 'overtaken'> {
  const before = new Map<string, string>();
  for (const { path, blob } of history.publications.flatMap(({ changes }) => changes)) {
    if (blob === undefined) before.delete(path);
    else before.set(path, blob);
  }
  const written = resources
    .map(({ path, length }, index) => ({ path, length, blob: blobs[index] ?? '' }))
    .filter(({ path, blob }) => before.get(path) !== blob);
  const paths = new Set(resources.map(({ path }) => path));
  const removed = [...before.keys()].filter((path) => !paths.has(path));
  if (written.length === 0 && removed.length === 0) return 'nothing';
  const newest = history.publications.at(-1)?.seconds ?? 0;
  const datetime = new Date(Math.max(at.getTime(), now.getTime(), (newest + 1) * 1000));
  const done = await recordSnapshot(repository, site, {
    ref,
    parent: history.tip,
    datetime,
    removed,
    written,
  });
  return done ? 'recorded' : 'overtaken';
}
