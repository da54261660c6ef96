/** Finds out where the history of a site is kept. */

import { basename } from 'node:path';
import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import type { Config } from '../config/config.js';
import { SNAPSHOT_REFS } from '../paths/ours.js';
import { listWorkTrees } from './around.js';
import type { Repository } from './git/repository.js';
import type { HistoryPlace } from './known.js';

/** Starting other programs takes time to load, which a site without a history is spared. */
const loadGit = async () => ({
  ...(await import('./git/repository.js')),
  ...(await import('./git/refs.js')),
});

/**
 * Finds out where the site's history is.
 *
 * @returns undefined where there is none
 * @throws ResyncError `history-missing`, `config-invalid`, `git-failed`
 */
export async function findHistory(config: Config, site: string): Promise<HistoryPlace | undefined> {
  const { history, record } = config;
  if (history.kind === 'none') {
    if (record) refuseRecord('there is no history to keep it in');
    return undefined;
  }
  if (history.kind === 'published') {
    if (record) refuseRecord('the live site keeps the publications itself');
    return { kind: 'published' };
  }
  if (history.kind === 'auto' && !record && listWorkTrees(site).length === 0) return undefined;
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
    say`Nothing can be recorded: a publication is recorded as a snapshot, but ${reason}.\nRecord nothing, or use --history snapshots.`,
  );
}

/** Writes a path as a ref name: what git does not allow is percent-encoded. */
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

/** The repository that keeps a history; undefined where git does not. */
export function repositoryOf(place: HistoryPlace | undefined): Repository | undefined {
  return place?.kind === 'git' ? place.repository : undefined;
}

/** The kind of ids by which the repository knows bytes; undefined where there is none. */
export function blobNameOf(place: HistoryPlace | undefined) {
  const repository = repositoryOf(place);
  return repository && (`git-${repository.objectFormat}` as const);
}
