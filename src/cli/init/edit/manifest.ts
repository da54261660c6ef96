/** Adds a script to `package.json`, and leaves every other byte of it as it is. */

import { applyInsertions, insertItem } from './insert.js';
import { childOf, nameOf, parseScript, propertyOf } from './tree.js';

/** What a `package.json` holds, as far as it is of interest. */
export interface NpmManifest {
  readonly type?: unknown;
  readonly homepage?: unknown;
  readonly workspaces?: unknown;
  readonly scripts?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, unknown>>;
  readonly devDependencies?: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @returns undefined where the text is no object in JSON, or its lists of scripts and packages are none */
export function parseManifest(text: string): NpmManifest | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const manifest = value as NpmManifest;
  const { scripts = {}, dependencies = {}, devDependencies = {} } = manifest;
  return [scripts, dependencies, devDependencies].every(isObject) ? manifest : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    // Whoever asks says what to do about a file that is no JSON.
    return undefined;
  }
}

/** Which script to write, and after which one. */
interface ScriptEdit {
  readonly name: string;
  readonly command: string;
  /** The script that it follows in the file; the command is added to this one where the names are the same. */
  readonly after: string;
}

/** Returns the text with the script in it; undefined where there is no sure place for it. */
export function addScript(text: string, { name, command, after }: ScriptEdit): string | undefined {
  // JSON is an expression of JavaScript, between parentheses.
  const script = parseScript(`(${text.replace(/^\ufeff/, ' ')})`, false);
  const before = parseManifest(text);
  const [statement] = script?.statements ?? [];
  const root = statement && childOf(statement, 'expression');
  const scripts = root && propertyOf(root, 'scripts');
  const list = scripts && childOf(scripts, 'value');
  const former = list && propertyOf(list, after);
  const value = former && childOf(former, 'value');
  if (script === undefined || before === undefined || list === undefined || value === undefined)
    return undefined;
  const added = `${JSON.stringify(name)}: ${JSON.stringify(command)}`;
  const insertions =
    name === after
      ? [{ at: value.end - 1, text: JSON.stringify(` && ${command}`).slice(1, -1) }]
      : insertItem(script, list, added, { after: former, hasTrailing: false });
  const result = applyInsertions(script.text, insertions).slice(1, -1);
  const marked = text.startsWith('\ufeff') ? `\ufeff${result.slice(1)}` : result;
  const expected = name === after ? `${nameOf(value)} && ${command}` : command;
  return isSameBut(before, parseManifest(marked), name, expected) ? marked : undefined;
}

/** Whether one script is what it should be, and all else as it was. */
function isSameBut(
  before: NpmManifest,
  result: NpmManifest | undefined,
  name: string,
  command: string,
): boolean {
  if (result?.scripts?.[name] !== command) return false;
  const without = Object.entries(result.scripts).filter(([key]) => key !== name);
  const former = Object.entries(before.scripts ?? {}).filter(([key]) => key !== name);
  const plain = (manifest: NpmManifest, scripts: readonly unknown[]) =>
    JSON.stringify({ ...manifest, scripts: [...scripts] });
  return plain(result, without) === plain(before, former);
}
