/** Watching: what happens to a site comes into its documents, and nothing else happens. */

import {
  cpSync,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { makeFolder, makeSite } from '../support/site.js';
import { startWatch } from '../support/watch.js';
import { describeCopy, isCurrent, QUIET, startIn, URL_OPTION } from '../support/watched.js';

describe('what happens to the site comes into the documents', () => {
  const FILES = { 'index.html': 'home', 'a.txt': 'one', 'deep/er/b.txt': 'two', 'deep/deep/c.txt': 'three' };
  /** Longer than a watch takes to look whether a folder is in its place, in milliseconds, and there is no sign of it. */
  const LOOKED = 600;

  const EDITS: Record<string, (site: string) => void | Promise<void>> = {
    'a file gets other bytes, as many, and its former times': (site) => {
      const { atime, mtime } = statSync(join(site, 'a.txt'));
      writeFileSync(join(site, 'a.txt'), 'two');
      utimesSync(join(site, 'a.txt'), atime, mtime);
    },
    'folders are added': (site) => void makeSite({ 'x/y/z/1.txt': '1', 'x/y/2.txt': '2' }, site),
    'a folder is moved': (site) => renameSync(join(site, 'deep'), join(site, 'depth')),
    'a folder takes the place of another': (site) => {
      makeSite({ 'b.txt': 'TWO' }, join(site, 'deep/other'));
      renameSync(join(site, 'deep/er'), join(site, 'deep/er.old'));
      renameSync(join(site, 'deep/other'), join(site, 'deep/er'));
      rmSync(join(site, 'deep/er.old'), { recursive: true });
    },
    'the site is removed and made again at once, and edited afterwards': async (site) => {
      rmSync(site, { recursive: true });
      makeSite({ ...FILES, 'a.txt': 'again' }, site);
      await sleep(LOOKED);
      writeFileSync(join(site, 'deep/er/b.txt'), 'later');
    },
    'another site is moved into its place': (site) => {
      const other = makeSite({ ...FILES, 'a.txt': 'other' });
      renameSync(site, `${other}/former`);
      rmSync(`${other}/former`, { recursive: true });
      cpSync(other, `${site}.new`, { recursive: true });
      renameSync(`${site}.new`, site);
    },
    'files are put beside our documents': (site) =>
      void makeSite({ 'resourcesync/mine.txt': 'mine', '.well-known/security.txt': 'x' }, site),
  };

  test.each(Object.entries(EDITS))('%s', async (_, edit) => {
    const site = makeSite(FILES);
    const watching = startIn(site);
    expect(await watching.next()).toMatchObject({ resources: 4 });
    expect(isCurrent(site)).toBe(true);
    await edit(site);
    await watching.until(() => isCurrent(site));
    const { status } = await watching.end();
    expect(status).toBe(0);
    expect(readDocuments(site)).toEqual(await describeCopy(site));
  });

  test('also where the system tells nothing, and folders are polled', async () => {
    const site = makeSite(FILES);
    const watching = startIn(site, { CHOKIDAR_USEPOLLING: '1' });
    await watching.next();
    writeFileSync(join(site, 'deep/er/b.txt'), 'another');
    await watching.until(() => isCurrent(site));
    makeSite({ 'x/y.txt': 'new' }, site);
    await watching.until(() => isCurrent(site));
    expect(watching.lines.length).toBeLessThanOrEqual(4);
  });
});

describe('a run that fails', () => {
  test('is told, and watching goes on', async () => {
    const site = makeSite({ 'a.html': 'a', 'b.txt': 'b' });
    const watching = startWatch([site, ...URL_OPTION, '--urls', 'clean', '--json']);
    await watching.next();
    const before = readDocuments(site);
    makeSite({ a: 'too' }, site);
    expect(await watching.next()).toEqual({
      error: { code: 'url-conflict', message: expect.stringMatching(/^a and a\.html have one URL/) },
    });
    expect(readDocuments(site)).toEqual(before);
    // And told once.
    await sleep(QUIET);
    expect(watching.lines).toHaveLength(2);
    expect(watching.stderr()).toMatch(/^Error a and a\.html have one URL/m);
    rmSync(join(site, 'a.html'));
    expect(await watching.next()).toMatchObject({ resources: 2 });
  });

  test('is tried again when the file in the place of a document is gone', async () => {
    const site = makeSite({ 'a.txt': 'a', 'resourcesync/resourcelist.xml': 'mine' });
    const watching = startIn(site);
    expect(await watching.next()).toMatchObject({ error: { code: 'not-ours' } });
    rmSync(join(site, 'resourcesync/resourcelist.xml'));
    expect(await watching.next()).toMatchObject({ resources: 1 });
  });
});

describe('the folder', () => {
  test('is waited for, at the beginning and when it is gone', async () => {
    const site = join(makeFolder(), 'build/dist');
    const watching = startIn(site);
    await watching.until(() => watching.stderr().includes(`There is no folder ${site} yet. Waiting for it.`));
    makeSite({ 'index.html': 'home' }, site);
    await watching.until(() => isCurrent(site) && !existsSync(join(site, '.resync-static')));
    rmSync(join(site, '..'), { recursive: true });
    await watching.until(() => watching.stderr().split('Waiting for it').length === 3);
    makeSite({ 'index.html': 'new' }, site);
    await watching.until(() => isCurrent(site));
    expect((await watching.end()).stderr.replace(/^(?:Note|Warning) .*\n/gm, '')).toBe('');
  });

  test('may be a link that comes to lead elsewhere', async () => {
    const folder = makeSite({ 'one/a.txt': 'one', 'two/a.txt': 'two' });
    const site = join(folder, 'site');
    symlinkSync('one', site);
    const watching = startIn(site);
    await watching.next();
    symlinkSync('two', `${site}.new`);
    renameSync(`${site}.new`, site);
    await watching.until(() => isCurrent(join(folder, 'two')));
    writeFileSync(join(folder, 'two/a.txt'), 'TWO');
    await watching.until(() => isCurrent(join(folder, 'two')));
  });
});
