/** `record`: what was deployed is kept as it says of itself, and nothing else is. */

import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { record } from '../../src/index.js';
import { datetimeAt, describeAt, readDocuments, SITE_URL, tellChanges } from '../support/changes.js';
import { BEGIN, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { startHost } from '../support/host.js';
import { buildSite, makeProject } from '../support/kept.js';
import { chainOf, change, type Files, REF } from '../support/record.js';
import { callCli, makeFolder, makeSite, readTree } from '../support/site.js';

/** A repository with the output of a build, which git ignores. */
function makeProjectWith(files: Readonly<Record<string, string>>) {
  const repository = makeRepository();
  commitFiles(repository, 0, { '.gitignore': 'dist/\n' });
  return { repository, site: makeSite(files, join(repository, 'dist')) };
}

const recordIn = (cwd: string, ...args: string[]) => callCli(['record', 'dist', ...args], { cwd });

const documentsAnd = ({ repository, site }: { repository: string; site: string }) => ({
  documents: readDocuments(site),
  refs: Object.entries(readTree(join(repository, '.git'))).filter(([path]) =>
    /^(?:packed-)?refs\b/.test(path),
  ),
});

/** It refuses with these words, and nothing has changed. */
async function expectRefused(
  project: { repository: string; site: string },
  args: readonly string[],
  words: RegExp,
  status = 1,
): Promise<string> {
  const before = documentsAnd(project);
  const result = await recordIn(project.repository, ...args);
  expect(result).toMatchObject({ status, stdout: '', stderr: expect.stringMatching(words) });
  expect(result.stderr).not.toMatch(/^\s+at /m);
  expect(documentsAnd(project)).toEqual(before);
  return result.stderr;
}

test('without a folder, the library says what is missing', async () => {
  const missing = /^The configuration cannot be used: 1 mistake\n {2}site is missing\. Give the folder/;
  const wrong =
    /: 1 mistake\n {2}site must be the folder that the build writes, such as "\.\/dist", but is (?:5|"")$/;
  for (const [config, message] of [
    [{}, missing],
    [undefined, missing],
    [{ site: 5 }, wrong],
    [{ site: '' }, wrong],
  ]) {
    const refused = record(JSON.parse(JSON.stringify(config ?? null)));
    await expect(refused).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message as RegExp),
    });
  }
});

describe('what was deployed', () => {
  test('is kept with the moment that its documents say, and the next build repeats its Change List', async () => {
    const { repository, site } = makeProjectWith({ 'a.html': 'one', 'b.html': 'one' });
    const states: Files[] = [{}, { 'a.html': 'two', 'c.html': 'one' }, { 'b.html': undefined }];
    for (const [index, files] of states.entries()) {
      change(site, files);
      await describeAt(1000 * index, { site });
      const deployed = readDocuments(site);

      const { status, stdout, stderr } = await recordIn(repository);

      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(stdout).toContain(`(${datetimeAt(1000 * index)}) on ${REF}\n`);
      expect(stdout).toContain('add --live');
      expect(stdout).not.toContain('pushed');
      expect(readDocuments(site)).toEqual(deployed);
      expect(chainOf(repository)).toHaveLength(index + 1);
      expect(gitText(repository, 'log', '-1', '--format=%ct', REF)).toBe(`${BEGIN + 1000 * index}`);
      await describeAt(1000 * index + 500, { site });
      const name = 'resourcesync/changelist.xml';
      expect(readDocuments(site)[name]).toBe(deployed[name]);
      // The Resource List now dates the first publication; after that, nothing changes.
      if (index > 0) expect(readDocuments(site)).toEqual(deployed);
    }
    expect(tellChanges(site)).toEqual([
      '+1000 updated /a.html two',
      '+1000 created /c.html one',
      '+2000 deleted /b.html',
    ]);
    expect(readCommit(repository, REF)).toEqual({ 'a.html': 'two', 'c.html': 'one' });
  });

  test('is not kept twice', async () => {
    const { repository, site } = makeProjectWith({ 'a.html': 'one' });
    await describeAt(0, { site });
    expect((await recordIn(repository)).status).toBe(0);
    const before = documentsAnd({ repository, site });
    const again = await recordIn(repository, '--live');
    expect(again).toMatchObject({ status: 0, stderr: '' });
    expect(again.stdout).toBe(`Already recorded: ${REF} ends with the publication of ${datetimeAt(0)}.\n`);
    expect(documentsAnd({ repository, site })).toEqual(before);
    // A publication that CI recorded while it described counts, too.
    change(site, { 'a.html': 'two' });
    await describeAt(1000, { site, record: true });
    expect((await recordIn(repository)).stdout).toContain('Already recorded');
    expect(chainOf(repository)).toHaveLength(2);
  });

  test('is told as JSON, and by the library', async () => {
    const { repository, site } = makeProjectWith({ 'a.html': 'one' });
    git(repository, ['remote', 'add', 'other', 'https://example.org/x.git']);
    await describeAt(0, { site });
    const { stdout } = await recordIn(repository, '--json');
    const at = datetimeAt(0);
    expect(JSON.parse(stdout)).toEqual({
      site,
      url: SITE_URL,
      ref: REF,
      at,
      from: at,
      recorded: true,
      changes: { created: 0, updated: 0, deleted: 0 },
      compared: false,
      push: `git push other ${REF}`,
    });
    change(site, { 'a.html': 'two' });
    await describeAt(1000, { site });
    const report = await record({ site });
    expect(report).toMatchObject({ recorded: true, at: datetimeAt(1000), changes: { updated: 1 } });
    expect(await record({ site, url: SITE_URL })).toMatchObject({ recorded: false });
  });

  test('is recorded with the options of the integration that described it', async () => {
    const project = makeProject();
    git(project, ['init', '--quiet']);
    const site = join(project, 'dist');
    await buildSite(site, { exclude: ['drafts/**'] });
    const { status, stdout, stderr } = await recordIn(project);
    expect(status, stderr).toBe(0);
    expect(stdout).toContain('Recorded first publication');
    expect(Object.keys(readCommit(project, REF))).toEqual(['data/a.txt', 'index.html']);
  });
});

describe('refused, and nothing is recorded', () => {
  test('a folder that was never described', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    const words =
      /has no documents of resync-static.*Nothing is recorded\.\nRun resync-static on the folder/s;
    await expectRefused(project, [], words);
    await expectRefused(project, ['--url', SITE_URL], words);
  });

  test('files that are not those that the documents list', async () => {
    const project = makeProjectWith({ 'a.html': 'one', 'b.html': 'one', 'c.html': 'one' });
    await describeAt(0, { site: project.site });
    change(project.site, { 'a.html': 'two', 'b.html': undefined, 'bb.html': 'new' });
    await expectRefused(
      project,
      [],
      /differ from its documents: https:\/\/example\.org\/a\.html \(other bytes\), \S+b\.html \(gone\), \S+bb\.html \(new\)\. Nothing is recorded\.\nRecord with the options of the build, or describe the folder again/,
    );
    change(project.site, { '0.html': 'new', 'z.html': 'new' });
    await expectRefused(project, [], /0\.html \(new\) and 2 more\. Nothing is recorded/);
  });

  test('documents that are about another URL, and those without history', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    await describeAt(0, { site: project.site });
    const words = /are about https:\/\/example\.org\/, and not about https:\/\/example\.net\/\. Nothing/;
    await expectRefused(project, ['--url', 'https://example.net/'], words);
    await describeAt(0, { site: project.site, history: 'none' });
    await expectRefused(project, [], /have no Change List.*\nDescribe the folder with --history snapshots/);
  });

  test('documents that come before the newest publication, or that continue another one', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    const { site } = project;
    await describeAt(0, { site, record: true });
    change(site, { 'a.html': 'two' });
    await describeAt(1000, { site });
    const deployed = join(makeFolder(), 'dist');
    cpSync(site, deployed, { recursive: true });
    const putBack = () => {
      rmSync(site, { recursive: true });
      cpSync(deployed, site, { recursive: true });
    };
    // Recorded later, and then earlier, than what was deployed.
    for (const [seconds, words] of [
      [
        2000,
        /do not come after the newest publication: \S+ ends on .*\nIf another machine recorded it, fetch/,
      ],
      [500, /do not continue the newest publication: \S+ ends on .*\nIf another machine recorded it, fetch/],
    ] as const) {
      const tip = gitText(project.repository, 'rev-parse', REF);
      change(site, { 'a.html': 'three' });
      await describeAt(seconds, { site, record: true });
      putBack();
      await expectRefused(project, [], words);
      git(project.repository, ['update-ref', REF, tip]);
    }
    // The ref that they continue is not here.
    git(project.repository, ['update-ref', '-d', REF]);
    await expectRefused(project, [], /do not continue the newest publication: \S+ has no publication yet/);
  });

  test('where the history is kept nowhere, on the live site or on a branch', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    await describeAt(0, { site: project.site });
    for (const [history, words] of [
      ['none', /there is no history to keep it in/],
      ['published', /the live site keeps the publications itself/],
      ['main', /main is written by whoever deploys/],
    ] as const)
      await expectRefused(project, ['--history', history], words, 2);
  });

  test('where the site is committed', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    git(project.repository, ['add', '--force', 'dist/a.html']);
    git(project.repository, ['commit', '--quiet', '--message', 'Build']);
    await describeAt(0, { site: project.site });
    await expectRefused(project, [], /the site is committed, and its commits are its history/, 2);
  });

  test('outside of any repository', async () => {
    const folder = makeFolder();
    const site = makeSite({ 'a.html': 'one' }, join(folder, 'dist'));
    await describeAt(0, { site });
    const { status, stderr } = await recordIn(folder);
    expect(status).toBe(1);
    expect(stderr).toMatch(/There is no git repository around .*\n.*git init.*--history published/);
    expect(stderr).not.toContain('--history none');
  });
});

describe('--live', () => {
  /** A project that was described for a host, which serves a copy of it. */
  async function makeDeployed() {
    const project = makeProjectWith({ 'a.html': 'one' });
    const host = await startHost(makeFolder());
    const deploy = () => {
      host.folder = join(makeFolder(), 'live');
      cpSync(project.site, host.folder, { recursive: true });
    };
    const build = (seconds: number, text: string) => {
      change(project.site, { 'a.html': text });
      return describeAt(seconds, { site: project.site, url: host.url });
    };
    return { ...project, host, deploy, build };
  }

  test('records what is live, and says so', async () => {
    const { repository, site, host, deploy, build } = await makeDeployed();
    await build(0, 'one');
    deploy();
    const { status, stdout, stderr } = await recordIn(repository, '--live');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`The same is live at ${host.url}\n`);
    expect(chainOf(repository)).toHaveLength(1);
    await build(1000, 'two');
    deploy();
    expect(await record({ site }, { live: true })).toMatchObject({ recorded: true, compared: true });
  });

  test('refuses what was built after the deploy, what is not deployed, and what is half deployed', async () => {
    const project = await makeDeployed();
    const { host, deploy, build } = project;
    await build(0, 'one');
    await expectRefused(
      project,
      ['--live'],
      /The live site does not show the publication of .*resourcelist\.xml: .*404/,
    );
    deploy();
    expect((await recordIn(project.repository, '--live')).status).toBe(0);
    await build(1000, 'two');
    deploy();
    await build(2000, 'three');
    const words = new RegExp(`resourcelist\\.xml is of ${datetimeAt(1000)}, or has other bytes\\. Nothing`);
    await expectRefused(project, ['--live'], words);
    deploy();
    rmSync(join(host.folder, '.well-known'), { recursive: true });
    const leftOut =
      /The lists of \S+ are live, but \S+\.well-known\/resourcesync is not: .*begin with a dot.*\n.*gh-pages --dotfiles/;
    await expectRefused(project, ['--live'], leftOut);
    makeSite({ '.well-known/resourcesync': '<p>soft 404' }, host.folder);
    await expectRefused(project, ['--live'], leftOut);
    deploy();
    host.intercept = (request, response) => {
      const isHidden = request.url?.startsWith('/.well-known/') === true;
      if (isHidden) response.writeHead(403).end();
      return isHidden;
    };
    await expectRefused(project, ['--live'], leftOut);
    host.intercept = () => false;
    cpSync(
      join(project.site, 'resourcesync/capabilitylist.xml'),
      join(host.folder, '.well-known/resourcesync'),
    );
    await expectRefused(project, ['--live'], /\.well-known\/resourcesync has other bytes/);
    deploy();
    expect((await recordIn(project.repository, '--live')).status).toBe(0);
  });

  test('refuses where nobody answers', async () => {
    const project = makeProjectWith({ 'a.html': 'one' });
    await describeAt(0, { site: project.site, url: 'http://127.0.0.1:9/' });
    await expectRefused(project, ['--live'], /The live site does not show .*127\.0\.0\.1:9/);
  });
});

test('the flags of the command that described the site need not be repeated, nor its folder', async () => {
  const { repository, site } = makeProjectWith({
    'index.html': 'home',
    'about.html': 'about',
    'draft.html': '',
  });
  makeSite({ 'package.json': '{}', 'node_modules/.package-lock.json': '{}' }, repository);
  const describeIn = (...flags: string[]) =>
    callCli(['dist', '--url', SITE_URL, ...flags], { cwd: repository });
  await describeIn('--urls', 'clean', '--exclude', 'draft.html', '--sitemap');
  expect(await callCli(['record'], { cwd: repository })).toMatchObject({
    status: 0,
    stderr: 'Note The site is dist, which the last build wrote.\n',
  });
  expect(gitText(repository, 'ls-tree', '--name-only', `${REF}:`)).toBe('about.html\nindex.html');
  // They are not flags of the next command.
  const { stdout } = await describeIn();
  expect(stdout).toContain('3 resources');
  expect(Object.keys(readDocuments(site))).not.toContain('sitemap.xml');
});
