/** Decides how the changes of a site will be known: who keeps what was published before. */

import type { GitFacts, HostId } from '../facts.js';

export type Keeping =
  /** The output is committed; its commits are the history. */
  | { readonly kind: 'commits' }
  /** A branch holds what was deployed. */
  | { readonly kind: 'branch'; readonly ref: string }
  /** The live site tells it: its host builds, and cannot push. */
  | { readonly kind: 'published' }
  /** The GitHub Action keeps snapshots, and pushes them. */
  | { readonly kind: 'action' }
  /** Each build here is kept as a snapshot in git. */
  | {
      readonly kind: 'record';
      readonly ref: string;
      readonly isNewRepository: boolean;
      /** Whether git is to ignore the site; a folder that no generator writes may be written by hand. */
      readonly isGenerated: boolean;
    }
  | { readonly kind: 'none'; readonly reason: 'no-git' | 'other-system'; readonly system?: string };

/** What the choice depends on, besides the repository. */
interface Place {
  readonly site: string;
  readonly url: string;
  /** The ref of snapshots, where there is no repository yet. */
  readonly ref: string;
  readonly isGenerated: boolean;
}

export function chooseKeeping(
  host: HostId | undefined,
  { site, url, ref, isGenerated }: Place,
  { program, other, repository }: GitFacts,
): Keeping {
  // Whoever publishes the folder of the project commits it.
  if (repository?.tracked === true || (repository !== undefined && site === '.')) return { kind: 'commits' };
  const isHostBuilding = host === 'netlify' || host === 'cloudflare' || host === 'vercel';
  // What comes without https, anybody on the way can change.
  if (isHostBuilding && url.startsWith('https:')) return { kind: 'published' };
  if (repository?.deployed !== undefined) return { kind: 'branch', ref: repository.deployed };
  if (host === 'github-pages') return { kind: 'action' };
  if (repository !== undefined)
    return { kind: 'record', ref: repository.ref, isNewRepository: false, isGenerated };
  if (!program) return { kind: 'none', reason: 'no-git' };
  if (other !== undefined) return { kind: 'none', reason: 'other-system', system: other };
  return { kind: 'record', ref, isNewRepository: true, isGenerated };
}

/** The options by which a configuration says so. */
export function writeKeeping(
  keeping: Keeping,
  host: HostId | undefined,
): Readonly<Record<string, string | boolean>> {
  switch (keeping.kind) {
    case 'commits':
    case 'action':
    case 'none':
      return {};
    case 'branch':
      return { history: keeping.ref };
    case 'published':
      return {
        ...((host === 'netlify' || host === 'cloudflare') && { headers: host }),
        history: 'published',
      };
    case 'record':
      // Should the site be committed one day, the snapshots stay its history.
      return keeping.isGenerated ? { record: true } : { history: 'snapshots', record: true };
  }
}

/** The options that a configuration lacks: one that says where its history is has made its choice. */
export function findMissing(text: string, keeping: Keeping): Readonly<Record<string, string | boolean>> {
  return /\b(?:record|history)\b/.test(text) ? {} : writeKeeping(keeping, undefined);
}
