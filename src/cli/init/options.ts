/** Reads the options of a configuration where they belong: by their whole path, and with a word on what is not certain. */

import {
  childOf,
  childrenOf,
  findExport,
  findObject,
  isFunction,
  isNamed,
  isStraight,
  type Node,
  nameOf,
  parseScript,
  resolve,
  type Script,
  unwrap,
} from './edit/tree.js';

/** What is said of one option. */
export interface Said {
  /** Undefined where nothing is said, or it is worked out; with `isSure` false, at most a proposal. */
  readonly value: string | boolean | undefined;
  readonly isSure: boolean;
}

/**
 * Gives an option by its path: `build.outDir`; `plugins.sitemap().hostname` for an argument of a call in a list,
 * `kit.adapter().pages` for one of a call that is a value.
 */
export type Options = (path: string) => Said;

const ABSENT: Said = { value: undefined, isSure: true };
const UNSURE: Said = { value: undefined, isSure: false };

/** @param isCaseless whether names are the same in capitals, as Hugo has it */
export function readOptions(file: string, text: string, isCaseless = false): Options {
  const plain = text.replace(/^\ufeff/, '');
  const [, extension = ''] = /\.(\w+)$/.exec(file) ?? [];
  if (/^(?:ya?ml|toml|py)$/.test(extension)) return readLines(plain, extension, isCaseless);
  return /^jsonc?$/.test(extension) ? readJson(plain) : readScript(plain);
}

/** The first configuration that says something of an option counts. */
export function joinOptions(all: readonly Options[]): Options {
  return (path) => firstSaid(all.map((options) => options(path)));
}

export function firstSaid(all: readonly Said[]): Said {
  return all.find(({ value, isSure }) => value !== undefined || !isSure) ?? ABSENT;
}

function readJson(text: string): Options {
  // JSON, also with comments, is an expression of JavaScript, between parentheses.
  const script = parseScript(`(${text}\n)`);
  const value = script && childOf(script.statements[0] ?? {}, 'expression');
  return script === undefined ? () => UNSURE : (path) => readPath(script, value, path.split('.'));
}

function readScript(text: string): Options {
  const script = parseScript(text);
  if (script === undefined) return () => UNSURE;
  const constants = script.statements
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((statement) => childrenOf(childOf(statement, 'declaration') ?? {}, 'declarations'));
  const exported = findExport(script)?.value;
  const body = exported && isFunction(exported) ? childOf(exported, 'body') : undefined;
  const statements = childrenOf(body ?? {}, 'body');
  const object = exported && findObject(script, exported);
  // A condition or a loop may say anything, and so may what is returned otherwise.
  const isKnown =
    object !== undefined ||
    (exported === undefined
      ? constants.length > 0
      : body?.type === 'BlockStatement' && isStraight(statements));
  return (path) => {
    const [first = '', ...rest] = path.split('.');
    const constant = constants.find((one) => nameOf(childOf(one, 'id')) === first);
    if (constant !== undefined) return readPath(script, childOf(constant, 'init'), rest);
    const called = statements.flatMap((one) => findArgument(childOf(one, 'expression'), first)).at(-1);
    if (called !== undefined) return doubt(readPath(script, called, rest), isKnown);
    return object === undefined ? { ...ABSENT, isSure: isKnown } : readPath(script, object, [first, ...rest]);
  };
}

/** The argument of a statement such as `config.setOutputDirectory('www')`, by its step `setOutputDirectory()`. */
function findArgument(call: Node | undefined, step: string): readonly Node[] {
  const callee = call?.type === 'CallExpression' ? childOf(call, 'callee') : undefined;
  const method = callee?.type === 'MemberExpression' ? nameOf(childOf(callee, 'property')) : undefined;
  return call !== undefined && `${method}()` === step ? childrenOf(call, 'arguments').slice(0, 1) : [];
}

function readPath(script: Script, node: Node | undefined, [step, ...rest]: readonly string[]): Said {
  const value = resolve(script, node);
  if (step === undefined) return readValue(value);
  const name = step.replace('()', '');
  const read = (inner: Node | undefined) =>
    step === name ? readPath(script, inner, rest) : readArgument(script, inner, rest);
  if (value?.type === 'ObjectExpression') {
    const properties = childrenOf(value, 'properties');
    const at = properties.findLastIndex((one) => isNamed(one, name));
    // What is spread, or has a name that is worked out, may be any option.
    const isSure = properties
      .slice(at + 1)
      .every((one) => one['computed'] !== true && one.type !== 'SpreadElement');
    const said = at === -1 ? ABSENT : read(childOf(properties[at] ?? {}, 'value'));
    return doubt(said, isSure);
  }
  if (value?.type !== 'ArrayExpression') return UNSURE;
  const calls = childrenOf(value, 'elements').filter(({ type }) => type === 'CallExpression');
  const call = calls.find((one) => nameOf(childOf(one, 'callee')) === name);
  return call === undefined ? ABSENT : read(call);
}

function readArgument(script: Script, node: Node | undefined, path: readonly string[]): Said {
  const call = resolve(script, node);
  if (call?.type !== 'CallExpression') return UNSURE;
  const [argument] = childrenOf(call, 'arguments');
  return argument === undefined ? ABSENT : readPath(script, argument, path);
}

const doubt = ({ value, isSure }: Said, isPlain: boolean): Said => ({ value, isSure: isSure && isPlain });

function readValue(node: Node | undefined): Said {
  const value = /^(?:String|Boolean)Literal$/.test(node?.type ?? '') ? node?.['value'] : undefined;
  if (typeof value === 'string' || typeof value === 'boolean') return { value, isSure: true };
  // Of `process.env.BASE || '/docs/'`, the last is a proposal.
  const other = childOf(node ?? {}, 'right') ?? childOf(node ?? {}, 'alternate');
  return other === undefined ? UNSURE : doubt(readValue(unwrap(other)), false);
}

/** The plain lines `key: value` of YAML, and `key = value` of TOML and Python; of what is written in other ways, nothing is certain. */
function readLines(text: string, language: string, isCaseless: boolean): Options {
  const isYaml = /^ya?ml$/.test(language);
  const fold = (path: string) => (isCaseless ? path.toLowerCase() : path);
  const said = new Map<string, Said>();
  let table = '';
  let end: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      continue;
    }
    if (isYaml && /^(?:---|\.\.\.)/.test(line) && said.size > 0) break;
    const header = language === 'toml' ? /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1] : undefined;
    if (header !== undefined) table = `${header.trim()}.`;
    const [, , name, rest = ''] =
      (isYaml
        ? /^(["']?)([^\s"'#&*!|>{[-][^"']*?)\1\s*:(?:\s+(.*))?$/
        : language === 'toml'
          ? /^\s*(["']?)([\w.-]+)\1\s*=\s*(.*)$/
          : /^()(\w+)\s*=(?!=)\s*(.*)$/
      ).exec(line) ?? [];
    if (name === undefined) continue;
    said.set(fold(`${table}${name}`), readScalar(rest.trim(), isYaml));
    const [, mark = '', more = ''] = /("""|''')(.*)$/.exec(isYaml ? '' : rest) ?? [];
    if (mark !== '' && !more.includes(mark)) end = mark;
  }
  // What is merged into a map may be any option, and so may what is written in braces.
  const isOpen = isYaml && (/^(?:<<|INHERIT)\s*:/m.test(text) || (said.size === 0 && text.trim() !== ''));
  return (path) => said.get(fold(path)) ?? (isOpen ? UNSURE : ABSENT);
}

function readScalar(text: string, isYaml: boolean): Said {
  const [, double, single] = /^(?:"((?:[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/.exec(text) ?? [];
  const quoted = double ?? single;
  if (quoted !== undefined) return { value: quoted, isSure: true };
  const bare = text.replace(/(?:^|\s+)#.*$/, '');
  if (bare === '') return ABSENT;
  if (/^(?:true|yes|on)$/i.test(bare)) return { value: true, isSure: true };
  if (/^(?:false|no|off)$/i.test(bare)) return { value: false, isSure: true };
  const isPlain = isYaml && /^[^\s"'&*!|>{[%@`?-]/.test(bare);
  return isPlain ? { value: bare, isSure: true } : UNSURE;
}
