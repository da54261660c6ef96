/** Every stable error code, each by a run that fails with it: a code without a row does not compile. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runBuild } from '../../src/cli/init/run.js';
import { loadConfigFile } from '../../src/config/file.js';
import { resolveConfig } from '../../src/config/resolve.js';
import { describeRows } from '../../src/describe/rows/run.js';
import {
  describe as describeSite,
  diff,
  type ErrorCode,
  ResyncError,
  record,
  type UserConfig,
  watch,
} from '../../src/index.js';
import { mirror } from '../../src/mirror/index.js';
import { verifySignatures } from '../../src/standard/signature.js';
import { notify } from '../../src/tell/index.js';
import { commitFiles, gitText, makeRepository } from '../support/git.js';
import { startHost } from '../support/host.js';
import { makeFolder, makeSite } from '../support/site.js';

const URL_OF_SITE = 'https://example.org/';

const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----\nc2VjcmV0IQ==\n-----END OPENSSH PRIVATE KEY-----\n';

const readRowsOf = (rows: string) =>
  describeRows(
    {
      config: resolveConfig({ site: makeFolder(), url: URL_OF_SITE }),
      rows,
      before: undefined,
      state: undefined,
      at: undefined,
    },
    () => undefined,
  );

const describeOf = (site: string, more: Partial<UserConfig> = {}) =>
  describeSite({ site, url: URL_OF_SITE, history: 'none', ...more });

/** A site with a folder whose path is longer than systems take; made of two that they do take. */
function makeDeepSite(): string {
  const site = makeSite({ 'index.html': 'home' });
  const aside = makeFolder();
  const deep = Array.from({ length: 12 }, () => 'x'.repeat(200)).join('/');
  mkdirSync(join(site, deep), { recursive: true });
  mkdirSync(join(aside, deep, 'end'), { recursive: true });
  const [first = ''] = deep.split('/');
  renameSync(join(aside, first), join(site, deep, 'joint'));
  onTestFinished(() => renameSync(join(site, deep, 'joint'), join(aside, first)));
  return site;
}

/** A file that grows for as long as the test takes, and so large that it does so while it is read. */
async function makeGrowingSite(): Promise<string> {
  const site = makeSite({ 'changing.txt': Buffer.alloc(32_000_000) });
  const file = join(site, 'changing.txt');
  const program = `import fs from 'node:fs'; fs.writeSync(1, '.'); for (;;) fs.appendFileSync(process.argv[1], 'x');`;
  const writer = spawn(process.execPath, ['--input-type=module', '--eval', program, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    if (writer.kill('SIGKILL')) await once(writer, 'exit');
  });
  await once(writer.stdout, 'data');
  return site;
}

/** A repository that has lost the newest tree of its site. */
function makeDamagedRepository(): string {
  const folder = makeRepository();
  commitFiles(folder, 0, { 'site/index.html': 'one' });
  commitFiles(folder, 10, { 'site/index.html': 'two' });
  const tree = gitText(folder, 'rev-parse', 'HEAD:site');
  rmSync(join(folder, '.git/objects', tree.slice(0, 2), tree.slice(2)));
  return join(folder, 'site');
}

/** Compares with a live site that answers by itself. */
async function describeLive(answer: (path: string) => readonly [status: number, body: string]) {
  const host = await startHost(makeFolder());
  host.intercept = ({ url = '' }, response) => {
    const [status, body] = answer(url);
    response.writeHead(status).end(body);
    return true;
  };
  return describeOf(makeSite({ 'index.html': 'home' }), { url: host.url, history: 'published' });
}

/** A run that fails with each code. */
const FAILURES = {
  'config-invalid': () => describeOf(makeSite({ 'index.html': 'home' }), { url: 'example.org' }),
  'config-unreadable': () => loadConfigFile(join(makeFolder(), 'resync-static.config.mjs')),
  'site-unreadable': () => describeOf(join(makeFolder(), 'missing')),
  'site-is-project': () =>
    describeOf(makeSite({ 'package.json': '{}', 'node_modules/a/a.js': 'a', 'dist/index.html': 'home' })),
  'site-empty': () => describeOf(makeFolder()),
  'file-unreadable': () => describeOf(makeDeepSite()),
  'file-changing': async () => describeOf(await makeGrowingSite()),
  'key-in-site': () => describeOf(makeSite({ 'index.html': 'home', 'keys/id': KEY })),
  'name-not-unicode': () => {
    const site = makeSite({ 'index.html': 'home' });
    writeFileSync(Buffer.concat([Buffer.from(`${site}/caf`), Buffer.from([0xe9])]), '');
    return describeOf(site);
  },
  'url-conflict': () => describeOf(makeSite({ 'a.html': '', a: '' }), { urls: 'clean' }),
  'file-too-large': () => {
    const site = makeSite({ 'large.bin': '' });
    // No room is taken by what was never written.
    truncateSync(join(site, 'large.bin'), 2 ** 32);
    return describeOf(site, { dumps: true });
  },
  'url-too-long': () =>
    describeOf(makeSite({ [Array.from({ length: 11 }, () => 'x'.repeat(200)).join('/')]: '' })),
  'extras-invalid': () => describeOf(makeSite({ 'index.html': 'home' }), { type: () => 'text' }),
  'history-missing': () =>
    describeOf(makeSite({ 'index.html': 'home' }, makeRepository()), { history: 'HEAD' }),
  'live-unreadable': () => describeLive(() => [401, 'log in']),
  'live-foreign': () => describeLive(() => [200, '<urlset/>']),
  'source-unreadable': async () => {
    const host = await startHost(makeFolder());
    return mirror({ source: host.url, folder: makeFolder() });
  },
  'bound-reached': async () => {
    const host = await startHost(makeSite({ 'sitemap.xml': '<urlset/>' }));
    return mirror({ source: host.url, folder: makeFolder(), maxBytes: 1 });
  },
  'record-refused': async () => {
    const site = makeSite({ 'index.html': 'home' }, join(makeRepository(), 'dist'));
    await describeOf(site);
    writeFileSync(join(site, 'index.html'), 'other');
    return record({ site });
  },
  'git-failed': () => describeOf(makeDamagedRepository(), { history: 'HEAD:site' }),
  'redirects-unreadable': () => {
    const folder = makeRepository();
    commitFiles(folder, 0, { 'site/index.html': 'home' });
    const site = makeSite({ 'site/index.html': 'home', 'site/vercel.json': '{' }, folder);
    return diff({ site: join(site, 'site'), url: URL_OF_SITE }, { gone: true });
  },
  'discovery-failed': () =>
    describeOf(makeSite({ 'index.html': 'home', 'robots.txt/index.html': '' }), { robots: true }),
  'not-ours': () => describeOf(makeSite({ 'index.html': 'home', 'resourcesync/resourcelist.xml': 'mine' })),
  'write-failed': () => describeOf(makeSite({ 'index.html': 'home' }), { sets: [{ name: 'x'.repeat(300) }] }),
  'rows-invalid': () => readRowsOf('missing.csv'),
  'not-live': async () => {
    const host = await startHost(makeFolder());
    const folder = makeSite({ 'index.html': 'home' });
    await describeOf(folder, { url: host.url });
    host.folder = folder;
    return notify({ source: host.url, at: '2126-01-01T00:00:00Z', wait: '1ms', hubs: [host.url] });
  },
  'signing-failed': () => describeOf(makeSite({ 'index.html': 'home' }), { sign: 'missing' }),
  'signature-invalid': async () => verifySignatures(Buffer.alloc(0), Buffer.alloc(0)),
  'watch-failed': () => watch({ site: makeDeepSite(), url: URL_OF_SITE, history: 'none' }).next(),
  'build-failed': async () =>
    runBuild(makeFolder(), [process.execPath, '--eval', 'process.exit(3)'], 2, 'it'),
} satisfies Record<ErrorCode, () => Promise<unknown>>;

// Only Linux lets a name hold any bytes.
describe.runIf(process.platform === 'linux')('a run fails with', () => {
  test.each(Object.entries(FAILURES))('%s', async (code, fail) => {
    const error = await fail().then(
      (result) => ({ result }),
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'ResyncError', code });
    expect(error).toBeInstanceOf(ResyncError);
    expect((error as ResyncError).message).not.toMatch(/^\s+at /m);
  });
});
