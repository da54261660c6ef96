/** Matches paths with globs, and ends a match that would take for ever. */

import { type Context, createContext, Script } from 'node:vm';
import picomatch from 'picomatch';
import { ResyncError } from './errors.js';
import { say } from './text/say.js';

/** Milliseconds for one match, and for all matches of one glob together. */
const MATCH_TIME = 2_000;
const GLOB_TIME = 10_000;
/** What takes so many steps at worst ends within a second or two, and need not be stopped. */
const HARMLESS_STEPS = 2e6;
/** Characters; hardly a path is longer. */
const LONG_PATH = 2_000;

const OPTIONS = { nonegate: true, windows: false };

/**
 * Compiles a glob into a test for paths. A glob that names a folder matches all that is in it.
 *
 * Globs become regular expressions, and some of these try ever more ways with every character of a path. A match that
 * may take long is timed; timing costs more than most matches, so others are not.
 *
 * @param dot whether wildcards match names with a leading dot
 * @throws ResyncError from the test, `config-invalid`, when the glob takes too long
 */
export function compileGlob(glob: string, { dot }: { dot: boolean }): (path: string) => boolean {
  const globs = [glob, `${glob}/**`];
  const matches = picomatch(globs, { ...OPTIONS, dot });
  const choices = globs.map((one) => countChoices(picomatch.makeRe(one, { ...OPTIONS, dot }).source));
  if (choices.every((one) => countSteps(one, LONG_PATH) <= HARMLESS_STEPS)) return (path) => matches(path);
  const timed = makeTimed(matches);
  let spent = 0;
  return (path) => {
    const begin = performance.now();
    const mayTakeLong = choices.some((one) => countSteps(one, path.length) > HARMLESS_STEPS);
    const result = mayTakeLong ? timed(path) : matches(path);
    spent += performance.now() - begin;
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

/** What makes a regular expression try more than one way. */
interface Choices {
  /** Parts that may be of any length. */
  readonly repeats: number;
  /** Parts of which there are two or more, or that may be missing. */
  readonly alternatives: number;
  /** Whether there are such parts inside of one that is repeated. */
  readonly nested: boolean;
}

/** Ways to match `length` characters, at most, as far as it matters. */
function countSteps({ repeats, alternatives, nested }: Choices, length: number): number {
  if (nested) return 2 ** length;
  let steps = 2 ** alternatives;
  for (let repeat = 1; repeat <= repeats; repeat++) steps *= length / repeat;
  return steps;
}

/** How picomatch writes `**`: one part of any length, although it looks like a repetition of more. */
const GLOBSTAR = /\(\?:\(\?!\(\?:(?:\^\|\\\/|\\\/\|\^)\)\\\.(?:\{1,2\}\(\?:\\\/\|\$\))?\)\.\)\*\?/g;
/** Alternatives of picomatch's own, of which only one can match. */
const BORDER = /\^\|\\\/\|?|\\\/\|\^|\|\$/g;
/** An escaped character, a class, the beginning or the end of a group, an alternative, or a quantifier. */
const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]))?|\)|\||[*+?]\??|\{\d+(?:,\d*)?\}\??/g;

function countChoices(source: string): Choices {
  let [repeats, alternatives, nested] = [0, 0, false];
  /** Of each group that is open, whether there is a choice in it. */
  const open: boolean[] = [];
  let closed = false;
  for (const [token] of source.replace(GLOBSTAR, '.*?').replace(BORDER, '').matchAll(TOKEN)) {
    const isRepeat = /^(?:[*+]|\{\d+,\})/.test(token);
    const isOption = /^(?:\?|\{\d+,\d+\})/.test(token);
    if (isRepeat) {
      repeats++;
      nested ||= closed;
    }
    if (isOption || token === '|') alternatives++;
    if (isRepeat || isOption || token === '|') open.fill(true);
    if (token.startsWith('(')) open.push(false);
    closed = token === ')' && open.pop() === true;
  }
  return { repeats, alternatives, nested };
}
