/** Walks a site: finds the files that are resources, and their URLs. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { makeRows, type Rows } from '../../base/columns/rows.js';
import { ResyncError } from '../../base/errors.js';
import type { SkipReason } from '../../base/reasons.js';
import { say } from '../../base/text/say.js';
import type { ConfiguredGlob } from '../../config/config.js';
import type { WantedFacts } from '../../files/page/facts/seen.js';
import { type FolderEntry, listEntries } from '../../files/walk.js';
import { HOST_RULES } from '../../paths/host-rules.js';
import { isAmongVersions } from '../../paths/ours.js';
import { namesPackages, type Selection } from '../../paths/selection.js';
import { makeUri, URL_LENGTH_LIMIT, type UrlStyle } from '../../paths/urls.js';
import type { FoundFile, ScannedSite } from '../scanned.js';
import { refuseConflict, refuseEmpty, refuseLarge, refuseName } from './refusals.js';

export interface WalkListener {
  readonly onFile: (path: string) => void;
  readonly onSkipped?: ((path: string, reason: SkipReason) => void) | undefined;
}

export type WalkedSite = Pick<ScannedSite, 'files' | 'skipped' | 'hostFiles' | 'idleIncludes' | 'idleGlobs'>;

/** Options that decide which files are resources, and at which URLs. */
export interface WalkRules {
  readonly url: string;
  readonly urls: UrlStyle;
  readonly include: readonly string[];
  readonly globs: readonly ConfiguredGlob[];
  readonly selection: Selection;
  /** If `resources` is true, files are packed, and must not be too large for a ZIP package. */
  readonly dumps: { readonly resources: boolean };
}

export async function walkSite(
  site: string,
  rules: WalkRules,
  list: (site: string, folder: string) => readonly FolderEntry[],
  { onFile, onSkipped }: WalkListener,
): Promise<WalkedSite> {
  const { selection } = rules;
  const globs = new UnusedGlobs(rules.globs);
  const skipped: Partial<Record<SkipReason, number>> = {};
  const hostFiles = new Set<string>();
  const paths: string[] = [];
  let seen = 0;
  for (const { path, kind, nameless } of listEntries(site, list, makeSkipTest(rules))) {
    // Pauses, so that the output of git is read, and the progress line is updated.
    if (++seen % 256 === 0) await yieldToEventLoop();
    if (path === 'CNAME' || path === '.nojekyll' || (path === HOST_RULES && kind === undefined))
      hostFiles.add(path);
    const reason = selection(path) ?? kind;
    globs.testPath(path, reason === undefined);
    if (nameless && selection(path) === undefined) refuseName(path);
    if (reason === undefined) {
      if (rules.dumps.resources) refuseLarge(site, path);
      paths.push(path);
      onFile(path);
    } else {
      skipped[reason] = (skipped[reason] ?? 0) + 1;
      onSkipped?.(path, reason);
    }
  }
  if (paths.length === 0) refuseEmpty(site, skipped);
  const files = sortFiles(paths, rules);
  return { files, skipped, hostFiles, ...globs.list() };
}

/** Sorts files by their URIs. To save memory, keeps only the part of a URI after that of the site, mostly the path. */
function sortFiles(paths: readonly string[], { url, urls }: WalkRules): Rows<FoundFile> {
  const references = paths.map((path) => makeReference(path, url, urls));
  const referenceOf = (index: number) => references[index] ?? '';
  const makeFile = (index: number): FoundFile => ({
    uri: url + referenceOf(index),
    path: paths[index] ?? '',
    index,
  });
  const order = new Uint32Array(paths.length).map((_, index) => index);
  order.sort((a, b) => (referenceOf(a) < referenceOf(b) ? -1 : 1));
  for (const [place, index] of order.entries()) {
    const before = order[place - 1];
    if (before === undefined || referenceOf(before) !== referenceOf(index)) continue;
    refuseConflict(makeFile(index).uri, makeFile(before).path, makeFile(index).path, urls);
  }
  return makeRows(order.length, (place) => makeFile(order[place] ?? 0));
}

/** Makes a test for folders that are not walked: versions, and `node_modules` unless an `include` names packages in it. */
function makeSkipTest({ include }: WalkRules): (path: string) => boolean {
  const isWanted = include.some(namesPackages);
  return (path) => (path === 'node_modules' && !isWanted) || isAmongVersions(path);
}

/** Finds globs of the configuration that match no file. Each glob is tested only until its first match. */
class UnusedGlobs {
  readonly #unmatched: Set<ConfiguredGlob>;
  /** `include` globs that have added no file yet. */
  readonly #idle: Set<ConfiguredGlob>;

  constructor(globs: readonly ConfiguredGlob[]) {
    this.#unmatched = new Set(globs);
    this.#idle = new Set(globs.filter(({ bringsBack }) => bringsBack !== undefined));
  }

  testPath(path: string, isResource: boolean): void {
    for (const glob of this.#unmatched) {
      if ((isResource || !glob.ofResources) && glob.matches(path)) this.#unmatched.delete(glob);
    }
    for (const glob of this.#idle) if (glob.bringsBack?.(path) === true) this.#idle.delete(glob);
  }

  list(): Pick<ScannedSite, 'idleIncludes' | 'idleGlobs'> {
    const idle = [...this.#idle].filter((glob) => !this.#unmatched.has(glob));
    return {
      idleIncludes: idle.map(({ glob }) => glob),
      idleGlobs: [...this.#unmatched].map(({ option, glob }) => ({ option, glob })),
    };
  }
}

function makeReference(path: string, url: string, urls: UrlStyle): string {
  const reference = makeUri('', path, urls);
  const length = url.length + reference.length;
  if (length < URL_LENGTH_LIMIT) return reference;
  throw new ResyncError(
    'url-too-long',
    say`The URL of ${path} has ${length.toLocaleString('en-US')} characters; the Sitemap protocol allows ${(URL_LENGTH_LIMIT - 1).toLocaleString('en-US')}.\nShorten the name, or leave the file out with --exclude.`,
  );
}

/** Returns which metadata of pages to read; undefined if none. */
export function planPageFacts({ wishes, url, urls }: WantedFacts): WantedFacts | undefined {
  return Object.values(wishes).includes(true) ? { wishes, url, urls } : undefined;
}
