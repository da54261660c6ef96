/** Finds the repository that keeps the history of a site, and the ref in it. */

import { basename } from 'node:path';
import { ResyncError } from '../base/errors.js';
import { say } from '../base/text/say.js';
import type { Config } from '../config/config.js';
import type { HistoryChoice } from '../config/options.js';
import { SNAPSHOT_REFS } from '../paths/ours.js';
import { requireOwnRef } from './git/record.js';
import { hasFolder, resolveCommit } from './git/refs.js';
import { openBareRepository, openRepository, type Repository } from './git/repository.js';
import type { GitPlace } from './history.js';
import { makeRefName, refuseRecord } from './snapshot-ref.js';

/**
 * @returns undefined if git keeps no history of the site, and need not
 * @throws ResyncError `history-missing`, `config-invalid`, `git-failed`
 */
export async function findInGit(
  { record }: Pick<Config, 'record'>,
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

/**
 * A site may lie outside the repository that keeps its history: then it is the one of the working directory, which may be
 * bare, or a bare one around the site.
 */
async function findNamed(site: string): Promise<Repository | undefined> {
  const here = process.cwd();
  return (await openRepository(here)) ?? (await openBareRepository(here)) ?? (await openBareRepository(site));
}
