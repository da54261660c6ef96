/** Repositories that do not have everything, are damaged, of somebody else, or replaced. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { datetimeAt, describeAt, readDocuments, SITE_URL, tellChanges } from '../support/changes.js';
import { cloneOf, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { copyStory, publishStory, ROOT, run, STATE, STORY, tell } from '../support/places.js';
import { callCli, handOver, makeSite } from '../support/site.js';

describe('a shallow clone', () => {
  test('knows what came after its boundary, says so, and invents nothing', async () => {
    const origin = copyStory();
    const [full, shallow] = [cloneOf(origin), cloneOf(origin, '--depth', '2')];
    const [site, cut] = [join(full, 'dist'), join(shallow, 'dist')];
    await describeAt(1000, { site });

    const { report, codes } = await run({ cwd: shallow, site: 'dist' });

    expect(codes).toEqual(['changes-known-from']);
    expect(report?.notices).toMatchObject([
      { code: 'changes-known-from', from: datetimeAt(100), truncated: true },
    ]);
    expect(tell(cut)).toEqual({
      moments: { at: '+200', from: '+100' },
      resources: ['/ one -', '/a.html three +200', '/b/c.html one -'],
      changes: STORY.changes.slice(2),
    });
    const lines = (of: string) => readDocuments(of)['resourcesync/changelist.xml']?.split('\n') ?? [];
    const changes = lines(cut).filter((line) => line.includes('<url>'));
    expect(changes).toEqual(
      lines(site)
        .filter((line) => line.includes('<url>'))
        .slice(2),
    );
  });

  test('names the cure, and the cure works', async () => {
    const origin = copyStory();
    const shallow = cloneOf(origin, '--depth', '2');
    const { stderr } = await callCli(['dist', '--url', SITE_URL, '--quiet'], {
      cwd: shallow,
      env: { HOME: shallow },
    });
    const cure = /git fetch --unshallow/.exec(stderr)?.[0] ?? '';
    expect(stderr).toContain(datetimeAt(100));
    git(shallow, cure.split(' ').slice(1));
    await describeAt(1000, { site: join(shallow, 'dist') });
    expect(tell(join(shallow, 'dist'))).toEqual(STORY);
  });
});

describe('a partial clone', () => {
  /** A server that lets clones leave out what they do not need. */
  function makeServer(): string {
    const origin = copyStory();
    gitText(origin, 'config', 'uploadpack.allowFilter', 'true');
    commitFiles(origin, 300, { 'dist/gone.dat': 'four', 'dist/a.html': 'five' });
    commitFiles(origin, 400, { 'dist/gone.dat': undefined, 'dist/a.html': 'three' });
    return origin;
  }
  const objectsOf = (repository: string) =>
    gitText(repository, 'cat-file', '--batch-all-objects', '--batch-check').split('\n').sort();

  test('fetches nothing, and lists without bytes what it does not have', async () => {
    const clone = cloneOf(makeServer(), '--filter=blob:none');
    const before = objectsOf(clone);

    const { report, status } = await run({ cwd: clone, site: 'dist' });

    expect(status).toBe(0);
    expect(objectsOf(clone)).toEqual(before);
    expect(tellChanges(join(clone, 'dist'))).toEqual([
      '+100 updated /a.html -',
      '+100 created /b/c.html one',
      '+200 updated /a.html three',
      '+200 deleted /old.html',
      '+300 updated /a.html -',
      '+300 created /gone.dat -',
      '+400 updated /a.html three',
      '+400 deleted /gone.dat',
    ]);
    const documents = readDocuments(join(clone, 'dist'));
    const [missing] = documents['resourcesync/changelist.xml']?.match(/<rs:md change="updated"[^>]*>/g) ?? [];
    expect(missing).toBe(`<rs:md change="updated" datetime="${datetimeAt(100)}" type="text/html"/>`);
    expect(report?.notices).toContainEqual(expect.objectContaining({ code: 'versions-missing', count: 3 }));
  });

  test('without folders is refused: it cannot tell what changed, and fetches nothing to find out', async () => {
    const clone = cloneOf(makeServer(), '--filter=tree:0');
    const before = objectsOf(clone);
    const { status, stderr } = await run({ cwd: clone, site: 'dist' });
    expect(objectsOf(clone)).toEqual(before);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^Error git cannot be used in .*--history none/s);
    expect(existsSync(join(clone, 'dist/resourcesync'))).toBe(false);
  });
});

describe('a repository that is damaged', () => {
  const REFUSED = { name: 'ResyncError', code: expect.stringMatching(/^(?:git-failed|history-missing)$/) };
  test.each([
    ['the newest commit', 'HEAD', 'garbage'],
    ['the folder of the site', 'HEAD:dist', 'garbage'],
    ['a file of the past', 'HEAD~1:dist/a.html', undefined],
  ])('is an error: %s (%s) is %s; the former documents stay', async (_, revision, content) => {
    const repository = copyStory();
    const site = join(repository, 'dist');
    await describeAt(1000, { site, history: 'HEAD:dist' });
    const documents = readDocuments(site);
    makeSite({ 'index.html': 'five' }, site);
    const id = gitText(repository, 'rev-parse', revision);
    const file = join(repository, '.git/objects', id.slice(0, 2), id.slice(2));
    rmSync(file);
    if (content !== undefined) writeFileSync(file, content);

    for (const history of ['auto', 'HEAD:dist']) {
      const run = describeAt(2000, { site, history });
      await expect.soft(run, history).rejects.toMatchObject(REFUSED);
      expect.soft(readDocuments(site), history).toEqual(documents);
    }
  });
});

// Only root can give files to another user.
describe.runIf(ROOT)('a repository of another user', () => {
  test('is an error that names the cause, not a site without history', async () => {
    const repository = handOver(copyStory());
    for (const history of ['auto', 'main:dist', 'snapshots']) {
      const { status, stderr } = await run({ cwd: repository, site: 'dist', history });
      expect({ history, status }).toEqual({ history, status: 1 });
      expect(stderr).toContain('dubious ownership');
      expect(stderr).toContain('safe.directory');
      expect(stderr).not.toMatch(/\n {4}at /);
    }
    expect(readDocuments(join(repository, 'dist'))).toEqual({});
  });

  test('is used where its user says so', async () => {
    const repository = handOver(copyStory());
    const home = makeSite({ '.gitconfig': `[safe]\n\tdirectory = ${repository}\n` });
    const result = await run({ cwd: repository, site: 'dist', env: { HOME: home } });
    expect(result).toMatchObject({ status: 0, codes: ['changes-known-from'] });
    expect(tell(join(repository, 'dist'))).toEqual(STORY);
  });
});

describe('a deploy branch that was replaced', () => {
  test('begins anew: the notice says from when changes are known, and nothing is invented', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'source.md': 'one' });
    const deploy = publishStory(makeRepository(), '');
    git(repository, ['fetch', '--quiet', deploy, 'main:gh-pages']);
    const site = makeSite(STATE, join(repository, 'dist'));
    await describeAt(1000, { site, history: 'gh-pages' });
    expect(tell(site)).toEqual(STORY);

    git(deploy, ['checkout', '--quiet', '--orphan', 'new']);
    commitFiles(deploy, 700, { 'a.html': 'four' });
    git(repository, ['fetch', '--quiet', '--force', deploy, 'new:gh-pages']);
    makeSite({ 'a.html': 'four' }, site);
    const { report, codes } = await run({ cwd: repository, site: 'dist', history: 'gh-pages' });

    expect(codes).toEqual(['changes-known-from']);
    expect(report?.notices).toMatchObject([
      { code: 'changes-known-from', from: datetimeAt(700), truncated: false },
    ]);
    expect(tell(site)).toEqual({
      moments: { at: '+700', from: '+700' },
      resources: ['/ one +700', '/a.html four +700', '/b/c.html one +700'],
      changes: [],
    });
  });
});
