/** The history of a site in its documents: changes, their moments and their lists. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellMoments,
  tellResources,
} from '../support/changes.js';
import { child, readSource } from '../support/documents.js';
import { BEGIN, commitAll, commitFiles, makeRepository } from '../support/git.js';
import { makeSite } from '../support/site.js';
import { describeStory, type Files } from '../support/story.js';

describe('sets of resources', () => {
  test('have Change Lists of their own, each with the changes of its own resources', async () => {
    const site = await describeStory(
      [
        { 'dist/index.html': 'one', 'dist/data/a.csv': 'one', 'dist/data/page.html': 'one' },
        { 'dist/data/a.csv': undefined, 'dist/files/a.csv': 'one' },
        { 'dist/data/page.html': 'two' },
        { 'dist/late/a.txt': 'one' },
        { 'dist/files/a.csv': undefined, 'dist/data/a.csv': 'one' },
        { 'dist/files/b.csv': 'one' },
      ],
      {
        sets: [
          { name: 'pages', include: ['**/*.html'] },
          { name: 'data', include: ['data/**'] },
          { name: 'late', include: ['late/**'] },
        ],
      },
    );
    expect([0, 1, 2].map((set) => tellChanges(site, set))).toEqual([
      ['+200 updated /data/page.html two'],
      ['+100 deleted /data/a.csv', '+200 updated /data/page.html two', '+400 created /data/a.csv one'],
      ['+300 created /late/a.txt one'],
    ]);
    // A file in no set makes no publication. All sets describe one state of the site.
    expect([0, 1, 2].map((set) => tellMoments(site, set))).toEqual(Array(3).fill({ at: '+400', from: '+0' }));
    const source = readSource(site, SITE_URL);
    expect(
      source.sets.map(({ capabilityList }) =>
        capabilityList.children.filter(({ name }) => name === 'url').map((entry) => child(entry, 'loc').text),
      ),
    ).toEqual(
      ['pages', 'data', 'late'].map((set) => [
        `${SITE_URL}resourcesync/${set}/resourcelist.xml`,
        `${SITE_URL}resourcesync/${set}/changelist.xml`,
      ]),
    );
  });
});

describe('media types of changes', () => {
  const steps = [
    { 'dist/a.dat': 'one', 'dist/b.html': 'one', 'dist/c.unknown': 'one' },
    { 'dist/a.dat': 'two', 'dist/b.html': 'two', 'dist/c.unknown': 'two', 'dist/d.dat': 'one' },
    { 'dist/a.dat': 'three', 'dist/b.html': undefined, 'dist/d.dat': undefined },
  ];
  const typesOf = (site: string) =>
    readSource(site, SITE_URL).sets[0]?.changes.map(({ uri, md }) =>
      [md['change'], uri.slice(SITE_URL.length), md['type'] ?? '-'].join(' '),
    );

  test('are those that are configured by glob, for what is gone, too', async () => {
    const type = { '*.dat': 'text/csv', 'b.*': 'application/xhtml+xml' };
    expect(typesOf(await describeStory(steps, { type }))).toEqual([
      'updated a.dat text/csv',
      'updated b.html application/xhtml+xml',
      'updated c.unknown -',
      'created d.dat text/csv',
      'updated a.dat text/csv',
      'deleted b.html -',
      'deleted d.dat -',
    ]);
  });

  test('are those that a function tells, which is asked about the bytes of the moment', async () => {
    const asked: string[] = [];
    const site = await describeStory(steps, {
      hash: ['md5'],
      type: ({ uri, path, length, hash, type }) => {
        asked.push([uri.slice(SITE_URL.length), path, length, hash.slice(0, 8), type ?? '-'].join(' '));
        return length === 5 ? 'text/x-five' : undefined;
      },
    });
    expect(typesOf(site)).toEqual([
      'updated a.dat -',
      'updated b.html text/html',
      'updated c.unknown -',
      'created d.dat -',
      'updated a.dat text/x-five',
      'deleted b.html -',
      'deleted d.dat -',
    ]);
    // md5 of "one" begins with f97c, of "two" with b8a9, of "three" with 35d6.
    for (const question of [
      'a.dat a.dat 3 md5:b8a9 -',
      'b.html b.html 3 md5:b8a9 text/html',
      'd.dat d.dat 3 md5:f97c -',
      'a.dat a.dat 5 md5:35d6 -',
    ]) {
      expect(asked).toContain(question);
    }
  });
});

describe('our own documents, committed with the site,', () => {
  test('are no changes, and settle after one run', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const config = { site, history: 'HEAD:dist' };
    commitFiles(repository, 0, { 'dist/index.html': 'one' });
    for (const [index, files] of [
      {},
      { 'dist/index.html': 'two' },
      { 'dist/a.html': 'one', 'dist/index.html': undefined },
    ].entries()) {
      const seconds = 1000 * (index + 1);
      commitFiles(repository, seconds, files);
      await describeAt(seconds + 10, config);
      const documents = readDocuments(site);
      for (const later of [20, 30]) {
        commitAll(repository, BEGIN + seconds + later);
        const report = await describeAt(seconds + later + 5, config);
        expect(report.documents.filter(({ changed }) => changed)).toEqual([]);
        expect(report.removed).toEqual([]);
        expect(report.publication?.pending).toBe(false);
      }
      expect(readDocuments(site)).toEqual(documents);
    }
    expect(tellChanges(site)).toEqual([
      '+2000 updated / two',
      '+3000 deleted /',
      '+3000 created /a.html one',
    ]);
  });

  test('written before the first commit, they become those of the first publication', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'index.html': 'one' }, join(repository, 'dist'));
    await describeAt(100, { site });
    commitAll(repository, BEGIN + 200);
    await describeAt(300, { site, history: 'HEAD:dist' });
    expect([tellChanges(site), tellMoments(site)]).toEqual([[], { at: '+200', from: '+200' }]);
    commitAll(repository, BEGIN + 400);
    const report = await describeAt(500, { site, history: 'HEAD:dist' });
    expect(report.documents.filter(({ changed }) => changed)).toEqual([]);
  });

  test('but what a user keeps in their folder is', async () => {
    const site = await describeStory([
      { 'dist/index.html': 'one' },
      { 'dist/resourcesync/notes.txt': 'one', 'dist/resourcesync/resourcelist-0001.xml': 'one' },
    ]);
    expect(tellChanges(site)).toEqual(['+100 created /resourcesync/notes.txt one']);
  });
});

describe('moments', () => {
  test.each<
    [
      string,
      {
        committed: Files[];
        standing: Readonly<Record<string, string>>;
        moments: { at: string; from: string };
        resources: string[];
        changes: string[];
      },
    ]
  >([
    [
      'a change that is not in history yet has the moment of the run',
      {
        committed: [{ 'dist/a.html': 'one', 'dist/b.html': 'one' }, { 'dist/a.html': 'two' }],
        standing: { 'b.html': 'three', 'c.html': 'one' },
        moments: { at: '+500', from: '+0' },
        resources: ['/a.html two +100', '/b.html three +500', '/c.html one +500'],
        changes: ['+100 updated /a.html two', '+500 updated /b.html three', '+500 created /c.html one'],
      },
    ],
    [
      'a change that is not in history yet comes after all that is, whatever the clock says',
      {
        committed: [{ 'dist/a.html': 'one' }, {}, {}, {}, {}, {}, {}, { 'dist/a.html': 'two' }],
        standing: { 'a.html': 'three' },
        moments: { at: '+701', from: '+0' },
        resources: ['/a.html three +701'],
        changes: ['+700 updated /a.html two', '+701 updated /a.html three'],
      },
    ],
    [
      'what comes back with its former bytes is as new as its return',
      {
        committed: [
          { 'dist/a.html': 'one', 'dist/b.html': 'one' },
          { 'dist/a.html': undefined },
          { 'dist/a.html': 'one' },
        ],
        standing: {},
        moments: { at: '+200', from: '+0' },
        resources: ['/a.html one +200', '/b.html one +0'],
        changes: ['+100 deleted /a.html', '+200 created /a.html one'],
      },
    ],
    [
      'a history that does not hold the site yet has this run for its baseline',
      {
        committed: [{ 'readme.md': 'one' }],
        standing: { 'a.html': 'one' },
        moments: { at: '+500', from: '+500' },
        resources: ['/a.html one -'],
        changes: [],
      },
    ],
    [
      'a file in the place of the site, before it was a folder, is no resource',
      {
        committed: [
          { dist: 'one' },
          { dist: 'two' },
          { dist: undefined },
          { 'dist/a.html': 'one' },
          { 'dist/a.html': 'two' },
        ],
        standing: {},
        moments: { at: '+400', from: '+300' },
        resources: ['/a.html two +400'],
        changes: ['+400 updated /a.html two'],
      },
    ],
  ])('%s', async (_, { committed, standing, moments, resources, changes }) => {
    const repository = makeRepository();
    for (const [index, files] of committed.entries()) commitFiles(repository, 100 * index, files);
    const site = makeSite(standing, join(repository, 'dist'));
    await describeAt(500, { site, history: 'HEAD:dist' });
    expect({
      moments: tellMoments(site),
      resources: tellResources(site),
      changes: tellChanges(site),
    }).toEqual({ moments, resources, changes });
  });
});

describe('a commit of the future', () => {
  /** In seconds after the beginning: about the year 2150. */
  const FUTURE = 4e9;

  const publish = (...commits: readonly (readonly [seconds: number, content: string])[]) => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/index.html': 'one', 'dist/a.html': 'one' });
    for (const [seconds, content] of commits) commitFiles(repository, seconds, { 'dist/a.html': content });
    return join(repository, 'dist');
  };
  const WRONG = expect.objectContaining({ code: 'commit-dates-ahead', count: 1, seconds: BEGIN + FUTURE });

  test('is of the run as the newest, and later runs keep that while nothing changes', async () => {
    const site = publish([100, 'two'], [FUTURE, 'three']);
    expect((await describeAt(1000, { site })).notices).toContainEqual(WRONG);
    const written = readDocuments(site);
    expect(tellMoments(site)).toEqual({ at: '+1000', from: '+0' });
    await describeAt(2000, { site });
    expect(readDocuments(site)).toEqual(written);
    makeSite({ 'a.html': 'four' }, site);
    await describeAt(3000, { site });
    expect(tellChanges(site)).toEqual([
      '+100 updated /a.html two',
      '+2999 updated /a.html three',
      '+3000 updated /a.html four',
    ]);
  });

  test('among snapshots dates none that is recorded later', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    const config = { site, history: 'snapshots:x', record: true };
    await describeAt(FUTURE, config);
    makeSite({ 'a.html': 'two' }, site);
    await describeAt(100, config);
    makeSite({ 'a.html': 'three' }, site);
    const { notices } = await describeAt(200, config);
    expect(notices).toContainEqual(WRONG);
    expect(tellMoments(site)).toEqual({ at: '+200', from: '+99' });
  });
});
