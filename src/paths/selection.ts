/** Decides which paths of a site are resources. Pure, so that the same rules hold for the past as for the present. */

import { compileGlob } from '../base/globs.js';
import type { SkipReason } from '../base/reasons.js';
import { isOwnDocument } from './ours.js';

/** A test of a path, which is relative to the site, with `/` between segments. */
export type PathTest = (path: string) => boolean;

/** A function that returns why a path is no resource; undefined if it is one. */
export type Selection = (path: string) => SkipReason | undefined;

const HOST_CONTROL = /^(?:_headers|_redirects|_routes\.json|CNAME|_worker\.js(?:\/.*)?)$/s;
const ERROR_PAGE = /^(?:404\.html|404\/index\.html|500\.html)$/;
const NODE_MODULES = /^node_modules(?:\/|$)/;
const DOT_SEGMENT = /(?:^|\/)\.(?!well-known\/)/;

/**
 * Compiles globs into a test whether any matches. A folder's glob matches all in it; `!` negates.
 * @param globs relative to the site, with the brackets, braces and extglobs of picomatch @param dot whether wildcards match dot-files
 * @throws ResyncError from the test, `config-invalid`, when a glob takes too long
 */
export function compileGlobs(globs: readonly string[], { dot }: { dot: boolean }): PathTest {
  const tests = globs.map((glob) => {
    const negated = glob.startsWith('!') && !glob.startsWith('!(');
    const pattern = (negated ? glob.slice(1) : glob).replace(/^\.\/|\/+$/g, '');
    const matches = compileGlob(pattern, { dot });
    return negated ? (path: string) => !matches(path) : matches;
  });
  return (path) => tests.some((test) => test(path));
}

/**
 * Makes the selection of resources.
 * @param include globs of files that are left out by default; they must spell out a leading dot, and `node_modules`
 * @param exclude further globs to leave out; they win
 */
export function makeSelection(include: readonly string[], exclude: readonly string[]): Selection {
  const includes = include.map(compileInclude);
  const excluded = compileGlobs(exclude, { dot: true });
  return (path) => {
    const reason = skippedByDefault(path);
    if (reason !== undefined && !includes.some((bringsBack) => bringsBack(path))) return reason;
    return excluded(path) ? 'excluded' : undefined;
  };
}

export function compileInclude(glob: string): PathTest {
  const matches = compileGlobs([glob], { dot: false });
  const enters = namesPackages(glob);
  return (path) => {
    const reason = skippedByDefault(path);
    if (reason === undefined || reason === 'own-document') return false;
    return (enters || reason !== 'node-modules') && matches(path);
  };
}

/** Returns whether a glob of `include` names installed packages: wildcards alone never do. */
export function namesPackages(glob: string): boolean {
  return glob.includes('node_modules');
}

export function skippedByDefault(path: string): SkipReason | undefined {
  if (isOwnDocument(path)) return 'own-document';
  if (NODE_MODULES.test(path)) return 'node-modules';
  // `.vite/` and `.htaccess` control hosts, too, but are skipped as dot-files anyway.
  if (DOT_SEGMENT.test(path)) return 'dot-file';
  if (HOST_CONTROL.test(path)) return 'host-control';
  if (ERROR_PAGE.test(path)) return 'error-page';
  return undefined;
}
