/**
 * Bundles what users run, because a few files start faster than many: the package into `dist/`, where library, adapters
 * and command line share their chunks; with `--action`, the action into `action/dist/`, where a run installs nothing. The
 * same sources give the same bytes.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';
import { dts } from 'rolldown-plugin-dts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
export const PACKAGE = join(ROOT, 'dist');
/** Folder in which `tsc` leaves modules and their types. */
const MODULES = join(ROOT, '.tmp/modules');
export const ACTION = join(ROOT, 'action/dist');

/** Licences of packages that may be handed on with nothing but a copy of the licence. */
const LICENSES = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '(MIT AND Zlib)']);

/** Entry points that users import. They stand in `dist/` itself, all else in its `lib/`. */
const DOORS = {
  index: 'src/index',
  audit: 'src/audit/index',
  channel: 'src/tell/index',
  mirror: 'src/mirror/index',
  pages: 'src/files/index',
  astro: 'adapters/astro',
  docusaurus: 'adapters/docusaurus',
  eleventy: 'adapters/eleventy',
  nuxt: 'adapters/nuxt',
  'react-router': 'adapters/react-router',
  sveltekit: 'adapters/sveltekit',
  vite: 'adapters/vite',
  vitepress: 'adapters/vitepress',
};

/** The command line and its threads. */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  'digest-worker': 'src/files/digest/digest-worker.ts',
};

/** Packages that every `describe` loads, which are bundled. Others are loaded from where npm installs them. */
const ALWAYS_LOADED = /^(?:entities|htmlparser2|leven|mime|picocolors|picomatch|valibot)(?:\/|$)/;

/** Patterns of modules, each for one file, with all that they import and no file before has. Without, `describe` loads some 20 files. */
const CHUNKS = {
  // Modules that all other files import, the digest thread among them.
  base: /src[\\/](?:base[\\/](?:errors|programs|text[\\/]|options[\\/]removed)|(?:audit|config|mirror|tell[\\/]\w+)[\\/]options\.|cli[\\/](?:arguments[\\/]table|terminal))/,
  digest:
    /src[\\/](?:base[\\/](?:datetime|url)\.|standard[\\/](?:digests|model)|paths[\\/](?:address|host-rules|ours|urls)\.|files[\\/](?:digest[\\/]job|beginning))/,
  pages: /src[\\/]files[\\/]page[\\/]|node_modules[\\/](?:htmlparser2|entities)[\\/]/,
  // Markup is for the page and for the channel, which has all of `source`.
  describe: /src[\\/](?:cli[\\/]describe|config[\\/](?:file|saved)|standard[\\/]xml[\\/]markup)/,
  // Modules for a sitemap that read neither XML nor HTML of others.
  sitemaps:
    /src[\\/](?:describe[\\/]sitemap[\\/]sitemap|diff[\\/]run[\\/](?:text-dates|versions)|site[\\/]discovery[\\/]sitemaps)\./,
  // Modules that read a published Source.
  source: /src[\\/]source[\\/](?!packages|trusted|sets[\\/]signed)/,
  diff: /src[\\/]diff[\\/]run[\\/]notice\./,
  past: /src[\\/]describe[\\/]past[\\/]archiving[\\/]/,
  astro: /adapters[\\/]astro\./,
};

/** Node makes a module of each of its own that is imported, and loads all that it offers. Taken as it is, it makes none. */
const builtins = {
  name: 'builtins',
  /** @param {string} code */
  renderChunk: (code) =>
    code.replace(
      /^import \{(.*)\} from "(node:[\w/]+)";$/gm,
      (_, names, name) => `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule("${name}");`,
    ),
};

/** Globs need it at once, and most runs have none: it is looked for where npm installed it when the first one comes. */
const lateGlobs = {
  name: 'late-globs',
  /** @param {string} id */
  resolveId: (id) => (id === 'picomatch' ? '\0picomatch' : undefined),
  /** @param {string} id */
  load: (id) =>
    id === '\0picomatch'
      ? `import { createRequire } from 'node:module';
const load = () => createRequire(import.meta.url)('picomatch');
export default Object.assign((...given) => load()(...given), { makeRe: (...given) => load().makeRe(...given) });`
      : undefined,
};

/** Makes one text of each table of media types, without thousands of quotation marks. A type that shares an extension (`*`) is nobody's. */
const flatTypes = {
  name: 'flat-types',
  /**
   * @param {string} _code
   * @param {string} id
   */
  async transform(_code, id) {
    if (!/[\\/]mime[\\/]dist[\\/]types[\\/]\w+\.js$/.test(id)) return undefined;
    /** @type {{ default: Record<string, string[]> }} */
    const { default: types } = await import(pathToFileURL(id).href);
    const rows = Object.entries(types).flatMap(([type, all]) => {
      const extensions = all.filter((extension) => !extension.startsWith('*'));
      return extensions.length === 0 ? [] : [type, ...extensions].join(' ');
    });
    return `export default Object.fromEntries('${rows.join(';')}'.split(';').map((row) => {
  const [type, ...extensions] = row.split(' ');
  return [type, extensions];
}));`;
  },
};

/** @param {string} folder is removed first */
export async function bundlePackage(folder = PACKAGE) {
  rmSync(folder, { recursive: true, force: true });
  await bundle(folder, {
    input: { ...PROGRAMS, ...mapValues(DOORS, (path) => `${path}.ts`) },
    plugins: [builtins, lateGlobs, flatTypes],
    external: (id) => isPackage(id) && !ALWAYS_LOADED.test(id),
  });
  await bundleTypes(folder);
}

/** @param {string} folder is removed first */
export async function bundleAction(folder = ACTION) {
  rmSync(folder, { recursive: true, force: true });
  await bundle(folder, {
    input: { ...PROGRAMS, run: 'action/run.ts', index: 'src/index.ts' },
    // The other one loads half of itself at run time, by a path that is not in the bundle.
    resolve: { alias: { jiti: join(ROOT, 'node_modules/jiti/lib/jiti-static.mjs') } },
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}

/**
 * The sources look for their threads beside themselves, and for `index.js` in the folder above.
 *
 * @param {string} folder
 * @param {import('rolldown').InputOptions} options
 */
async function bundle(folder, options) {
  const { version, repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    transform: {
      target: 'node20.19',
      define: {
        MANIFEST: JSON.stringify({ version, repository: repository.url }),
        CHECK_WORDS: JSON.stringify(readCheckWords()),
      },
    },
    plugins: [builtins],
    // Names the file of each part, which nobody reads: 3 kB of the package.
    experimental: { attachDebugInfo: 'none' },
    // What one command imports late, another that is itself imported late may import at once.
    checks: { ineffectiveDynamicImport: false },
    ...options,
  });
  const { output } = await build.write(makeOutputOptions(folder));
  await build.close();
  for (const chunk of output) {
    if (chunk.type === 'chunk') writeFileSync(join(folder, chunk.fileName), breakLines(chunk.code));
  }
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), collectLicenses(modules));
}

/**
 * @param {string} dir
 * @returns {import('rolldown').OutputOptions}
 */
function makeOutputOptions(dir) {
  return {
    dir,
    format: 'esm',
    entryFileNames: ({ name }) => (name in DOORS ? '[name].js' : 'lib/[name].js'),
    chunkFileNames: ({ name }) => `lib/${name.replace(/~.*/, '')}.js`,
    codeSplitting: {
      groups: [
        ...Object.entries(CHUNKS).map(([name, test], index) => ({ name, test, priority: 20 - index })),
        // What some of the rest share: a file for all modules that the same entries load.
        {
          name: 'shared',
          priority: 0,
          minShareCount: 2,
          entriesAware: true,
        },
      ],
    },
    comments: false,
    // Names of values only: a stack trace names functions, classes, files and lines as they are.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      codegen: true,
      mangle: { toplevel: true, keepNames: true },
    },
  };
}

/**
 * What each check of an audit says, by its code: the list in the manual.
 *
 * @returns {Record<string, string>}
 */
export function readCheckWords() {
  const [, list = ''] = readFileSync(join(ROOT, 'docs/findings.md'), 'utf8').split('\n## Checks\n');
  const items = list.matchAll(/^- `([a-z\d-]+)`: (.*)$/gm);
  return Object.fromEntries(Array.from(items, ([, code, words = '']) => [code, words.replaceAll('`', '')]));
}

/**
 * Each statement and each constant of a module on a line of its own, so that a line of a stack trace says something;
 * within them, white space would take 20 kB of the package.
 *
 * @param {string} code
 * @returns {string}
 */
function breakLines(code) {
  const [, ...starts] = parseAst(code).body.flatMap((statement) =>
    statement.type === 'VariableDeclaration'
      ? [statement.start, ...statement.declarations.slice(1).map(({ start }) => start)]
      : [statement.start],
  );
  return [0, ...starts].map((start, index) => code.slice(start, starts[index]).trim()).join('\n');
}

/**
 * Rolls up the types of each door, from those that `tsc` wrote.
 *
 * @param {string} folder
 */
async function bundleTypes(folder) {
  const build = await rolldown({
    cwd: ROOT,
    input: mapValues(DOORS, (path) => join(MODULES, `${path}.d.ts`)),
    plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: 'tsconfig.build.json' })],
    external: isPackage,
    // On a busy machine it reports how long it took.
    checks: { bundlerTimings: false },
  });
  await build.write({ dir: folder, format: 'esm', chunkFileNames: 'lib/[name].js' });
  await build.close();
}

/** @param {string} id */
function isPackage(id) {
  return /^[@\w]/.test(id) && !/^[a-z]:[\\/]/i.test(id);
}

/**
 * @param {Record<string, string>} record
 * @param {(value: string) => string} map
 */
function mapValues(record, map) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

/** @param {readonly string[]} modules paths of all modules in the bundle */
function collectLicenses(modules) {
  const folders = modules.flatMap(
    (path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].map(readLicense).sort();
  return ['What is bundled here, and under which terms.\n', ...new Set(texts)].join(
    `\n${'-'.repeat(80)}\n\n`,
  );
}

/** @param {string} folder of a package */
function readLicense(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (!LICENSES.has(license)) {
    throw new Error(
      `${name} ${version} has the licence ${license}: see bundle.mjs whether it may be bundled.`,
    );
  }
  const files = readdirSync(folder).filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const head = `${name} ${version} (${license})`;
  const all = [head, ...(texts.length > 0 ? texts : [readReadme(folder)])];
  return `${all.map((text) => text.replaceAll('\r', '').trim()).join('\n\n')}\n`;
}

/**
 * Some have their terms, and who holds the rights, nowhere else.
 * @param {string} folder
 */
function readReadme(folder) {
  const file = readdirSync(folder).find((name) => /^readme/i.test(name));
  return file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
}

const [, started = '', ...args] = process.argv;
if (existsSync(started) && realpathSync(started) === realpathSync(fileURLToPath(import.meta.url))) {
  await (args.includes('--action') ? bundleAction() : bundlePackage());
}
