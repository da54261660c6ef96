/** Finds the files of the site that are resources, and their URLs. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { ResyncError } from '../errors.js';
import type { NamedGlob, SkipReason } from '../notices.js';
import { HOST_RULES } from '../paths/host-rules.js';
import { isAmongVersions } from '../paths/ours.js';
import { namesPackages } from '../paths/selection.js';
import { makeUri, URL_LENGTH_LIMIT } from '../paths/urls.js';
import { say } from '../text/say.js';
import { refuseConflict, refuseEmpty, refuseLarge, refuseName } from './refusals.js';
import { listEntries, type SiteReader } from './walk.js';

export interface FoundFile {
  readonly uri: string;
  readonly path: string;
  /** The place among all files that were found, in no particular order. */
  readonly index: number;
}

/** Is told of each file. */
export interface WalkListener {
  readonly onFile: (path: string) => void;
  /** Of each that is no resource, why. */
  readonly onSkipped?: ((path: string, reason: SkipReason) => void) | undefined;
}

/** Finds the files that are resources, tells of each, and returns them in the order of their URIs. */
export async function walkSite(
  site: string,
  config: ScanConfig,
  list: SiteReader['readFolder'],
  { onFile, onSkipped }: WalkListener,
) {
  const { selection } = config;
  const globs = startWatching(config.globs);
  const skipped: Partial<Record<SkipReason, number>> = {};
  const hostFiles = new Set<string>();
  const files: FoundFile[] = [];
  let seen = 0;
  for (const { path, kind, nameless } of listEntries(site, list, closeFolders(config))) {
    // Others wait for their turn: git, whose output has to be taken, and the progress line.
    if (++seen % 256 === 0) await yieldToEventLoop();
    if (path === 'CNAME' || path === '.nojekyll' || (path === HOST_RULES && kind === undefined))
      hostFiles.add(path);
    const reason = selection(path) ?? kind;
    globs.see(path, reason === undefined);
    if (nameless && selection(path) === undefined) refuseName(path);
    if (reason === undefined) {
      if (config.dumps.resources) refuseLarge(site, path);
      files.push({ uri: uriOf(path, config), path, index: files.length });
      onFile(path);
    } else {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      onSkipped?.(path, reason);
    }
  }
  if (files.length === 0) refuseEmpty(site, skipped);
  files.sort((a, b) => (a.uri < b.uri ? -1 : 1));
  let before: FoundFile | undefined;
  for (const file of files) {
    if (before?.uri === file.uri) refuseConflict(file.uri, before.path, file.path, config.urls);
    before = file;
  }
  return { files, skipped, hostFiles, ...globs.listIdle() };
}

/** What packages hold is not even looked at, unless the user names them; nor are versions, which may be many. */
function closeFolders({ include }: ScanConfig): (path: string) => boolean {
  const isWanted = include.some(namesPackages);
  return (path) => (path === 'node_modules' && !isWanted) || isAmongVersions(path);
}

/** Finds out which globs match nothing. Each is asked only until it has matched. */
function startWatching(globs: ScanConfig['globs']) {
  const unmatched = new Set(globs);
  const idle = new Set(globs.filter(({ bringsBack }) => bringsBack !== undefined));
  return {
    see(path: string, isResource: boolean): void {
      for (const glob of unmatched) {
        if ((isResource || !glob.ofResources) && glob.matches(path)) unmatched.delete(glob);
      }
      for (const glob of idle) if (glob.bringsBack?.(path) === true) idle.delete(glob);
    },
    listIdle: (): { idleIncludes: readonly string[]; idleGlobs: readonly NamedGlob[] } => ({
      idleIncludes: [...idle].filter((glob) => !unmatched.has(glob)).map(({ glob }) => glob),
      idleGlobs: [...unmatched].map(({ option, glob }) => ({ option, glob })),
    }),
  };
}

function uriOf(path: string, { url, urls }: ScanConfig): string {
  const uri = makeUri(url, path, urls);
  if (uri.length < URL_LENGTH_LIMIT) return uri;
  throw new ResyncError(
    'url-too-long',
    say`The URL of ${path} has ${uri.length.toLocaleString('en-US')} characters; the Sitemap protocol allows ${(URL_LENGTH_LIMIT - 1).toLocaleString('en-US')}.\nShorten the name, or leave the file out with --exclude.`,
  );
}

export type ScanConfig = Pick<
  Config,
  | 'url'
  | 'urls'
  | 'include'
  | 'globs'
  | 'selection'
  | 'sets'
  | 'hash'
  | 'dumps'
  | 'extras'
  | 'withdrawn'
  | 'robots'
  | 'htmlLinks'
  | 'pageLinks'
  | 'notices'
>;
