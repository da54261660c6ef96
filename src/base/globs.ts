/** Matches paths with globs, and ends a match that would take for ever. */

import { type Context, createContext, Script } from 'node:vm';
import picomatch from 'picomatch';
import { ResyncError } from './errors.js';
import { say } from './text/say.js';

/** Milliseconds for one match, and for all matches of one glob together. */
const MATCH_TIME = 2_000;
const GLOB_TIME = 10_000;

/**
 * What may make a regular expression try ever more ways: a group that is repeated or in a group of a glob, many braces or
 * optional parts, many wildcards in one segment.
 */
const RISKY = /[+*]\([^)]*[*+?|]|[+*?@!]\(.*[+*?@!]\(.*[*+?]|\)[+*{]|(?:[{?].*){12}|(?:\*[^/*]*){5}/;

/**
 * Compiles a glob into a test for paths. A glob that names a folder matches all that is in it.
 *
 * Globs become regular expressions, and some of these try ever more ways with every character of a path. Matches of globs
 * that may be such are timed; timing costs more than most matches, so others are not.
 *
 * @param dot whether wildcards match names with a leading dot
 * @throws ResyncError from the test, `config-invalid`, when the glob takes too long
 */
export function compileGlob(glob: string, { dot }: { dot: boolean }): (path: string) => boolean {
  const matches = picomatch([glob, `${glob}/**`], { nonegate: true, windows: false, dot });
  if (!RISKY.test(glob)) return (path) => matches(path);
  const timed = makeTimed(matches);
  let spent = 0;
  return (path) => {
    const begin = performance.now();
    const result = timed(path);
    const took = performance.now() - begin;
    // To time a match takes less than that by itself.
    if (took > 1) spent += took;
    if (result !== undefined && spent <= GLOB_TIME) return result;
    throw new ResyncError(
      'config-invalid',
      say`The glob ${glob} takes too long to match; it was stopped at ${path}.\nWrite it with fewer wildcards, and with no repetition inside of a repetition; several simple globs do the same.`,
    );
  };
}

/** Says undefined when it takes too long. Only code that runs in a context of its own can be stopped. */
function makeTimed(matches: (path: string) => boolean): (path: string) => boolean | undefined {
  const script = new Script('matches(path)');
  let context: Context | undefined;
  return (path) => {
    context ??= createContext({ matches, path });
    context['path'] = path;
    try {
      return script.runInContext(context, { timeout: MATCH_TIME }) === true;
    } catch (error) {
      // An error of the other context is no `Error` of this one.
      if (isObject(error) && error['code'] === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    }
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
