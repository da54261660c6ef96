/** Chooses the history of a project: where earlier publications are kept. */

import { HEADERS_HOSTS } from '../../../config/options.js';
import { makeRefName } from '../../../history/find.js';
import { HOSTS } from '../hosts.js';
import type { Keeping, SettledInit } from '../model.js';

export function chooseKeeping({ git, settings: { site, url, host } }: SettledInit): Keeping {
  // If the project itself is the site, its commits are the publications.
  if (git?.tracked || (git !== undefined && site === '.' && !git.ignored.includes(site)))
    return { kind: 'commits' };
  // A live site without https could be forged in transit, and is no history.
  if (host !== undefined && HOSTS[host].domain !== undefined && url.startsWith('https:'))
    return { kind: 'published' };
  if (git?.deployed !== undefined) return { kind: 'branch', ref: git.deployed };
  if (host === 'github-pages') return { kind: 'workflow' };
  return { kind: 'record', ref: git?.ref ?? makeSnapshotRef(site) };
}

/** Makes the ref for snapshots of a site. @param path of the site in the repository */
export function makeSnapshotRef(path: string): string {
  return `refs/resync-static/${makeRefName(path === '.' ? '' : path)}`;
}

/** Returns the options that set a history in a configuration; none if its default is that history. */
export function writeKeeping(
  keeping: Keeping,
  { project: { generator }, settings: { host } }: SettledInit,
): Readonly<Record<string, string>> {
  if (keeping.kind === 'branch') return { history: keeping.ref ?? '' };
  if (keeping.kind === 'published') {
    const headers = HEADERS_HOSTS.find((one) => one === host);
    return { ...(headers && { headers }), history: 'published' };
  }
  // People may commit a site without a generator later. By default, these commits would become its history.
  return keeping.kind === 'record' && generator === undefined ? { history: 'snapshots' } : {};
}

/** Quotes an argument for a shell: in double quotation marks, or in single ones if a shell would expand characters in double ones. */
export function quoteArgument(text: string): string {
  if (/^[\w@%+,./:=-]+$/.test(text)) return text;
  return /["$`\\!]/.test(text) && process.platform !== 'win32'
    ? `'${text.replaceAll("'", "'\\''")}'`
    : `"${text.replaceAll('"', '\\"')}"`;
}

/** Formats a command for a shell. */
export const formatCommand = (command: readonly string[]): string => command.map(quoteArgument).join(' ');
