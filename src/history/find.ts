/** Finds the place where the history of a site is kept: a ref in git, or the live site. */

import { basename } from 'node:path';
import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import type { HistoryChoice } from '../config/options.js';
import { SNAPSHOT_REFS } from '../paths/ours.js';
import { requireOwnRef } from './git/record.js';
import { hasFolder, resolveCommit } from './git/refs.js';
import { openBareRepository, openRepository, type Repository } from './git/repository.js';
import type { GitPlace, HistoryPlace } from './history.js';

/** Finds the history; undefined if there is none. @throws ResyncError `history-missing`, `config-invalid`, `git-failed` */
export async function findHistory(
  { history, record }: { readonly history: HistoryChoice; readonly record: boolean },
  site: string,
): Promise<HistoryPlace | undefined> {
  if (history.kind === 'none') {
    if (record) refuseRecord('there is no history to keep it in');
    return undefined;
  }
  if (history.kind === 'published') {
    if (record) refuseRecord('the live site keeps the publications itself');
    return { kind: 'published' };
  }
  return findInGit(record, history, site);
}

export function repositoryOf(place: HistoryPlace | undefined): Repository | undefined {
  return place?.kind === 'git' ? place.repository : undefined;
}

export function blobNameOf(place: HistoryPlace | undefined): 'git-sha1' | 'git-sha256' | undefined {
  const repository = repositoryOf(place);
  return repository && (`git-${repository.objectFormat}` as const);
}

async function findInGit(
  record: boolean,
  history: HistoryChoice,
  site: string,
): Promise<GitPlace | undefined> {
  const around = await openRepository(site);
  const repository = around ?? (history.kind === 'auto' ? undefined : await findNamed(site));
  if (repository === undefined) {
    if (history.kind === 'auto' && !record) return undefined;
    const advice = record
      ? 'Snapshots are kept in git: install it, and run git init in the project. Without git, use --history published, which needs no record.'
      : 'Run git init, install git, or use --history none.';
    throw new ResyncError(
      'history-missing',
      say`There is no git repository around ${site} or the working directory, or no git.\n${advice}`,
    );
  }
  if (history.kind === 'ref') {
    if (record) refuseRecord(`${history.ref} is written by whoever deploys`);
    return { kind: 'git', repository, ref: history.ref, folder: history.folder, mayBeMissing: false };
  }
  if (history.kind === 'auto') {
    const head = repository.head ?? (await resolveCommit(repository, 'HEAD'));
    if (head !== undefined && (await hasFolder(repository, head, repository.prefix))) {
      if (record) refuseRecord('the site is committed, and its commits are its history');
      const { prefix: folder } = repository;
      return { kind: 'git', repository, ref: 'HEAD', commit: head, folder, mayBeMissing: false };
    }
  }
  const place = around === undefined ? basename(site) : around.prefix;
  const name = (history.kind === 'snapshots' ? history.name : undefined) ?? makeRefName(place);
  const ref = `${SNAPSHOT_REFS}${name}`;
  if (record) await requireOwnRef(repository, ref);
  return { kind: 'git', repository, ref, folder: '', mayBeMissing: true };
}

/** Finds a repository for a site that is in no work tree: that of the working directory, or a bare one around either. */
async function findNamed(site: string): Promise<Repository | undefined> {
  const here = process.cwd();
  return (await openRepository(here)) ?? (await openBareRepository(here)) ?? (await openBareRepository(site));
}

function refuseRecord(reason: string): never {
  throw new ResyncError(
    'config-invalid',
    say`Nothing can be recorded: a publication is recorded as a snapshot, but ${reason}.\nRecord nothing, or use --history snapshots.`,
  );
}

/** Makes a name for the snapshot ref of a site from its path; characters that git refuses are percent-encoded. */
export function makeRefName(path: string): string {
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
