/** Where the history of a site is kept: finds it, reads it, adds to it. */

import { basename } from 'node:path';
import type { Config } from '../config/config.js';
import { ResyncError } from '../errors.js';
import { horizonOf } from '../plan/documents.js';
import type { History, Publication } from '../plan/replay.js';
import type { ScannedSite } from '../site/scan.js';
import { say } from '../text/say.js';
import type { BlobDigest, FileInCommit } from './git/blobs.js';
import type { Repository } from './git/git.js';
import type { LiveHistory } from './live.js';

/** Starting other programs takes time to load, which a site without a history is spared. */
const loadGit = () => import('./git/git.js');

/** Where the publications of a site are kept. */
export type HistorySource = GitSource | { readonly kind: 'published' };

/** Where git has them. */
export interface GitSource {
  readonly kind: 'git';
  readonly repository: Repository;
  /** Full name of the ref. */
  readonly ref: string;
  /** The folder that holds the site in its commits; '' for the top. */
  readonly folder: string;
  /** Whether a ref that does not exist means that there is no publication yet. */
  readonly mayBeMissing: boolean;
}

/** What was read from there. */
export type SourceHistory = GitHistory | LiveHistory;

/** The publications, and where the next one goes. */
export interface GitHistory extends History {
  readonly kind: 'git';
  readonly source: GitSource;
  /** The commit that the ref points to; undefined where there is none yet. */
  readonly tip: string | undefined;
  /** Versions that were digested on the way, by blob; not all that may be listed. */
  readonly digests: ReadonlyMap<string, BlobDigest>;
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
  if (history.kind === 'published') return { kind: 'published' };
  const { hasFolder, openRepository, resolveCommit } = await loadGit();
  const around = await openRepository(site);
  const repository = around ?? (history.kind === 'auto' ? undefined : await findNamed(site));
  if (repository === undefined) {
    if (history.kind === 'auto' && !record) return undefined;
    throw new ResyncError(
      'history-missing',
      say`There is no git repository around ${site} or the working directory, or no git.\nRun git init, install git, or use --history none.`,
    );
  }
  if (history.kind === 'ref') {
    if (record) refuseRecord(`${history.ref} is written by whoever deploys`);
    return { kind: 'git', repository, ref: history.ref, folder: history.folder, mayBeMissing: false };
  }
  if (history.kind === 'auto') {
    const head = await resolveCommit(repository, 'HEAD');
    if (head !== undefined && (await hasFolder(repository, head, repository.prefix))) {
      if (record) refuseRecord('the site is committed, and its commits are its history');
      return { kind: 'git', repository, ref: 'HEAD', folder: repository.prefix, mayBeMissing: false };
    }
  }
  const place = around === undefined ? basename(site) : around.prefix;
  const name = (history.kind === 'snapshots' ? history.name : undefined) ?? makeRefName(place);
  const ref = `refs/resync-static/${name}`;
  if (record) {
    const { requireOwnRef } = await import('./git/record.js');
    await requireOwnRef(repository, ref);
  }
  return { kind: 'git', repository, ref, folder: '', mayBeMissing: true };
}

/**
 * A site may lie outside the repository that keeps its history: then it is the one of the working directory, which may be
 * bare, or a bare one around the site.
 */
async function findNamed(site: string): Promise<Repository | undefined> {
  const { openBareRepository, openRepository } = await loadGit();
  const here = process.cwd();
  return (await openRepository(here)) ?? (await openBareRepository(here)) ?? (await openBareRepository(site));
}

function refuseRecord(reason: string): never {
  throw new ResyncError(
    'config-invalid',
    say`--record keeps a publication as a snapshot, but ${reason}.\nLeave it out, or use --history snapshots.`,
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
 * Reads what is known of the publications.
 *
 * @param former what was read before, with the same configuration; it holds as long as neither place nor tip has changed.
 *   What is live is not read again
 * @throws ResyncError `history-missing` when the ref should exist and does not, `git-failed`, `live-unreadable`,
 *   `live-foreign`
 */
export async function readHistory(
  source: HistorySource,
  config: Pick<Config, 'url' | 'sets' | 'dumps' | 'selection' | 'hash' | 'changes'>,
  former?: SourceHistory,
): Promise<SourceHistory> {
  if (source.kind === 'git') {
    return await readCommits(source, config, former?.kind === 'git' ? former : undefined);
  }
  if (former?.kind === 'live') return former;
  const { readLive } = await import('./live.js');
  return await readLive(config);
}

/** Reads the publications that git has, and digests meanwhile what the site is unlikely to hold any more. */
async function readCommits(
  source: GitSource,
  config: Pick<Config, 'selection' | 'hash' | 'changes'>,
  former: GitHistory | undefined,
): Promise<GitHistory> {
  const { repository, ref, folder, mayBeMissing } = source;
  const { readPublications, resolveCommit } = await loadGit();
  const { startBlobDigester } = await import('./git/blobs.js');
  const tip = await resolveCommit(repository, ref);
  if (former !== undefined && former.tip === tip && isSameSource(former.source, source)) return former;
  const { boundary } = repository;
  if (tip === undefined) {
    if (mayBeMissing) return { kind: 'git', source, tip, boundary, publications: [], digests: new Map() };
    throw new ResyncError(
      'history-missing',
      say`There is no ${ref} in ${repository.root}.\nFetch it (git fetch origin, with the full name of the branch), or use --history none for the first publication.`,
    );
  }
  const publications: Publication[] = [];
  const digester = await startBlobDigester(repository, config.hash, (blob) => locateBlob(publications, blob));
  const seen = new Set<string>();
  let horizon = Number.NEGATIVE_INFINITY;
  try {
    for await (const publication of readPublications(repository, tip, folder)) {
      // One behind: the oldest publication is the baseline, and its versions are not listed.
      const before = publications.at(-1);
      if (before === undefined) horizon = horizonOf(publication.seconds * 1000, config.changes) / 1000;
      else if (before.seconds > horizon) before.changes.forEach(digestSuperseded);
      publications.push(publication);
    }
  } finally {
    // Ends git in any case.
    digester.finish().catch(() => undefined);
  }
  const digests = await digester.finish();
  return { kind: 'git', source, tip, boundary, publications: publications.reverse(), digests };

  function digestSuperseded({ path, blob }: Publication['changes'][number]): void {
    if (blob !== undefined && seen.has(path) && config.selection(path) === undefined) digester.add(blob);
    seen.add(path);
  }
}

function isSameSource(a: GitSource, b: GitSource): boolean {
  // A clone that is no longer shallow has the same tip.
  const facts = ({ repository: { root, boundary }, ref, folder }: GitSource) =>
    JSON.stringify([root, ref, folder, ...boundary]);
  return facts(a) === facts(b);
}

/** A publication that brought a blob, and the path of it. */
export function locateBlob(publications: readonly Publication[], blob: string): FileInCommit | undefined {
  for (const { id, changes } of publications) {
    const change = changes.find((one) => one.blob === blob);
    if (change !== undefined) return { path: change.path, commit: id };
  }
  return undefined;
}

/** Records the site as it was scanned, if it differs from the newest snapshot. */
export async function recordState(
  history: GitHistory,
  site: string,
  { resources, blobs }: ScannedSite,
  at: Date,
  now: Date,
): Promise<'recorded' | 'nothing' | 'overtaken'> {
  const { repository, ref } = history.source;
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
  const { recordSnapshot } = await import('./git/record.js');
  const done = await recordSnapshot(repository, site, {
    ref,
    parent: history.tip,
    datetime,
    removed,
    written,
  });
  return done ? 'recorded' : 'overtaken';
}
