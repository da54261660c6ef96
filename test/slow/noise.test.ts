/** Builds that change files by themselves are told from the first file on, where it is known that the sources are the same. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diff } from '../../src/index.js';
import { describeAt, SITE_URL } from '../support/changes.js';
import { commitAll, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { change, REF } from '../support/record.js';
import { callCli, makeSite } from '../support/site.js';

const CODE = 'build-not-reproducible';

/** A project with sources that are committed, and node_modules that are ignored. */
function makeSources(ignored = 'dist/\nnode_modules/\n') {
  const repository = makeRepository();
  makeSite({ 'node_modules/a/package.json': '{}' }, repository);
  commitFiles(repository, 0, { '.gitignore': ignored, 'package.json': '{}', 'src/a.md': 'one' });
  const site = makeSite({}, join(repository, 'dist'));
  return { repository, site };
}

/** The output of a generator that prints the time of the build. */
const build = (site: string, time: string, text = 'one') =>
  makeSite(
    {
      'a.html': `<title>A</title>\n<p>${text}\n`,
      'b.html': '<title>B</title>\n<p>b\n',
      'feed.xml': `<feed>\n<updated>2026-01-01T${time}:00Z</updated>\n</feed>\n`,
    },
    site,
  );

const noticesOf = async (seconds: number, site: string, record = false) =>
  (await describeAt(seconds, { site, record })).notices.filter(({ code }) => code === CODE);

const recordIn = async (cwd: string) => {
  const { status, stderr } = await callCli(['record', 'dist'], { cwd });
  expect(status, stderr).toBe(0);
};

/** Without what it says of options. */
const messageOf = (repository: string) =>
  gitText(repository, 'log', '-1', '--format=%B', REF)
    .replace(/^Listing: .*$/m, '')
    .trim();

describe('a snapshot says of which commit it was built', () => {
  test('when it is recorded after the deploy, and noise is told from one file on', async () => {
    const { repository, site } = makeSources();
    const commit = gitText(repository, 'rev-parse', 'HEAD');
    build(site, '10:00');
    expect(await noticesOf(0, site)).toEqual([]);
    await recordIn(repository);
    expect(messageOf(repository)).toBe(`Publication\n\nSource: ${commit}`);

    build(site, '11:00');
    expect(await noticesOf(1000, site)).toEqual([
      {
        code: CODE,
        severity: 'warning',
        updated: 1,
        pages: 3,
        masked: 1,
        exact: true,
        line: '<updated>…</updated>',
        source: commit,
      },
    ]);
    const { stderr } = await callCli(['dist', '--url', SITE_URL], { cwd: repository });
    expect(stderr).toMatch(
      /^Warning 1 of 3 files changed, only in times, hashes or numbers: "<updated>.*"\. Their sources did\s+not\s+change\s+since\s+[\da-f]{7},/m,
    );
    expect(await diff({ site, url: SITE_URL })).toMatchObject({
      unreproducible: { updated: 1, pages: 3, source: commit, kind: 'data' },
    });
    // An edit that is not committed may be why, and so may one that is.
    change(repository, { 'src/a.md': 'two' });
    expect(await noticesOf(1100, site)).toEqual([]);
    git(repository, ['commit', '--quiet', '--all', '--message', 'Edit']);
    expect(await noticesOf(1200, site)).toEqual([]);
    expect(await diff({ site, url: SITE_URL })).not.toHaveProperty('unreproducible');
    await recordIn(repository);
    expect(messageOf(repository)).toContain(`Source: ${gitText(repository, 'rev-parse', 'HEAD')}`);
  });

  test('when CI records it while it describes', async () => {
    const { repository, site } = makeSources();
    build(site, '10:00');
    await noticesOf(0, site, true);
    expect(messageOf(repository)).toContain('Source: ');
    build(site, '11:00');
    expect(await noticesOf(1000, site, true)).toMatchObject([{ updated: 1, masked: 1 }]);
    // Another text of the same sources may be of data from elsewhere, or of an edit by hand.
    build(site, '11:00', 'two');
    expect(await noticesOf(2000, site, true)).toEqual([]);
  });

  test.each<[what: string, files: Readonly<Record<string, string>>]>([
    ['changed', { 'src/a.md': 'two' }],
    ['new', { 'src/b.md': 'new' }],
  ])('unless a source is %s and not committed', async (_, files) => {
    const { repository, site } = makeSources();
    makeSite(files, repository);
    build(site, '10:00');
    await noticesOf(0, site);
    await recordIn(repository);
    expect(messageOf(repository)).toBe('Publication');
    build(site, '11:00');
    expect(await noticesOf(1000, site)).toEqual([]);
  });
});

describe('where the site is committed', () => {
  test('noise is told from one file on, if nothing beside it changed since', async () => {
    const { repository, site } = makeSources('node_modules/\n');
    build(site, '10:00');
    commitAll(repository, 1_700_000_010);
    build(site, '11:00');
    const source = gitText(repository, 'rev-parse', 'HEAD');
    expect(await noticesOf(1000, site)).toMatchObject([{ updated: 1, pages: 3, source }]);
    // A later commit that changed only the documents is no publication.
    change(repository, { 'src/a.md': 'two' });
    expect(await noticesOf(1100, site)).toEqual([]);
  });

  test('but where the site is the whole repository, nothing is known of sources', async () => {
    const repository = makeRepository();
    build(repository, '10:00');
    commitAll(repository, 1_700_000_010);
    build(repository, '11:00');
    expect(await noticesOf(1000, repository)).toEqual([]);
  });
});

test('filters that the repository names do not run', async () => {
  const { repository, site } = makeSources();
  const mark = join(repository, 'node_modules/ran');
  commitFiles(repository, 5, { '.gitattributes': '* filter=x\n' });
  gitText(repository, 'config', 'filter.x.clean', `touch ${mark}; cat`);
  gitText(repository, 'config', 'filter.x.required', 'true');
  build(site, '10:00');
  await noticesOf(0, site, true);
  expect(existsSync(mark)).toBe(false);
  // The filter is alive.
  makeSite({ 'src/a.md': 'two' }, repository);
  gitText(repository, 'add', 'src/a.md');
  expect(existsSync(mark)).toBe(true);
});
