/** What the history of a site says in its documents: which changes, of which moments, in which lists. */

import { cpSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { UserConfig } from '../../src/config/config.js';
import {
  datetimeAt,
  describeAt,
  readDocuments,
  SITE_URL,
  tellChanges,
  tellMoments,
  tellResources,
} from '../support/changes.js';
import { child, parseXml, readSource } from '../support/documents.js';
import { BEGIN, cloneOf, commitAll, commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { makeFolder, makeSite, runCli } from '../support/site.js';

type Files = Readonly<Record<string, string | undefined>>;

/** Commits one state after another, a hundred seconds apart, and describes `dist` as of that history. */
async function describeStory(steps: readonly Files[], config: Partial<UserConfig> = {}): Promise<string> {
  const repository = makeRepository();
  for (const [index, files] of steps.entries()) commitFiles(repository, 100 * index, files);
  const site = join(repository, 'dist');
  await describeAt(10_000, { site, history: 'HEAD:dist', ...config });
  return site;
}

describe('what is a change', () => {
  test.each<[string, { steps: Files[]; config?: Partial<UserConfig>; changes: string[] }]>([
    [
      'bytes that come, become others, and go are a creation, an update and a deletion',
      {
        steps: [
          { 'dist/index.html': 'one' },
          { 'dist/a.html': 'one' },
          { 'dist/a.html': 'two' },
          { 'dist/a.html': undefined },
        ],
        changes: ['+100 created /a.html one', '+200 updated /a.html two', '+300 deleted /a.html'],
      },
    ],
    [
      'each event of one URL tells the bytes of its own moment, also where they come back',
      {
        steps: [
          { 'dist/a.html': 'one' },
          { 'dist/a.html': 'two' },
          { 'dist/a.html': 'one' },
          { 'dist/a.html': '' },
        ],
        changes: ['+100 updated /a.html two', '+200 updated /a.html one', '+300 updated /a.html (empty)'],
      },
    ],
    [
      'changes of one publication stand in the order of their URLs',
      {
        steps: [
          { 'dist/b.html': 'one', 'dist/c.html': 'one' },
          { 'dist/c.html': undefined, 'dist/b.html': 'two', 'dist/a.html': 'one', 'dist/d.html': 'one' },
        ],
        changes: [
          '+100 created /a.html one',
          '+100 updated /b.html two',
          '+100 deleted /c.html',
          '+100 created /d.html one',
        ],
      },
    ],
    [
      'the oldest publication is no change, nor is what came before the site',
      {
        steps: [{ 'readme.md': 'one' }, { 'dist/a.html': 'one' }, { 'readme.md': 'two' }],
        changes: [],
      },
    ],
    [
      'a rename to another URL is a deletion and a creation',
      {
        steps: [{ 'dist/old.html': 'one' }, { 'dist/old.html': undefined, 'dist/new.html': 'one' }],
        changes: ['+100 created /new.html one', '+100 deleted /old.html'],
      },
    ],
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
      'a file that moves under one URL with other bytes is an update',
      {
        config: { urls: 'bare' },
        steps: [
          { 'dist/about.html': 'one' },
          { 'dist/about.html': undefined, 'dist/about/index.html': 'two' },
          { 'dist/about/index.html': undefined, 'dist/about.html': 'three' },
        ],
        changes: ['+100 updated /about two', '+200 updated /about three'],
      },
    ],
    [
      'the same move is a deletion and a creation where the files have two URLs',
      {
        steps: [
          { 'dist/about.html': 'one' },
          { 'dist/about.html': undefined, 'dist/about/index.html': 'one' },
        ],
        changes: ['+100 deleted /about.html', '+100 created /about/ one'],
      },
    ],
    [
      'the past is told in the URLs of today, clean',
      {
        config: { urls: 'clean' },
        steps: [
          { 'dist/a.html': 'one', 'dist/b/index.html': 'one' },
          { 'dist/a.html': 'two', 'dist/b/index.html': 'two' },
        ],
        changes: ['+100 updated /a two', '+100 updated /b/ two'],
      },
    ],
    [
      'the past is told in the URLs of today, file',
      {
        config: { urls: 'file' },
        steps: [{ 'dist/b/index.html': 'one' }, { 'dist/b/index.html': 'two' }],
        changes: ['+100 updated /b/index.html two'],
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
      'what is included today always was a resource',
      {
        config: { include: ['404.html'] },
        steps: [
          { 'dist/a.html': 'one', 'dist/404.html': 'one' },
          { 'dist/404.html': 'two', 'dist/500.html': 'one' },
        ],
        changes: ['+100 updated /404.html two'],
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

describe('sets of resources', () => {
  test('that hold all there is leave nothing to notice', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/index.html': 'one', 'dist/a.css': 'one' });
    const sets = [
      { name: 'pages', include: ['**/*.html'] },
      { name: 'rest', exclude: ['**/*.html'] },
    ];
    const config = { site: join(repository, 'dist'), history: 'HEAD:dist', sets };
    const codes = (await describeAt(100, config)).notices.map(({ code }) => code);
    expect(codes).toEqual(['changes-known-from']);
  });

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
    // What is in no set is no publication. All sets tell of one state of the site.
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

  test('are those of the file extensions', async () => {
    expect(typesOf(await describeStory(steps))).toEqual([
      'updated a.dat -',
      'updated b.html text/html',
      'updated c.unknown -',
      'created d.dat -',
      'updated a.dat -',
      'deleted b.html -',
      'deleted d.dat -',
    ]);
  });

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
      for (const later of [20, 30, 40]) {
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
        config?: Partial<UserConfig>;
        moments: { at: string; from: string };
        resources: string[];
        changes: string[];
      },
    ]
  >([
    [
      'a first run that keeps nothing knows of no lastmod',
      {
        committed: [],
        standing: { 'a.html': 'one' },
        moments: { at: '+500', from: '+500' },
        resources: ['/a.html one -'],
        changes: [],
      },
    ],
    [
      'a first run that is recorded is the lastmod of all',
      {
        committed: [],
        standing: { 'a.html': 'one' },
        config: { record: true },
        moments: { at: '+500', from: '+500' },
        resources: ['/a.html one +500'],
        changes: [],
      },
    ],
    [
      'the moment is that of the newest publication, not of the run',
      {
        committed: [
          { 'dist/a.html': 'one', 'dist/b.html': 'one' },
          { 'dist/a.html': 'two' },
          { 'readme.md': 'one' },
        ],
        standing: {},
        config: { history: 'HEAD:dist' },
        moments: { at: '+100', from: '+0' },
        resources: ['/a.html two +100', '/b.html one +0'],
        changes: ['+100 updated /a.html two'],
      },
    ],
    [
      'a change that is not in history yet has the moment of the run',
      {
        committed: [{ 'dist/a.html': 'one', 'dist/b.html': 'one' }, { 'dist/a.html': 'two' }],
        standing: { 'b.html': 'three', 'c.html': 'one' },
        config: { history: 'HEAD:dist' },
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
        config: { history: 'HEAD:dist' },
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
        config: { history: 'HEAD:dist' },
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
        config: { history: 'HEAD:dist' },
        moments: { at: '+500', from: '+500' },
        resources: ['/a.html one -'],
        changes: [],
      },
    ],
  ])('%s', async (_, { committed, standing, config, moments, resources, changes }) => {
    const repository = makeRepository();
    for (const [index, files] of committed.entries()) commitFiles(repository, 100 * index, files);
    const site = makeSite(standing, join(repository, 'dist'));
    await describeAt(500, { site, ...config });
    expect({
      moments: tellMoments(site),
      resources: tellResources(site),
      changes: tellChanges(site),
    }).toEqual({ moments, resources, changes });
  });
});

describe('the Change List', () => {
  const capabilitiesOf = (site: string) =>
    readSource(site, SITE_URL).sets[0]?.capabilityList.children.flatMap((element) =>
      element.name === 'url' ? [child(element, 'rs:md').attributes['capability']] : [],
    );

  test('is published where there is history, and only there', async () => {
    const site = await describeStory([{ 'dist/a.html': 'one' }]);
    expect(capabilitiesOf(site)).toEqual(['resourcelist', 'changelist']);

    const report = await describeAt(10_000, { site, history: 'none' });

    expect(report.removed).toEqual(['resourcesync/changelist.xml']);
    expect(report.notices).toContainEqual({ code: 'no-history', wanted: true });
    expect(capabilitiesOf(site)).toEqual(['resourcelist']);
    expect(tellResources(site)).toEqual(['/a.html one -']);
  });

  test('keeps its promises from day to day: closed lists stay as they are until the window has passed them', async () => {
    const day = 86_400;
    const window = 5;
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const promised = new Map<string, string>();
    let lines: string[] = [];

    for (let today = 0; today < 14; today++) {
      // Some days have two publications, and some none.
      const times = today % 4 === 1 ? [0, 3600] : today % 5 === 3 ? [] : [1800];
      for (const [index, time] of times.entries()) {
        const name = `dist/${today}.html`;
        commitFiles(repository, today * day + time, index === 0 ? { [name]: 'one' } : { [name]: 'two' });
      }
      if (today === 0) continue;
      // The run has no publication of its own: it may be late.
      await describeAt(today * day + 40_000, {
        site,
        history: 'HEAD:dist',
        changes: { window, period: 'day' },
      });

      const horizon = Date.parse(datetimeAt(Number(tellMoments(site).at)) ?? '') - window * day * 1000;
      const source = readSource(site, SITE_URL);
      const lists = source.sets[0]?.changeLists ?? [];
      const documents = readDocuments(site);
      const closed = lists.slice(0, -1).map((list) => child(list, 'rs:md').attributes['until'] ?? '');
      expect(closed.every((until) => until.endsWith('T00:00:00Z') && Date.parse(until) > horizon)).toBe(true);
      for (const [path, text] of promised) {
        const until = Date.parse(/until="([^"]+)"/.exec(text)?.[1] ?? '');
        expect(documents[path]).toBe(until > horizon ? text : undefined);
        if (until <= horizon) promised.delete(path);
      }
      for (const [path, text] of Object.entries(documents)) {
        if (/changelist-/.test(path) && text.includes(' until="')) promised.set(path, text);
      }
      const now = tellChanges(site);
      const expired = (line: string) =>
        Date.parse(datetimeAt(Number(line.split(' ')[0]?.slice(1)))) <= horizon;
      for (const line of lines) if (!expired(line)) expect(now).toContain(line);
      lines = now;
    }
    expect(promised.size).toBeGreaterThan(2);
  });

  test('is cut between publications past 50,000 entries, and within one that is larger than that alone', async () => {
    const repository = makeRepository();
    const count = 25_001;
    const names = (folder: string) =>
      Array.from(
        { length: count },
        (_, index) => `${folder}/${100 + Math.floor(index / 100)}/${100 + (index % 100)}`,
      );
    const [first, second] = [names('a'), names('b')];
    const commit = (seconds: number, rows: readonly string[]) =>
      `commit refs/heads/main\ncommitter T <t@example.org> ${BEGIN + seconds} +0000\ndata 1\nm\n${rows.join('')}`;
    const write = (path: string) => `M 100644 inline dist/${path}\ndata 3\none\n`;
    const remove = (path: string) => `D dist/${path}\n`;
    const stream = [
      commit(0, [write('index.html')]),
      commit(100, first.map(write)),
      commit(200, [...first.map(remove), ...second.map(write)]),
      commit(300, second.map(remove)),
    ];
    git(repository, ['fast-import', '--quiet'], stream.join(''));
    const site = makeSite({ 'index.html': 'one' }, join(repository, 'dist'));

    await describeAt(400, { site, history: 'HEAD:dist' });

    const documents = readDocuments(site);
    const index = parseXml(documents['resourcesync/changelist.xml'] ?? '');
    const lists = index.children
      .filter(({ name }) => name === 'sitemap')
      .map((entry) => {
        const { from, until = 'open' } = child(entry, 'rs:md').attributes;
        const text = documents[child(entry, 'loc').text.slice(SITE_URL.length)] ?? '';
        expect(text).toContain(`from="${from}"${until === 'open' ? '/>' : ` until="${until}"/>`}`);
        const rows = text.matchAll(
          /<loc>https:\/\/example\.org\/(.*?)<\/loc>(?:<lastmod>[^<]*<\/lastmod>)?<rs:md change="(\w+)"/g,
        );
        return { moments: [from, until], lines: Array.from(rows, ([, path, kind]) => `${kind} ${path}`) };
      });
    expect(lists.map(({ moments, lines }) => [...moments, lines.length])).toEqual([
      [datetimeAt(0), datetimeAt(100), count],
      [datetimeAt(100), datetimeAt(200), 50_000],
      [datetimeAt(200), 'open', 2 + count],
    ]);
    const expected = [
      ...first.map((path) => `created ${path}`),
      ...first.map((path) => `deleted ${path}`),
      ...second.map((path) => `created ${path}`),
      ...second.map((path) => `deleted ${path}`),
    ];
    expect(lists.flatMap(({ lines }) => lines).join('\n') === expected.join('\n')).toBe(true);
  });
});

describe('the same history makes the same bytes', () => {
  /** Merges, renames, copies, odd names and a date in another zone: all that settings of git could bear upon. */
  function makeOrigin(): string {
    const repository = makeRepository();
    const body = Array.from({ length: 40 }, (_, index) => `line ${index}`).join('\n');
    commitFiles(repository, 0, { 'dist/index.html': 'one', 'dist/ä ö.html': body, 'src/x.txt': 'x' });
    git(repository, ['checkout', '--quiet', '-b', 'side']);
    commitFiles(repository, 50, { 'dist/side.html': 'one', 'dist/index.html': 'two' });
    git(repository, ['checkout', '--quiet', 'main']);
    commitFiles(repository, 100, {
      'dist/ä ö.html': undefined,
      'dist/renamed.html': body,
      'dist/copy.html': `${body}\n`,
    });
    git(repository, ['merge', '--quiet', '--no-ff', '--message', 'merge', 'side'], '', {
      GIT_COMMITTER_DATE: `${BEGIN + 200} +0530`,
    });
    commitFiles(repository, 300, { 'dist/renamed.html': 'three', 'dist/side.html': undefined });
    return repository;
  }
  const history = 'HEAD:dist';
  const expected = [
    '+100 deleted /%C3%A4%20%C3%B6.html',
    '+100 created /copy.html',
    '+100 created /renamed.html',
    '+200 updated /',
    '+200 created /side.html',
    '+300 updated /renamed.html',
    '+300 deleted /side.html',
  ];

  test('whatever settings of git a clone has', async () => {
    const settings = [
      { 'log.showSignature': 'true', 'log.follow': 'true', 'log.date': 'relative', 'log.decorate': 'full' },
      { 'log.showRoot': 'false', 'log.mailmap': 'false', 'format.pretty': 'oneline', 'alias.log': 'status' },
      { 'log.diffMerges': 'off' },
      { 'log.diffMerges': 'combined' },
      { 'i18n.logOutputEncoding': 'UTF-16' },
      {
        'diff.renames': 'copies',
        'diff.noprefix': 'true',
        'diff.relative': 'true',
        'diff.external': 'false',
      },
      { 'diff.orderFile': 'nowhere' },
      { 'color.ui': 'always', 'core.pager': 'false', 'core.quotePath': 'true', 'core.abbrev': '4' },
      { 'core.autocrlf': 'true', 'core.ignoreCase': 'true', 'core.bigFileThreshold': '1' },
    ];
    const origin = makeOrigin();
    const clone = cloneOf(origin);
    const [site, copy] = [join(origin, 'dist'), join(clone, 'dist')];
    await describeAt(1000, { site, history });
    expect(tellChanges(site).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(expected);
    const documents = readDocuments(site);

    const outcomes: Record<string, string> = {};
    for (const chosen of settings) {
      for (const [name, value] of Object.entries(chosen)) gitText(clone, 'config', name, value);
      outcomes[JSON.stringify(chosen)] = await describeAt(1000, { site: copy, history }).then(
        () => (isDeepStrictEqual(readDocuments(copy), documents) ? 'the same' : 'other documents'),
        String,
      );
      for (const name of Object.keys(chosen)) gitText(clone, 'config', '--unset', name);
    }
    expect(outcomes).toEqual(
      Object.fromEntries(settings.map((chosen) => [JSON.stringify(chosen), 'the same'])),
    );
  });

  test('in any folder, time zone and language, whatever the home folder configures', async () => {
    const origin = makeOrigin();
    const clone = join(makeFolder(), 'another place');
    mkdirSync(clone);
    cpSync(origin, clone, { recursive: true });
    rmSync(join(clone, 'src'), { recursive: true });
    const home = makeSite({ '.gitconfig': '[log]\n\tshowSignature = true\n[user]\n\tname = Other\n' });
    const run = (repository: string, env: Readonly<Record<string, string>>) =>
      runCli(['dist', '--url', SITE_URL, '--history', history], { cwd: repository, env });
    const results = [
      await run(origin, { HOME: origin, TZ: 'UTC', LC_ALL: 'C' }),
      await run(clone, { HOME: home, TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8', LANGUAGE: 'de' }),
    ];
    expect(results.map(({ status }) => status)).toEqual([0, 0]);
    expect(readDocuments(join(clone, 'dist'))).toEqual(readDocuments(join(origin, 'dist')));
    expect(tellChanges(join(clone, 'dist'))).toHaveLength(expected.length);
  });

  test('however git stores it: loose, packed, with a commit graph, or borrowed from another repository', async () => {
    const origin = makeOrigin();
    const site = join(origin, 'dist');
    await describeAt(1000, { site, history });
    const documents = readDocuments(site);

    git(origin, ['gc', '--quiet', '--prune=now']);
    git(origin, ['commit-graph', 'write', '--reachable', '--changed-paths']);
    await describeAt(2000, { site, history });
    expect(readDocuments(site)).toEqual(documents);

    const borrower = makeFolder();
    git(borrower, ['clone', '--quiet', '--shared', origin, '.']);
    renameSync(join(borrower, 'dist'), join(borrower, 'moved'));
    await describeAt(3000, { site: join(borrower, 'moved'), history: 'main:dist' });
    expect(readDocuments(join(borrower, 'moved'))).toEqual(documents);
  });
});
