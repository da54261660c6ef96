/** Copies that came with a clone: what they remember may be made up by a stranger, and is worth what the Source confirms. */

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { makeFolder, makeForFile, makeSite, readTree, runProgram } from '../../support/site.js';

const FILES = { 'index.html': 'home', 'a.txt': 'a', 'b/c.txt': 'c', 'b/d.txt': 'd' };
const digestText = (name: string, text: string) => createHash(name).update(text).digest('hex');

const MEMORY = '.resync-mirror';
const BASE = `${MEMORY}/state/base-00000001`;

/** A Source, its copy, and a clone of that, into which a stranger may have put anything. */
async function startCloned() {
  const source = await startSource();
  await source.publish(0, FILES);
  const origin = makeFolder();
  await copy(source.url, origin);
  const folder = makeFolder();
  cpSync(origin, folder, { recursive: true });
  source.asked.length = 0;
  const [head = '', ...lines] = readFileSync(join(folder, BASE), 'utf8').trimEnd().split('\n');
  lines.pop();
  /** Writes a file of memory as it is on disk. */
  const forge = (path: string, changedHead: object, changedLines: readonly unknown[]) => {
    const all = changedLines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    const text = [JSON.stringify({ ...JSON.parse(head), ...changedHead }), ...all, `end ${all.length}`];
    write(folder, path, `${text.join('\n')}\n`);
  };
  const line = (path: string, text: string, at = path) => ({
    kind: 'file',
    uri: `${source.url}${path}`,
    kept: { path: at, length: text.length, hash: `sha-256:${digestText('sha256', text)}`, sets: [1] },
  });
  return { source, folder, asked: source.asked, lines, forge, line };
}

/** As the run before it gave the name: computed from the public lists. */
const nameReady = (url: string, text: string) =>
  digestText(
    'sha256',
    `${url}\nmd5:${digestText('md5', text)} sha-256:${digestText('sha256', text)}\n${text.length}`,
  ).slice(0, 32);

describe('nothing outside is written', () => {
  test('by a journal that names a file for changes, or moves and deletes files of the user', async () => {
    const { source, folder, forge, line } = await startCloned();
    const outside = makeSite({ profile: '# mine\n' });
    const profile = join(outside, 'profile');
    const staged = '0'.repeat(32);
    write(folder, `${MEMORY}/ready/${staged}`, 'theirs');
    write(folder, 'notes.txt', 'mine');
    write(folder, 'todo.txt', 'mine');
    forge(`${MEMORY}/journal`, { number: 2, changes: profile, base: source.url }, [
      { ...line('new.txt', 'theirs', 'notes.txt'), staged, change: 'created' },
      { kind: 'gone', uri: `${source.url}todo.txt`, path: 'todo.txt', isTaken: false },
    ]);
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, deleted: 0 });
    expect(readTree(outside)).toEqual({ profile: '# mine\n' });
    expect(readCopy(folder)).toEqual({ ...FILES, 'notes.txt': 'mine', 'todo.txt': 'mine' });
    expect(readdirSync(join(folder, MEMORY))).not.toContain('journal');
  });

  test.each(['link', 'hard link'])('through a %s that has the name of a file on its way', async (kind) => {
    const { source, folder } = await startCloned();
    await source.publish(60, { 'a.txt': 'a2' });
    const outside = makeSite({ 'x.txt': 'theirs' });
    const ready = join(folder, MEMORY, 'ready');
    mkdirSync(ready);
    const name = join(ready, nameReady(`${source.url}a.txt`, 'a2'));
    (kind === 'link' ? symlinkSync : linkSync)(join(outside, 'x.txt'), name);
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, updated: 1 });
    expect(readTree(outside)).toEqual({ 'x.txt': 'theirs' });
    expect(readCopy(folder)).toEqual(source.listed());
    expect(statSync(join(folder, 'a.txt')).nlink).toBe(1);
  });

  /** A copy of the first publication of a Source that has two: all that is changed is a clone of it. */
  const copied = makeForFile(async () => {
    const source = await startSource();
    await source.publish(0, FILES);
    const origin = makeFolder();
    await copy(source.url, origin);
    await source.publish(60, { 'a.txt': 'a2', 'b/c.txt': undefined });
    return { url: source.url, origin };
  });

  /** The objects to put in the place of a part of the memory, by its name. */
  const IN_PLACE: Readonly<Record<string, string>> = {
    '': 'link',
    state: 'link file',
    ready: 'link pipe',
    lock: 'link zero folder pipe large',
    journal: 'link zero folder pipe',
    'state/base-00000001': 'link zero folder pipe',
  };

  function putInPlace(path: string, kind: string, outside: string): void {
    const isFile = path.includes('base') || path.endsWith('lock');
    rmSync(path, { recursive: true, force: true });
    if (kind === 'link') symlinkSync(isFile ? join(outside, 'x') : outside, path);
    else if (kind === 'zero') symlinkSync('/dev/zero', path);
    else if (kind === 'folder') makeSite({ 'mine.txt': 'mine' }, path);
    else if (kind === 'pipe') execFileSync('mkfifo', [path]);
    else writeFileSync(path, kind === 'large' ? 'x'.repeat(1_000_000) : 'x');
  }

  test.runIf(process.platform !== 'win32')(
    'a link, a pipe or a folder in the memory is an error that names it, at once',
    async () => {
      const { url, origin } = copied();
      const cases = Object.entries(IN_PLACE).flatMap(([name, kinds]) =>
        kinds.split(' ').map((kind) => ({ name, kind })),
      );
      const places = cases.map(({ name, kind }) => {
        const folder = makeFolder();
        cpSync(origin, folder, { recursive: true });
        const outside = makeSite({ 'base-00000001': 'theirs', lock: 'theirs', x: 'theirs' });
        putInPlace(join(folder, MEMORY, name), kind, outside);
        return { what: `${name} is a ${kind}`, folder, path: join(folder, MEMORY, name), outside };
      });
      const program = `
      import { mirror } from '${new URL('../../../dist/mirror.js', import.meta.url)}';
      for (const folder of ${JSON.stringify(places.map(({ folder }) => folder))})
        await mirror({ source: '${url}', folder }).then(() => console.log('""'), ({ message }) => console.log(JSON.stringify(message)));`;
      // In a process of its own, which a pipe or an endless file might stop.
      const { stdout, signal } = await runProgram(process.execPath, ['--input-type=module', '-e', program]);
      const said = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect([signal, said.length]).toEqual([null, places.length]);
      for (const [index, { what, folder, path, outside }] of places.entries()) {
        expect(said[index], what).toMatch(/ is (?:a link|a folder|a pipe|a file|in the way)/);
        expect(said[index], what).toContain(path);
        expect(said[index], what).toMatch(/Move or (?:remove|rename) it/);
        expect(readTree(outside), what).toEqual({ 'base-00000001': 'theirs', lock: 'theirs', x: 'theirs' });
        expect(readCopy(folder), what).toEqual(FILES);
      }
    },
  );
});

// docs/copies.md: "Your own files stay."
describe('a file of the user stays', () => {
  test('that the memory claims, if it has other bytes', async () => {
    const { source, folder, lines, forge, line } = await startCloned();
    write(folder, 'notes.txt', 'mine');
    write(folder, 'new.txt', 'mine');
    forge(BASE, { files: 6 }, [...lines, line('notes.txt', 'guess'), line('new.txt', 'guess')]);
    await source.publish(60, { 'new.txt': 'new', 'a.txt': undefined });
    const options = { maxDelete: '100%' as const };
    for (let run = 0; run < 2; run++) {
      const report = await copy(source.url, folder, options);
      expect(report).toMatchObject({ inSync: false, failed: [{ path: 'new.txt', reason: 'in-the-way' }] });
      expect(readCopy(folder)).toMatchObject({ 'notes.txt': 'mine', 'new.txt': 'mine' });
    }
    rmSync(join(folder, 'new.txt'));
    expect(await copy(source.url, folder, options)).toMatchObject({ inSync: true, created: 1, deleted: 1 });
    expect(readCopy(folder)).toEqual({ ...source.listed(), 'notes.txt': 'mine' });
  });

  test('that stands where no URL of the Source leads', async () => {
    const { source, folder, lines, forge, line } = await startCloned();
    write(folder, 'LICENSE', 'known');
    forge(BASE, { files: 5 }, [...lines, line('gone.txt', 'known', 'LICENSE')]);
    await source.publish(60, { 'e.txt': 'e', 'index.html': undefined });
    expect(await copy(source.url, folder, { maxDelete: '100%' })).toMatchObject({ inSync: true, deleted: 1 });
    expect(readCopy(folder)).toEqual({ ...source.listed(), LICENSE: 'known' });
  });
});

// docs/copies.md: "the first run there compares every file with the whole list"
describe('in sync is what the Source says', () => {
  test('and not a memory with the moment, the documents and the digests of today', async () => {
    const { source, folder, lines, forge, line } = await startCloned();
    const url = `${source.url}a.txt`;
    write(folder, 'a.txt', 'made up');
    forge(BASE, {}, [...lines.filter((text) => !text.includes(url)), line('a.txt', 'made up')]);
    const report = await copy(source.url, folder);
    expect(report).toMatchObject({ inSync: true, updated: 1, sets: [{ way: 'list', reason: 'cloned' }] });
    expect(readCopy(folder)).toEqual(FILES);
    expect(await copy(source.url, folder)).toMatchObject({ sets: [{ way: 'unchanged' }] });
  });

  test('whatever numbers, names and lengths are made up', async () => {
    const { source, folder, lines, forge } = await startCloned();
    forge(`${MEMORY}/state/more-99999999`, { number: 99_999_999 }, []);
    forge(`${MEMORY}/state/more-00000002`, { number: 2 }, [
      ...lines,
      `{"kind":"file","uri":"no URL","kept":{"path":"x","length":1,"hash":"md5:00","sets":[1]}}`,
    ]);
    write(folder, `${MEMORY}/state/more-00000003`, 'x'.repeat(40_000_000));
    write(folder, `${MEMORY}/seal`, 'base-00000001 1 1\n');
    await source.publish(60, { 'e.txt': 'e' });
    expect(await copy(source.url, folder)).toMatchObject({ inSync: true, created: 1 });
    expect(await copy(source.url, folder)).toMatchObject({ sets: [{ way: 'unchanged' }] });
    expect(readCopy(folder)).toEqual(source.listed());
  });
});

// docs/copies.md: "A clone does not trust the memory of the copy"
test('a copy in git is kept up to date from fresh clones, and is not committed where nothing changed', async () => {
  const { source, folder, asked } = await startCloned();
  const git = async (cwd: string, ...args: readonly string[]) => {
    const done = await runProgram('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd });
    expect(done, done.stderr).toMatchObject({ status: 0 });
    return done.stdout;
  };
  await git(folder, 'init', '--quiet');
  let seconds = 1_700_000_000;
  const workInClone = async (expected: object, maxDelete?: `${number}%`) => {
    seconds += 60;
    vi.stubEnv('SOURCE_DATE_EPOCH', `${seconds}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const clone = makeFolder();
    await git(clone, 'clone', '--quiet', folder, '.');
    asked.length = 0;
    expect(await copy(source.url, clone, maxDelete === undefined ? {} : { maxDelete })).toMatchObject(
      expected,
    );
    expect(readCopy(clone)).toEqual({ ...source.listed(), ...readGit(clone) });
    await git(clone, 'add', '.');
    const changes = await git(clone, 'status', '--porcelain');
    if (changes !== '') {
      await git(clone, 'commit', '--quiet', '-m', 'Update the copy');
      await git(clone, 'push', '--quiet', 'origin', 'HEAD:refs/heads/next');
      await git(folder, 'reset', '--quiet', '--hard', 'next');
    }
    return { changes, files: asked.filter((path) => /^\/\w\.txt$/.test(path)) };
  };
  await git(folder, 'add', '.');
  await git(folder, 'commit', '--quiet', '-m', 'Copy');
  await workInClone({ inSync: true, created: 0, updated: 0, deleted: 0 });
  expect(await workInClone({ inSync: true })).toEqual({ changes: '', files: [] });
  await source.publish(60, { 'a.txt': 'a2', 'b/c.txt': undefined, 'e.txt': 'e' });
  const { changes, files } = await workInClone({ inSync: true, created: 1, updated: 1, deleted: 1 });
  expect(files.sort()).toEqual(['/a.txt', '/e.txt']);
  expect(changes).not.toMatch(/seal|journal|lock|ready/);
  expect(await workInClone({ inSync: true })).toEqual({ changes: '', files: [] });
});

const readGit = (folder: string) =>
  Object.fromEntries(Object.entries(readTree(folder)).filter(([path]) => path.startsWith('.git/')));
