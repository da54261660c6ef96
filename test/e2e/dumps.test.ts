/** Resource Dumps and Change Dumps, from the command line to a Destination that unpacks them. */

import { randomBytes } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeUri } from '../../src/paths/urls.js';
import type { Report } from '../../src/report.js';
import { datetimeAt, readDocuments } from '../support/changes.js';
import { child, readSource } from '../support/documents.js';
import {
  applyPackages,
  DUMPS_URL,
  expectResourceDump,
  expectSafeNames,
  type OpenedDumps,
  openDumps,
} from '../support/dumps.js';
import { BEGIN, cloneOf, commitFiles, git, makeRepository } from '../support/git.js';
import { makeHostileSite } from '../support/hostile.js';
import { CLI, makeFolder, makeSite, type RunOptions, readTree, runCli, runProgram } from '../support/site.js';

type Files = Readonly<Record<string, string | Uint8Array | undefined>>;

/** Runs that begin so many seconds after the beginning of history. */
function runAt(seconds: number, site: string, args: readonly string[], options: RunOptions = {}) {
  const env = { SOURCE_DATE_EPOCH: `${BEGIN + seconds}`, ...options.env };
  const url = args.includes('--config') || args.includes('--url') ? [] : ['--url', DUMPS_URL];
  return runCli([site, ...url, ...args], { ...options, env });
}

/** Describes a site with its dumps. */
async function describeAt(seconds: number, site: string, args: readonly string[] = []): Promise<Report> {
  const result = await runAt(seconds, site, [...args, '--dumps', '--json']);
  expect(result).toMatchObject({ status: 0, stderr: expect.not.stringContaining('Error') });
  return JSON.parse(result.stdout);
}

function makeConfig(config: object): string[] {
  const file = join(makeFolder(), 'config.json');
  writeFileSync(file, JSON.stringify({ url: DUMPS_URL, ...config }));
  return ['--config', file];
}

/** Writes files, or removes those that are undefined. */
function change(site: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === undefined) rmSync(join(site, path), { recursive: true });
    else makeSite({ [path]: content }, site);
  }
}

/** The state of a site: bytes by URL. */
function stateOf(site: string, url = DUMPS_URL): Map<string, string> {
  const resources = Object.entries(readTree(site)).filter(
    ([path]) => !/(?:^|\/)(?:\.|resourcesync)/.test(path),
  );
  return new Map(resources.map(([path, content]) => [makeUri(url, path, 'directory'), content]));
}

const sortedState = (state: ReadonlyMap<string, string>) =>
  [...state].map(([uri, content]) => `${uri} ${content.length} ${content.slice(0, 40)}`).sort();

/** What tells a file that was written again from one that was left alone. */
function stampsOf(site: string, paths: readonly string[]) {
  return paths.map((path) => {
    const { ino, mtimeNs, ctimeNs, size } = statSync(join(site, path), { bigint: true });
    return { path, ino, mtimeNs, ctimeNs, size };
  });
}

const pathsOf = (report: Report) => report.packages.map(({ path }) => path);
const written = (report: Report) => report.packages.filter(({ changed }) => changed).map(({ path }) => path);

/** The files of the dumps that stand in a site. */
function dumpFiles(site: string): string[] {
  return Object.keys(readTree(site)).filter((path) => /^resourcesync\/.*dump/.test(path));
}

describe('the Resource Dump', () => {
  test('holds the bytes of a site whose names go wrong elsewhere, under names that do not', async () => {
    const { site, paths } = makeHostileSite();
    const same = randomBytes(300_000);
    change(site, {
      'empty.txt': '',
      'folder/empty.bin': '',
      'twice/a.bin': same,
      'twice/b.bin': same,
      'Case.txt': 'one',
      'case.txt': 'another',
      'FOLDER/x.txt': 'in a folder that only case tells from another',
      'picture.png': randomBytes(2000),
      'long.html': 'a long page that compresses well. '.repeat(20_000),
      ...Object.fromEntries(['nul', 'com1.html', 'a/aux.txt', 'a/b../c', ' a/b'].map((name) => [name, name])),
    });

    const report = await describeAt(0, site, makeConfig({ dumps: { maxEntries: 20 }, history: 'none' }));

    expect(report.resources).toBe(paths.length + 14);
    const [dump] = await expectResourceDump(site);
    expect(dump?.packages.length).toBeGreaterThan(5);
    expectSafeNames(
      dump?.packages.flatMap(({ entries }) =>
        entries.map(({ listed }) => listed.md['path']?.slice(1) ?? ''),
      ) ?? [],
    );
    expect(report.packages.map(({ url, entries, bytes }) => [url, entries, bytes])).toEqual(
      dump?.packages.map(({ listed, entries }) => [listed.uri, entries.length, Number(listed.md['length'])]),
    );
  });

  test('is of a site under a path, of each set of resources, and of any digests', async () => {
    const url = 'https://example.org/a%20b/c/';
    const site = makeSite({
      'index.html': 'home',
      'a/b.html': 'b',
      'data/x.csv': '1,2',
      'data/ü.csv': '3,4',
    });
    const args = makeConfig({
      url,
      hash: ['sha-512', 'md5'],
      sets: [
        { name: 'pages', include: ['**/*.html'] },
        { name: 'data', include: ['data'] },
        { name: 'all' },
        { name: 'none', include: ['x'] },
      ],
    });

    const report = await describeAt(0, site, args);

    const dumps = await expectResourceDump(site, url);
    expect(dumps.map(({ packages }) => packages.map(({ entries }) => entries.length))).toEqual([
      [2],
      [2],
      [4],
      [],
    ]);
    expect(pathsOf(report).map((path) => path.replace(/-[0-9a-f]{16}\.zip/, ''))).toEqual([
      'resourcesync/pages/resourcedump',
      'resourcesync/data/resourcedump',
      'resourcesync/all/resourcedump',
    ]);
    expect(dumps[0]?.packages[0]?.listed.md['hash']).toMatch(/^md5:\w{32} sha-512:\w{128}$/);
  });

  test('holds files of any length, read whole or in pieces, in packages that are put together in memory or not', async () => {
    const lengths = [1, 65_535, 65_536, 262_143, 262_144, 262_145, 1_000_000, 5_000_001];
    const files = Object.fromEntries(lengths.map((length) => [`${length}.bin`, randomBytes(length)]));
    const site = makeSite({
      ...files,
      'large.mp4': Buffer.alloc(66 << 20, 'moving pictures '),
      'large.html': Buffer.alloc(3 << 20, 'words '),
    });
    await describeAt(0, site, makeConfig({ dumps: { maxBytes: 1 << 30 } }));
    const [one] = await expectResourceDump(site);
    expect(one?.packages).toHaveLength(1);

    const report = await describeAt(0, site);
    const [several] = await expectResourceDump(site);
    expect(
      several?.packages.map(({ entries }) => entries.map(({ listed }) => listed.uri.slice(20))),
    ).toContainEqual(['large.mp4']);
    expect(report.notices).toContainEqual(
      expect.objectContaining({
        code: 'packages-large',
        dump: 'resource-dump',
        count: 1,
        example: several?.packages.find(({ entries }) => entries[0]?.listed.uri.endsWith('mp4'))?.path,
      }),
    );
  });
});

/** States of a site, one after another: what there is to be told from the baseline on. */
const STEPS: readonly Files[] = [
  {
    'index.html': 'home',
    'a.txt': 'a, first',
    'b.txt': 'b',
    'empty.txt': '',
    'filled.txt': '',
    'big.bin': randomBytes(262_144),
    'old name.txt': 'the same under another name',
    'twice/a.txt': 'one',
    'twice/b.txt': 'two',
  },
  {
    'a.txt': 'a, second',
    'b.txt': undefined,
    'filled.txt': 'no longer empty',
    'big.bin': randomBytes(3_000_000),
    'twice/a.txt': 'the same bytes',
    'twice/b.txt': 'the same bytes',
    'gone.txt': 'created, and soon deleted',
    'edge.bin': randomBytes(262_144),
  },
  {
    'a.txt': 'a, third',
    'old name.txt': undefined,
    'new name.txt': 'the same under another name',
    'gone.txt': undefined,
    'empty.txt': 'was empty',
    'emptied.txt': '',
    'big.bin': randomBytes(262_145),
    'edge.bin': randomBytes(65_536),
    'CON.txt': 'a device on Windows',
    'CASE.txt': 'one',
    'case.txt': 'another',
  },
  { 'b.txt': 'b is back', 'emptied.txt': undefined, 'edge.bin': 'small', 'a.txt': 'a, second' },
];
const PENDING: Files = { 'a.txt': 'a, pending', 'pending.txt': 'pending', twice: undefined };

describe('the Change Dump', () => {
  /** The site of a repository at each step, and what is told to the command line there. */
  const HISTORIES = {
    'a site that is committed': {
      publish: (repository: string, site: string, step: number) => {
        change(site, STEPS[step] ?? {});
        commitFiles(repository, step * 100, {});
      },
      args: [] as string[],
    },
    'snapshots that are recorded': {
      publish: async (_: string, site: string, step: number) => {
        change(site, STEPS[step] ?? {});
        await describeAt(step * 100, site, ['--record', '--history', 'snapshots']);
      },
      args: ['--history', 'snapshots'],
    },
  };

  test.each(Object.entries(HISTORIES))(
    'of %s leads from the baseline to the site, package by package',
    async (_, { publish, args }) => {
      const repository = makeRepository();
      const site = join(repository, 'dist');
      mkdirSync(site);
      let baseline: Map<string, string> | undefined;
      for (const step of STEPS.keys()) {
        await publish(repository, site, step);
        baseline ??= stateOf(site);
        await describeAt(step * 100, site, args);
        const [dump] = await expectResourceDump(site);
        const after = applyPackages(baseline, dump?.changePackages ?? []);
        expect(sortedState(after)).toEqual(sortedState(stateOf(site)));
        expect(dump?.changePackages).toHaveLength(step);
        expectChangeDump(dump, step);
      }

      const recorded = stampsOf(
        site,
        dumpFiles(site).filter((path) => /changedump-/.test(path)),
      );
      change(site, PENDING);
      const report = await describeAt(1000, site, args);

      expect(report.publication).toMatchObject({ pending: true });
      const [dump] = await expectResourceDump(site);
      const packages = dump?.changePackages ?? [];
      expect(sortedState(applyPackages(baseline ?? new Map(), packages))).toEqual(sortedState(stateOf(site)));
      expect(packages.map(({ path }) => path.slice(-20, -4))).toEqual(
        [100, 200, 300, 1000].map((seconds) => datetimeAt(seconds).replace(/[-:]/g, '')),
      );
      expect(
        packages.at(-1)?.entries.map(({ listed }) => [listed.md['change'], listed.uri.slice(19)]),
      ).toEqual([
        ['updated', '/a.txt'],
        ['created', '/pending.txt'],
        ['deleted', '/twice/a.txt'],
        ['deleted', '/twice/b.txt'],
      ]);
      // The bytes of the past are there, not those of the present.
      expect(packages.map(({ entries }) => contentOf(entries, '/a.txt'))).toEqual([
        'a, second',
        'a, third',
        'a, second',
        'a, pending',
      ]);
      expect(
        stampsOf(
          site,
          recorded.map(({ path }) => path),
        ),
      ).toEqual(recorded);

      // What was pending becomes permanent under another moment, and its package goes.
      rmSync(join(site, 'pending.txt'));
      await describeAt(1100, site, args);
      const names = dumpFiles(site).filter((path) => /changedump-.*zip/.test(path));
      expect(names.at(-1)).toContain(datetimeAt(1100).replace(/[-:]/g, ''));
      expect(names).toHaveLength(4);
    },
  );

  const contentOf = (entries: OpenedDumps[number]['changePackages'][number]['entries'], path: string) =>
    entries.find(({ listed }) => listed.uri.endsWith(path))?.content;

  /** What packages say of themselves, and the Change List of them. */
  function expectChangeDump(dump: OpenedDumps[number] | undefined, publications: number): void {
    const root = dump?.changeDump && child(dump.changeDump, 'rs:md').attributes;
    expect(root).toMatchObject({ from: datetimeAt(0) });
    expect(root).not.toHaveProperty('until');
    let before = datetimeAt(0);
    for (const [index, { md, listed, entries }] of (dump?.changePackages ?? []).entries()) {
      const interval = { from: before, until: datetimeAt((index + 1) * 100) };
      expect(md).toMatchObject(interval);
      expect(listed.md).toMatchObject(interval);
      for (const entry of entries) expect(entry.listed.md['datetime']).toBe(interval.until);
      before = interval.until;
    }
    expect(publications === 0 || before === datetimeAt(publications * 100)).toBe(true);
  }

  test('lists what the Change List does, set by set', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const sets = [
      { name: 'texts', include: ['**/*.txt'] },
      { name: 'others', exclude: ['**/*.txt'] },
    ];
    for (const [step, files] of STEPS.entries()) {
      change(site, files);
      commitFiles(repository, step * 100, {});
    }
    change(site, PENDING);

    await describeAt(1000, site, makeConfig({ sets }));

    await expectResourceDump(site);
    const { sets: read } = readSource(site, DUMPS_URL);
    const dumps = await openDumps(site);
    for (const [index, { changes }] of read.entries()) {
      const packed = dumps[index]?.changePackages.flatMap(({ entries }) => entries) ?? [];
      expect(
        packed.map(
          ({
            listed: {
              uri,
              md: { path: _, ...md },
            },
          }) => ({ uri, md }),
        ),
      ).toEqual(changes.map(({ uri, md }) => ({ uri, md })));
    }
    expect(dumps.map(({ changePackages }) => changePackages.length)).toEqual([4, 3]);
  });

  test('reaches as far back as the Change List, and whole publications further', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const day = 86_400;
    for (const index of [0, 1, 2, 3]) commitFiles(repository, index * day, { 'dist/a.txt': `${index}` });

    await describeAt(4 * day, site, makeConfig({ changes: { window: 1.5 } }));

    const [dump] = await openDumps(site);
    expect(dump?.changeDump && child(dump.changeDump, 'rs:md').attributes['from']).toBe(datetimeAt(day));
    expect(dump?.changePackages.map(({ entries }) => entries.map(({ content }) => content))).toEqual([
      ['2'],
      ['3'],
    ]);
  });

  test('begins after a publication of more than 50,000 changes, and says so', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    const many = Array.from({ length: 50_001 }, (_, index) => `M 100644 :1 dist/${index}.txt\n`);
    const commit = (seconds: number, ...lines: string[]) =>
      `commit refs/heads/main\ncommitter T <t@example.org> ${BEGIN + seconds} +0000\ndata 1\nm\n${lines.join('')}`;
    git(
      repository,
      ['fast-import', '--quiet'],
      [
        'blob\nmark :1\ndata 4\nmany\n',
        commit(0, 'M 100644 :1 dist/index.html\n'),
        commit(100, ...many),
        commit(200, ...many.map((_, index) => `D dist/${index}.txt\n`)),
        commit(300, 'M 100644 :1 dist/a.txt\n'),
        commit(400, 'M 100644 :1 dist/b.txt\n'),
      ].join(''),
    );
    git(repository, ['reset', '--hard', '--quiet', 'main']);

    const report = await describeAt(500, site);

    expect(report.notices).toContainEqual(
      expect.objectContaining({
        code: 'change-dump-shortened',
        from: datetimeAt(200),
        reason: 'too-large',
      }),
    );
    const [dump] = await expectResourceDump(site);
    expect(dump?.changeDump && child(dump.changeDump, 'rs:md').attributes['from']).toBe(datetimeAt(200));
    expect(dump?.changePackages.map(({ md, entries }) => [md['from'], md['until'], entries.length])).toEqual([
      [datetimeAt(200), datetimeAt(300), 1],
      [datetimeAt(300), datetimeAt(400), 1],
    ]);
  });

  test('of a shallow clone begins at its boundary; of a partial one after what is missing', async () => {
    const origin = makeRepository('--object-format=sha1');
    for (const [step, files] of STEPS.entries()) {
      change(join(origin, 'dist'), files);
      commitFiles(origin, step * 100, {});
    }

    const shallow = join(cloneOf(origin, '--depth=2'), 'dist');
    await describeAt(1000, shallow);
    const [seen] = await expectResourceDump(shallow);
    expect(seen?.changePackages.map(({ md }) => md['until'])).toEqual([datetimeAt(300)]);

    git(origin, ['config', 'uploadpack.allowFilter', 'true']);
    const partial = join(cloneOf(origin, '--filter=blob:none'), 'dist');
    change(partial, PENDING);
    const report = await describeAt(1000, partial);
    const [had] = await expectResourceDump(partial);
    expect(report.notices).toContainEqual(
      expect.objectContaining({
        code: 'change-dump-shortened',
        from: datetimeAt(200),
        reason: 'versions-missing',
      }),
    );
    expect(had?.changePackages.map(({ md }) => md['until'])).toEqual([datetimeAt(300), datetimeAt(1000)]);
  });
});

describe('packages that did not change', () => {
  const COUNT = 20_000;
  const pathOf = (index: number) => `section-${index % 97}/page-${index}.html`;

  test('are left alone when the same is described again, with a later clock, and without history', async () => {
    const repository = makeRepository();
    for (const [step, files] of STEPS.entries()) {
      change(join(repository, 'dist'), files);
      commitFiles(repository, step * 100, {});
    }
    const site = join(repository, 'dist');
    for (const args of [[], ['--history', 'none'], ['--history', 'snapshots']]) {
      const first = await describeAt(1000, site, args);
      const files = dumpFiles(site).filter((path) => !/dump\.xml$/.test(path));
      const stamps = stampsOf(site, files);
      for (const seconds of [1000, 2000]) {
        const again = await describeAt(seconds, site, args);
        expect(pathsOf(again)).toEqual(pathsOf(first));
        expect(written(again)).toEqual([]);
        expect(again.removed).toEqual([]);
        expect(stampsOf(site, files)).toEqual(stamps);
        await expectResourceDump(site);
      }
    }
  });

  test('are of no later moment than their dump where the clock was set back', async () => {
    const site = makeSite({ 'a.txt': 'a' });
    await describeAt(1000, site);
    await describeAt(900, site);
    await expectResourceDump(site);
  });

  test('are left alone when one of 20,000 files is edited, added or removed', async () => {
    const site = makeSite(
      Object.fromEntries(Array.from({ length: COUNT }, (_, index) => [pathOf(index), `page ${index}`])),
    );
    const args = [...makeConfig({ dumps: { maxEntries: 500 } }), '--history', 'none'];
    const first = await describeAt(0, site, args);
    expect(first.packages.length).toBeGreaterThan(COUNT / 500);
    let before = new Set(pathsOf(first));
    for (const [what, act] of [
      ['edited', () => change(site, { [pathOf(777)]: 'another' })],
      ['edited to be larger', () => change(site, { [pathOf(12_345)]: 'another'.repeat(2000) })],
      ['added', () => change(site, { 'section-5/new.html': 'new' })],
      ['removed', () => change(site, { [pathOf(4321)]: undefined })],
    ] as const) {
      const stamps = stampsOf(site, [...before]);
      act();
      const report = await describeAt(100, site, args);
      const after = pathsOf(report);
      expect({ what, new: after.filter((path) => !before.has(path)) }).toEqual({
        what,
        new: written(report),
      });
      expect({ what, written: written(report).length }).toEqual({ what, written: 1 });
      expect(report.removed).toHaveLength(2);
      const kept = stamps.filter(({ path }) => after.includes(path));
      expect(
        stampsOf(
          site,
          kept.map(({ path }) => path),
        ),
      ).toEqual(kept);
      before = new Set(after);
    }
    await expectResourceDump(site);
  });

  test('are written anew where they, their copy or their dump is missing or damaged', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    const [path = ''] = pathsOf(await describeAt(0, site));
    const zip = readFileSync(join(site, path));
    for (const harm of [
      () => rmSync(join(site, path)),
      () => truncateSync(join(site, path), zip.length - 1),
      () => appendFileSync(join(site, path.replace('.zip', '.xml')), ' '),
      () => rmSync(join(site, path.replace('.zip', '.xml'))),
      () => rmSync(join(site, 'resourcesync/resourcedump.xml')),
      () =>
        writeFileSync(
          join(site, 'resourcesync/resourcedump.xml'),
          '<!-- Written by resync-static --><urlset',
        ),
    ]) {
      harm();
      const result = await runAt(0, site, ['--dumps', '--json']);
      // A package that lost its end has lost the mark of ours, too.
      if (result.status === 1) {
        expect(result.stderr).toContain(`${join(site, path)} was not written by resync-static`);
        writeFileSync(join(site, path), zip);
        continue;
      }
      await expectResourceDump(site);
      expect(readFileSync(join(site, path))).toEqual(zip);
    }
  });

  test('are written anew where a run was killed before it could list what it had packed', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    const [path = ''] = pathsOf(await describeAt(0, site));
    const zip = readFileSync(join(site, path));
    const other = Buffer.from(zip);
    other[40] = (other[40] ?? 0) ^ 1;
    writeFileSync(join(site, path), other);
    utimesSync(join(site, path), 4e9, 4e9);
    await describeAt(0, site);
    expect(readFileSync(join(site, path))).toEqual(zip);
    await expectResourceDump(site);
  });

  test('are written anew when other digests are asked for, although deletions have none', async () => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/index.html': 'home', 'dist/a.txt': 'a' });
    commitFiles(repository, 100, { 'dist/a.txt': undefined });
    const site = join(repository, 'dist');
    await describeAt(200, site);
    await describeAt(200, site, ['--hash', 'sha-512']);
    const [dump] = await expectResourceDump(site);
    expect(dump?.changePackages.map(({ listed }) => listed.md['hash'])).toEqual([
      expect.stringMatching(/^sha-512:\w+$/),
    ]);
  });
});

describe('what is in the site', () => {
  test('of dumps goes when they are switched off; ZIPs of others stay', async () => {
    const others = {
      'resourcesync/mine.zip': 'mine',
      'resourcesync/resourcedump-0123456789abcdef.zip': 'mine, with a name of ours',
      'resourcesync/changedump-20261120T101500Z.xml': '<mine/>',
      'downloads/all.zip': 'a resource',
    };
    const site = makeSite({ 'index.html': 'home', ...others });
    const report = await describeAt(0, site);
    const files = [
      'resourcesync/resourcedump.xml',
      ...pathsOf(report).flatMap((path) => [path, path.replace('zip', 'xml')]),
    ];
    for (const file of files) expect(existsSync(join(site, file))).toBe(true);

    const off = await runAt(0, site, ['--json']);

    expect(off).toMatchObject({ status: 0 });
    expect(JSON.parse(off.stdout)).toMatchObject({ removed: files.toSorted(), packages: [] });
    const { 'index.html': _, ...rest } = readTree(site);
    expect(rest).toMatchObject(others);
    expect(dumpFiles(site)).toEqual(
      Object.keys(others)
        .filter((path) => path.includes('dump'))
        .sort(),
    );
  });

  test('of outdated packages goes, whole sets of them too', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.html': 'b' });
    const sets = makeConfig({
      sets: [
        { name: 'a', include: ['a.txt'] },
        { name: 'b', include: ['b.html'] },
      ],
    });
    const first = await describeAt(0, site, sets);
    expect(pathsOf(first)).toHaveLength(2);
    change(site, { 'a.txt': 'changed' });
    const second = await describeAt(0, site, sets);
    expect(written(second)).toHaveLength(1);
    expect(pathsOf(first).filter((path) => existsSync(join(site, path)))).toEqual([pathsOf(first)[1]]);
    await describeAt(0, site);
    expect(existsSync(join(site, 'resourcesync/a'))).toBe(false);
    await expectResourceDump(site);
  });

  test('and is in the way is refused: nothing is written', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const [path = ''] = pathsOf(await describeAt(0, site));
    rmSync(join(site, 'resourcesync'), { recursive: true });
    for (const name of [path, path.replace('.zip', '.xml'), 'resourcesync/resourcedump.xml']) {
      makeSite({ [name]: 'mine' }, site);
      const before = readTree(site);
      const { status, stderr } = await runAt(0, site, ['--dumps']);
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringContaining(`${join(site, name)} was not written by resync-static`),
      });
      expect(readTree(site)).toEqual(before);
      rmSync(join(site, name));
    }
  });
});

describe('the same inputs make the same packages', () => {
  const files: Files = Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [
      `folder-${index % 7}/ü ${index}.html`,
      `<p>${'word '.repeat(index)}`,
    ]),
  );
  const sizes = {
    'noise.bin': Buffer.alloc(70_000, randomBytes(7001)),
    'photo.jpg': 'not a photo',
    'empty.txt': '',
  };

  async function readDescribed(env: Record<string, string>, before: string[] = []) {
    const repository = makeRepository();
    change(join(repository, 'dist'), { ...files, ...sizes });
    commitFiles(repository, 0, {});
    commitFiles(repository, 100, { 'dist/folder-1/ü 1.html': 'changed', 'dist/empty.txt': undefined });
    commitFiles(repository, 200, { 'dist/folder-1/ü 1.html': 'changed again' });
    const site = join(repository, 'dist');
    const config = makeConfig({ dumps: { maxEntries: 25 } });
    const [program = '', ...args] = [...before, process.execPath, CLI, site, ...config, '--dumps', '--json'];
    const run = await runProgram(program, args, { env: { SOURCE_DATE_EPOCH: `${BEGIN + 1000}`, ...env } });
    expect(run).toMatchObject({ status: 0 });
    await expectResourceDump(site);
    return readDocuments(site);
  }

  test('in other places, time zones and languages, with another umask, on one core', async () => {
    const reference = await readDescribed({ TZ: 'UTC' });
    expect(Object.keys(reference).filter((path) => path.endsWith('.zip')).length).toBeGreaterThan(5);
    const taskset = await runProgram('taskset', ['--version']).catch(() => ({ status: null }));
    for (const [env, before] of [
      [{ TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' }, []],
      [{ TZ: 'America/St_Johns' }, ['bash', '-c', 'umask 077; exec "$@"', 'bash']],
      [{ UV_THREADPOOL_SIZE: '1' }, taskset.status === 0 ? ['taskset', '-c', '0'] : []],
    ] as const) {
      expect(await readDescribed(env, [...before])).toEqual(reference);
    }
  });
});

describe('the configuration', () => {
  test.each<[string, object | boolean, { resources: number; changes: number }]>([
    ['true', true, { resources: 1, changes: 1 }],
    ['false', false, { resources: 0, changes: 0 }],
    ['{}', {}, { resources: 1, changes: 1 }],
    ['no Resource Dump', { resources: false }, { resources: 0, changes: 1 }],
    ['no Change Dump', { changes: false }, { resources: 1, changes: 0 }],
    ['neither', { resources: false, changes: false }, { resources: 0, changes: 0 }],
    ['few files in a package', { maxEntries: 1 }, { resources: 3, changes: 1 }],
    ['few bytes in a package', { maxBytes: 10 }, { resources: 2, changes: 1 }],
  ])('%s', async (_, dumps, expected) => {
    const repository = makeRepository();
    commitFiles(repository, 0, { 'dist/a.txt': '12345', 'dist/b.txt': '1', 'dist/c.txt': '12345' });
    commitFiles(repository, 100, { 'dist/b.txt': '12345' });
    const site = join(repository, 'dist');
    const result = await runAt(200, site, [...makeConfig({ dumps }), '--json']);
    expect(result).toMatchObject({ status: 0 });
    const report: Report = JSON.parse(result.stdout);
    const count = (dump: string) => report.packages.filter((one) => one.dump === dump).length;
    expect({ resources: count('resource-dump'), changes: count('change-dump') }).toEqual(expected);
    const capabilities = readSource(site, DUMPS_URL).sets[0]?.capabilityList.children.flatMap(
      ({ children }) => children.find(({ name }) => name === 'rs:md')?.attributes['capability'] ?? [],
    );
    expect(capabilities).toEqual([
      'resourcelist',
      ...(expected.resources > 0 ? ['resourcedump'] : []),
      'changelist',
      ...(expected.changes > 0 ? ['changedump'] : []),
    ]);
  });

  test('in a file says how large packages are, and the flag that there are any', async () => {
    const site = makeSite({ 'a.txt': 'a', 'b.txt': 'b' });
    expect(pathsOf(await describeAt(0, site, makeConfig({ dumps: { maxEntries: 1 } })))).toHaveLength(2);
    expect(pathsOf(await describeAt(0, site, makeConfig({ dumps: false })))).toHaveLength(1);
    const off = makeConfig({ dumps: { resources: false, changes: false, maxEntries: 1 } });
    expect(pathsOf(await describeAt(0, site, off))).toHaveLength(2);
  });
});

describe('a file that changes between scan and pack', () => {
  /** The configuration is asked for links when everything has been read, and nothing has been packed. */
  const configThat = (act: string) => {
    const folder = makeSite({
      'config.mjs': `import fs from 'node:fs';
        let done = false;
        export default {
          url: ${JSON.stringify(DUMPS_URL)},
          links: () => { if (!done) { done = true; const file = process.env.FILE; ${act} } return []; },
        };`,
    });
    return ['--config', join(folder, 'config.mjs')];
  };
  const EDIT = (at: string) => `const handle = fs.openSync(file, 'r+'); fs.writeSync(handle, '!', ${at});`;

  test.each<[what: string, act: string, length: number]>([
    ['is edited', EDIT('3'), 100],
    ['is edited at the end of its first piece', EDIT('262143'), 262_144],
    ['is edited in its second piece', EDIT('300_000'), 1_000_000],
    ['is edited at its end, in a package too large for the memory', EDIT('(70 << 20) - 1'), 70 << 20],
    ['grows by a byte', "fs.appendFileSync(file, '!');", 100],
    ['grows by a byte, and is large', "fs.appendFileSync(file, '!');", 70 << 20],
    ['grows from nothing', "fs.appendFileSync(file, '!');", 0],
    ['is cut short', 'fs.truncateSync(file, 99);', 100],
    ['is cut short, and large', 'fs.truncateSync(file, 1 << 20);', 70 << 20],
    ['is emptied', 'fs.truncateSync(file, 0);', 100],
    ['is removed', 'fs.rmSync(file);', 100],
    ['is removed, and large', 'fs.rmSync(file);', 70 << 20],
  ])('is noticed: it %s', async (_, act, length) => {
    const site = makeSite({ 'a.txt': 'a', 'z.txt': 'z' });
    await describeAt(0, site);
    change(site, { 'm.mp4': Buffer.alloc(length, 'x') });
    const documents = readDocuments(site);

    // With another package to write, the work is done in threads.
    for (const threads of length < 1 << 20 ? [false, true] : [true]) {
      if (threads)
        change(site, { 'other.mp4': Buffer.alloc(21 << 20, 'y'), 'm.mp4': Buffer.alloc(length, 'x') });
      const { status, stderr } = await runAt(0, site, [...configThat(act), '--dumps'], {
        env: { FILE: join(site, 'm.mp4') },
      });
      expect({ status, stderr }).toEqual({
        status: 1,
        stderr: expect.stringMatching(/^Error .*m\.mp4 is no longer what was described.*\nRun again/),
      });
      expect(readDocuments(site)).toEqual(documents);
      expect(existsSync(join(site, '.resync-static'))).toBe(false);
    }
  });
});

describe('a file that no package can hold', () => {
  test('is refused before it is read and before anything is written, with what leaves it out', async () => {
    const site = makeSite({ 'index.html': 'home', 'films/long one.mp4': '' });
    truncateSync(join(site, 'films/long one.mp4'), 2 ** 32);
    const before = Object.keys(dirTree(site));

    const { status, stderr } = await runAt(0, site, ['--dumps']);

    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `Error films/long one.mp4 has 4294967296 bytes, more than a ZIP package can hold.\nLeave it out with --exclude "films/long one.mp4", or leave out --dumps; nothing has been written.\n`,
    });
    expect(Object.keys(dirTree(site))).toEqual(before);
    expect(await runAt(0, site, ['--dumps', '--exclude', 'films/long one.mp4'])).toMatchObject({ status: 0 });
    await openDumps(site);
  });

  const dirTree = (site: string) =>
    Object.fromEntries(readdirSync(site, { recursive: true, encoding: 'utf8' }).map((path) => [path, true]));
});

describe('a run that is killed while it packs', () => {
  const hook = new URL('../support/kill-at-step.mjs', import.meta.url).href;

  /** Every document and package that can be reached is whole, and has the digests that are listed. */
  const expectWhole = (site: string) => openDumps(site);

  test.each([
    ['before any of its steps: one package of each dump', {}, 1],
    ['before many of its steps: several packages', { maxEntries: 2 }, 3],
  ])('leaves whole packages, %s', async (_, dumps, stride) => {
    const origin = makeRepository();
    const config = makeConfig({ dumps });
    commitFiles(origin, 0, { 'dist/a.txt': 'a', 'dist/b.txt': 'b', 'dist/c.txt': 'c' });
    commitFiles(origin, 100, { 'dist/a.txt': 'another' });
    await describeAt(200, join(origin, 'dist'), config);
    commitFiles(origin, 300, {
      'dist/b.txt': 'another',
      'dist/d.txt': 'd',
      'dist/e.txt': 'e',
      'dist/c.txt': undefined,
    });
    const done = await describeAt(400, join(origin, 'dist'), config);
    git(origin, ['stash', '--quiet']);
    const files = done.packages.length * 2 + done.documents.filter(({ path }) => !/dump-/.test(path)).length;
    let steps = 0;
    let finished = false;

    const killAt = async (step: number) => {
      const repository = makeFolder();
      cpSync(origin, repository, { recursive: true });
      const site = join(repository, 'dist');
      const env = { NODE_OPTIONS: `--import=${hook}`, KILL_AT_STEP: `${step}` };
      const killed = await runAt(400, site, [...config, '--dumps'], { env, killAfter: 45_000 });
      if (killed.status === 0) finished = true;
      else {
        expect(killed.stderr).toBe('');
        steps = Math.max(steps, step);
        await expectWhole(site);
      }
      // What a run finds is much the same after each few steps.
      if (step % 4 === 0) {
        const again = await describeAt(400, site, config);
        expect(pathsOf(again)).toEqual(pathsOf(done));
        await expectResourceDump(site);
        expect(Object.keys(readDocuments(site))).toHaveLength(files);
        expect(existsSync(join(site, '.resync-static'))).toBe(false);
      }
      rmSync(repository, { recursive: true });
    };
    for (let step = 1; !finished; step += 4 * stride) {
      await Promise.all([0, 1, 2, 3].map((turn) => killAt(step + turn * stride)));
    }

    // Each of the new files is at least opened and moved.
    expect(steps).toBeGreaterThan(files);
  });

  test('at any moment leaves whole packages', async () => {
    const runs = 24;
    const site = makeSite(
      Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`${index}.bin`, randomBytes(9000)])),
    );
    const config = [...makeConfig({ dumps: { maxEntries: 50 } }), '--history', 'none'];
    const begin = performance.now();
    await describeAt(0, site, config);
    const longest = performance.now() - begin;
    for (let run = 0; run < runs; run++) {
      for (let file = run; file < 400; file += 40) change(site, { [`${file}.bin`]: randomBytes(9000) });
      const killed = await runAt(run, site, [...config, '--dumps'], {
        killAfter: (1.2 * longest * run) / runs,
      });
      expect([killed.status, killed.signal]).toContainEqual(killed.signal === null ? 0 : 'SIGKILL');
      await expectWhole(site);
    }
    await describeAt(1000, site, config);
    await expectResourceDump(site);
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });
});
