/**
 * Makes the bundle that the action runs, in `action/dist/`: all code, dependencies too, so that a run installs nothing.
 * The same sources give the same bytes.
 */

import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
export const BUNDLE = join(ROOT, 'action/dist');

/** What may be handed on with nothing but a copy of its licence. */
const LICENSES = new Set(['MIT', 'ISC', 'BSD-2-Clause', '(MIT OR GPL-3.0-or-later)', '(MIT AND Zlib)']);

const INPUT = {
  run: 'action/run.ts',
  'resync-static': 'src/cli/main.ts',
  'digest-worker': 'src/site/digest/digest-worker.ts',
  'pack-worker': 'src/dumps/pack-worker.ts',
  index: 'src/index.ts',
};

/**
 * Bundles. The sources look for their threads beside themselves, for `index.js` in the folder above, for `package.json`
 * three above: all code is in `lib/` but for `index.js`, so that they find them.
 *
 * @param {string} folder is removed first
 */
export async function buildAction(folder = BUNDLE) {
  const bundle = await rolldown({
    cwd: ROOT,
    input: INPUT,
    platform: 'node',
    // The other one loads half of itself at run time, by a path that is not in the bundle.
    resolve: { alias: { jiti: join(ROOT, 'node_modules/jiti/lib/jiti-static.mjs') } },
    transform: { target: 'node20.19' },
  });
  rmSync(folder, { recursive: true, force: true });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: ({ name }) => (name === 'index' ? 'index.js' : 'lib/[name].js'),
    chunkFileNames: 'lib/[name].js',
    comments: { legal: false },
  });
  await bundle.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  writeFileSync(join(folder, 'LICENSES.txt'), collectLicenses(modules));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n');
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
      `${name} ${version} has the licence ${license}: see action/build.mjs whether it may be bundled.`,
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

const [, started = ''] = process.argv;
if (existsSync(started) && realpathSync(started) === realpathSync(fileURLToPath(import.meta.url))) {
  await buildAction();
}
