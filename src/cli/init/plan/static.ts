/** Knows which generators write a program for a server unless they are told to write pages, and how to tell them. */

import { joinWords, type Phrase, say, type Words } from '../../../base/text/say.js';
import type { FolderFacts, PackageManager, Project } from '../model.js';
import { readValue, stripComments } from './values.js';

/** How a package is added to a project. */
export const INSTALL: Readonly<Record<PackageManager, string>> = {
  npm: 'npm install --save-dev',
  pnpm: 'pnpm add --save-dev',
  yarn: 'yarn add --dev',
  bun: 'bun add --dev',
};

/** What is in the way of a static site, and what to do about it; undefined where nothing is. */
export function findObstacle(
  { generator, config, manifest }: Project,
  { files, packageManager }: FolderFacts,
): Words | undefined {
  const read = (file: string | undefined) =>
    stripComments(file === undefined ? '' : (files[file]?.text ?? ''));
  const scripts = Object.values(manifest?.scripts ?? {}).join('\n');
  switch (generator?.name) {
    case 'SvelteKit': {
      const named = generator.configs.filter((file) => files[file] !== undefined);
      const found = named.flatMap((file) =>
        [...read(file).matchAll(/['"]([^'"\s]*\badapter\b[^'"\s]*)['"]/g)].map(([, name = '']) => ({
          name,
          file,
        })),
      );
      if (found.some(({ name }) => !SERVER_ADAPTER.test(name))) return undefined;
      const [adapter] = found;
      const kit = { ...manifest?.dependencies, ...manifest?.devDependencies }['@sveltejs/kit'];
      // Version 4 is for SvelteKit 3, and npm refuses it beside SvelteKit 2.
      const ofKit = /^[~^]?2\b/.test(String(kit)) ? '@3' : '';
      const why = adapter === undefined ? 'no adapter' : say`${adapter.name} in ${adapter.file}`;
      return wordObstacle(say`SvelteKit writes a program for a server here (${why}), and no static site.`, [
        say`run: ${INSTALL[packageManager]} @sveltejs/adapter-static${ofKit}`,
        say`in ${adapter?.file ?? config ?? 'svelte.config.js'}: import adapter from '@sveltejs/adapter-static';`,
        'in src/routes/+layout.js: export const prerender = true;',
      ]);
    }
    case 'Next.js':
      if (/\boutput\s*:[^,\n]*['"`]export['"`]/.test(read(config)) || /\bnext export\b/.test(scripts))
        return undefined;
      return wordObstacle(say`Next.js writes a program for a server here, and no static site.`, [
        say`in ${config ?? 'next.config.mjs'}: output: 'export'`,
      ]);
    case 'Nuxt':
      if (/\bnux[ti] (?:generate|build\b.*--prerender)\b/.test(scripts) || STATIC_PRESET.test(read(config)))
        return undefined;
      return wordObstacle(say`Nuxt writes a program for a server here, and no static site.`, [
        'in package.json, among the scripts: "generate": "nuxt generate"',
      ]);
    case 'Astro':
    case 'Starlight':
      if (readValue(read(config), 'output') !== 'server') return undefined;
      return wordObstacle(
        say`Astro writes a program for a server here (output: 'server'), and no static site.`,
        [say`in ${config ?? 'astro.config.mjs'}: output: 'static'`],
      );
    default:
      return undefined;
  }
}

/** Adapters of SvelteKit itself that write no plain files. */
const SERVER_ADAPTER = /^@sveltejs\/adapter-(?!static$)/;

/** What Nitro calls hosts of plain files. */
const STATIC_PRESET = /\bpreset\s*:\s*['"`](?:static|[\w-]+[-_]static|git(?:hub|lab)[-_]pages)['"`]/;

function wordObstacle(what: Words, cures: readonly Phrase[]): Words {
  return say`${what} Nothing was changed.\nTo write a static site:\n${joinWords(cures.map((cure) => say`  ${cure}`))}\nThen build, and run resync-static init again.`;
}
