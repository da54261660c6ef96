/** A build with a plugin on somebody's own machine, where the live site keeps the history and cannot be reached. */

import { cpSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type AdapterOptions, describeBuild, makeConfig } from '../../adapters/run.js';
import { BEGIN } from '../support/git.js';
import { type Host, startHost } from '../support/host.js';
import { makeProject } from '../support/kept.js';
import { makeFolder, makeSite, readTree } from '../support/site.js';

const HOSTED = ['CI', 'NETLIFY', 'VERCEL', 'CF_PAGES'];

/** The output of the plugin in a build, so many seconds after the beginning. */
async function build(
  project: string,
  seconds: number,
  options: AdapterOptions,
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const said: string[] = [];
  const all = { ...Object.fromEntries(HOSTED.map((name) => [name, ''])), RESYNC_HISTORY: '', ...env };
  vi.stubEnv('SOURCE_DATE_EPOCH', `${BEGIN + seconds}`);
  for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const framework = {
    integration: 'resync-static/vite',
    base: '/',
    urls: 'directory',
    urlOption: 'url',
  } as const;
  const site = join(project, 'dist');
  const log = (message: string) => void said.push(message);
  await describeBuild(makeConfig({ ...framework, site }, { history: 'published', ...options }), {
    info: log,
    warn: (message) => log(`Warning ${message}`),
  });
  return said.join('\n');
}

/** A project that was built and deployed, and then changed. */
async function startProject(options: AdapterOptions = {}) {
  const host = await startHost(makeFolder());
  const project = makeProject();
  const given = { url: host.url, ...options };
  await build(project, 0, given);
  cpSync(join(project, 'dist'), host.folder, { recursive: true });
  // This build reads the deployed site.
  await build(project, 50, given);
  makeSite({ 'dist/index.html': 'changed' }, project);
  return { host, project, given };
}

function answer(host: Host, how: (response: ServerResponse) => void): void {
  host.intercept = (_, response) => {
    how(response);
    return true;
  };
}

const PARKED = (response: ServerResponse) => void response.end('<!doctype html><title>Buy this domain');

/** `slow/published` has all ways to fail. */
const FAILURES: readonly (readonly [name: string, fail: (host: Host) => void, reason: RegExp])[] = [
  ['refuses', (host) => host.stop(), /ECONNREFUSED/],
  ['is busy', (host) => answer(host, (response) => void response.writeHead(503).end()), /status 503/],
  ['is parked', (host) => answer(host, PARKED), /is an HTML page/],
];

/** Runs a build against each of these live sites, all at the same time. */
async function buildAll(failures: typeof FAILURES, options: AdapterOptions) {
  const prepared = [];
  for (const [name, fail, reason] of failures)
    prepared.push({ name, fail, reason, ...(await startProject(options)) });
  return Promise.all(
    prepared.map(async ({ name, fail, reason, host, project, given }) => {
      const site = join(project, 'dist');
      const before = readTree(site);
      fail(host);
      const said = await build(project, 100, given);
      expect(said, name).toMatch(reason);
      return { name, said, before, after: readTree(site) };
    }),
  );
}

test('where a live site fails, nothing is written', async () => {
  for (const { name, said, before, after } of await buildAll(FAILURES, { robots: true, htmlLinks: true })) {
    expect(said, name).toMatch(/^Warning Not described: /);
    expect(said, name).toContain('Do not deploy this folder from here');
    expect(said.split('\n'), name).toHaveLength(1);
    // Documents of a build before stay: without them, a deploy would end the history.
    expect(after, name).toEqual(before);
  }
});

test.each(HOSTED.slice(0, 2))(
  'where %s is set, the build fails, and says what can be done there',
  async (name) => {
    const { host, project, given } = await startProject();
    answer(host, PARKED);
    const before = readTree(project);
    const failing = build(project, 100, given, { [name]: 'true' });
    await expect(failing).rejects.toMatchObject({
      code: 'live-foreign',
      message: expect.stringMatching(/RESYNC_HISTORY=none/),
    });
    await expect(failing).rejects.toMatchObject({ message: expect.not.stringContaining('--') });
    expect(readTree(project)).toEqual(before);
    await build(project, 100, given, { [name]: '1', RESYNC_HISTORY: 'none' });
    const files = Object.keys(readTree(project));
    expect(files).toContain('dist/resourcesync/resourcelist.xml');
    expect(files).not.toContain('dist/resourcesync/changelist.xml');
  },
);
