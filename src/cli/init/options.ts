/** Reads the options of a configuration where they belong: by their whole path, and with a word on what is not certain. */

import {
  childOf,
  childrenOf,
  findExport,
  findObject,
  isFunction,
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

export const NOTHING: Options = () => ({ value: undefined, isSure: true });

/** @param isCaseless whether names are the same in capitals, as Hugo has it */
export function readOptions(file: string, text: string, isCaseless = false): Options {
  const reader = new Reader(isCaseless);
  const plain = text.replace(/^\ufeff/, '');
  const [, extension = ''] = /\.(\w+)$/.exec(file) ?? [];
  if (/^jsonc?$/.test(extension)) readJson(reader, plain);
  else if (/^(?:ya?ml|toml|py)$/.test(extension)) readLines(reader, plain, extension);
  else readScript(reader, plain, /ts$/.test(extension));
  return (path) => reader.get(path);
}

/** The first that says something of an option counts. */
export function joinOptions(all: readonly Options[]): Options {
  return (path) => {
    const said = all.map((options) => options(path));
    const found = said.find(({ value, isSure }) => value !== undefined || !isSure);
    return found ?? { value: undefined, isSure: true };
  };
}

/** Collects what is said; what is said later counts. */
class Reader {
  readonly #said = new Map<string, Said>();
  /** What may hold more than can be seen: all below these paths is uncertain. */
  readonly #open: string[] = [];
  readonly #isCaseless: boolean;
  /** What may say an option where it is not looked for. */
  rest = '';

  constructor(isCaseless: boolean) {
    this.#isCaseless = isCaseless;
  }

  get isEmpty(): boolean {
    return this.#said.size === 0;
  }

  set(path: string, value: Said['value'], isSure = true): void {
    this.#said.set(this.#fold(path), { value, isSure });
  }

  open(path: string): void {
    const base = this.#fold(path);
    this.#open.push(base);
    for (const [name, { value }] of this.#said) {
      if (isBelow(name, base)) this.#said.set(name, { value, isSure: false });
    }
  }

  get(path: string): Said {
    const name = this.#fold(path);
    const last = /\w+(?=\W*$)/.exec(path)?.[0] ?? path;
    return (
      this.#said.get(name) ?? {
        value: undefined,
        isSure:
          !this.#open.some((base) => isBelow(name, base)) && !new RegExp(`\\b${last}\\b`).test(this.rest),
      }
    );
  }

  #fold(path: string): string {
    return this.#isCaseless ? path.toLowerCase() : path;
  }
}

function isBelow(path: string, base: string): boolean {
  return base === '' || path.startsWith(`${base}.`);
}

function readJson(reader: Reader, text: string): void {
  // JSON, also with comments, is an expression of JavaScript, between parentheses.
  const script = parseScript(`(${text}\n)`, false);
  const value = script && childOf(script.statements[0] ?? {}, 'expression');
  if (script === undefined || value?.type !== 'ObjectExpression') {
    reader.open('');
    return;
  }
  readObject(reader, script, value, '');
}

function readScript(reader: Reader, text: string, isTypeScript: boolean): void {
  const script = parseScript(text, isTypeScript);
  if (script === undefined) {
    reader.open('');
    return;
  }
  for (const { type, ...statement } of script.statements) {
    const declared = type === 'ExportNamedDeclaration' ? childOf(statement, 'declaration') : undefined;
    for (const one of declared === undefined ? [] : childrenOf(declared, 'declarations')) {
      const value = childOf(one, 'init');
      const name = nameOf(childOf(one, 'id'));
      if (value !== undefined && name !== undefined) readValue(reader, script, value, name);
    }
  }
  const exported = findExport(script)?.value;
  if (exported === undefined) {
    reader.open('');
    return;
  }
  const body = isFunction(exported) ? childOf(exported, 'body') : undefined;
  const statements = body === undefined ? [] : childrenOf(body, 'body');
  for (const statement of statements) readCall(reader, script, childOf(statement, 'expression'));
  const last = statements.at(-1);
  const returned = last?.type === 'ReturnStatement' ? unwrap(childOf(last, 'argument')) : undefined;
  const object = findObject(script, exported) ?? returned;
  if (object?.type === 'ObjectExpression') readObject(reader, script, object, '');
  else if (body?.type !== 'BlockStatement' || returned !== undefined) reader.open('');
  const isPlain = /^(?:Expression|Return)Statement$|^(?:Variable|Function)Declaration$/;
  for (const { type, start, end } of statements) {
    if (!isPlain.test(type)) reader.rest += script.code.slice(start, end);
  }
  if (/\breturn\b/.test(reader.rest)) reader.open('');
}

/** A statement such as `config.setOutputDirectory('www')`, or `config.addPlugin(plugin, { … })`. */
function readCall(reader: Reader, script: Script, call: Node | undefined): void {
  const callee = call?.type === 'CallExpression' ? childOf(call, 'callee') : undefined;
  const method = callee?.type === 'MemberExpression' ? nameOf(childOf(callee, 'property')) : undefined;
  if (call === undefined || method === undefined) return;
  const [first, second] = childrenOf(call, 'arguments');
  if (first === undefined) return;
  if (first.type !== 'Identifier') readValue(reader, script, first, `${method}()`);
  else if (second !== undefined) readValue(reader, script, second, `${method}.${nameOf(first)}()`);
}

function readObject(reader: Reader, script: Script, object: Node, path: string): void {
  for (const property of childrenOf(object, 'properties')) {
    const name = property['computed'] === true ? undefined : nameOf(childOf(property, 'key'));
    const value = childOf(property, 'value');
    // What is spread, or has a name that is worked out, may be any option.
    if (name === undefined) reader.open(path);
    else readValue(reader, script, value, path === '' ? name : `${path}.${name}`);
  }
}

function readValue(reader: Reader, script: Script, value: Node | undefined, path: string): void {
  const found = resolve(script, value);
  switch (found?.type) {
    case 'ObjectExpression':
      readObject(reader, script, found, path);
      return;
    case 'ArrayExpression':
      for (const item of childrenOf(found, 'elements')) {
        const name = item.type === 'CallExpression' ? nameOf(childOf(item, 'callee')) : undefined;
        if (name !== undefined) readValue(reader, script, item, `${path}.${name}`);
      }
      return;
    case 'CallExpression':
      for (const argument of childrenOf(found, 'arguments')) {
        const own = resolve(script, argument);
        if (own?.type === 'ObjectExpression') readObject(reader, script, own, `${path}()`);
        else reader.open(`${path}()`);
      }
      break;
  }
  const literal = readLiteral(found);
  if (literal !== undefined) {
    reader.set(path, literal);
    return;
  }
  // Of `process.env.BASE || '/docs/'`, the last is a proposal.
  const other = childOf(found ?? {}, 'right') ?? childOf(found ?? {}, 'alternate');
  reader.open(path);
  reader.set(path, readLiteral(unwrap(other)), false);
}

function readLiteral(node: Node | undefined): string | boolean | undefined {
  const isPlainTemplate = node?.type === 'TemplateLiteral' && childrenOf(node, 'expressions').length === 0;
  const cooked = isPlainTemplate ? childrenOf(node, 'quasis')[0]?.['value'] : undefined;
  const value = /^(?:String|Boolean)Literal$/.test(node?.type ?? '')
    ? node?.['value']
    : (cooked as { readonly cooked?: unknown } | undefined)?.cooked;
  return typeof value === 'string' || typeof value === 'boolean' ? value : undefined;
}

/** The plain lines `key: value` of YAML, and `key = value` of TOML and Python; of what is written in other ways, nothing is certain. */
function readLines(reader: Reader, text: string, language: string): void {
  const isYaml = /^ya?ml$/.test(language);
  let table = '';
  let end: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    if (end !== undefined) {
      if (line.includes(end)) end = undefined;
      continue;
    }
    if (isYaml && /^(?:---|\.\.\.)/.test(line) && !reader.isEmpty) break;
    const header = language === 'toml' ? /^\s*\[{1,2}([^\]]+)\]/.exec(line)?.[1] : undefined;
    if (header !== undefined) table = `${header.trim()}.`;
    // What is merged into a map may be any option.
    if (isYaml && /^(?:<<|INHERIT)\s*:/.test(line)) reader.open('');
    const [, , name, rest] =
      (isYaml
        ? /^(["']?)([^\s"'#&*!|>{[-][^"']*?)\1\s*:(?:\s+(.*))?$/
        : language === 'toml'
          ? /^\s*(["']?)([\w.-]+)\1\s*=\s*(.*)$/
          : /^()(\w+)\s*=(?!=)\s*(.*)$/
      ).exec(line) ?? [];
    if (name === undefined) continue;
    const { value, isSure } = readScalar((rest ?? '').trim(), isYaml);
    reader.set(`${table}${name}`, value, isSure);
    const [, mark = '', more = ''] = /("""|''')(.*)$/.exec(isYaml ? '' : (rest ?? '')) ?? [];
    if (mark !== '' && !more.includes(mark)) end = mark;
  }
  if (isYaml && reader.isEmpty && text.trim() !== '') reader.open('');
}

function readScalar(text: string, isYaml: boolean): Said {
  const [, double, single] = /^(?:"((?:[^"\\])*)"|'([^']*)')\s*(?:#.*)?$/.exec(text) ?? [];
  const quoted = double ?? single;
  if (quoted !== undefined) return { value: quoted, isSure: true };
  const bare = text.replace(/(?:^|\s+)#.*$/, '');
  if (bare === '') return { value: undefined, isSure: true };
  if (/^(?:true|yes|on)$/i.test(bare)) return { value: true, isSure: true };
  if (/^(?:false|no|off)$/i.test(bare)) return { value: false, isSure: true };
  const isPlain = isYaml && /^[^\s"'&*!|>{[%@`?-]/.test(bare);
  return isPlain ? { value: bare, isSure: true } : { value: undefined, isSure: false };
}
