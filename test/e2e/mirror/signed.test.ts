/** A Source that is signed: a copy is verified, remembers who signed it, and refuses others. */

import { createHash } from 'node:crypto';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, describe as group, test } from 'vitest';
import { describe, type MirrorConfig, type UserConfig } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { commitFiles, makeRepository } from '../../support/git.js';
import { readCopy } from '../../support/mirror.js';
import {
  PART,
  readState,
  resign,
  SIGNATURE,
  type State,
  type StateHost,
  SUMS,
  signApart,
  signState,
  startStateHost,
} from '../../support/signed.js';
import { makeSigner } from '../../support/signing.js';
import { callCli, makeFolder } from '../../support/site.js';

const signer = makeSigner();
const other = makeSigner();

interface World {
  readonly host: StateHost;
  /** Publishes files at a moment, seconds after the first, without serving them. */
  readonly publish: (
    seconds: number,
    files: Readonly<Record<string, string>>,
    more?: Partial<UserConfig>,
  ) => Promise<Map<string, Buffer>>;
  /** Copies the Source; how long it paused is in `pauses`. */
  readonly copy: (folder: string, more?: Partial<MirrorConfig>) => ReturnType<typeof mirrorSource>;
  readonly pauses: number[];
}

async function startWorld(): Promise<World> {
  const host = await startStateHost();
  const repository = makeRepository();
  const pauses: number[] = [];
  return {
    host,
    pauses,
    async publish(seconds, files, more) {
      const sited = Object.entries(files).map(([path, text]) => [`site/${path}`, text]);
      commitFiles(repository, seconds, Object.fromEntries(sited));
      const site = join(repository, 'site');
      await describe({ site, url: host.url, history: 'HEAD:site', ...more });
      return readState(site);
    },
    copy: (folder, more) =>
      mirrorSource(resolveMirror({ source: host.url, folder, timeout: 5000, attempts: 1, ...more }), {
        clock: { sleep: async (milliseconds) => void pauses.push(milliseconds) },
      }),
  };
}

const FILES = { 'index.html': 'home', 'a.txt': 'a' };

test('the first copy shows the key and remembers it, and later runs demand it', async () => {
  const { host, publish, copy, pauses } = await startWorld();
  host.state = signState(await publish(0, FILES), host.url, signer);
  const folder = makeFolder();
  expect(await copy(folder)).toMatchObject({
    inSync: true,
    created: 2,
    signature: { fingerprint: signer.fingerprint, type: 'ssh-ed25519', key: signer.line, isKnown: false },
  });
  const two = await publish(60, { 'a.txt': 'b' });
  host.state = signState(two, host.url, signer);
  expect(await copy(folder)).toMatchObject({ inSync: true, updated: 1, signature: { isKnown: true } });
  host.state = signState(await publish(120, { 'a.txt': 'c' }), host.url, other);
  const before = readCopy(folder);
  const error: Error = await copy(folder).then(
    () => new Error('none'),
    (reason) => reason,
  );
  expect(error).toMatchObject({ code: 'signature-invalid' });
  expect(error.message).toContain(signer.fingerprint);
  expect(error.message).toContain(other.fingerprint);
  expect(error.message).toContain(`--trust '${other.line}'`);
  expect(readCopy(folder)).toEqual(before);
  expect(pauses).toEqual([]);
  expect(await copy(folder, { trust: [other.line] })).toMatchObject({ inSync: true, updated: 1 });
  // From then on, that key is the one.
  host.state = signState(await publish(180, { 'a.txt': 'd' }), host.url, other);
  expect(await copy(folder)).toMatchObject({ inSync: true, signature: { key: other.line, isKnown: true } });
  host.state = signState(two, host.url, signer);
  await expect(copy(folder)).rejects.toThrow(/was signed before by/);
});

test('a copy remembers in its own folder: another copy has met nobody yet, and a clone believes nobody', async () => {
  const { host, publish, copy } = await startWorld();
  host.state = signState(await publish(0, FILES), host.url, signer);
  const [folder, clone] = [makeFolder(), makeFolder()];
  await copy(folder);
  cpSync(folder, clone, { recursive: true });
  host.state = signState(await publish(60, { 'a.txt': 'b' }), host.url, other);
  await expect(copy(folder)).rejects.toMatchObject({ code: 'signature-invalid' });
  for (const into of [clone, makeFolder()])
    expect(await copy(into)).toMatchObject({ inSync: true, signature: { key: other.line, isKnown: false } });
  await expect(copy(makeFolder(), { trust: [signer.line] })).rejects.toThrow(/--trust demands/);
});

test('the report of a first copy has the flag that demands the key', async () => {
  const { host, publish } = await startWorld();
  host.state = signState(await publish(0, FILES), host.url, signer);
  const folder = makeFolder();
  const { stdout } = await callCli(['mirror', host.url, folder]);
  expect(stdout).toContain(`--trust '${signer.line}'`);
  expect((await callCli(['mirror', host.url, folder])).stdout).not.toContain(signer.fingerprint);
});

test('a run that finds nothing changed asks for seven documents at most', async () => {
  const { host, publish, copy } = await startWorld();
  host.state = signState(await publish(0, FILES), host.url, signer);
  const folder = makeFolder();
  await copy(folder);
  host.state = signState(await publish(60, { 'a.txt': 'b' }), host.url, signer);
  await copy(folder);
  host.asked.length = 0;
  expect(await copy(folder)).toMatchObject({
    inSync: true,
    sets: [{ way: 'unchanged' }],
    signature: { isKnown: true },
  });
  expect(host.asked.length).toBeLessThanOrEqual(7);
  expect(host.asked).toContain(SUMS);
});

test('a Source that is signed no more is refused', async () => {
  const { host, publish, copy } = await startWorld();
  const one = await publish(0, FILES);
  host.state = signState(one, host.url, signer);
  const folder = makeFolder();
  await copy(folder);
  const two = await publish(60, { 'a.txt': 'b' });
  host.state = two;
  await expect(copy(folder)).rejects.toThrow(/leads to no SHA256SUMS/);
  const signed = signState(two, host.url, signer);
  signed.delete(SIGNATURE);
  host.state = signed;
  await expect(copy(folder)).rejects.toThrow(/SHA256SUMS\.sig cannot be read/);
  expect(readCopy(folder)).toEqual(FILES);
});

test('two publications that are mixed are read again after a pause', async () => {
  const { host, publish, copy, pauses } = await startWorld();
  const one = signState(await publish(0, FILES), host.url, signer);
  host.state = one;
  const folder = makeFolder();
  await copy(folder);
  const two = signState(await publish(60, { 'a.txt': 'b' }), host.url, signer);
  const mixed = new Map([
    ...two,
    [SUMS, one.get(SUMS) ?? Buffer.alloc(0)],
    [SIGNATURE, one.get(SIGNATURE) ?? Buffer.alloc(0)],
  ]);
  host.state = mixed;
  await expect(copy(folder)).rejects.toThrow(/A deploy seems to be going on/);
  expect(pauses).toEqual([10_000]);
  host.state = mixed;
  const sleep = async () => {
    host.state = two;
  };
  const config = resolveMirror({ source: host.url, folder });
  expect(await mirrorSource(config, { clock: { sleep } })).toMatchObject({ inSync: true, updated: 1 });
});

group('what a copy has seen of a Source never gets older', () => {
  const pages = { name: 'pages', include: ['**/*.html'] };
  const texts = { name: 'texts', include: ['**/*.txt'] };

  test.each<[string, before: Partial<UserConfig>, now: Partial<UserConfig>]>([
    ['with the same sets', {}, {}],
    ['where there were several sets, and is one', { sets: [pages, texts] }, {}],
    ['where there was one, and are several', {}, { sets: [pages, texts] }],
    ['where sets have other names', { sets: [pages, texts] }, { sets: [{ ...pages, name: 'all' }, texts] }],
    ['where a set was dropped', { sets: [pages, texts] }, { sets: [pages] }],
  ])('%s', async (_, before, now) => {
    const { host, publish, copy } = await startWorld();
    const moments = ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'];
    const state = async (at: number, config: Partial<UserConfig>, text: string) =>
      signState(await publish(60 * at, { ...FILES, 'a.txt': text }, config), host.url, signer, {
        moment: moments[at],
      });
    const one = await state(0, before, 'a');
    const two = await state(1, now, 'b');
    host.state = one;
    const folder = makeFolder();
    await copy(folder, { maxDelete: '100%' });
    host.state = two;
    expect(await copy(folder, { maxDelete: '100%' })).toMatchObject({ inSync: true });
    const files = readCopy(folder);
    host.state = one;
    for (const trust of [[], [signer.line]])
      await expect(copy(folder, { trust })).rejects.toThrow(/somebody serves an old state/);
    expect(readCopy(folder)).toEqual(files);
    host.state = two;
    expect(await copy(folder)).toMatchObject({ inSync: true });
    await expect(copy(folder, { maxAge: '30d' })).rejects.toThrow(/older than --max-age allows/);
    // Sums that tell of no moment are older than all that do.
    host.state = resign(two, signer);
    await expect(copy(folder)).rejects.toThrow(/the Source tells of no moment/);
  });
});

group('--documents', () => {
  const RICH = { dumps: true, page: true, feed: true, archives: { period: 'day' }, versions: true } as const;

  test('keeps nothing that nobody signed, and the copy proves itself', async () => {
    const { host, publish, copy } = await startWorld();
    const trust = [signer.line];
    await publish(0, FILES, RICH);
    const state = signState(await publish(90_000, { ...FILES, 'a.txt': 'b' }, RICH), host.url, signer);
    // Somebody adds a Sitemap, which a copy with documents looks for.
    const added = new Map(state).set('robots.txt', Buffer.from(`Sitemap: ${host.url}more.xml\n`));
    const sitemap = `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${host.url}</loc></url></urlset>`;
    host.state = added.set('more.xml', Buffer.from(sitemap));
    const folder = makeFolder();
    expect(await copy(folder, { documents: true, trust })).toMatchObject({ inSync: true });
    const kept = readState(folder);
    for (const [path, bytes] of state)
      if (!path.endsWith('/inventory.txt')) expect([path, kept.get(path)]).toEqual([path, bytes]);
    expect(kept.has('more.xml')).toBe(false);
    host.state = kept;
    expect(await copy(makeFolder(), { documents: true, trust })).toMatchObject({ inSync: true });
  });

  test('keeps what is signed, also where nothing links to it', async () => {
    const { host, publish, copy } = await startWorld();
    const trust = [signer.line];
    // The page for people is not what the lists call the page about the site.
    const state = await publish(0, FILES, { page: true, sitemap: true, describedby: 'a.txt' });
    host.state = signState(state, host.url, signer);
    for (const missing of [[], ['resourcesync/index.html']]) {
      // As hosts do that serve a page by the name of its folder alone.
      const answer = host.state.get('resourcesync/index.html') ?? Buffer.alloc(0);
      const served = new Map([...host.state, ['resourcesync/', answer]] as const);
      for (const path of missing) served.delete(path);
      const folder = makeFolder();
      const { inSync } = await copy(folder, { documents: true, trust });
      expect(inSync).toBe(true);
      for (const path of ['resourcesync/index.html', 'sitemap.xml', SIGNATURE])
        expect([path, readState(folder).get(path)]).toEqual([path, host.state.get(path)]);
    }
  });

  test.each([
    'resourcesync/index.html',
    'resourcesync/changes.atom',
    'resourcesync/resourcelist-archive.xml',
  ])('refuses %s where it is not what was signed', async (path) => {
    const { host, publish, copy } = await startWorld();
    await publish(0, FILES, RICH);
    const state = signState(await publish(90_000, { ...FILES, 'a.txt': 'b' }, RICH), host.url, signer);
    const original = state.get(path) ?? Buffer.alloc(0);
    expect(original.length).toBeGreaterThan(0);
    host.state = new Map(state).set(path, Buffer.from(`${original}\n`));
    const folder = makeFolder();
    const copying = copy(folder, { documents: true, trust: [signer.line] });
    await expect(copying).rejects.toThrow(/is not what its SHA256SUMS says/);
    expect([...readState(folder).keys()]).not.toContain(path);
  });
});

group('--trust', () => {
  test('demands a signature, and the key', async () => {
    const { host, publish, copy } = await startWorld();
    const one = await publish(0, FILES);
    const folder = makeFolder();
    const file = join(makeFolder(), 'keys');
    writeFileSync(file, `# ours\n${other.line} old\n${signer.line} new\n`);
    host.state = one;
    await expect(copy(folder, { trust: [signer.line] })).rejects.toThrow(/leads to no SHA256SUMS/);
    host.state = signState(one, host.url, signer);
    await expect(copy(folder, { trust: [other.line] })).rejects.toThrow(/--trust demands/);
    for (const trust of [[signer.line], [file], [other.line, signer.line]]) {
      const report = await copy(makeFolder(), { trust });
      expect(report).toMatchObject({ inSync: true, signature: { isKnown: true } });
    }
  });

  test('takes the keys of an address', async () => {
    const { host, publish, copy } = await startWorld();
    const state = signState(await publish(0, FILES), host.url, signer);
    host.state = new Map([...state, ['me.keys', Buffer.from(`${signer.line}\r\n`)]]);
    expect(await copy(makeFolder(), { trust: [`${host.url}me.keys`] })).toMatchObject({ inSync: true });
    for (const [key, words] of [
      [`${host.url}nobody.keys`, /404/],
      ['http://example.org/me.keys', /whoever is on the way/],
      ['/nowhere/keys', /no file that can be read/],
      ['ssh-ed25519 AAAA', /ends too early|no public key/],
    ] as const)
      await expect(copy(makeFolder(), { trust: [key] })).rejects.toThrow(words);
  });

  test('looks at all of a copy that was made without it', async () => {
    const { host, publish, copy } = await startWorld();
    const one = await publish(0, FILES);
    const lied = new Map(one);
    const folder = makeFolder();
    // Somebody else answers: all is consistent, and nothing is signed.
    const text = (one.get('resourcesync/resourcelist.xml') ?? '').toString();
    const before = /md5:\S+ sha-256:[\da-f]+/.exec(text.split('a.txt')[1] ?? '')?.[0] ?? '';

    const digest = (name: string) => createHash(name).update('x').digest('hex');
    lied.set('a.txt', Buffer.from('x'));
    lied.set(
      'resourcesync/resourcelist.xml',
      Buffer.from(text.replace(before, `md5:${digest('md5')} sha-256:${digest('sha256')}`)),
    );
    host.state = lied;
    expect(await copy(folder)).toMatchObject({ inSync: true });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'x' });
    host.state = signState(one, host.url, signer);
    expect(await copy(folder, { trust: [signer.line] })).toMatchObject({
      inSync: true,
      updated: 1,
      sets: [{ reason: 'signed' }],
    });
    expect(readCopy(folder)).toEqual(FILES);
  });
});

test('a Source below a path is proven as one at the root of its host', async () => {
  const { host, publish, copy } = await startWorld();
  const url = `${host.url}sub/`;
  const below = (state: ReadonlyMap<string, Buffer>) =>
    new Map([...state].map(([path, bytes]) => [`sub/${path}`, bytes]));
  host.state = below(signState(await publish(0, FILES, { url }), url, signer));
  const folder = makeFolder();
  expect(await copy(folder, { source: url })).toMatchObject({
    inSync: true,
    created: 2,
    signature: { fingerprint: signer.fingerprint },
  });
  const two = signState(await publish(60, { 'a.txt': 'b' }, { url }), url, signer);
  host.state = below(two);
  expect(await copy(folder, { source: url })).toMatchObject({ inSync: true, updated: 1 });
  host.state = below(resign(two, other));
  await expect(copy(folder, { source: url })).rejects.toThrow(/was signed before by/);
});

group('a set that another build describes', () => {
  const APART = { ...FILES, 'index.html': 'home' };
  const pages = { name: 'pages', include: ['**/*.html'] };
  const texts = { name: 'texts', include: ['**/*.txt'] };

  /** Publishes both builds; `sign` says who signs what. */
  async function startApart() {
    const world = await startWorld();
    const { host, publish } = world;
    const state = async (seconds: number, files: Readonly<Record<string, string>>) => {
      await publish(seconds, files, { source: host.url, sets: [texts] });
      const joined = { name: 'texts', capabilityList: `${host.url}${PART}capabilitylist.xml` };
      return publish(seconds + 1, {}, { sets: [pages, joined] });
    };
    return { ...world, state };
  }

  test('is signed by a key that the whole names', async () => {
    const { host, copy, state } = await startApart();
    const trust = [signer.line];
    const keys = { whole: signer, part: other };
    host.state = signApart(await state(0, APART), host.url, keys);
    const folder = makeFolder();
    expect(await copy(folder, { trust })).toMatchObject({ inSync: true, created: 2 });
    // The other build publishes by itself; the whole is as it was.
    const former = host.state;
    const now = signApart(await state(60, { 'a.txt': 'b' }), host.url, keys);
    const mixed: State = new Map(
      [...now].map(([path, bytes]) => [
        path,
        path.includes('SHA256SUMS') && !path.startsWith(PART) ? (former.get(path) ?? bytes) : bytes,
      ]),
    );
    host.state = mixed;
    expect(await copy(folder, { trust })).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual({ ...FILES, 'a.txt': 'b' });
  });

  const thief = makeSigner();
  const LIST = `${PART}resourcelist.xml`;

  test.each<[string, RegExp, (state: Map<string, Buffer>, url: string) => State]>([
    [
      'signed by a key that the whole does not name',
      /which the Source does not name for this set/,
      (state, url) => signApart(state, url, { whole: signer, part: thief, named: [other] }),
    ],
    [
      'for which the whole names no key',
      /which the Source does not name for this set/,
      (state, url) => signApart(state, url, { whole: signer, part: other, named: [] }),
    ],
    [
      'of which a list is another one',
      /is not what its SHA256SUMS says/,
      (state, url) => {
        const signed = signApart(state, url, { whole: signer, part: other });
        return new Map(signed).set(LIST, Buffer.from(`${signed.get(LIST)}\n`));
      },
    ],
    [
      'that is not signed',
      /leads to no SHA256SUMS/,
      (state, url) => {
        const signed = signApart(state, url, { whole: signer, part: other });
        const path = `${PART}capabilitylist.xml`;
        return new Map(signed).set(path, state.get(path) ?? Buffer.alloc(0));
      },
    ],
    [
      'that signs documents of the whole',
      /index\.xml|resourcelist\.xml is named by no SHA256SUMS/,
      (state, url) => {
        const whole = 'resourcesync/pages/resourcelist.xml';
        const signed = signApart(state, url, { whole: signer, part: other });
        const [own, theirs] = [SUMS, `${PART}SHA256SUMS`].map((path) => (signed.get(path) ?? '').toString());
        const line = own?.split('\n').find((one) => one.endsWith(`  ${whole}`)) ?? '';
        expect(line).not.toBe('');
        const less = own?.replace(`${line}\n`, '') ?? '';
        const more = `${line}\n${theirs}`;
        return new Map(signed)
          .set(SUMS, Buffer.from(less))
          .set(SIGNATURE, Buffer.from(signer.sign(less)))
          .set(`${PART}SHA256SUMS`, Buffer.from(more))
          .set(`${PART}SHA256SUMS.sig`, Buffer.from(other.sign(more)));
      },
    ],
  ])('%s, is refused, and nothing is copied', async (_, message, lie) => {
    const { host, copy, state } = await startApart();
    host.state = lie(await state(0, APART), host.url);
    const folder = makeFolder();
    await expect(copy(folder, { trust: [signer.line] })).rejects.toThrow(message);
    expect(readCopy(folder)).toEqual({});
  });
});

group('--served-at', () => {
  const source = 'https://published.example/';
  const trust = [signer.line];

  async function startElsewhere() {
    const world = await startWorld();
    const state = async (seconds: number, files: Readonly<Record<string, string>>, key = signer) =>
      signState(await world.publish(seconds, files, { url: source }), source, key);
    const read = (folder: string, more: Partial<MirrorConfig> = {}) =>
      world.copy(folder, { source, servedAt: world.host.url, ...more });
    return { ...world, state, read };
  }

  test('with a trusted key, any host is as good as the publisher, and a copy of a copy proves itself', async () => {
    const { host, state, read } = await startElsewhere();
    host.state = await state(0, FILES);
    const [first, second] = [makeFolder(), makeFolder()];
    const report = await read(first, { trust, documents: true });
    expect(report).toMatchObject({ inSync: true, signature: { isKnown: true } });
    host.state = readState(first);
    expect(await read(second, { trust, documents: true })).toMatchObject({ inSync: true });
    const bytes = (folder: string) =>
      [...readState(folder)].filter(([path]) => !path.startsWith('.resync-mirror/')).sort();
    expect(bytes(second)).toEqual(bytes(first));
    expect(bytes(second).map(([path]) => path)).toContain(SIGNATURE);
  });

  test('a host that changes a file, a list, the key or the time is found out', async () => {
    const { host, state, read } = await startElsewhere();
    const one = await state(0, FILES);
    const two = await state(60, { 'a.txt': 'b' });
    const list = 'resourcesync/resourcelist.xml';
    host.state = new Map(two).set('a.txt', Buffer.from('x'));
    const folder = makeFolder();
    expect(await read(folder, { trust })).toMatchObject({ inSync: false, failed: [{ path: 'a.txt' }] });
    expect(readCopy(folder)).toEqual({ 'index.html': 'home' });
    host.state = two;
    expect(await read(folder, { trust })).toMatchObject({ inSync: true });
    const before = readCopy(folder);
    for (const [lie, message] of [
      [new Map(two).set(list, Buffer.from(`${two.get(list)}\n`)), /is not what its SHA256SUMS says/],
      [resign(two, other), /--trust demands/],
      [one, /somebody serves an old state/],
    ] as const) {
      host.state = lie;
      const into = message.source.includes('old') ? folder : makeFolder();
      await expect(read(into, { trust })).rejects.toThrow(message);
    }
    expect(readCopy(folder)).toEqual(before);
  });

  test('without a key, it is told that nothing but that host says so', async () => {
    const { host, state, read } = await startElsewhere();
    host.state = await state(0, FILES);
    expect(await read(makeFolder())).toMatchObject({
      inSync: true,
      servedAt: host.url,
      signature: { isKnown: false },
    });
  });
});
