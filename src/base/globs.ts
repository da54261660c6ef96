/** Matches paths with globs, and ends a match that would take for ever. */

import picomatch from 'picomatch';
import { ResyncError } from './errors.js';
import { matchAll } from './text/match.js';
import { say } from './text/say.js';
import { limitTime } from './timed.js';

/** Limit of steps of a harmless match, which ends within milliseconds and need not be stopped. */
const HARMLESS_STEPS = 2e6;

/** Matches globs with alternatives in a repetition, or many in a row: steps of a match double with every character or part. */
const EXPONENTIAL = /[+*]\([^)]*[*+?|]|[+*?@!]\(.*[+*?@!]\(.*[*+?]|\)[+*{]|(?:[{?].*){12}/;

/**
 * Compiles a glob into a test for paths. A glob that names a folder matches all that is in it.
 * Some globs become regular expressions that try ever more ways with every character of a path. Only matches that may take
 * long are timed, since timing costs more than most matches.
 * @param dot whether wildcards match names with a leading dot
 * @throws ResyncError from the test, `config-invalid`, when the glob takes too long
 */
export function compileGlob(glob: string, { dot }: { dot: boolean }): (path: string) => boolean {
  const matches: (path: string) => boolean = picomatch([glob, `${glob}/**`], {
    nonegate: true,
    windows: false,
    dot,
  });
  const harmless = EXPONENTIAL.test(glob) ? 0 : findHarmlessLength(glob);
  let timed: typeof matches | undefined;
  const refuse = (path: string) =>
    new ResyncError(
      'config-invalid',
      say`The glob ${glob} takes too long to match; it was stopped at ${path}.\nWrite it with fewer wildcards, and with no repetition inside of a repetition; several simple globs do the same.`,
    );
  return (path) => {
    if (path.length <= harmless) return matches(path);
    timed ??= limitTime(matches, refuse);
    return timed(path);
  };
}

/** Matches segments of a glob with one `*`: it cannot cross a `/`, so there is one way to match such a segment. */
const LONE = /(?<=^|\/)[^/*]*\*[^/*]*(?=\/|$)/g;

/** Returns the greatest length of paths that match in harmless time: `k` wildcards have about `length ** k / k!` ways. */
function findHarmlessLength(glob: string): number {
  const parts = 1 + matchAll(/\*+/g, glob.replace(LONE, '')).length;
  let product = HARMLESS_STEPS;
  for (let part = 2; part <= parts; part++) product *= part;
  return product ** (1 / parts);
}
