import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BEGIN, commitAll, git, gitText, makeRepository } from '../support/git.js';
import { makeSite } from '../support/site.js';

test('what the tests commit without git is what git commits, and its index is up to date', () => {
  const written = makeRepository();
  const expected = makeRepository();
  git(expected, ['config', 'user.signingKey', 'a setting by which git commits itself']);
  const edits: ((folder: string) => void)[] = [
    (folder) =>
      makeSite({ 'a/b/c.txt': 'x', 'a-b': '', a0: '1', 'a/é.txt': 'z', '.gitignore': 'a\n' }, folder),
    (folder) => {
      symlinkSync('nowhere', join(folder, 'link'));
      chmodSync(join(folder, 'a0'), 0o755);
      writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, 0xe9])]), 'not UTF-8');
    },
    (folder) => rmSync(join(folder, 'a'), { recursive: true }),
    () => undefined,
  ];
  for (const [index, edit] of edits.entries()) {
    const [one, other] = [written, expected].map((folder) => {
      edit(folder);
      return commitAll(folder, BEGIN + index);
    });
    expect(one).toBe(other);
    expect(gitText(written, 'status', '--porcelain')).toBe('');
    expect(gitText(written, 'diff-files')).toBe('');
  }
  git(written, ['fsck', '--strict']);
});
