import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments, tellChanges, tellMoments, tellResources } from '../support/changes.js';
import { BEGIN, cloneOf, commitFiles, git, gitText, makeRepository, readCommit } from '../support/git.js';
import { chainOf, change, type Files, REF, runAt } from '../support/record.js';
import { makeSite, readTree } from '../support/site.js';

describe('one publication after another', () => {
  test('makes a Change List that grows, and what was pending becomes permanent as it was', async () => {
    const repository = makeRepository();
    const site = makeSite({}, join(repository, 'dist'));
    mkdirSync(site);
    const states: Files[] = [
      { 'index.html': 'one', 'a.html': 'one' },
      { 'a.html': 'two', 'b.html': 'one' },
      { 'index.html': undefined },
      { 'a.html': 'one', 'index.html': 'one' },
      { 'a.html': undefined, 'b.html': undefined },
    ];
    let lines: string[] = [];
    for (const [index, files] of states.entries()) {
      const now = 1000 * index;
      change(site, files);

      const pending = await describeAt(now, { site });
      expect(pending.publication).toMatchObject({ pending: true, recorded: false });
      const documents = readDocuments(site);
      const kept = await describeAt(now, { site, record: true });
      expect(kept.publication).toMatchObject({ pending: true, recorded: true });
      // Until it is kept, nothing is known of the first state but that it stands now.
      if (index > 0) expect(readDocuments(site)).toEqual(documents);
      const recorded = readDocuments(site);
      const later = await describeAt(now + 500, { site });
      expect(later.publication).toMatchObject({ pending: false, recorded: false });
      expect(readDocuments(site)).toEqual(recorded);

      expect(chainOf(repository)).toHaveLength(index + 1);
      expect(tellMoments(site)).toEqual({ at: `+${now}`, from: '+0' });
      const told = tellChanges(site);
      expect(told.slice(0, lines.length)).toEqual(lines);
      lines = told;
    }
    expect(lines).toEqual([
      '+1000 updated /a.html two',
      '+1000 created /b.html one',
      '+2000 deleted /',
      '+3000 created / one',
      '+3000 updated /a.html one',
      '+4000 deleted /a.html',
      '+4000 deleted /b.html',
    ]);
    expect(tellResources(site)).toEqual(['/ one +3000']);
  });

  test('appends nothing and writes nothing where nothing has changed', async () => {
    const repository = makeRepository();
    const site = makeSite(
      { 'a.html': 'one', '404.html': 'one', 'drafts/b.html': 'one' },
      join(repository, 'dist'),
    );
    const config = { site, record: true, exclude: ['drafts/**'] };
    await describeAt(0, config);
    const stamps = () =>
      Object.keys(readTree(repository)).map((path) => {
        const { ino, mtimeNs, ctimeNs } = statSync(join(repository, path), { bigint: true });
        return { path, ino, mtimeNs, ctimeNs };
      });
    const before = stamps();

    const report = await describeAt(1000, config);

    expect(report.publication).toMatchObject({ pending: false, recorded: false });
    expect(stamps()).toEqual(before);
    // What is no resource is no change either.
    change(site, { '404.html': 'two', 'drafts/b.html': 'two' });
    await describeAt(2000, config);
    expect(chainOf(repository)).toHaveLength(1);
  });

  test('is at least a second after the one before it, whatever SOURCE_DATE_EPOCH says', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    const moments = [1000, 0, 1000, 1003];
    for (const [index, now] of moments.entries()) {
      change(site, { 'a.html': `state ${index}` });
      await describeAt(now, { site, record: true });
      const recorded = readDocuments(site);
      await describeAt(now, { site });
      expect(readDocuments(site)).toEqual(recorded);
    }
    const dates = gitText(repository, 'log', '--reverse', '--format=%ct', REF).split('\n');
    const expected = [1000, 1001, 1002, 1003];
    expect(dates.map((date) => Number(date) - BEGIN)).toEqual(expected);
    expect(tellChanges(site).map((line) => line.split(' ')[0])).toEqual(
      expected.slice(1).map((moment) => `+${moment}`),
    );
  });

  test('says the same before and after it is kept, also behind one that changed no URL and a clock set back', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'about.html': 'one' }, join(repository, 'dist'));
    const config = { site, urls: 'bare' } as const;
    await describeAt(0, { ...config, record: true });
    change(site, { 'about.html': undefined, 'about/index.html': 'one' });
    await describeAt(1000, { ...config, record: true });
    change(site, { 'about/index.html': 'two' });

    await describeAt(500, config);
    const pending = readDocuments(site);
    await describeAt(500, { ...config, record: true });
    expect(readDocuments(site)).toEqual(pending);
    await describeAt(2000, config);
    expect(readDocuments(site)).toEqual(pending);
  });

  test('makes the same commits in every repository', async () => {
    const states: Files[] = [
      { 'a.html': 'one', 'ö/b c.txt': 'one' },
      { 'a.html': 'two' },
      { ö: undefined, 'd.html': 'three' },
    ];
    const record = async (repository: string) => {
      const site = join(repository, 'dist');
      mkdirSync(site);
      for (const [index, files] of states.entries()) {
        change(site, files);
        await describeAt(1000 * index, { site, record: true });
      }
      return chainOf(repository);
    };
    const [plain, other] = [makeRepository(), makeRepository()];
    // They say of which commit they were built.
    for (const one of [plain, other]) commitFiles(one, 0, { 'readme.md': 'one' });
    for (const setting of [
      ['user.name', 'Somebody'],
      ['user.email', 'somebody@example.org'],
      ['commit.gpgSign', 'true'],
      ['i18n.commitEncoding', 'ISO-8859-1'],
      ['core.compression', '9'],
      ['fastimport.unpackLimit', '1'],
      ['core.logAllRefUpdates', 'always'],
      ['core.autocrlf', 'true'],
      ['core.sharedRepository', 'group'],
    ]) {
      gitText(other, 'config', ...setting);
    }
    const commits = await record(plain);
    expect(await record(other)).toEqual(commits);
    expect(commits).toHaveLength(3);
  });
});

describe('snapshots that travel', () => {
  const refspec = '+refs/resync-static/*:refs/resync-static/*';
  const record = (seconds: number, clone: string) =>
    describeAt(seconds, { site: join(clone, 'dist'), record: true });

  /** A server, and clones of it as CI makes them: fresh, with the build's output untracked. */
  function makeServer() {
    const server = makeRepository('--bare');
    const author = cloneOf(server);
    commitFiles(author, 0, { 'readme.md': 'one', '.gitignore': 'dist/\n' });
    git(author, ['push', '--quiet', 'origin', 'HEAD:refs/heads/main']);
    const build = (files: Readonly<Record<string, string>>, fetches = true) => {
      const clone = cloneOf(server, '--branch', 'main', '--depth', '1');
      if (fetches) git(clone, ['fetch', '--quiet', 'origin', refspec]);
      makeSite(files, join(clone, 'dist'));
      return clone;
    };
    return { server, build };
  }

  const push = (clone: string) => git(clone, ['push', '--quiet', 'origin', 'refs/resync-static/*']);

  test('go on in a fresh clone that has fetched them', async () => {
    const { server, build } = makeServer();
    const first = build({ 'a.html': 'one', 'b.html': 'one' });
    await record(0, first);
    push(first);
    const second = build({ 'a.html': 'two', 'b.html': 'one' });
    await record(1000, second);
    push(second);
    const third = build({ 'a.html': 'two' });
    await record(2000, third);
    push(third);

    expect(tellChanges(join(third, 'dist'))).toEqual(['+1000 updated /a.html two', '+2000 deleted /b.html']);
    expect(tellResources(join(third, 'dist'))).toEqual(['/a.html two +1000']);
    expect(chainOf(server)).toEqual(chainOf(third));

    // One that has not fetched says what is missing.
    const careless = build({ 'a.html': 'two' }, false);
    const { stderr } = await runAt(3000, careless, ['--quiet']);
    expect(stderr).toMatch(/^Warning git has no earlier state of this site.*--record/m);
  });

  test('lose no publication when a push is rejected, and fetching, recording and pushing are done again', async () => {
    const { server, build } = makeServer();
    const first = build({ 'a.html': 'one', 'b.html': 'one' });
    await record(0, first);
    push(first);
    const [left, right] = [
      build({ 'a.html': 'two', 'b.html': 'one' }),
      build({ 'a.html': 'one', 'b.html': 'two' }),
    ];
    for (const clone of [left, right]) await record(1000, clone);
    push(left);
    expect(() => push(right)).toThrow(/rejected/);

    git(right, ['fetch', '--quiet', 'origin', refspec]);
    await record(1000, right);
    push(right);

    expect(chainOf(server).map((commit) => readCommit(server, commit))).toEqual([
      { 'a.html': 'one', 'b.html': 'one' },
      { 'a.html': 'two', 'b.html': 'one' },
      { 'a.html': 'one', 'b.html': 'two' },
    ]);
    expect(tellChanges(join(right, 'dist'))).toEqual([
      '+1000 updated /a.html two',
      '+1001 updated /a.html one',
      '+1001 updated /b.html two',
    ]);
    const recorded = readDocuments(join(right, 'dist'));
    const fresh = build({ 'a.html': 'one', 'b.html': 'two' });
    await describeAt(5000, { site: join(fresh, 'dist') });
    expect(readDocuments(join(fresh, 'dist'))).toEqual(recorded);
  });
});
