/** Parcels of a Source that is signed: whoever brings them, they are the publisher's, or nothing is changed. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import JSZip from 'jszip';
import { expect, describe as group, test } from 'vitest';
import { describe, type MirrorConfig } from '../../../src/index.js';
import { resolveMirror } from '../../../src/mirror/config.js';
import { mirrorSource } from '../../../src/mirror/mirror.js';
import { commitFiles, makeRepository } from '../../support/git.js';
import { readCopy } from '../../support/mirror.js';
import { readState, signState, startStateHost } from '../../support/signed.js';
import { makeSigner } from '../../support/signing.js';
import { afterUse, makeFolder, makeForFile, readTree } from '../../support/site.js';

const signer = makeSigner('ssh-ed25519');
const thief = makeSigner('ssh-ed25519');

/** Sets where keys are remembered, as on a machine of its own. */
function useMachine(home: string): void {
  const before = { XDG_CONFIG_HOME: process.env['XDG_CONFIG_HOME'], CI: process.env['CI'] };
  Object.assign(process.env, { XDG_CONFIG_HOME: home });
  delete process.env['CI'];
  afterUse(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });
}

const run = (source: string, folder: string, more: Partial<MirrorConfig> = {}) =>
  mirrorSource(resolveMirror({ source, folder, timeout: 5000, attempts: 1, ...more }), {
    clock: { sleep: async () => undefined },
  });

/** Two parcels of a signed Source, one after another, and what it is without a signature. */
const parcels = makeForFile(async () => {
  const [host, repository, stick, here] = [
    await startStateHost(),
    makeRepository(),
    makeFolder(),
    makeFolder(),
  ];
  const site = join(repository, 'site');
  const at = (name: string) => join(stick, `${name}.zip`);
  useMachine(makeFolder());
  const publish = async (seconds: number, files: Record<string, string>) => {
    commitFiles(
      repository,
      seconds,
      Object.fromEntries(Object.entries(files).map(([path, text]) => [`site/${path}`, text])),
    );
    await describe({ site, url: host.url, history: 'HEAD:site' });
    const plain = readState(site);
    host.state = signState(plain, host.url, signer);
    return plain;
  };
  await publish(0, { 'a.txt': 'a', 'b.txt': 'b' });
  await run(host.url, here, { parcel: at('one') });
  const plain = await publish(60, { 'a.txt': 'a2' });
  await run(host.url, here, { parcel: at('two') });
  host.state = plain;
  useMachine(makeFolder());
  await run(host.url, makeFolder(), { parcel: at('plain') });
  host.state = signState(plain, host.url, thief);
  await run(host.url, makeFolder(), { parcel: at('stolen') });
  host.state = new Map();
  return { at, url: host.url };
});

/** The parcels on a machine where nobody knows any key. */
function bringParcels() {
  const home = makeFolder();
  useMachine(home);
  return { ...parcels(), known: join(home, 'resync-static/known_sources') };
}

group('with a key that is known', () => {
  test('a parcel is the publisher’s, and nobody has to be trusted', async () => {
    const { at } = bringParcels();
    const folder = makeFolder();
    const more = { trust: [signer.line] };
    const report = await run(at('one'), folder, more);
    expect(report).toMatchObject({
      inSync: true,
      created: 2,
      signature: { isKnown: true, isRemembered: false },
    });
    expect(await run(at('two'), folder, more)).toMatchObject({ inSync: true, updated: 1 });
    expect(readCopy(folder)).toEqual({ 'a.txt': 'a2', 'b.txt': 'b' });
  });

  test.each(['plain', 'stolen'])('a parcel that is %s is refused, and nothing is changed', async (name) => {
    const { at } = bringParcels();
    const folder = makeFolder();
    const more = { trust: [signer.line] };
    await run(at('one'), folder, more);
    const before = readTree(folder);
    await expect(run(at(name), folder, more)).rejects.toMatchObject({ code: 'signature-invalid' });
    expect(readTree(folder)).toEqual(before);
    expect(await run(at('two'), folder, more)).toMatchObject({ inSync: true });
  });

  test.each([
    ['resourcesync/resourcelist.xml', 'a.txt', 'b.txt'],
    ['resourcesync/changelist.xml', 'updated', 'created'],
    ['resourcesync/capabilitylist.xml', 'changelist.xml', 'resourcelist.xml'],
    ['resourcesync/SHA256SUMS', 'changelist.xml', 'changelisT.xml'],
    ['resourcesync/SHA256SUMS.sig', 'A', 'B'],
  ])('one in which somebody has changed %s is refused', async (path, from, to) => {
    const { at } = bringParcels();
    const folder = makeFolder();
    const more = { trust: [signer.line] };
    await run(at('one'), folder, more);
    const before = readTree(folder);
    const zip = await JSZip.loadAsync(readFileSync(at('two')));
    const text = (await zip.file(`documents/${path}`)?.async('string')) ?? '';
    expect(text).toContain(from);
    zip.file(`documents/${path}`, text.replace(from, to));
    writeFileSync(at('bad'), await zip.generateAsync({ type: 'nodebuffer' }));
    await expect(run(at('bad'), folder, more)).rejects.toMatchObject({ code: 'signature-invalid' });
    expect(readTree(folder)).toEqual(before);
  });

  test('one that is older than what was seen is refused in another folder, too', async () => {
    const { at, url, known } = bringParcels();
    const folder = makeFolder();
    await run(at('two'), folder, { trust: [signer.line] });
    expect(await run(at('one'), folder, { trust: [signer.line] })).toMatchObject({
      parcel: { isOlder: true },
    });
    expect(readCopy(folder)).toMatchObject({ 'a.txt': 'a2' });
    // As a run with network on this machine leaves it.
    expect(existsSync(known)).toBe(false);
    mkdirSync(join(known, '..'), { recursive: true });
    writeFileSync(
      known,
      `${url} ${signer.line}\n${url} 2030-01-01T00:00:00Z ${url}resourcesync/capabilitylist.xml\n`,
    );
    await expect(run(at('two'), makeFolder())).rejects.toMatchObject({ code: 'signature-invalid' });
    await expect(run(at('plain'), makeFolder())).rejects.toMatchObject({ code: 'signature-invalid' });
  });
});

test('a key that nobody knows is shown, and not remembered', async () => {
  const { at, known } = bringParcels();
  const report = await run(at('one'), makeFolder());
  expect(report).toMatchObject({
    inSync: true,
    signature: { fingerprint: signer.fingerprint, isKnown: false, isRemembered: false },
  });
  expect(existsSync(known)).toBe(false);
});
