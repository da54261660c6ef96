/** Decides how the changes of a site will be known: who keeps what was published before. */

import { makeRefName } from '../../../history/snapshot-ref.js';
import type { Keeping, Project, SettledInit } from '../model.js';

export function chooseKeeping({ git, project: { host }, settings: { site, url } }: SettledInit): Keeping {
  // Whoever publishes the folder of the project commits it.
  if (git?.tracked === true || (git !== undefined && site === '.')) return { kind: 'commits' };
  const isHostBuilding = host === 'netlify' || host === 'cloudflare' || host === 'vercel';
  // What comes without https, anybody on the way can change.
  if (isHostBuilding && url.startsWith('https:')) return { kind: 'published' };
  if (git?.deployed !== undefined) return { kind: 'branch', ref: git.deployed };
  if (host === 'github-pages') return { kind: 'action' };
  return { kind: 'record', ref: git?.ref ?? makeSnapshotRef(site) };
}

/** The ref on which snapshots of a site are kept, whose path in the repository this is. */
export function makeSnapshotRef(path: string): string {
  return `refs/resync-static/${makeRefName(path === '.' ? '' : path)}`;
}

/** The options by which a configuration says so. */
export function writeKeeping(
  keeping: Keeping,
  { host, generator }: Pick<Project, 'host' | 'generator'>,
): Readonly<Record<string, string>> {
  if (keeping.kind === 'branch') return { history: keeping.ref ?? '' };
  if (keeping.kind === 'published') {
    const headers = host === 'netlify' || host === 'cloudflare' ? { headers: host } : {};
    return { ...headers, history: 'published' };
  }
  // Should a folder that is written by hand be committed one day, the snapshots stay its history.
  return keeping.kind === 'record' && generator === undefined ? { history: 'snapshots' } : {};
}

/** An argument as any shell reads it, in double quotation marks; in single ones where only those keep it as it is. */
export function quoteArgument(text: string): string {
  if (/^[\w@%+,./:=-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) && process.platform !== 'win32'
    ? `'${text.replaceAll("'", "'\\''")}'`
    : `"${text.replaceAll('"', '\\"')}"`;
}

/** The command by which npm sets scripts of `package.json`. */
export const setScripts = (scripts: Readonly<Record<string, string>>): readonly string[] => [
  ...['npm', 'pkg', 'set'],
  ...Object.entries(scripts).map(([name, script]) => `scripts.${name}=${script}`),
];

/** A command as a line to be pasted. */
export const formatCommand = (command: readonly string[]): string => command.map(quoteArgument).join(' ');
