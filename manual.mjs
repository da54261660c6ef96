/** Writes the parts of `docs/` that are made from tables of the code; `npm run docs` runs it, and a test compares. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { readCheckWords } from './bundle.mjs';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
const MODULES = join(ROOT, '.tmp/modules/src');

/**
 * Tables of the code.
 *
 * @typedef {object} Tables
 * @property {typeof import('./src/cli/arguments/table.js')} table
 * @property {typeof import('./src/standard/rules/checks.js')} checks
 */

/** Headings of the options, with those that stand below each; all others stand below the last. */
const GROUPS = Object.entries({
  'The site': 'site url urls include exclude noindex type hash',
  'Changes and their history': 'history record changes gone',
  'Sitemap, page, feed and discovery': 'sitemap page feed robots htmlLinks headers',
  'What lists say': 'describedby sets source changefreq links pageLinks notices',
  'Packages, the past, signatures': 'dumps archives versions withdraw sign sums',
  'After a deploy': 'channels connections hub indexnowEndpoint',
  'Other options': '',
});

/** Options that do the same as the flag of their name, which has the text. */
const SAME_AS_FLAG = [
  'urls',
  'include',
  'exclude',
  'history',
  'record',
  'dumps',
  'robots',
  'page',
  'feed',
  'sitemap',
];

/** Pages that tell more about an option. */
const PAGES = {
  history: 'history.md',
  record: 'history.md#record-snapshots',
  noindex: 'people.md#pages-that-say-noindex',
  sitemap: 'sitemap.md',
  page: 'people.md',
  feed: 'people.md',
  robots: 'discovery.md',
  htmlLinks: 'discovery.md',
  gone: 'gone.md',
  headers: 'discovery.md',
  pageLinks: 'people.md#what-pages-say-of-themselves',
  source: 'scale.md',
  'sets.capabilityList': 'scale.md',
  notices: 'notices.md',
  dumps: 'discovery.md#zip-packages',
  archives: 'past.md',
  versions: 'past.md#versions',
  withdraw: 'past.md#taking-something-down',
  sign: 'signed.md',
  sums: 'mirror.md#a-replica',
  channels: 'notification.md',
  connections: 'notification.md',
  hub: 'notification.md#websub',
  indexnowEndpoint: 'notification.md#after-a-deploy',
  'changes.since': 'history.md#when-options-change',
};

/**
 * Makes the pages anew, each by its path.
 *
 * @param {Tables} tables
 * @returns {Record<string, string>}
 */
export function makePages({ table, checks }) {
  const parts = {
    'docs/reference.md': {
      commands: makeCommands(table),
      flags: makeFlags(table),
      options: makeOptions(),
    },
    'docs/findings.md': { checks: makeChecks(checks.CHECKS) },
  };
  return Object.fromEntries(
    Object.entries(parts).map(([page, made]) => [
      page,
      Object.entries(made).reduce((text, [name, part]) => replacePart(text, name, part), readText(page)),
    ]),
  );
}

/** @param {string} path */
function readText(path) {
  return readFileSync(join(ROOT, path), 'utf8');
}

/**
 * @param {string} text a page with a place for the part
 * @param {string} name
 * @param {string} part
 */
function replacePart(text, name, part) {
  const place = new RegExp(`(<!-- ${name}: npm run docs -->\n).*?(<!-- end of ${name} -->)`, 's');
  if (!place.test(text)) throw new Error(`A page has no place for the part ${name}`);
  return text.replace(place, (_, start, end) => `${start}\n${part}\n${end}`);
}

/** @param {Tables['table']} table */
function makeCommands({ COMMANDS, findCommand }) {
  const rows = COMMANDS.map((command) => {
    const { operands, text } = findCommand(command);
    return linkRow(code(`${command} ${operands}`), text);
  });
  return makeList(rows);
}

/** @param {Tables['table']} table */
function makeFlags({ COMMANDS, FLAGS }) {
  const sections = [...new Set(FLAGS.map(({ owners }) => owners))];
  return sections
    .map((owners) => {
      const isShared = owners.length === COMMANDS.length;
      const rows = FLAGS.filter((flag) => flag.owners === owners).map((flag) =>
        linkRow(
          nameFlag(flag),
          flag.text,
          `${flag.isRepeatable ? '; repeatable' : ''}${tellDefault(flag.preset)}`,
        ),
      );
      const others = FLAGS.filter(
        (flag) =>
          flag.owners !== owners &&
          flag.owners.length < COMMANDS.length &&
          owners.every((owner) => flag.commands.includes(owner) && !flag.owners.includes(owner)),
      );
      const also =
        isShared || others.length === 0
          ? ''
          : `${owners.length === 1 ? 'It also takes' : 'All take'} ${others.map(({ name }) => code(`--${name}`)).join(', ')}.\n\n`;
      const title = isShared ? 'Flags of all commands' : `Flags of ${joinNames(owners)}`;
      return `### ${title}\n\n${also}${makeList(rows)}`;
    })
    .join('\n');
}

/**
 * Makes an item of a list. The page that its text ends with is linked from its name.
 *
 * @param {string} name
 * @param {string} text
 * @param {string} more
 */
function linkRow(name, text, more = '') {
  const [words = '', page] = text.split(/; see \[[^\]]*\]\(([^)]*)\).*$/s);
  return [page === undefined ? name : `[${name}](${page})`, `${words}${more}`];
}

/** @param {readonly string[]} names */
function joinNames(names) {
  return names.join(', ').replace(/, (?=[^,]*$)/, ' and ');
}

/** @param {import('./src/cli/arguments/table.js').CommandFlag} flag */
function nameFlag({ name, value, short }) {
  const words = value === undefined ? '' : ` ${value}`;
  return `${code(`--${name}${words}`)}${short === undefined ? '' : `, ${code(`-${short}`)}`}`;
}

/** @param {string} preset in Markdown */
function tellDefault(preset) {
  return /^(?:off|none|as below|see .*|`(?:false|\[\]|\{\})`)$/.test(preset) ? '' : `; default: ${preset}`;
}

/** The options of the configuration, from the comments of their types. */
function makeOptions() {
  const options = readOptions();
  const named = GROUPS.flatMap(([, names]) => names.split(' '));
  return GROUPS.flatMap(([title, names]) => {
    const rest = options.filter(({ root }) => names === '' && !named.includes(root));
    const own = [...names.split(' ').flatMap((name) => options.filter(({ root }) => root === name)), ...rest];
    if (own.length === 0) return [];
    const rows = own.map(({ name, text, preset }) => [
      linkOption(name),
      SAME_AS_FLAG.includes(name)
        ? `as \`--${name}\``
        : `${text}${preset === 'required' ? '; required' : tellDefault(preset)}`,
    ]);
    return [`### ${title}\n\n${makeList(rows)}`];
  }).join('\n');
}

/** @param {string} name */
function linkOption(name) {
  const page = Object.entries(PAGES).find(([option]) => option === name)?.[1];
  return page === undefined ? code(name) : `[${code(name)}](${page})`;
}

/**
 * Reads the options from the comments of their types, each with its default in Markdown.
 *
 * @returns {{ name: string, root: string, text: string, preset: string }[]}
 */
export function readOptions() {
  const text = readText('src/config/options.ts');
  const sets = readFields(text, 'SetConfig').map((field) => ({ ...field, depth: 4 }));
  let root = '';
  return readFields(text, 'UserConfig')
    .flatMap((field) => (field.name === 'sets' ? [field, ...sets] : [field]))
    .map(({ depth, name, text: words, preset }) => {
      if (depth === 2) root = name;
      return { name: depth === 2 ? name : `${root}.${name}`, root, text: words, preset };
    });
}

/**
 * Reads the commented fields of a type.
 *
 * @param {string} source
 * @param {string} type
 */
function readFields(source, type) {
  const [, rest = ''] = source.split(`export interface ${type} {\n`);
  const [body = ''] = rest.split('\n}\n');
  return Array.from(
    body.matchAll(/\/\*\*(.*?)\*\/\s*\n( +)readonly (\w+)(\?)?:/gs),
    ([, comment = '', indent = '', name = '', isOptional]) => {
      const [words = '', preset] = comment
        .replace(/\s*\n\s*\* ?/g, ' ')
        .trim()
        .split(/ ?@default /);
      return {
        depth: indent.length,
        name,
        text: words.replace(/\.$/, ''),
        preset: isOptional === undefined ? 'required' : showPreset(preset ?? 'none'),
      };
    },
  );
}

/** @param {string} preset a value as code, or words */
function showPreset(preset) {
  return /^(?:['[{\d]|true$|false$)/.test(preset) ? code(preset) : preset;
}

/** @param {Tables['checks']['CHECKS']} checks */
function makeChecks(checks) {
  const words = readCheckWords();
  return ['error', 'warning', 'note']
    .map((severity) => {
      const lines = Object.entries(checks)
        .filter(([, check]) => check.severity === severity)
        .map(([name]) => `- ${code(name)}: ${escapeTags(words[name] ?? '')}\n`);
      return `### ${severity[0]?.toUpperCase()}${severity.slice(1)}s\n\n${lines.join('')}`;
    })
    .join('\n');
}

/** @param {string} words */
function escapeTags(words) {
  return words.replace(/<[a-z]+(?::[a-z]+)?>/g, code);
}

/** @param {string} text */
function code(text) {
  return `\`${text.replaceAll(' | ', ' or ')}\``;
}

/** @param {readonly (readonly string[])[]} rows names with texts. A list stays whole where a table would be cut. */
function makeList(rows) {
  return rows.map(([name = '', text = '']) => `- ${name}: ${text}\n`).join('');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const load = (/** @type {string} */ path) => import(pathToFileURL(join(MODULES, path)).href);
  const tables = {
    table: await load('cli/arguments/table.js'),
    checks: await load('standard/rules/checks.js'),
  };
  for (const [page, text] of Object.entries(makePages(tables))) writeFileSync(join(ROOT, page), text);
}
