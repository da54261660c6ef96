/** Real frameworks where the live site keeps the history, and the network is gone. */

import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, runTool, type Tool } from '../../support/frameworks.js';
import { startHost } from '../../support/host.js';
import { makeFolder } from '../../support/site.js';

const FRAMEWORKS: readonly (readonly [tool: Tool, site: string, configure: (url: string) => string])[] = [
  [
    'eleventy',
    '_site',
    (url) => `
import resyncStatic from 'resync-static/eleventy';
export default (config) => void config.addPlugin(resyncStatic, { url: '${url}', history: 'published' });`,
  ],
  [
    'vite',
    'dist',
    (url) => `
import resyncStatic from 'resync-static/vite';
export default { plugins: [resyncStatic({ url: '${url}', history: 'published' })] };`,
  ],
];

test.each(FRAMEWORKS)('%s builds on, and fails in CI with words alone', async (tool, folder, configure) => {
  const host = await startHost(makeFolder());
  const config = tool === 'eleventy' ? 'eleventy.config.js' : 'vite.config.js';
  const packages = tool === 'eleventy' ? ['@11ty/eleventy'] : ['vite'];
  const project = makeProject(packages, { [config]: configure(host.url), 'index.html': '<p>First' });
  const site = join(project, folder);
  const build = async (env: Readonly<Record<string, string>> = {}) => {
    const { status, stdout, stderr } = await runTool(
      tool,
      project,
      tool === 'eleventy' ? [] : ['build'],
      env,
    );
    return { status, said: stdout + stderr };
  };

  expect((await build()).status).toBe(0);
  cpSync(site, host.folder, { recursive: true });
  writeFileSync(join(project, 'index.html'), '<p>Second');
  host.stop();

  const offline = await build();
  expect(offline.status, offline.said).toBe(0);
  expect(offline.said).toContain('The lists continue what it said on 2023-11-14T22:13:20Z.');

  const hosted = await build({ NETLIFY: 'true' });
  expect(hosted.status).not.toBe(0);
  expect(hosted.said).toContain('RESYNC_HISTORY=none');
  expect(hosted.said).not.toMatch(/^ *at .*\.js/m);
});
