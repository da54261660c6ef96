/**
 * Bundles the command line: for the package into `dist/src/cli/`, where a few files start faster than many; with
 * `--action`, for the action into `action/dist/`, where a run installs nothing. The same sources give the same bytes.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
export const COMMAND_LINE = join(ROOT, 'dist/src/cli');
export const ACTION = join(ROOT, 'action/dist');

/** What may be handed on with nothing but a copy of its licence. */
const LICENSES = new Set(['MIT', 'ISC', 'BSD-2-Clause', '(MIT OR GPL-3.0-or-later)', '(MIT AND Zlib)']);

const INPUT = {
  main: 'src/cli/main.ts',
  'digest-worker': 'src/site/digest/digest-worker.ts',
  'blob-worker': 'src/history/git/digest/blob-worker.ts',
  'pack-worker': 'src/describe/dumps/pack-worker.ts',
};

/** What every `describe` loads. In the package, others are left where npm installs them. */
const ALWAYS_LOADED = /^(?:leven|mime|picocolors|picomatch|valibot)(?:\/|$)/;

/** A file each, with all that these import and no file before it has. Without, `describe` would load some 20 files. */
const CHUNKS = {
  // Apart from `main`: what waits for an import must not be imported by it.
  base: /src[\\/](?:base[\\/](?:errors|text[\\/])|config[\\/](?:options|table)|cli[\\/]terminal)/,
  digest:
    /src[\\/](?:standard[\\/](?:digests|model)|paths[\\/](?:ours|urls)\.|site[\\/](?:page[\\/]elements|digest[\\/]job))/,
  blobs: /src[\\/]history[\\/]git[\\/]digest[\\/](?:facts|read)\./,
  facts: /src[\\/]site[\\/]page[\\/]facts[\\/]facts\./,
  describe: /src[\\/](?:cli[\\/]describe|config[\\/](?:file|kept))/,
  git: /src[\\/]history[\\/](?:git[\\/](?!digest[\\/]blob-worker)|from-git)/,
  diff: /src[\\/]diff[\\/]run[\\/]build/,
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

/**
 * The sources look for their threads beside themselves, for `index.js` in the folder above, for `package.json` three
 * above: both bundles have them there.
 *
 * @param {string} folder is emptied first, but for its modules
 */
export async function bundleCommandLine(folder = COMMAND_LINE) {
  await bundle(folder, '', {
    input: INPUT,
    plugins: [builtins, lateGlobs],
    external: (id) => /^[@\w]/.test(id) && !ALWAYS_LOADED.test(id) && !/^[a-z]:[\\/]/i.test(id),
  });
}

/** @param {string} folder is removed first */
export async function bundleAction(folder = ACTION) {
  await bundle(folder, 'lib/', {
    input: { ...INPUT, run: 'action/run.ts', index: 'src/index.ts' },
    // The other one loads half of itself at run time, by a path that is not in the bundle.
    resolve: { alias: { jiti: join(ROOT, 'node_modules/jiti/lib/jiti-static.mjs') } },
  });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
}

/**
 * @param {string} folder
 * @param {string} place of all code in it but `index.js`
 * @param {import('rolldown').InputOptions} options
 */
async function bundle(folder, place, options) {
  const build = await rolldown({
    cwd: ROOT,
    platform: 'node',
    transform: { target: 'node20.19' },
    plugins: [builtins],
    // What one command imports late, another that is itself imported late may import at once.
    checks: { ineffectiveDynamicImport: false },
    ...options,
  });
  // Adapters need the words of the command line as modules, too.
  for (const name of existsSync(folder) ? readdirSync(folder) : [])
    if (name !== 'words') rmSync(join(folder, name), { recursive: true, force: true });
  const { output } = await build.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'index' ? 'index.js' : `${place}[name].js`),
    chunkFileNames: `${place}[name].js`,
    codeSplitting: {
      groups: Object.entries(CHUNKS).map(([name, test], index) => ({ name, test, priority: 9 - index })),
    },
    comments: false,
  });
  await build.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), collectLicenses(modules));
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
  await (args.includes('--action') ? bundleAction() : bundleCommandLine());
}
