/** `init` in projects of real frameworks: all that it says comes next works, and the second deploy lists what changed. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from '../support/frameworks.js';
import { BIN, initAndFollow, readRefs, readUpdated, runCommands, startHost } from '../support/next.js';
import { runCli } from '../support/site.js';
import { FILES, KIT, SVELTEKIT, VITEPRESS } from '../support/vite-project.js';

const ENV = { ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

interface Project {
  readonly what: string;
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  /** The script of `npm run build`. */
  readonly build: string;
  readonly site: string;
  /** The file that `init` adds to. */
  readonly edited: string;
}

const ASTRO_PAGE = (title: string) => `<html><body><h1>${title}</h1></body></html>\n`;

const PROJECTS: readonly Project[] = [
  {
    what: 'Eleventy',
    packages: ['@11ty/eleventy'],
    files: { 'index.md': '# Home\n', 'about.md': '# About\n' },
    build: 'node node_modules/@11ty/eleventy/cmd.cjs',
    site: '_site',
    edited: 'eleventy.config.js',
  },
  {
    what: 'Eleventy in CommonJS',
    packages: ['@11ty/eleventy'],
    files: {
      'index.md': '# Home\n',
      'about.md': '# About\n',
      '.eleventy.js': `module.exports = function (config) {\n  return { dir: { output: 'www' } };\n};\n`,
    },
    build: 'node node_modules/@11ty/eleventy/cmd.cjs',
    site: 'www',
    edited: '.eleventy.js',
  },
  {
    what: 'Astro',
    packages: ['astro'],
    files: {
      'src/pages/index.astro': ASTRO_PAGE('Home'),
      'src/pages/about.astro': ASTRO_PAGE('About'),
      'astro.config.mjs': `import { defineConfig } from 'astro/config';\n\n// https://astro.build/config\nexport default defineConfig({});\n`,
    },
    build: 'node node_modules/astro/astro.js build',
    site: 'dist',
    edited: 'astro.config.mjs',
  },
  {
    what: 'Vite, with a configuration in TypeScript',
    packages: ['vite'],
    files: {
      ...FILES,
      'vite.config.ts': `import { defineConfig, type UserConfig } from 'vite';\n\nexport default defineConfig(({ mode }) => {\n  const input: string[] = ['index.html', 'about.html'];\n  return { build: { rollupOptions: { input } } } satisfies UserConfig;\n});\n`,
    },
    build: 'node node_modules/vite/bin/vite.js build',
    site: 'dist',
    edited: 'vite.config.ts',
  },
  {
    what: 'VitePress',
    packages: ['vitepress', 'vue'],
    files: { ...VITEPRESS, '.vitepress/config.mts': 'export default { cleanUrls: true };\n' },
    build: 'node node_modules/vitepress/bin/vitepress.js build --mpa',
    site: '.vitepress/dist',
    edited: '.vitepress/config.mts',
  },
  {
    what: 'SvelteKit',
    packages: KIT,
    files: {
      ...SVELTEKIT,
      'vite.config.js': `import { sveltekit } from '@sveltejs/kit/vite';\nexport default { plugins: [sveltekit()] };\n`,
    },
    build: 'node node_modules/vite/bin/vite.js build',
    site: 'build',
    edited: 'svelte.config.js',
  },
];

test.each(PROJECTS)('$what', async ({ packages, files, build, site, edited }) => {
  const { url, live, deploy: publish } = await startHost();
  const isModule = files['.eleventy.js'] === undefined;
  const deploy = `rm -rf '${live}' && cp -R ${site} '${live}'`;
  const manifest = { ...(isModule && { type: 'module' }), private: true, scripts: { build, deploy } };
  const dependencies = { devDependencies: Object.fromEntries(packages.map((name) => [name, '*'])) };
  const folder = makeProject(packages, {
    ...files,
    'package.json': `${JSON.stringify({ ...manifest, ...dependencies }, undefined, 2)}\n`,
    'node_modules/.bin/resync-static': BIN,
  });
  chmodSync(join(folder, 'node_modules/.bin/resync-static'), 0o755);

  const told = await initAndFollow({ folder, site, url, env: ENV, deploy: publish });
  expect(told).toContain(`\n${edited}`);
  expect(told).toContain(`\n  npm pkg set "scripts.postdeploy=`);

  if (edited === 'eleventy.config.js') {
    writeFileSync(join(folder, 'about.md'), '# About us\n');
    await runCommands(['npm run build'], { folder, site, env: ENV });
    expect(readUpdated(folder, site)).toEqual([`${url}about/`]);
    // A build that was not deployed is no publication.
    expect(readRefs(folder)).toHaveLength(1);
    await runCommands(['npm run deploy'], { folder, site, env: ENV });
    expect(readRefs(folder)).toHaveLength(2);
  }

  const again = await runCli(['init', '--url', url, '--yes'], { cwd: folder, env: ENV });
  expect(again.stdout).toContain('Nothing to change.');
});
