/** Which paths of a site are resources. Pure, so that the same rules hold for the past as for the present. */

import { compileGlob } from '../base/globs.js';
import type { SkipReason } from '../base/reasons.js';
import { isOwnDocument } from './ours.js';

/** Decides about one path, relative to the site, `/` between segments. */
export type PathTest = (path: string) => boolean;

/** Says why a path is no resource; `undefined` when it is one. */
export type Selection = (path: string) => SkipReason | undefined;

const HOST_CONTROL = /^(?:_headers|_redirects|_routes\.json|CNAME|_worker\.js(?:\/.*)?)$/s;
const ERROR_PAGE = /^(?:404\.html|404\/index\.html|500\.html)$/;
/** Packages that a project has installed, which nobody means to publish. */
const NODE_MODULES = /^node_modules(?:\/|$)/;
const DOT_SEGMENT = /(?:^|\/)\.(?!well-known\/)/;

/**
 * Compiles globs into one test: whether any of them matches. A glob that names a folder matches all that is in it;
 * `!` before a glob turns it round.
 *
 * @param globs relative to the site; brackets, braces and extglobs as in picomatch
 * @param dot whether wildcards match names with a leading dot
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
 * Makes the rule that says which paths are resources.
 *
 * @param include globs that bring back what is left out by default; a leading dot has to be spelled out, and so has
 *   `node_modules`
 * @param exclude globs that leave out more; they win
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

/** Makes the test whether a glob of `include` brings back a path that is left out by default. */
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

/** Why a path is left out when nothing is configured. */
export function skippedByDefault(path: string): SkipReason | undefined {
  if (isOwnDocument(path)) return 'own-document';
  if (NODE_MODULES.test(path)) return 'node-modules';
  // `.vite/` and `.htaccess` are host control files too, and dot-files anyway.
  if (DOT_SEGMENT.test(path)) return 'dot-file';
  if (HOST_CONTROL.test(path)) return 'host-control';
  if (ERROR_PAGE.test(path)) return 'error-page';
  return undefined;
}
