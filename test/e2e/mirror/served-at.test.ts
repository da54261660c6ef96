/** A Source that is read at another address than where it is published. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { copy, readCopy, startSource, write } from '../../support/mirror.js';
import { type Answer, serve } from '../../support/server.js';
import { callCli, makeFolder, makeForFile, readTree } from '../../support/site.js';

const PUBLISHED = 'https://published.example/';

/** A Source that is published nowhere that a test could ask, and the address that has it. */
async function startElsewhere(answer?: Answer, url = PUBLISHED) {
  const source = await startSource({ url, dumps: true }, answer);
  await source.publish(0, { 'index.html': 'home', 'a.txt': 'one', 'b/c.txt': 'two' });
  return { ...source, servedAt: source.url };
}

/** One that is published once, for the tests that leave it as it is, each of which may see what it is asked. */
let answerOnce: Answer = () => false;
const once = makeForFile(() => startElsewhere((...of) => answerOnce(...of)));
const answerBy = (answer: Answer) => {
  answerOnce = answer;
  onTestFinished(() => {
    answerOnce = () => false;
  });
  return once();
};

const memoryOf = (folder: string) =>
  readdirSync(join(folder, '.resync-mirror/state'))
    .map((name) => readFileSync(join(folder, '.resync-mirror/state', name), 'utf8'))
    .join('');

describe('what is read at another address', () => {
  test.each(['list', 'dump'] as const)('is the Source, from its %s, and then its changes', async (from) => {
    const source = await startElsewhere();
    const folder = makeFolder();
    const run = () => copy(PUBLISHED, folder, { servedAt: source.servedAt, from });
    const { servedAt } = source;
    expect(await run()).toMatchObject({ inSync: true, created: 3, source: PUBLISHED, servedAt });
    expect(readCopy(folder)).toEqual(source.listed());
    await source.publish(60, { 'a.txt': 'three', 'b/c.txt': undefined });
    expect(await run()).toMatchObject({ inSync: true, updated: 1, deleted: 1, sets: [{ way: 'changes' }] });
    expect(readCopy(folder)).toEqual(source.listed());
    expect(await run()).toMatchObject({ inSync: true, sets: [{ way: 'unchanged' }] });
  });

  test('leaves no trace of the address in the copy', async () => {
    const source = once();
    const folder = makeFolder();
    await copy(PUBLISHED, folder, { servedAt: source.servedAt });
    const memory = memoryOf(folder);
    expect(memory).toContain(PUBLISHED);
    expect(memory).not.toContain(new URL(source.servedAt).host);
  });

  test('may be below a path, for a Source below a path, and nothing beside it is asked for but robots.txt', async () => {
    const asked: string[] = [];
    const url = `${PUBLISHED}docs/`;
    const source = await startElsewhere(undefined, url);
    const servedAt = await serve(source.site, (path, response) => {
      asked.push(path);
      response.writeHead(404).end();
      return true;
    });
    const below = await serve(makeFolder(), (path, response) => {
      const files = readTree(source.site);
      const text = files[path.replace('/mirrors/docs/', '').replace(/^$/, 'index.html')];
      // The rules of a host for crawlers are at its root.
      if (!path.startsWith('/mirrors/docs/')) asked.push(path);
      response.writeHead(text === undefined ? 404 : 200).end(text);
      return true;
    });
    const folder = makeFolder();
    const served = { servedAt: `${below}mirrors/docs` };
    expect(await copy(url, folder, served)).toMatchObject({ inSync: true, created: 3 });
    expect(asked).toEqual(['/robots.txt']);
    expect(readCopy(folder)).toEqual(source.listed());
    await expect(copy(url, makeFolder(), { servedAt })).rejects.toThrow('cannot be read');
    expect(asked).toContain('/.well-known/resourcesync');
  });

  test('asks no other server, wherever it leads', async () => {
    const others: string[] = [];
    const other = await serve(makeFolder(), (path) => {
      others.push(path);
      return false;
    });
    const source = answerBy((path, response) => {
      if (path !== '/a.txt') return false;
      response.writeHead(302, { location: `${other}a.txt` }).end();
      return true;
    });
    const report = await copy(PUBLISHED, makeFolder(), { servedAt: source.servedAt });
    expect(report).toMatchObject({ inSync: false, failed: [{ uri: `${PUBLISHED}a.txt` }] });
    expect(others).toEqual([]);
  });

  // docs/copies.md: "If you use `--served-at`, they go to that address instead."
  test('gets the headers in place of the server of the Source', async () => {
    const tokens = new Set<string | undefined>();
    const source = answerBy((_, __, { headers }) => {
      tokens.add(headers.authorization);
      return false;
    });
    const headers = ['Authorization: Bearer x'];
    await copy(PUBLISHED, makeFolder(), { servedAt: source.servedAt, headers });
    expect([...tokens]).toEqual(['Bearer x']);
  });
});

describe('the command', () => {
  test('says each time whom it trusts', async () => {
    const source = once();
    const args = ['mirror', PUBLISHED, makeFolder(), '--served-at', source.servedAt];
    const line = `${source.servedAt}, in place of ${PUBLISHED}: nothing but that server says`;
    for (let round = 0; round < 2; round++) {
      const run = await callCli(args);
      expect(run).toMatchObject({ status: 0, stderr: '' });
      expect(run.stdout).toContain(`Trusted  ${line}`);
    }
    for (const more of ['--quiet', '--json']) {
      const { stderr } = await callCli([...args, more]);
      expect(stderr.replaceAll('\n', ' ')).toContain(`Note Trusted: ${line}`);
    }
  });

  test('proposes it where documents are about another host, and the same documents are here', async () => {
    const source = once();
    const folder = makeFolder();
    const { status, stderr } = await callCli(['mirror', source.servedAt, folder]);
    expect(status).toBe(2);
    expect(stderr).toContain(`The documents at ${source.servedAt} describe ${PUBLISHED}\n`);
    const [, offered = ''] = /served here: resync-static (.*)\n/.exec(stderr) ?? [];
    expect(offered).toBe(`mirror ${PUBLISHED} <folder> --served-at ${source.servedAt}`);
    expect(await callCli(offered.replace('<folder>', folder).split(' '))).toMatchObject({ status: 0 });
  });

  test('names the server to allow where the documents are not here', async () => {
    const site = makeFolder();
    const url = await serve(site);
    write(
      site,
      '.well-known/resourcesync',
      `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/"><rs:md capability="description"/><url><loc>${PUBLISHED}capabilitylist.xml</loc><rs:md capability="capabilitylist"/></url></urlset>`,
    );
    expect(await copy(url, makeFolder())).toMatchObject({ inSync: false, failed: [{ reason: 'elsewhere' }] });
  });
});
