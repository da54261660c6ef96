/** Auditing folders from the command line. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { audit } from '../../src/audit/index.js';
import { describeAt } from '../support/changes.js';
import { makeDescribedSite } from '../support/described.js';
import { makeHostileSite } from '../support/hostile.js';
import { copyStory } from '../support/places.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';

function edit(file: string, from: string | RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

describe('a described site', () => {
  test('is clean, and stays as it is', async () => {
    const site = await makeDescribedSite();
    const before = readTree(site);
    const run = await callCli(['audit', site]);
    expect(run).toMatchObject({ status: 0, stderr: '' });
    expect(run.stdout).toMatch(
      /^Read {5}29 documents, [\d.]+ kB, from https:\/\/example\.org\/\.well-known\/resourcesync\nChecked {2}19 resources, 197 B\n {9}9 packages, [\d.]+ kB\n\nDone in [\d.]+ s: nothing found\.\n$/,
    );
    expect(readTree(site)).toEqual(before);
  });

  test('with an error', async () => {
    const site = await makeDescribedSite();
    writeFileSync(join(site, 'pages', '0.html'), 'Another');
    for (const flags of [[], ['--quiet'], ['--strict']]) {
      const run = await callCli(['audit', ...flags, site]);
      expect(run).toMatchObject({ status: 1, stderr: '' });
      expect(run.stdout).toContain(
        'Error A file has another checksum than the listed one. (§7, 1 place, hash-differs)\n',
      );
      expect(run.stdout).toMatch(
        /\n {4}https:\/\/example\.org\/pages\/0\.html in https:\/\/example\.org\/resourcesync\/resourcelist-0001\.xml:\d+\n {6}found md5:\w{32} \(7 bytes\); expected md5:\w{32}\n/,
      );
      expect(run.stdout).toMatch(/: 1 error\.\n$/);
    }
  });

  test('with a warning, strictly or not, or with one that is configured away', async () => {
    const site = await makeDescribedSite();
    const run = (...flags: string[]) => callCli(['audit', site, ...flags]);
    expect(await run('--quiet')).toMatchObject({ status: 0, stdout: '', stderr: '' });
    writeFileSync(join(site, 'new.txt'), 'x');
    expect(await run()).toMatchObject({ status: 0, stderr: '' });
    expect(await run('--strict')).toMatchObject({ status: 1, stderr: '' });
    expect(await run('--strict', '--exclude', 'new.txt')).toMatchObject({ status: 0, stderr: '' });
  });

  test('is one JSON object', async () => {
    const site = await makeDescribedSite();
    rmSync(join(site, 'pages', '0.html'));
    const run = await callCli(['audit', site, '--json']);
    expect(run).toMatchObject({ status: 1, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      source: site,
      description: 'https://example.org/.well-known/resourcesync',
      resources: { listed: 19, checked: 18 },
      errors: 1,
      warnings: 0,
      notes: 0,
      findings: [
        {
          code: 'resource-missing',
          severity: 'error',
          section: '§7',
          count: 1,
          findings: [{ entry: 'https://example.org/pages/0.html', found: 'no such file' }],
        },
      ],
    });
  });

  test('shows the first few places, and all when asked', async () => {
    const site = await makeDescribedSite();
    for (let page = 0; page < 12; page++) writeFileSync(join(site, 'pages', `${page}.html`), 'x');
    const few = await callCli(['audit', site]);
    expect(few.stdout.match(/pages\/\d+\.html in/g)?.length).toBe(5);
    expect(few.stdout).toContain('and 7 more (--verbose)');
    const all = await callCli(['audit', site, '--verbose']);
    expect(all.stdout.match(/pages\/\d+\.html in/g)?.length).toBe(12);
  });

  test('cannot write to the terminal', async () => {
    const site = await makeDescribedSite();
    edit(join(site, 'resourcesync/changedump.xml'), 'application/zip', 'a/b\u009b31m\u202e&#x7f;');
    const { stdout } = await callCli(['audit', site]);
    expect(stdout).toContain('\\u009b31m\\u202e\\u007f');
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  });
});

test.each(['directory', 'clean', 'bare', 'file'])(
  'hostile names are found again with --urls %s',
  async (style) => {
    const { site } = makeHostileSite();
    expect(await callCli([site, '--url', 'https://example.org/sub', '--urls', style])).toMatchObject({
      status: 0,
    });
    // Folders whose names end in .html look like pages: with bare URLs one has to say so.
    const flags = ['--urls', style, '--url', 'https://example.org/sub/'];
    const { stdout } = await callCli(['audit', site, ...(style === 'directory' ? [] : flags), '--json']);
    expect(JSON.parse(stdout).findings.map(({ code }: { code: string }) => code)).toEqual([
      'describedby-missing',
      'description-not-well-known',
    ]);
  },
);

test('versions that are left out of a sample are linked, however the URL of the site is spelled', async () => {
  const site = join(copyStory(), 'dist');
  await describeAt(1000, { site, url: 'https://example.org/%7Eme/', history: 'HEAD:dist', versions: true });
  const report = await audit({ source: site, sample: 1 });
  expect(report).toMatchObject({ errors: 0, warnings: 0 });
});

test('packages that are left out of a sample, without copies of their manifests, lack nothing', async () => {
  const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
  const url = 'https://example.org/';
  await describeAt(1000, { site, url, history: 'none', dumps: { resources: true, maxEntries: 1 } });
  edit(join(site, 'resourcesync/resourcedump.xml'), /<rs:ln rel="contents"[^>]*>/g, '');
  for (const sample of [{ sample: 1 }, {}])
    expect(await audit({ source: site, ...sample })).toMatchObject({ errors: 0 });
});

test('a configuration file tells the site, and what is left out', async () => {
  const folder = makeSite({
    'dist/index.html': 'Home',
    'dist/draft.html': 'Draft',
    'resync-static.config.json':
      '{ "site": "dist", "url": "https://example.org/", "exclude": ["draft.html"] }',
  });
  expect(await callCli([], { cwd: folder })).toMatchObject({ status: 0 });
  expect(await callCli(['audit', '--strict'], { cwd: folder })).toMatchObject({ status: 0 });
});

test('a folder that is not there', async () => {
  const run = await callCli(['audit', join(makeFolder(), 'dist')]);
  expect(run).toMatchObject({ status: 1, stdout: '' });
  expect(run.stderr).toContain('There is no folder');
});
