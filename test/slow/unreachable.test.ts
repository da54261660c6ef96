/** A build with a plugin on somebody's own machine, where the live site keeps the history and cannot be reached. */

import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type AdapterOptions, describeBuild, makeConfig } from '../../adapters/run.js';
import { BEGIN } from '../support/git.js';
import { type Host, startHost } from '../support/host.js';
import { findKept, makeProject } from '../support/kept.js';
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
async function buildAll(
  failures: typeof FAILURES,
  options: AdapterOptions,
  prepare: (started: { readonly project: string; readonly given: AdapterOptions }) => void | Promise<void>,
) {
  const prepared = [];
  for (const [name, fail, reason] of failures) {
    const started = await startProject(options);
    await prepare(started);
    prepared.push({ name, fail, reason, ...started });
  }
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

test('where a live site fails, the lists go by what it said last', async () => {
  const options = { robots: true, feed: true };
  const builds = await buildAll(FAILURES, options, async ({ project, given }) => {
    await build(project, 100, given);
    makeSite({ 'dist/index.html': 'changed again' }, project);
    makeSite({ 'dist/index.html': 'changed' }, project);
  });
  for (const { name, said, before, after } of builds) {
    expect(said, name).toContain(
      'The lists continue its state of 2023-11-14T22:15:00Z. Before you deploy this folder, build again when the live site answers.',
    );
    expect(said, name).toContain('1 resource differs from what was deployed on');
    expect(after, name).toEqual(before);
  }
});

test('where it was never read here, nothing is written', async () => {
  const failures = FAILURES.filter(([name]) => /busy|parked/.test(name));
  const options = { robots: true, htmlLinks: true };
  const builds = await buildAll(failures, options, ({ project }) => {
    for (const file of findKept(project)) if (file.includes('.live.')) rmSync(file);
  });
  for (const { said, before, after } of builds) {
    expect(said).toMatch(/^Warning Not described: /);
    expect(said).toContain('Do not deploy this folder from here');
    expect(said.split('\n')).toHaveLength(1);
    // Documents of a build before stay: without them, a deploy would end the history.
    expect(after).toEqual(before);
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

describe('what was read last is not taken', () => {
  const CHANGES: Readonly<Record<string, (kept: string, project: string) => unknown>> = {
    'when it was edited': (kept) => writeFileSync(kept, readFileSync(kept, 'utf8').replace('22:14', '22:13')),
    'when it was put there': (kept) => {
      cpSync(kept, `${kept}.copy`);
      renameSync(`${kept}.copy`, kept);
    },
  };

  test.each(Object.entries(CHANGES))('%s', async (_, change) => {
    const { host, project, given } = await startProject();
    const kept = findKept(project).find((file) => file.endsWith('.live.json')) ?? '';
    change(kept, project);
    host.stop();
    expect(await build(project, 100, given)).toContain('Not described: ');
  });

  test('in a copy of the project, or for another address', async () => {
    const { host, project, given } = await startProject();
    const copy = makeFolder();
    cpSync(project, copy, { recursive: true, preserveTimestamps: true });
    host.stop();
    expect(await build(copy, 100, given)).toContain('Not described: ');
    expect(await build(project, 100, { url: `${host.url}docs/` })).toContain('Not described: ');
    expect(await build(project, 100, given)).toContain('The lists continue its state of');
  });
});
