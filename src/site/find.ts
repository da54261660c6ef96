/** Finds the files of the site that are resources, and their URLs. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Config } from '../config/config.js';
import { ResyncError } from '../errors.js';
import type { SkipReason } from '../notices.js';
import { compileGlobs, skippedByDefault } from '../paths/selection.js';
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
  const idleIncludes = new Map(config.include.map((glob) => [glob, compileGlobs([glob], { dot: false })]));
  const skipped: Partial<Record<SkipReason, number>> = {};
  const hostFiles = new Set<string>();
  const files: FoundFile[] = [];
  let seen = 0;
  for (const { path, kind, nameless } of listEntries(site, list)) {
    // Others wait for their turn: git, whose output has to be taken, and the progress line.
    if (++seen % 256 === 0) await yieldToEventLoop();
    if (path === 'CNAME' || path === '.nojekyll') hostFiles.add(path);
    for (const [glob, test] of idleIncludes) {
      if (skippedByDefault(path) !== undefined && test(path)) idleIncludes.delete(glob);
    }
    const reason = selection(path) ?? kind;
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
  return { files, skipped, hostFiles, idleIncludes: [...idleIncludes.keys()] };
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
  'url' | 'urls' | 'include' | 'selection' | 'sets' | 'hash' | 'dumps' | 'extras'
>;
