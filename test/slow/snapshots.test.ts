/** What a snapshot holds. */

import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments, tellChanges } from '../support/changes.js';
import { git, gitText, makeRepository, readCommit } from '../support/git.js';
import { makeHostileSite } from '../support/hostile.js';
import { chainOf, change, type Files, POSIX, REF } from '../support/record.js';
import { makeSite, readTree } from '../support/site.js';

describe('a snapshot', () => {
  const LFS = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n';
  const contents = {
    'crlf.txt': 'one\r\ntwo\r\n',
    'lf.txt': 'one\ntwo\n',
    'mixed.txt': 'one\r\ntwo\nthree\r',
    'lower case.html': '<p>lower case</p>',
    'ident.txt': '$Id$ $Id: something $\n',
    'utf-16.txt': Buffer.from('\ufeffutf-16\r\n', 'utf16le'),
    'every byte.bin': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
    'pointer.psd': LFS,
    'large.psd': Buffer.alloc(5_000_000, 'a\r\n'),
    'empty.txt': '',
    'sub/empty': '',
  };

  test.each<[what: string, attributes: string, settings: [string, string][]]>([
    ['text conversion by attributes', '* text=auto eol=crlf', []],
    ['text conversion that is forced', '* text eol=lf', []],
    [
      'text conversion by settings',
      '',
      [
        ['core.autocrlf', 'true'],
        ['core.safecrlf', 'true'],
        ['core.eol', 'crlf'],
      ],
    ],
    ['encodings and identifiers', '*.txt working-tree-encoding=UTF-16LE ident', []],
    [
      'filters',
      '* filter=upper',
      [
        ['filter.upper.clean', 'tr a-z A-Z'],
        ['filter.upper.smudge', 'tr a-z A-Z'],
      ],
    ],
    [
      'a filter as that of LFS, without which git gives up',
      '*.psd filter=lfs diff=lfs merge=lfs -text',
      [
        ['filter.lfs.clean', 'false'],
        ['filter.lfs.smudge', 'false'],
        ['filter.lfs.process', 'false'],
        ['filter.lfs.required', 'true'],
      ],
    ],
    [
      'settings about storage',
      '*.psd binary delta',
      [
        ['core.bigFileThreshold', '1'],
        ['core.compression', '0'],
        ['core.precomposeUnicode', 'true'],
        ['pack.packSizeLimit', '1m'],
      ],
    ],
  ])('holds the bytes of the files: %s', async (_, attributes, settings) => {
    const repository = makeRepository();
    for (const setting of settings) gitText(repository, 'config', ...setting);
    makeSite({ '.gitattributes': attributes, '.git/info/attributes': attributes }, repository);
    const site = makeSite({ ...contents, '.gitattributes': attributes }, join(repository, 'dist'));
    await describeAt(0, { site, record: true });
    const [first] = chainOf(repository);
    const before = readCommit(repository, first ?? '');
    for (const [path, content] of Object.entries(contents)) {
      expect.soft(before[path], path).toBe(Buffer.from(content).toString('latin1'));
    }
    expect(Object.keys(before).sort()).toEqual(Object.keys(contents).sort());

    // Later ones hold what has changed, read in another way.
    const changed = Object.fromEntries(
      Object.entries(contents).map(([path, content]) => [
        path,
        Buffer.concat([Buffer.from('x\r\n'), Buffer.from(content)]),
      ]),
    );
    makeSite(changed, site);
    await describeAt(1000, { site, record: true });
    const after = readCommit(repository, REF);
    for (const [path, content] of Object.entries(changed)) {
      expect.soft(after[path], path).toBe(content.toString('latin1'));
    }
    expect(await describeAt(2000, { site })).toMatchObject({ publication: { pending: false } });
  });

  // Elsewhere, file systems take names that differ in case alone for one.
  test.runIf(process.platform === 'linux')(
    'holds all names, also where git is told that case does not count',
    async () => {
      const repository = makeRepository();
      gitText(repository, 'config', 'core.ignoreCase', 'true');
      const files = { 'a.html': 'one', 'A.html': 'two', 'x/1.html': 'one', 'X/2.html': 'two' };
      const site = makeSite(files, join(repository, 'dist'));
      await describeAt(0, { site, record: true });
      expect(readCommit(repository, REF)).toEqual(files);
      expect(await describeAt(1000, { site })).toMatchObject({ publication: { pending: false } });
    },
  );

  test('holds names that go wrong wherever a name is taken for more than a name', async () => {
    const { site, paths } = makeHostileSite();
    git(site, ['init', '--quiet']);
    const ref = 'refs/resync-static/_root';
    const expectSame = () => {
      const standing = readTree(site);
      const resources = Object.entries(standing).filter(([path]) => paths.includes(path));
      expect(readCommit(site, ref)).toEqual(Object.fromEntries(resources));
    };
    await describeAt(0, { site, record: true });
    expectSame();
    expect(Object.keys(readCommit(site, ref))).toHaveLength(paths.length);

    for (const [index, path] of paths.entries()) {
      if (index % 3 === 0) rmSync(join(site, path));
      if (index % 3 === 1) makeSite({ [path]: `changed ${path}` }, site);
    }
    await describeAt(1000, { site, record: true });
    expectSame();
    const kinds = tellChanges(site).map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(new Set(kinds)).toEqual(new Set(['+1000 deleted', '+1000 updated']));
    expect(kinds).toHaveLength(Math.ceil((2 * paths.length) / 3));
    expect(await describeAt(2000, { site })).toMatchObject({ publication: { pending: false } });
  });

  test('holds resources only: nothing that is left out, no document of ours', async () => {
    const repository = makeRepository();
    const site = makeSite(
      {
        'index.html': 'one',
        'drafts/a.html': 'one',
        '404.html': 'one',
        '500.html': 'one',
        _headers: 'one',
        '.htaccess': 'one',
        '.well-known/security.txt': 'one',
        'resourcesync/notes.txt': 'one',
        'resourcesync/old/resourcelist.xml': 'one',
      },
      join(repository, 'dist'),
    );
    const config = { site, record: true, exclude: ['drafts/**'], include: ['404.html'] };
    for (const now of [0, 1000]) {
      change(site, { 'index.html': `state ${now}` });
      await describeAt(now, config);
      expect(Object.keys(readCommit(repository, REF)).sort()).toEqual([
        '.well-known/security.txt',
        '404.html',
        'index.html',
        'resourcesync/notes.txt',
      ]);
    }
  });

  test('holds a file where a folder was, and a folder where a file was', async () => {
    const repository = makeRepository();
    const site = join(repository, 'dist');
    mkdirSync(site);
    const states: Files[] = [
      { thing: 'one', 'a/b/c.txt': 'one', 'z.txt': 'one' },
      { thing: undefined, 'thing/x.txt': 'one', 'thing/y/z.txt': 'one' },
      { a: undefined, 'a/b': 'two' },
    ];
    for (const [index, files] of states.entries()) {
      change(site, files);
      await describeAt(1000 * index, { site, record: true });
      const standing = Object.entries(readTree(site)).filter(([path]) => !/resourcesync/.test(path));
      expect(readCommit(repository, REF)).toEqual(Object.fromEntries(standing));
    }
    expect(tellChanges(site).slice(-2)).toEqual(['+2000 created /a/b two', '+2000 deleted /a/b/c.txt']);
  });

  // Windows knows no executable files.
  test.runIf(POSIX)('holds an executable file as any other, and its mode is no change', async () => {
    const repository = makeRepository();
    const site = makeSite({ 'run.sh': 'one' }, join(repository, 'dist'));
    chmodSync(join(site, 'run.sh'), 0o755);
    await describeAt(0, { site, record: true });
    chmodSync(join(site, 'run.sh'), 0o644);
    await describeAt(1000, { site, record: true });
    expect(gitText(repository, 'ls-tree', REF)).toMatch(/^100644 blob \w+\trun\.sh$/);
    expect(chainOf(repository)).toHaveLength(1);
  });

  test('has a ref of its own for every place of a site', async () => {
    const places = [
      'dist',
      'packages/web/dist',
      'with space/öffentlich',
      '-dash/--record',
      '@/@{1}',
      'a..b/.hidden/x.lock/end.',
      '%25/100%',
    ];
    const repository = makeRepository();
    const sites = places.map((place) => makeSite({ 'a.html': place }, join(repository, place)));
    for (const site of sites) {
      expect((await describeAt(0, { site, record: true })).publication).toMatchObject({ recorded: true });
    }
    for (const site of sites) {
      expect((await describeAt(10, { site })).publication).toMatchObject({ pending: false });
    }
    const refs = gitText(repository, 'for-each-ref', '--format=%(refname)').split('\n');
    expect(refs).toHaveLength(places.length);
    expect(refs).toEqual(expect.arrayContaining([REF, 'refs/resync-static/packages/web/dist']));
    for (const ref of refs) expect(ref).toMatch(/^refs\/resync-static\//);
  });

  test('cannot be kept for a site in the folder of another one, which git has no name for, and says so', async () => {
    const repository = makeRepository();
    const outer = makeSite({ 'a.html': 'one' }, join(repository, 'dist'));
    const inner = makeSite({ 'b.html': 'one' }, join(repository, 'dist/inner'));
    await describeAt(0, { site: outer, record: true });
    const run = describeAt(1000, { site: inner, record: true });
    await expect(run).rejects.toMatchObject({
      name: 'ResyncError',
      message: expect.stringContaining(`${REF}/inner`),
    });
    expect(readDocuments(inner)).toEqual({});
    await describeAt(1000, { site: inner, record: true, history: 'snapshots:inner' });
    expect(gitText(repository, 'for-each-ref', '--format=%(refname)').split('\n')).toEqual([
      REF,
      'refs/resync-static/inner',
    ]);
  });
});
