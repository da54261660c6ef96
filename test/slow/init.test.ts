/** `init` in projects of real frameworks: all that it says comes next works, and the second deploy lists what changed. */

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from '../support/frameworks.js';
import { BIN, initAndFollow, readRefs, readUpdated, runCommands, startHost } from '../support/next.js';
import { some } from '../support/seed.js';
import { runCli } from '../support/site.js';
import { FILES, KIT, SVELTEKIT, VITEPRESS } from '../support/vite-project.js';

const FRAMEWORKS = join(import.meta.dirname, '../tools/frameworks/node_modules');

const ENV = { ASTRO_TELEMETRY_DISABLED: '1', NO_COLOR: '1' };

interface Project {
  readonly what: string;
  readonly packages: readonly string[];
  /** The folder in which they are installed. @default that of the project */
  readonly modules?: string;
  readonly files: Readonly<Record<string, string>>;
  /** The command of the script that builds. */
  readonly build: string;
  /** The name of that script. @default `build` */
  readonly script?: string;
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
  {
    what: 'Docusaurus',
    packages: [
      ...['core', 'faster', 'theme-classic', 'plugin-content-docs', 'plugin-sitemap'].map(
        (name) => `@docusaurus/${name}`,
      ),
      ...['@mdx-js/react', 'react', 'react-dom'],
    ],
    files: {
      'docusaurus.config.js': `export default {
  title: 'Notes',
  url: 'https://your-docusaurus-site.example.com',
  baseUrl: '/',
  trailingSlash: false,
  future: { v4: true, faster: true },
  plugins: [['@docusaurus/plugin-content-docs', { routeBasePath: '/' }], '@docusaurus/plugin-sitemap'],
  themes: ['@docusaurus/theme-classic'],
};
`,
      'docs/index.md': '---\nslug: /\n---\n# Home\n',
      'docs/about.md': '# About\n',
    },
    build: 'node node_modules/@docusaurus/core/bin/docusaurus.mjs build',
    site: 'build',
    edited: 'docusaurus.config.js',
  },
  {
    what: 'Nuxt',
    packages: ['nuxt'],
    modules: FRAMEWORKS,
    files: {
      'nuxt.config.ts': `// https://nuxt.com/docs/api/configuration/nuxt-config\nexport default defineNuxtConfig({\n  compatibilityDate: '2025-07-15',\n  devtools: { enabled: true }\n})\n`,
      'app/app.vue': '<template><main>Home</main></template>',
    },
    script: 'generate',
    build: 'node node_modules/nuxt/bin/nuxt.mjs generate',
    site: '.output/public',
    edited: 'nuxt.config.ts',
  },
  {
    what: 'React Router',
    packages: [
      '@react-router/dev',
      '@react-router/node',
      'react-router',
      'react',
      'react-dom',
      'isbot',
      'vite',
    ],
    modules: FRAMEWORKS,
    files: {
      'react-router.config.ts': `import type { Config } from '@react-router/dev/config';\n\nexport default {\n  ssr: false,\n  prerender: true,\n} satisfies Config;\n`,
      'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';\nexport default { plugins: [reactRouter()] };`,
      'app/root.jsx': `import { Outlet, Scripts } from 'react-router';
export default () => <html lang="en"><head><title>Site</title></head><body><Outlet /><Scripts /></body></html>;`,
      'app/routes.js': `import { index } from '@react-router/dev/routes';\nexport default [index('home.jsx')];`,
      'app/home.jsx': 'export default () => <h1>Home</h1>;',
    },
    build: 'node node_modules/@react-router/dev/bin.js build',
    site: 'build/client',
    edited: 'react-router.config.ts',
  },
];

// In CI, the tests of adapters build with the others.
const TRIED = some(PROJECTS, 2);

test.each(TRIED)('$what', async ({ packages, files, build, script = 'build', site, edited, ...more }) => {
  const { url, live, deploy: publish } = await startHost();
  const isModule = files['.eleventy.js'] === undefined && files['docusaurus.config.js'] === undefined;
  const deploy = `rm -rf '${live}' && cp -R ${site} '${live}'`;
  const manifest = {
    ...(isModule && { type: 'module' }),
    private: true,
    scripts: { [script]: build, deploy, postdeploy: `resync-static record ${site} --live` },
  };
  const dependencies = { dependencies: Object.fromEntries(packages.map((name) => [name, '*'])) };
  const all = {
    ...files,
    'package.json': `${JSON.stringify({ ...manifest, ...dependencies }, undefined, 2)}\n`,
    'node_modules/.bin/resync-static': BIN,
  };
  const folder = makeProject(packages, all, more);
  chmodSync(join(folder, 'node_modules/.bin/resync-static'), 0o755);

  const told = await initAndFollow({ folder, site, url, env: ENV, deploy: publish });
  expect(told).toContain(`\n${edited}`);
  // Its template has the address of an example.
  expect(told.includes('The pages name another address')).toBe(packages.includes('@docusaurus/core'));

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
  expect(again.stdout).toContain('Nothing to do.');
});
