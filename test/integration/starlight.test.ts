/** Starlight, which npm installs when the test runs: the same on two days, as `docs/reproducible.md` says. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildOnDay } from '../support/frameworks.js';
import { installPackages } from '../support/install.js';
import { compareTwoDays } from '../support/two-days.js';

const ASTRO = fileURLToPath(new URL('../../node_modules/astro', import.meta.url));

const FILES = {
  'package.json': '{ "type": "module", "private": true }',
  'astro.config.mjs': `
import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
export default defineConfig({
  site: 'https://example.org',
  integrations: [starlight({ title: 'Site', lastUpdated: true })],
});`,
  'src/content.config.ts': `
import { defineCollection } from 'astro:content';
import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };`,
  'src/content/docs/index.md': '---\ntitle: Home\n---\nHome',
  'src/content/docs/about.md': '---\ntitle: About\n---\n## Us\n\nAbout',
};

test('Starlight writes the same, with the dates of its pages', async () => {
  // With the Astro that is installed with us.
  const modules = await installPackages('@astrojs/starlight@0.37', '--legacy-peer-deps');
  symlinkSync(ASTRO, join(modules, 'astro'), 'junction');
  const build = async (project: string, day: number) => {
    symlinkSync(modules, join(project, 'node_modules'), 'junction');
    await buildOnDay('astro', project, day);
  };
  expect(await compareTwoDays({ files: FILES, output: 'dist', build })).toEqual([]);
});
