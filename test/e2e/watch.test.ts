/** Watching: what happens to a site comes into its documents, and nothing else happens. */

import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
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
import { watch } from '../../src/index.js';
import { isOwnDocument } from '../../src/paths/ours.js';
import { readDocuments, SITE_URL, tellChanges } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { makeRandom } from '../support/random.js';
import { makeFolder, makeSite, readTree, runCli } from '../support/site.js';
import { startWatch } from '../support/watch.js';

const EPOCH = { SOURCE_DATE_EPOCH: '1700000000' };
const URL_OPTION = ['--url', SITE_URL];

/** Whether the documents say what the files of the site are. */
function isCurrent(site: string): boolean {
  // The documents are moved into place one after the other, and the site may be gone for a moment.
  try {
    const listed = readSource(site, SITE_URL).sets.flatMap(({ resources }) =>
      resources.map(({ uri, md }) => `${uri} ${md['hash']?.split(' ')[0]}`),
    );
    const files = Object.entries(readTree(site))
      .filter(([path]) => !isOwnDocument(path) && !path.startsWith('.resync-static/'))
      .map(
        ([path, bytes]) =>
          `${SITE_URL}${path} md5:${createHash('md5').update(bytes, 'latin1').digest('hex')}`,
      );
    return listed.sort().join('\n') === files.sort().join('\n');
  } catch {
    return false;
  }
}

/** Describes a copy of the site from nothing. */
async function describeCopy(site: string): Promise<Record<string, string>> {
  const copy = makeFolder();
  cpSync(site, copy, { recursive: true });
  for (const path of Object.keys(readDocuments(copy))) if (isOwnDocument(path)) rmSync(join(copy, path));
  expect(await runCli([copy, ...URL_OPTION, '--urls', 'file'], { env: EPOCH })).toMatchObject({ status: 0 });
  return readDocuments(copy);
}

const startIn = (site: string, env: Record<string, string> = {}) =>
  startWatch([site, ...URL_OPTION, '--urls', 'file', '--json'], { env: { ...EPOCH, ...env } });

describe('what happens to the site comes into the documents', () => {
  const FILES = { 'index.html': 'home', 'a.txt': 'one', 'deep/er/b.txt': 'two', 'deep/deep/c.txt': 'three' };

  const EDITS: Record<string, (site: string) => void | Promise<void>> = {
    'a file is written over': (site) => writeFileSync(join(site, 'deep/er/b.txt'), 'another'),
    'a file gets other bytes, as many, and its former times': (site) => {
      const { atime, mtime } = statSync(join(site, 'a.txt'));
      writeFileSync(join(site, 'a.txt'), 'two');
      utimesSync(join(site, 'a.txt'), atime, mtime);
    },
    'a file is replaced by another of the same length and age': (site) => {
      const { atime, mtime } = statSync(join(site, 'a.txt'));
      writeFileSync(join(site, 'a.txt.part'), 'two');
      utimesSync(join(site, 'a.txt.part'), atime, mtime);
      renameSync(join(site, 'a.txt.part'), join(site, 'a.txt'));
    },
    'a file is added': (site) => writeFileSync(join(site, 'deep/new~'), 'new'),
    'a file is removed': (site) => rmSync(join(site, 'a.txt')),
    'folders are added': (site) => void makeSite({ 'x/y/z/1.txt': '1', 'x/y/2.txt': '2' }, site),
    'a folder is removed': (site) => rmSync(join(site, 'deep/er'), { recursive: true }),
    'a folder is moved': (site) => renameSync(join(site, 'deep'), join(site, 'depth')),
    'a folder takes the place of another': (site) => {
      makeSite({ 'b.txt': 'TWO' }, join(site, 'deep/other'));
      renameSync(join(site, 'deep/er'), join(site, 'deep/er.old'));
      renameSync(join(site, 'deep/other'), join(site, 'deep/er'));
      rmSync(join(site, 'deep/er.old'), { recursive: true });
    },
    'a folder is removed and made again at once, and edited afterwards': async (site) => {
      rmSync(join(site, 'deep'), { recursive: true });
      makeSite({ 'deep/er/b.txt': 'again' }, site);
      await sleep(600);
      writeFileSync(join(site, 'deep/er/b.txt'), 'later');
    },
    'the site is removed and made again at once, and edited afterwards': async (site) => {
      rmSync(site, { recursive: true });
      makeSite({ ...FILES, 'a.txt': 'again' }, site);
      await sleep(600);
      writeFileSync(join(site, 'deep/er/b.txt'), 'later');
    },
    'the site is removed and made again, the same': async (site) => {
      rmSync(site, { recursive: true });
      await sleep(600);
      makeSite(FILES, site);
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

  test('of a thousand edits in bursts, none is lost', async () => {
    const random = makeRandom();
    const upTo = (number: number) => Math.floor(random() * number);
    const site = makeSite({ 'index.html': 'home' });
    for (let file = 0; file < 200; file++) makeSite({ [`${file % 7}/${file % 20}/${file}.txt`]: '0' }, site);
    const watching = startIn(site);
    await watching.next();

    for (let edit = 0; edit < 1000; ) {
      for (let burst = 1 + upTo(100); burst > 0 && edit < 1000; burst--, edit++) {
        const file = upTo(220);
        const path = join(site, `${file % 7}/${file % 20}/${file}.txt`);
        const way = upTo(12);
        // As long as the last edit of the file, or nearly so.
        const bytes = `${1000 + edit}`;
        if (way === 0) rmSync(path, { force: true });
        else if (way === 1) rmSync(join(site, `${file % 7}`), { recursive: true, force: true });
        else if (way === 2) {
          makeSite({ [`${edit}.part`]: bytes }, site);
          mkdirSync(join(path, '..'), { recursive: true });
          renameSync(join(site, `${edit}.part`), path);
        } else makeSite({ [path.slice(site.length + 1)]: bytes }, site);
        if (way === 3) await sleep(upTo(30));
      }
      await sleep(upTo(600));
      if (upTo(4) === 0) await watching.until(() => isCurrent(site));
    }
    await watching.until(() => isCurrent(site));
    await watching.end();
    expect(readDocuments(site)).toEqual(await describeCopy(site));
  });
});

describe('nothing happens by itself', () => {
  test('neither our own documents nor what is not listed here lead to a run', async () => {
    const site = makeSite({ 'index.html': 'home', 'a/b.txt': 'b' });
    const watching = startIn(site);
    await watching.next();
    const [documents, stats] = [readDocuments(site), statSync(join(site, 'resourcesync/resourcelist.xml'))];
    // Longer than it takes to look again at all.
    await sleep(4000);
    expect(await runCli([site, ...URL_OPTION, '--urls', 'file'], { env: EPOCH })).toMatchObject({
      status: 0,
    });
    await sleep(1000);
    expect(watching.lines).toHaveLength(1);
    expect(readDocuments(site)).toEqual(documents);
    expect(statSync(join(site, 'resourcesync/resourcelist.xml')).mtimeMs).toBe(stats.mtimeMs);
  });

  test('nor do our own edits of pages and robots.txt', async () => {
    const page = (text: string) =>
      `<!doctype html><html><head><title>x</title></head><body>${text}</body></html>`;
    const site = makeSite({ 'index.html': page('home'), 'a/index.html': page('a') });
    const watching = startWatch([
      site,
      ...URL_OPTION,
      '--urls',
      'file',
      '--json',
      '--html-links',
      '--robots',
    ]);
    expect(await watching.next()).toMatchObject({ edited: { pages: 2 } });
    expect(isCurrent(site)).toBe(true);
    await sleep(4000);
    writeFileSync(join(site, 'index.html'), page('new'));
    expect(await watching.next()).toMatchObject({ edited: { pages: 1 } });
    expect(isCurrent(site)).toBe(true);
    await sleep(4000);
    expect(watching.lines).toHaveLength(2);
  });

  test('a burst leads to one run', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startIn(site);
    await watching.next();
    for (let file = 0; file < 300; file++) makeSite({ [`${file}.txt`]: `${file}` }, site);
    expect(await watching.next()).toMatchObject({ resources: 301 });
    await sleep(3500);
    expect(watching.lines).toHaveLength(2);
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
    await sleep(3500);
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
    await watching.until(() => watching.stderr().includes(`There is no folder ${site}; waiting for it.`));
    makeSite({ 'index.html': 'home' }, site);
    await watching.until(() => isCurrent(site) && !existsSync(join(site, '.resync-static')));
    rmSync(join(site, '..'), { recursive: true });
    await watching.until(() => watching.stderr().split('waiting for it').length === 3);
    makeSite({ 'index.html': 'new' }, site);
    await watching.until(() => isCurrent(site));
    expect((await watching.end()).stderr.replace(/^Note .*\n/gm, '')).toBe('');
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

  test('has to be a folder', async () => {
    const file = join(makeSite({ 'a.txt': 'a' }), 'a.txt');
    const { status, stderr } = await runCli(['watch', file, ...URL_OPTION]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/a\.txt is not a folder/),
    });
  });
});

describe('the end', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('comes with %s, and leaves nothing behind', async (signal) => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startIn(site);
    await watching.next();
    expect(await watching.end(signal)).toMatchObject({ status: 0, signal: null });
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });

  test('comes in the middle of a run when that is done', async () => {
    const site = makeSite({ 'index.html': 'home', 'large.bin': Buffer.alloc(50_000_000) });
    const watching = startIn(site);
    await watching.next();
    writeFileSync(join(site, 'large.bin'), Buffer.alloc(60_000_000));
    await sleep(220);
    expect(await watching.end()).toMatchObject({ status: 0, signal: null });
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });

  test('comes when there is nothing to watch', async () => {
    const watching = startIn(join(makeFolder(), 'missing'));
    await watching.until(() => watching.stderr() !== '');
    expect(await watching.end()).toMatchObject({ status: 0, signal: null });
  });

  test('comes when nobody reads any more', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startIn(site);
    await watching.next();
    watching.child.stdout.destroy();
    writeFileSync(join(site, 'index.html'), 'new');
    expect(await watching.closed).toEqual([0, null]);
  });
});

describe('nothing is recorded', () => {
  const recorded = (folder: string) => gitText(folder, 'for-each-ref', 'refs/resync-static');

  test('--record is refused', async () => {
    const site = makeSite({ 'a.txt': 'a' });
    const { status, stderr } = await runCli(['watch', site, ...URL_OPTION, '--record']);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/--record: does not go with watch; record what you deploy/),
    });
  });

  test('what the configuration says is left out, with a notice', async () => {
    const folder = makeRepository();
    makeSite(
      {
        'dist/a.txt': 'a',
        'resync-static.config.json': JSON.stringify({ site: 'dist', url: SITE_URL, record: true }),
      },
      folder,
    );
    const watching = startWatch(['--json'], { cwd: folder });
    expect(await watching.next()).toMatchObject({
      publication: { pending: true, recorded: false },
      notices: expect.arrayContaining([expect.objectContaining({ code: 'not-recorded' })]),
    });
    writeFileSync(join(folder, 'dist/a.txt'), 'b');
    await watching.next();
    const { stderr } = await watching.end();
    // Once, not for each run.
    expect(stderr.match(/Note The configuration says record/g)).toHaveLength(1);
    expect(recorded(folder)).toBe('');
  });
});

describe('history', () => {
  test('is read again when there is more of it', async () => {
    const folder = makeRepository();
    commitFiles(folder, 0, { 'site/a.txt': 'one', 'site/b.txt': 'one' });
    commitFiles(folder, 100, { 'site/b.txt': 'two' });
    const site = join(folder, 'site');
    const env = { SOURCE_DATE_EPOCH: `${1_700_000_500}` };
    const watching = startIn(site, env);
    expect(await watching.next()).toMatchObject({ publication: { pending: false } });
    expect(tellChanges(site)).toEqual(['+100 updated /b.txt two']);

    writeFileSync(join(site, 'a.txt'), 'two');
    expect(await watching.next()).toMatchObject({ publication: { pending: true } });
    expect(tellChanges(site)).toEqual(['+100 updated /b.txt two', '+500 updated /a.txt two']);

    writeFileSync(join(folder, '.gitignore'), '/site/resourcesync/\n/site/.well-known/\n');
    git(folder, ['add', '--all']);
    git(folder, ['commit', '--quiet', '--message', 'x'], '', {
      GIT_COMMITTER_DATE: '1700000200 +0000',
    });
    writeFileSync(join(site, 'a.txt'), 'three');
    expect(await watching.next()).toMatchObject({ publication: { pending: true } });
    expect(tellChanges(site)).toEqual([
      '+100 updated /b.txt two',
      '+200 updated /a.txt two',
      '+500 updated /a.txt three',
    ]);
    writeFileSync(join(site, 'b.txt'), 'three');
    await watching.next();
    await watching.end();
    const documents = readDocuments(site);
    expect(await runCli([site, ...URL_OPTION, '--urls', 'file'], { env })).toMatchObject({ status: 0 });
    expect(readDocuments(site)).toEqual(documents);
  });

  test('may begin while the site is watched', async () => {
    const folder = makeSite({ 'site/a.txt': 'one' });
    const site = join(folder, 'site');
    const watching = startIn(site);
    expect(await watching.next()).not.toHaveProperty('publication');
    git(folder, ['init', '--quiet']);
    writeFileSync(join(site, 'b.txt'), 'one');
    expect(await watching.next()).toMatchObject({ resources: 2, publication: { pending: true } });
    expect(isCurrent(site)).toBe(true);
  });
});

describe('what is told', () => {
  test('is a line for each run', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startWatch([site, ...URL_OPTION]);
    await watching.until(() => watching.lines.length === 2);
    writeFileSync(join(site, 'a.txt'), 'a');
    await watching.until(() => watching.lines.length === 3);
    const { stdout, stderr } = await watching.end();
    expect(stdout.split('\n')).toEqual([
      `Watching ${site} until interrupted (Ctrl-C)`,
      expect.stringMatching(/^Listed 1 resource, 4 B; wrote 3 documents, [\d.]+ kB\. Done in [\d.]+ s$/),
      expect.stringMatching(/^Listed 2 resources, 5 B; wrote 1 document, \d+ B\. Done in [\d.]+ s$/),
    ]);
    expect(stderr).toMatch(/^Note No Change List is published: .*\n$/);
  });

  test('is only what went wrong, with --quiet', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startWatch([site, ...URL_OPTION, '--quiet', '--history', 'none', '--urls', 'clean']);
    await watching.until(() => existsSync(join(site, '.well-known/resourcesync')));
    makeSite({ a: 'a', 'a.html': 'a' }, site);
    await watching.until(() => watching.stderr().includes('Error a and a.html'));
    expect(await watching.end()).toMatchObject({ status: 0, stdout: '' });
  });

  test('is the whole report with --verbose', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const watching = startWatch([site, ...URL_OPTION, '--verbose']);
    await watching.until(() => watching.lines.some((line) => line.includes('Source Description')));
    expect(readFileSync(join(site, 'resourcesync/resourcelist.xml'), 'utf8')).toContain(SITE_URL);
  });
});

describe('as a library', () => {
  test('each run is an event; the signal ends it', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const controller = new AbortController();
    const stages = new Set<string>();
    const seen: string[] = [];
    const options = {
      signal: controller.signal,
      observe: ({ stage }: { stage: string }) => void stages.add(stage),
    };
    for await (const event of watch({ site, url: SITE_URL }, options)) {
      if (event.kind !== 'described') throw new Error(event.kind);
      seen.push(`${event.report.resources}`);
      if (seen.length === 2) controller.abort();
      else writeFileSync(join(site, 'a.txt'), 'a');
    }
    expect(seen).toEqual(['1', '2']);
    expect([...stages].sort()).toEqual(['changes', 'plan', 'publish', 'scan']);
  });

  test('it ends with the loop, too', async () => {
    for await (const event of watch({ site: makeSite({ 'a.txt': 'a' }), url: SITE_URL })) {
      expect(event.kind).toBe('described');
      break;
    }
  });

  test('a mistake in the configuration is thrown at once', () => {
    expect(() => watch({ site: '', url: 'x' })).toThrow(/2 mistakes/);
  });
});
