/** Each plugin where the live site keeps the history: deployed, edited, built again, and once more without the network. */

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSource } from '../../support/documents.js';
import { makeProject, runTool, type Tool } from '../../support/frameworks.js';
import { startHost } from '../../support/host.js';
import { some } from '../../support/seed.js';
import { makeFolder } from '../../support/site.js';

interface Framework {
  readonly tool: Tool;
  readonly packages: readonly string[];
  readonly site: string;
  /** The file behind the page `/`. */
  readonly page: string;
  readonly configure: (url: string) => Readonly<Record<string, string>>;
}

const FRAMEWORKS: readonly Framework[] = [
  {
    tool: 'eleventy',
    packages: ['@11ty/eleventy'],
    site: '_site',
    page: 'index.html',
    configure: (url) => ({
      'other.html': 'other',
      'eleventy.config.js': `
import resyncStatic from 'resync-static/eleventy';
export default (config) => void config.addPlugin(resyncStatic, { url: '${url}', history: 'published' });`,
    }),
  },
  {
    tool: 'astro',
    packages: ['astro'],
    site: 'dist',
    page: 'src/pages/index.astro',
    configure: (url) => ({
      'src/pages/other.astro': 'other',
      'astro.config.mjs': `
import resyncStatic from 'resync-static/astro';
export default { site: '${url}', integrations: [resyncStatic({ history: 'published' })] };`,
    }),
  },
  {
    tool: 'vite',
    packages: ['vite'],
    site: 'dist',
    page: 'index.html',
    configure: (url) => ({
      'public/other.txt': 'other',
      'vite.config.js': `
import resyncStatic from 'resync-static/vite';
export default { plugins: [resyncStatic({ url: '${url}', history: 'published' })] };`,
    }),
  },
];

test.each(some(FRAMEWORKS, 2))('$tool: an edit is a change since the last deploy', async (framework) => {
  const { tool, packages, site, page, configure } = framework;
  const host = await startHost(makeFolder());
  const project = makeProject(packages, { ...configure(host.url), [page]: '<p>First' });
  const built = join(project, site);
  const args = tool === 'eleventy' ? [] : ['build'];
  const buildAt = async (seconds: number, env = {}) => {
    const { status, stdout, stderr } = await runTool(tool, project, args, {
      SOURCE_DATE_EPOCH: `${1_700_000_000 + seconds}`,
      ...env,
    });
    return { isBuilt: status === 0, said: stdout + stderr };
  };
  const readChanges = () =>
    readSource(built, host.url).sets.flatMap(({ changes }) =>
      changes.map(({ uri, md }) => [md['change'], uri, md['datetime']]),
    );

  expect(await buildAt(0)).toMatchObject({ isBuilt: true });
  expect(readChanges()).toEqual([]);
  host.folder = makeFolder();
  cpSync(built, host.folder, { recursive: true });
  writeFileSync(join(project, page), '<p>Second');
  expect(await buildAt(60)).toMatchObject({ isBuilt: true });

  expect(host.asked).toContain('/.well-known/resourcesync');
  expect(readChanges()).toEqual([['updated', host.url, '2023-11-14T22:14:20Z']]);

  host.stop();
  const offline = await buildAt(120);
  expect(offline).toMatchObject({ isBuilt: true });
  expect(offline.said).toContain('The lists continue what it said on 2023-11-14T22:14:20Z.');
  const hosted = await buildAt(180, { NETLIFY: 'true' });
  expect(hosted).toMatchObject({ isBuilt: false });
  expect(hosted.said).toContain('RESYNC_HISTORY=none');
  expect(hosted.said).not.toMatch(/^ *at .*\.js/m);
});
