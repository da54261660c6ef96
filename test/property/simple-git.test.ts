/** The laws of history, with another one's git: simple-git writes the commits that we read, and reads the snapshots that we write. */

import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type SimpleGit, simpleGit } from 'simple-git';
import { expect, test } from 'vitest';
import { describeAt, lineOf, SITE_URL } from '../support/changes.js';
import { readSource } from '../support/documents.js';
import { BEGIN } from '../support/git.js';
import { compareStates, type State } from '../support/histories.js';
import { checkLaw, fewer } from '../support/seed.js';
import { makeFolder, makeSite } from '../support/site.js';

/** Each file and its URL; `index.html` is always there. */
const URLS: Readonly<Record<string, string>> = {
  'index.html': '',
  'a.html': 'a',
  'b/index.html': 'b',
  'b/c.css': 'b/c.css',
  'é ü.txt': '%C3%A9%20%C3%BC.txt',
  '-x.bin': '-x.bin',
};

type Files = Readonly<Record<string, Uint8Array>>;

const bytes = fc.oneof(
  fc.constantFrom('', 'one', 'two\r\n', '$Id$ é').map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 40 }),
);
const files: fc.Arbitrary<Files> = fc
  .tuple(bytes, fc.dictionary(fc.constantFrom(...Object.keys(URLS)), bytes))
  .map(([home, others]) => ({ 'index.html': home, ...others }));
/** A publication, and the seconds since the one before it. */
const publication = fc.record({ files, seconds: fc.constantFrom(-50, 0, 1, 3600) });

function stateOf(built: Files): Map<string, string> {
  return new Map(
    Object.entries(built).map(([path, content]) => [
      `${SITE_URL}${URLS[path]}`,
      `md5:${createHash('md5').update(content).digest('hex')}`,
    ]),
  );
}

const tell = (state: State['state']) => [...state].sort().join();

function build(site: string, built: Files): void {
  rmSync(site, { recursive: true, force: true });
  makeSite(built, site);
}

async function commit(folder: string, seconds: number): Promise<void> {
  const date = `${BEGIN + seconds} +0000`;
  const dates = { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const writer = simpleGit({ baseDir: folder, allowEnvironment: Object.keys(dates) }).env({
    PATH: process.env['PATH'],
    HOME: folder,
    ...dates,
  });
  await writer.add(['--all', 'dist']);
  await writer.commit('Publish');
}

/** Every file of a commit, its bytes as a binary string, by path. */
async function readFiles(reader: SimpleGit, id: string): Promise<Record<string, string>> {
  const paths = (await reader.raw('ls-tree', '-r', '-z', '--name-only', id)).split('\0').filter(Boolean);
  const found: Record<string, string> = {};
  for (const path of paths) {
    const content: unknown = await reader.showBuffer(`${id}:${path}`);
    found[path] = (content as Buffer).toString('latin1');
  }
  return found;
}

test('commits are read as another one writes them, and snapshots written as another one reads them', async () => {
  await checkLaw(
    'simple-git',
    fc.asyncProperty(fc.array(publication, { minLength: 1, maxLength: 4 }), async (publications) => {
      const folder = makeFolder();
      const git = simpleGit(folder);
      await git.init(['--initial-branch=main']);
      await git.addConfig('user.name', 'Test');
      await git.addConfig('user.email', 'test@example.org');
      const committed = join(folder, 'dist');
      const recorded = join(folder, 'kept');
      const states: State[] = [];
      const snapshots: Record<string, string>[] = [];
      let now = 0;
      for (const { files: built, seconds } of publications) {
        now += seconds;
        const state = stateOf(built);
        const isNew = tell(state) !== tell(states.at(-1)?.state ?? new Map());
        build(committed, built);
        await commit(folder, now);
        build(recorded, built);
        const { publication: kept } = await describeAt(now, {
          site: recorded,
          history: 'snapshots',
          record: true,
        });
        expect(kept?.recorded).toBe(isNew);
        if (!isNew) continue;
        states.push({ seconds: BEGIN + now, state });
        snapshots.push(
          Object.fromEntries(
            Object.entries(built).map(([path, content]) => [path, Buffer.from(content).toString('latin1')]),
          ),
        );
      }

      await describeAt(now, { site: committed, urls: 'bare', hash: ['md5'], changes: { window: 36_500 } });
      const changes = readSource(committed, SITE_URL).sets[0]?.changes ?? [];
      expect(changes.map(lineOf)).toEqual(compareStates(states).lines);

      const ids = await git.raw('rev-list', '--first-parent', '--reverse', 'refs/resync-static/kept');
      const read = await Promise.all(
        ids
          .split('\n')
          .filter(Boolean)
          .map((id) => readFiles(git, id)),
      );
      expect(read).toEqual(snapshots);
      rmSync(folder, { recursive: true, force: true });
    }),
    fewer(40, 2),
  );
});
