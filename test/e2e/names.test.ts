/** Names that forge lines, links and commands, through every program that prints them. */

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import describeVitePress from '../../adapters/vitepress.js';
import { runAction, startJob } from '../support/runner.js';
import { serve } from '../support/server.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';
import { startWatch } from '../support/watch.js';

const SITE_URL = 'https://example.org/';
/** As the file system of this machine can hold it: a name that is all of it at once. */
const EVIL =
  '::error::a\n::error title=b::c\r\u001b]0;own\u0007\u009b31m %0A](javascript:1)<img> | @me \u202ex\u200b\u2028##[error]d';
const CONFLICT = { [`${EVIL}.html`]: 'a', [EVIL]: 'b' };

/** Expects no character that a terminal obeys or hides, and no line that a runner takes for a command. */
function expectHarmless(printed: string): void {
  expect(printed).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028\u202e]/);
  expect(printed).not.toMatch(/##\[/);
  expect(printed).not.toMatch(/^\s*::/m);
}

// NTFS has no such names.
describe.runIf(process.platform !== 'win32')('names that forge', () => {
  test('stay in their line of an error', async () => {
    const { status, stdout, stderr } = await callCli([
      makeSite(CONFLICT),
      '--url',
      SITE_URL,
      '--urls',
      'bare',
    ]);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expectHarmless(stderr);
    expect(stderr.split('\n')).toHaveLength(3);
    expect(stderr).toContain(
      '\\u003a:error::a\\u000a::error title=b::c\\u000d\\u001b]0;own\\u0007\\u009b31m %0A',
    );
  });

  test('stay in their line of a notice, of a list, and of a mistake in the configuration', async () => {
    const site = makeSite({ 'index.html': 'a', [`${EVIL}.txt`]: 'b' });
    const config = join(
      makeSite({ 'c.json': JSON.stringify({ sets: [{ name: 'a', include: ['*.html'] }] }) }),
      'c.json',
    );
    const told = await callCli([site, '--url', SITE_URL, '--config', config, '--include', EVIL, '--verbose']);
    expect(told.status).toBe(0);
    expectHarmless(told.stdout + told.stderr);
    expect(told.stderr).toContain('is in no set and therefore not listed');
    expect(told.stderr).toContain('\\u001b]0;own\\u0007');

    const wrong = join(makeSite({ 'c.json': JSON.stringify({ [EVIL]: 1, ':': 2 }) }), 'c.json');
    const refused = await callCli([site, '--url', SITE_URL, '--config', wrong]);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expectHarmless(refused.stderr);
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(3);
  });

  test('stay in their line while a site is watched', async () => {
    const watched = startWatch([makeSite(CONFLICT), '--url', SITE_URL, '--urls', 'bare']);
    await watched.until(() => watched.stderr().endsWith('your host.\n'));
    const { stdout, stderr } = await watched.end();
    expectHarmless(stdout + stderr);
    expect(stderr.split('\n')).toHaveLength(3);
  });

  test('stay in their line of an audit: of a folder, and of what a server says', async () => {
    const site = makeSite({ 'index.html': 'a' });
    const web = await serve(site, (path, response) => {
      if (path !== '/index.html' && path !== '/') return false;
      response.writeHead(200, { 'content-type': 'text/x-\u009b31m::error::\u0085' }).end('other');
      return true;
    });
    expect(await callCli([site, '--url', web])).toMatchObject({ status: 0 });
    const list = 'resourcesync/resourcelist.xml';
    const forged = '&#10;::error::x&#13;&#x85;&#x9b;31m&#x2028;&#x202e;##[error]y';
    const text =
      readTree(site)[list]?.replace(
        '<url>',
        `<url><loc>${web}forged</loc><lastmod>${forged}</lastmod></url>\n<url>`,
      ) ?? '';
    makeSite({ [list]: text, [`${EVIL}.html`]: 'unlisted' }, site);

    const folder = await callCli(['audit', site, '--url', web, '--verbose']);
    const server = await callCli(['audit', `${web}.well-known/resourcesync`, '--verbose']);

    for (const { status, stdout, stderr } of [folder, server]) {
      expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
      expectHarmless(stdout);
      expect(stdout).toContain('\\u202e');
    }
    expect(server.stdout).toContain('text/x-\\u009b31m');
  });

  test('reach the log and the summary of a job as text', async () => {
    const workspace = makeFolder();
    makeSite({ 'index.html': 'a', [`${EVIL}.txt`]: 'b' }, join(workspace, 'dist'));
    makeSite(
      { 'resync-static.config.json': JSON.stringify({ sets: [{ name: 'a', include: ['*.html'] }] }) },
      workspace,
    );
    const job = startJob(workspace);
    const outcome = await runAction(job, { site: 'dist', url: SITE_URL, history: 'none' });
    expect(outcome.status).toBe(0);
    // A line may begin with one command of ours.
    const warning = /^::warning title=resync-static::(?=\w)/gm;
    expect(outcome.stdout).toMatch(warning);
    expectHarmless((outcome.stdout + outcome.stderr).replace(warning, ''));
    expect(outcome.stdout).toContain('is in no set and therefore not listed');
    expectHarmless(job.summary);
    const told = job.summary.split('\n').filter((line) => line.includes('is in no set'));
    expect(told).toHaveLength(1);
    // Only references to characters stand for all that could mean something.
    expect(told[0]?.replace(/&#\d+;/g, '')).toMatch(/^- \*\*Warning\*\* [\p{L}\p{N} ]*$/u);
    expect(job.summary.match(/^#/gm)).toHaveLength(1);
  });

  test('are no command in the error of a job', async () => {
    const workspace = makeFolder();
    makeSite(CONFLICT, join(workspace, 'dist'));
    const job = startJob(workspace);
    const failed = await runAction(job, {
      site: 'dist',
      url: SITE_URL,
      history: 'none',
      args: '--urls bare',
    });
    expect(failed.status).toBe(1);
    expectHarmless(failed.stderr);
    const command = await runAction(job, { command: EVIL });
    for (const { stdout } of [failed, command]) {
      expect(stdout.trimEnd().split('\n')).toHaveLength(1);
      expect(stdout).toMatch(/^::error title=resync-static::/);
      expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    }
  });

  test('stay in their line of the log of a framework', async () => {
    const lines: string[] = [];
    const tell = (message: string) => void lines.push(message);
    const build = (outDir: string, urls: 'bare' | 'directory') =>
      describeVitePress({ urls, history: 'none', sets: [{ name: 'a', include: ['*.html'] }] })({
        outDir,
        site: { base: '/' },
        sitemap: { hostname: SITE_URL },
        logger: { info: tell, warn: tell },
      });
    const sitemap = { 'sitemap.xml': '</urlset>' };
    await build(makeSite({ 'index.html': 'a', [`${EVIL}.txt`]: 'b', ...sitemap }), 'directory');
    for (const line of lines) {
      expectHarmless(line);
      expect(line).not.toContain('\n');
    }
    expect(lines.join('\n')).toContain('\\u001b]0;own\\u0007');

    const failure: unknown = await build(makeSite({ ...CONFLICT, ...sitemap }), 'bare').catch(
      (error) => error,
    );
    expect(failure).toMatchObject({ code: 'url-conflict' });
    expectHarmless((failure as Error).message);
  });

  test('cannot hide in a link', async () => {
    const site = makeSite({ 'index.html': 'a' });
    symlinkSync(makeFolder(), join(site, EVIL));
    const { stdout, stderr } = await callCli([site, '--url', SITE_URL, '--verbose']);
    expectHarmless(stdout + stderr);
  });
});
