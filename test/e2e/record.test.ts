import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments, tellChanges } from '../support/changes.js';
import { BEGIN, commitFiles, gitText, makeRepository } from '../support/git.js';
import { chainOf, change, type Files, REF } from '../support/record.js';
import { makeSite, stampsOf } from '../support/site.js';

describe('one publication after another', () => {
  test('appends nothing and writes nothing where nothing has changed', async () => {
    const repository = makeRepository();
    const site = makeSite(
      { 'a.html': 'one', '404.html': 'one', 'drafts/b.html': 'one' },
      join(repository, 'dist'),
    );
    const config = { site, record: true, exclude: ['drafts/**'] };
    await describeAt(0, config);
    const before = stampsOf(repository);

    const report = await describeAt(1000, config);

    expect(report.publication).toMatchObject({ pending: false, recorded: false });
    expect(stampsOf(repository)).toEqual(before);
    // A file that is no resource makes no change.
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
    const settings = [
      '[user]\nname = Somebody\nemail = somebody@example.org',
      '[commit]\ngpgSign = true',
      '[i18n]\ncommitEncoding = ISO-8859-1',
      '[core]\ncompression = 9\nlogAllRefUpdates = always\nautocrlf = true\nsharedRepository = group',
      '[fastimport]\nunpackLimit = 1',
    ];
    appendFileSync(join(other, '.git', 'config'), settings.join('\n'));
    const commits = await record(plain);
    expect(await record(other)).toEqual(commits);
    expect(commits).toHaveLength(3);
  });
});
