/** The contents of snapshots. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeAt, readDocuments } from '../support/changes.js';
import { gitText, makeRepository, readCommit } from '../support/git.js';
import { chainOf, change, REF } from '../support/record.js';
import { makeSite } from '../support/site.js';

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
