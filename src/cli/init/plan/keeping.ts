/** Choice of the history: where earlier publications are kept. */

import { makeRefName } from '../../../history/find.js';
import type { Keeping, Project, SettledInit } from '../model.js';

export function chooseKeeping({ git, project: { host }, settings: { site, url } }: SettledInit): Keeping {
  // If the project itself is the site, its commits are the publications.
  if (git?.tracked === true || (git !== undefined && site === '.')) return { kind: 'commits' };
  const isHostBuilding = host === 'netlify' || host === 'cloudflare' || host === 'vercel';
  // Without https, the live site could be forged in transit.
  if (isHostBuilding && url.startsWith('https:')) return { kind: 'published' };
  if (git?.deployed !== undefined) return { kind: 'branch', ref: git.deployed };
  if (host === 'github-pages') return { kind: 'workflow' };
  return { kind: 'record', ref: git?.ref ?? makeSnapshotRef(site) };
}

/** Makes the ref for snapshots of a site. @param path of the site in the repository */
export function makeSnapshotRef(path: string): string {
  return `refs/resync-static/${makeRefName(path === '.' ? '' : path)}`;
}

/** Writes the options of a configuration for this history. */
export function writeKeeping(
  keeping: Keeping,
  { host, generator }: Pick<Project, 'host' | 'generator'>,
): Readonly<Record<string, string>> {
  if (keeping.kind === 'branch') return { history: keeping.ref ?? '' };
  if (keeping.kind === 'published') {
    const headers = host === 'netlify' || host === 'cloudflare' ? { headers: host } : {};
    return { ...headers, history: 'published' };
  }
  // Keeps snapshots as the history even if a folder written by hand is committed later.
  return keeping.kind === 'record' && generator === undefined ? { history: 'snapshots' } : {};
}

/** Quotes an argument for any shell: in double quotation marks, or in single ones if it has characters that they expand. */
export function quoteArgument(text: string): string {
  if (/^[\w@%+,./:=-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) && process.platform !== 'win32'
    ? `'${text.replaceAll("'", "'\\''")}'`
    : `"${text.replaceAll('"', '\\"')}"`;
}

/** Makes the command by which npm sets scripts of `package.json`. */
export const setScripts = (scripts: Readonly<Record<string, string>>): readonly string[] => [
  ...['npm', 'pkg', 'set'],
  ...Object.entries(scripts).map(([name, script]) => `scripts.${name}=${script}`),
];

/** Formats a command for a shell. */
export const formatCommand = (command: readonly string[]): string => command.map(quoteArgument).join(' ');
