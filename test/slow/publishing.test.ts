/** The site after runs that are killed, race each other, meet other programs or run out of room. */

import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readDocuments } from '../support/changes.js';
import { child, readSource } from '../support/documents.js';
import { gitText, makeRepository } from '../support/git.js';
import { stride } from '../support/seed.js';
import {
  CLI,
  callCli,
  configured,
  handOver,
  makeFolder,
  makeSite,
  ORDINARY_USER,
  readTree,
  runCli,
  runProgram,
} from '../support/site.js';
import { startWatch } from '../support/watch.js';
import {
  CONFIGS,
  type ConfigName,
  expectDone,
  makeConfigs,
  makeLargerSite,
  POSIX,
  readEverything,
  SITE_URL,
} from './publishing.js';

describe('several runs at once', () => {
  test('all succeed, and the documents are those of one of them', async () => {
    const site = makeLargerSite();
    const config = { url: SITE_URL, ...CONFIGS['three sets'] };
    const hashes = ['md5', 'sha-256', 'sha-512', 'md5,sha-256'];

    for (let round = 0; round < 2; round++) {
      const results = await Promise.all(
        hashes.map((hash, index) =>
          runCli([site, ...configured({ ...config, hash: hash.split(',') })], {
            env: { SOURCE_DATE_EPOCH: `${1_700_000_000 + index}` },
          }),
        ),
      );

      results.forEach(expectDone);
      const { sets } = readSource(site, SITE_URL);
      const moments = sets.map(({ resourceList }) => child(resourceList, 'rs:md').attributes['at']);
      const algorithms = sets.flatMap(({ resources }) =>
        resources.map(({ md }) => md['hash']?.replace(/:[0-9a-f]+/g, '').replaceAll(' ', ',')),
      );
      expect(new Set(moments).size).toBe(1);
      const winner = hashes.findIndex(
        (_, index) =>
          moments[0] === `${new Date(1_700_000_000_000 + index * 1000).toISOString().slice(0, 19)}Z`,
      );
      expect(new Set(algorithms)).toEqual(new Set([hashes[winner]]));
      expect(existsSync(join(site, '.resync-static'))).toBe(false);
    }
  });

  test('a run waits while another that lives holds the site, and tells for whom', async () => {
    const site = makeSite({ 'index.html': 'home', '.resync-static/lock': lockOf(process.pid) });
    const waiting = startWatch([site, '--url', SITE_URL], { verb: 'describe' });
    await waiting.until(() => waiting.stderr().endsWith('/lock\n'));
    expect(waiting.stderr()).toMatch(
      new RegExp(`^Note Waiting for process ${process.pid} on .* in \\d+ s\\. .*/lock\n$`),
    );
    expect(Object.keys(readTree(site))).toEqual(['.resync-static/lock', 'index.html']);
    rmSync(join(site, '.resync-static/lock'));
    expect(await waiting.closed).toEqual([0, null]);
    expect(waiting.stderr().match(/Waiting/g)).toHaveLength(1);
    readSource(site, SITE_URL);
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });

  const lockOf = (pid: number) => JSON.stringify({ host: hostname(), pid, run: 'another' });

  async function makeDeadPid(): Promise<number> {
    const program = spawn(process.execPath, ['--version'], { stdio: 'ignore' });
    await once(program, 'exit');
    return program.pid ?? 0;
  }

  test.each([
    { what: 'a lock that it had no time to sign', lock: async () => '', more: {} },
    {
      what: 'its lock and staged documents',
      lock: async () => lockOf(await makeDeadPid()),
      more: { '.resync-static/staged/0': '<urlset', [`.resync-static/lock.${randomUUID()}`]: 'x' },
    },
  ])('a run does not wait for one that died and left $what', async ({ lock, more }) => {
    const site = makeSite({ 'index.html': 'home', '.resync-static/lock': await lock(), ...more });
    const outcome = await runCli([site, '--url', SITE_URL]);
    expectDone(outcome);
    expect(outcome.stderr).not.toContain('Waiting');
    readSource(site, SITE_URL);
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });

  // Only Linux tells when a process began.
  test.runIf(process.platform === 'linux')(
    'a run does not wait for a process that got the id of one that died',
    async () => {
      const lock = JSON.stringify({ host: hostname(), pid: process.pid, run: 'another', started: 'boot 1' });
      const site = makeSite({ 'index.html': 'home', '.resync-static/lock': lock });
      const outcome = await runCli([site, '--url', SITE_URL]);
      expectDone(outcome);
      expect(outcome.stderr).not.toContain('Waiting');
    },
  );
});

// SECURITY.md: "no file in the site is overwritten or removed unless it was written by resync-static".
// Links in the way are in `test/e2e/door.test.ts`.
describe('what is not ours', () => {
  const OURS = '<?xml version="1.0"?>\n<!-- Written by resync-static -->\n<urlset/>\n';

  test.each<{ what: string; inTheWay: string; make: (site: string, elsewhere: string) => void }>([
    {
      what: 'a file named resourcesync',
      inTheWay: 'resourcesync',
      make: (site) => makeSite({ resourcesync: 'mine' }, site),
    },
    {
      what: 'a Source Description by hand',
      inTheWay: '.well-known/resourcesync',
      make: (site) => makeSite({ '.well-known/resourcesync': '<urlset/>' }, site),
    },
    {
      what: 'a folder in place of the Source Description',
      inTheWay: '.well-known/resourcesync',
      make: (site) => makeSite({ '.well-known/resourcesync/index.html': 'mine' }, site),
    },
    {
      what: 'a file named .well-known',
      inTheWay: '.well-known',
      make: (site) => makeSite({ '.well-known': 'mine' }, site),
    },
    {
      what: 'a Resource List that mentions us far below its top',
      inTheWay: 'resourcesync/resourcelist.xml',
      make: (site) =>
        makeSite({ 'resourcesync/resourcelist.xml': `<urlset>${' '.repeat(300)}${OURS}` }, site),
    },
    {
      what: 'a link to a document of ours',
      inTheWay: 'resourcesync/resourcelist.xml',
      make: (site, elsewhere) => {
        makeSite({ 'ours.xml': OURS }, elsewhere);
        mkdirSync(join(site, 'resourcesync'));
        symlinkSync(join(elsewhere, 'ours.xml'), join(site, 'resourcesync/resourcelist.xml'), 'file');
      },
    },
    {
      what: 'a file named .resync-static',
      inTheWay: '.resync-static',
      make: (site) => makeSite({ '.resync-static': 'mine' }, site),
    },
  ])('is refused where it is in the way, and every byte stays: $what', async ({ inTheWay, make }) => {
    const site = makeSite({ 'index.html': 'home' });
    const elsewhere = makeSite({ 'mine.txt': 'mine', 'folder/mine.txt': 'mine' });
    make(site, elsewhere);
    const before = [readEverything(site), readEverything(elsewhere)];

    const { status, stderr } = await callCli([site, '--url', SITE_URL]);

    expect([readEverything(site), readEverything(elsewhere)]).toEqual(before);
    expect(status).toBe(1);
    expect(stderr).toContain(`${join(site, inTheWay)} `);
    expect(stderr).toMatch(/Move or (?:rename|remove) it/);
  });

  test('stays where it stands beside our documents, and ours that are outdated go', async () => {
    const configs = makeConfigs(makeFolder());
    const mine = {
      'index.html': 'home',
      'resourcesync/index.html': 'about these files',
      'resourcesync/notes/resourcelist.xml': '<urlset/>',
      'resourcesync/other/capabilitylist.xml': '<urlset/>',
      'resourcesync/resourcelist-0009.xml': '<urlset/>',
      'resourcesync/texts/readme.txt': 'mine, in a folder of ours',
      '.well-known/security.txt': 'Contact: mailto:me@example.org',
    };
    const site = makeSite(mine);
    // Left from a state of the site that took an index.
    makeSite(
      { 'resourcesync/resourcelist-0001.xml': OURS, 'resourcesync/resourcelist-0002.xml': OURS },
      site,
    );

    const first = await runCli([site, '--config', configs['three sets'], '--json']);
    expectDone(first);
    expect(JSON.parse(first.stdout)).toMatchObject({
      removed: ['resourcesync/resourcelist-0001.xml', 'resourcesync/resourcelist-0002.xml'],
    });
    const second = await runCli([site, '--config', configs['one set'], '--json']);
    expectDone(second);
    expect(JSON.parse(second.stdout)).toMatchObject({
      removed: ['all', 'pages', 'texts'].flatMap((set) => [
        `resourcesync/${set}/capabilitylist.xml`,
        `resourcesync/${set}/resourcelist.xml`,
      ]),
    });

    const own = [
      '.well-known/resourcesync',
      'resourcesync/capabilitylist.xml',
      'resourcesync/resourcelist.xml',
    ];
    const { [own[0] ?? '']: _, [own[1] ?? '']: __, [own[2] ?? '']: ___, ...rest } = readTree(site);
    expect(rest).toEqual(mine);
    expect(existsSync(join(site, 'resourcesync/pages'))).toBe(false);
    expect(
      Object.keys(readDocuments(site))
        .filter((path) => own.includes(path))
        .sort(),
    ).toEqual(own);
  });

  test('stays in the folder for what is staged', async () => {
    const mine = {
      'index.html': 'home',
      '.resync-static/notes.txt': 'mine',
      '.resync-static/lock.txt': 'mine',
      '.resync-static/drafts/staged': 'mine',
    };
    const site = makeSite({ ...mine, '.resync-static/staged/0': 'left behind' });
    for (let run = 0; run < 2; run++) expectDone(await runCli([site, '--url', SITE_URL]));
    readSource(site, SITE_URL);
    const left = Object.entries(readTree(site)).filter(([path]) => !/resourcesync/.test(path));
    expect(Object.fromEntries(left)).toEqual(mine);
  });
});

describe('a run that cannot write', () => {
  // On Windows, chmod cannot make a folder read-only.
  test.runIf(POSIX).each<{ readOnly: string; from?: ConfigName; to: ConfigName }>([
    { readOnly: '', to: 'three sets' },
    { readOnly: 'resourcesync/pages', to: 'three sets' },
    { readOnly: '.well-known', from: 'one set', to: 'three sets' },
  ])(
    'leaves the former documents as they were: "$readOnly" is read-only, $to',
    async ({ readOnly, from = 'three sets', to }) => {
      const configs = makeConfigs(handOver(makeFolder()));
      const site = makeSite({ 'index.html': 'home', 'a.txt': 'a' });
      const env = { SOURCE_DATE_EPOCH: '1700000000' };
      handOver(site);
      chmodSync(dirname(configs['one set']), 0o755);
      expectDone(await runCli([site, '--config', configs[from]], { ...ORDINARY_USER, env }));
      writeFileSync(join(site, 'index.html'), 'changed');
      const before = readTree(site);
      chmodSync(join(site, readOnly), 0o555);
      onTestFinished(() => chmodSync(join(site, readOnly), 0o755));

      const { status, stderr } = await runCli([site, '--config', configs[to]], ORDINARY_USER);

      expect(readTree(site)).toEqual(before);
      expect(status).toBe(1);
      expect(stderr).toContain(`Cannot write ${join(site, readOnly)}`);
      expect(stderr).toContain('permission is denied');
    },
  );

  // Windows has no such limit.
  // SECURITY.md: "The lists still fit together".
  test.runIf(POSIX)('for want of room leaves the former documents as they were', async () => {
    const site = makeSite({ 'index.html': 'home' });
    expectDone(await runCli([site, '--url', SITE_URL]));
    makeLargerSite(site);
    const before = readEverything(site);

    const limited = ['-c', 'ulimit -f 8; exec "$@"', 'bash', process.execPath, CLI];
    const { status, stderr } = await runProgram('bash', [...limited, site, '--url', SITE_URL]);

    expect(readEverything(site)).toEqual(before);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(
        /^Error Cannot write .*: the file would be too large\.\n.*still in place/,
      ),
    });
    expectDone(await runCli([site, '--url', SITE_URL]));
  });

  const hook = new URL('./fail-at-rename.mjs', import.meta.url).href;

  test('while it only removes files says that the documents are up to date', async () => {
    const site = makeSite({ 'index.html': 'home' });
    const feed = join(site, 'resourcesync/changes.atom');
    expectDone(await runCli([site, '--url', SITE_URL, '--feed']));
    const kept = join(makeFolder(), 'changes.atom');
    cpSync(feed, kept);
    expectDone(await runCli([site, '--url', SITE_URL]));
    cpSync(kept, feed);
    const env = { NODE_OPTIONS: `--import=${hook}`, FAIL_AT_REMOVAL: 'changes.atom' };
    const { status, stderr } = await runCli([site, '--url', SITE_URL], { env });
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/^All documents are up to date\. The next run removes/m),
    });
  });

  // SECURITY.md: "The error says how far the run came, and the next run does the rest."
  test('in the middle says how far it came, and the next run does the rest', async () => {
    const countKept = (repository: string) =>
      gitText(repository, 'rev-list', '--count', 'refs/resync-static/dist').trim();
    const run = (site: string, seconds: number, env = {}, ...more: string[]) =>
      runCli([site, '--url', SITE_URL, '--record', ...more], {
        env: { SOURCE_DATE_EPOCH: `${1_700_000_000 + seconds}`, ...env },
      });
    const origin = makeRepository();
    makeSite({ 'index.html': 'one', 'gone.txt': 'one' }, join(origin, 'dist'));
    expectDone(await run(join(origin, 'dist'), 0));
    makeSite({ 'index.html': 'two' }, join(origin, 'dist'));
    rmSync(join(origin, 'dist/gone.txt'));
    const begin = () => {
      const repository = makeFolder();
      cpSync(origin, repository, { recursive: true });
      return { repository, site: join(repository, 'dist') };
    };
    const sound = begin();
    expectDone(await run(sound.site, 1000, {}, '--dumps'));
    const expected = readTree(sound.site);

    let moves = 0;
    for (let move = 1; ; move += stride(5)) {
      const { repository, site } = begin();
      const env = { NODE_OPTIONS: `--import=${hook}`, FAIL_AT_RENAME: `${move}` };
      const { status, stderr } = await run(site, 1000, env, '--dumps');
      if (status === 0) break;
      moves = move;
      expect({ status, kept: countKept(repository) }).toEqual({ status: 1, kept: '2' });
      expect(stderr).toMatch(/^Error Cannot write .*\/dist\/(?:\.well-known|resourcesync)\/.*: EIO\.$/m);
      expect(stderr).toContain('This publication is recorded');
      expect(stderr).toMatch(
        move === 1
          ? /^The documents published before are still in place\./m
          : new RegExp(`^Of \\d+ files that are to change, ${move - 1} (?:is|are) new, `, 'm'),
      );
      readSource(site, SITE_URL);
      expectDone(await run(site, 2000, {}, '--dumps'));
      expect(readTree(site)).toEqual(expected);
      expect(countKept(repository)).toBe('2');
    }
    expect(moves).toBeGreaterThan(5);
  });

  test('because its site is moved away does not follow it', async () => {
    const site = makeSite({ 'index.html': 'home', '.resync-static/lock': JSON.stringify({ pid: 0 }) });
    const waiting = startWatch([site, '--url', SITE_URL], { verb: 'describe' });
    // It has read the site by then.
    await waiting.until(() => waiting.stderr().includes('Waiting'));
    const moved = join(makeFolder(), 'moved');
    renameSync(site, moved);
    expect(await waiting.closed).toEqual([1, null]);
    expect(waiting.stderr()).toContain(`Error ${site} was removed while this run worked in it`);
    expect(Object.keys(readTree(moved))).toEqual(['.resync-static/lock', 'index.html']);
  });
});
