import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { watch } from '../../src/index.js';
import { readDocuments, SITE_URL, tellChanges } from '../support/changes.js';
import { commitFiles, git, gitText, makeRepository } from '../support/git.js';
import { makeSite, runCli } from '../support/site.js';
import { startWatch } from '../support/watch.js';
import { startIn, URL_OPTION } from '../support/watched.js';

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
    // Just longer than changes take to settle, so that the run has begun and is not done.
    await sleep(220);
    expect(await watching.end()).toMatchObject({ status: 0, signal: null });
    expect(existsSync(join(site, '.resync-static'))).toBe(false);
  });
});

describe('nothing is recorded', () => {
  const recorded = (folder: string) => gitText(folder, 'for-each-ref', 'refs/resync-static');

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
    expect(stderr.match(/Note The configuration sets record/g)).toHaveLength(1);
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

  test('a mistake in the configuration is thrown at once', () => {
    expect(() => watch({ site: '', url: 'x' })).toThrow(/2 mistakes/);
  });
});
