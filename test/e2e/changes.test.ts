/** Which differences are changes, and of which kind. */

import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/options.js';
import { describeAt, tellChanges, tellMoments } from '../support/changes.js';
import { BEGIN, commitAll, commitFiles, git, makeRepository } from '../support/git.js';
import { describeStory, type Files } from '../support/story.js';

describe('what is a change', () => {
  test.each<[string, { steps: Files[]; config?: Partial<UserConfig>; changes: string[] }]>([
    [
      'a file that moves under one URL with its bytes is no change',
      {
        config: { urls: 'bare' },
        steps: [
          { 'dist/about.html': 'one' },
          { 'dist/about.html': undefined, 'dist/about/index.html': 'one' },
          { 'dist/about/index.html': undefined, 'dist/about.html': 'one' },
        ],
        changes: [],
      },
    ],
    [
      'what is excluded today never was a resource',
      {
        config: { exclude: ['drafts/**', '*.map'] },
        steps: [
          { 'dist/a.html': 'one', 'dist/drafts/b.html': 'one', 'dist/a.map': 'one' },
          { 'dist/drafts/b.html': 'two', 'dist/a.map': undefined },
          { 'dist/drafts/b.html': undefined, 'dist/b.html': 'two' },
          { 'dist/a.html': undefined, 'dist/drafts/a.html': 'one' },
        ],
        changes: ['+200 created /b.html two', '+300 deleted /a.html'],
      },
    ],
    [
      'what is left out by default has no changes',
      {
        steps: [
          { 'dist/a.html': 'one' },
          { 'dist/404.html': 'one', 'dist/_headers': 'one', 'dist/.htaccess': 'one', 'dist/.x/y.txt': 'one' },
          { 'dist/CNAME': 'one', 'dist/_worker.js/index.js': 'one', 'dist/.well-known/z.txt': 'one' },
        ],
        changes: ['+200 created /.well-known/z.txt one'],
      },
    ],
    [
      'the baseline is the first publication that holds a resource',
      {
        steps: [
          { 'dist/404.html': 'one', 'dist/.gitkeep': '' },
          { 'dist/a.html': 'one' },
          { 'dist/a.html': 'two' },
        ],
        changes: ['+200 updated /a.html two'],
      },
    ],
    [
      'a file in the place of the site, before it was a folder, is no resource',
      {
        steps: [
          { dist: 'one' },
          { dist: 'two' },
          { dist: undefined },
          { 'dist/a.html': 'one' },
          { 'dist/a.html': 'two' },
        ],
        changes: ['+400 updated /a.html two'],
      },
    ],
    [
      'files beside the site are none of its own, whatever their names begin with',
      {
        steps: [
          { 'dist/a.html': 'one', 'dist.html': 'one', 'dist2/a.html': 'one' },
          { 'dist.html': 'two', 'dist2/a.html': 'two', 'a/dist/a.html': 'one' },
        ],
        changes: [],
      },
    ],
  ])('%s', async (_, { steps, config, changes }) => {
    expect(tellChanges(await describeStory(steps, config))).toEqual(changes);
  });

  test('a mode change, an empty commit and a merge that keeps our side are no changes', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.html': 'one', 'dist/b.html': 'one' });
    git(repository, ['checkout', '--quiet', '-b', 'side']);
    commitFiles(repository, 50, { 'dist/a.html': 'two', 'dist/b.html': undefined });
    git(repository, ['checkout', '--quiet', 'main']);
    git(repository, ['update-index', '--chmod=+x', 'dist/a.html']);
    git(repository, ['commit', '--quiet', '--message', 'mode']);
    git(repository, ['commit', '--quiet', '--message', 'empty', '--allow-empty']);
    git(repository, ['merge', '--quiet', '--strategy=ours', '--message', 'merge', 'side']);
    const site = join(repository, 'dist');

    await describeAt(10_000, { site, history: 'HEAD:dist' });

    expect(tellChanges(site)).toEqual([]);
    expect(tellMoments(site)).toEqual({ at: '+0', from: '+0' });
  });

  test('what a merge brings is published with the merge, not with the commits of its side', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.html': 'one' });
    git(repository, ['checkout', '--quiet', '-b', 'side']);
    commitFiles(repository, 50, { 'dist/a.html': 'two', 'dist/gone.html': 'one' });
    commitFiles(repository, 60, { 'dist/a.html': 'three', 'dist/gone.html': undefined });
    git(repository, ['checkout', '--quiet', 'main']);
    commitFiles(repository, 100, { 'dist/b.html': 'one' });
    git(repository, ['merge', '--quiet', '--no-ff', '--message', 'merge', 'side'], '', {
      GIT_COMMITTER_DATE: `${BEGIN + 200} +0000`,
    });
    const site = join(repository, 'dist');

    await describeAt(10_000, { site, history: 'HEAD:dist' });

    expect(tellChanges(site)).toEqual(['+100 created /b.html one', '+200 updated /a.html three']);
  });

  // Windows makes symbolic links for administrators only.
  test.runIf(process.platform !== 'win32')(
    'a file that becomes a symbolic link is deleted, and created when it is a file again',
    async () => {
      const repository = makeRepository();
      commitFiles(repository, 0, { 'dist/a.html': 'one', 'dist/b.html': 'two' });
      const link = join(repository, 'dist/a.html');
      unlinkSync(link);
      symlinkSync('b.html', link);
      commitAll(repository, BEGIN + 100);
      unlinkSync(link);
      commitFiles(repository, 200, { 'dist/a.html': 'one' });
      const site = join(repository, 'dist');

      await describeAt(10_000, { site, history: 'HEAD:dist' });

      expect(tellChanges(site)).toEqual(['+100 deleted /a.html', '+200 created /a.html one']);
    },
  );
});
