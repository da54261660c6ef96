/** Decides how the changes of a site will be known: who keeps what was published before. */

import type { HostId, Keeping, Settings, SettledInit } from '../model.js';

export function chooseKeeping({ git, project, settings }: SettledInit): Keeping {
  const { program, other, repository } = git;
  const { site, url, ref } = settings;
  const { host } = project;
  const isGenerated = project.generator !== undefined;
  // Whoever publishes the folder of the project commits it.
  if (repository?.tracked === true || (repository !== undefined && site === '.')) return { kind: 'commits' };
  const isHostBuilding = host === 'netlify' || host === 'cloudflare' || host === 'vercel';
  // What comes without https, anybody on the way can change.
  if (isHostBuilding && url.startsWith('https:')) return { kind: 'published' };
  if (repository?.deployed !== undefined) return { kind: 'branch', ref: repository.deployed };
  if (host === 'github-pages') return { kind: 'action' };
  const isNewRepository = repository === undefined;
  if (isNewRepository && !program) return { kind: 'none', reason: 'no-git' };
  if (isNewRepository && other !== undefined) return { kind: 'none', reason: 'other-system', system: other };
  const hasOrigin = repository?.remote !== undefined;
  return { kind: 'record', ref: repository?.ref ?? ref, hasOrigin, isNewRepository, isGenerated };
}

/** The options by which a configuration says so. */
export function writeKeeping(keeping: Keeping, host: HostId | undefined): Readonly<Record<string, string>> {
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
      return keeping.isGenerated ? {} : { history: 'snapshots' };
  }
}

/** The options that a configuration lacks: one that says where its history is has made its choice. */
export function findMissing(text: string, keeping: Keeping): Readonly<Record<string, string>> {
  return /\bhistory\b/.test(text) ? {} : writeKeeping(keeping, undefined);
}

/** The arguments that record what is online. */
export const writeRecord = ({ site }: Pick<Settings, 'site'>) => `record ${quoteFolder(site)} --live`;

/** A name as a shell reads it; the shells of npm, on any system, know these quotation marks. */
export const quoteFolder = (name: string) => (/^[\w@%+,./-]+$/.test(name) ? name : `"${name}"`);
