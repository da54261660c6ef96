/** Resource Dumps and Change Dumps, as a Destination reads them: with a ZIP reader that is not ours. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { makeUri, type UrlStyle } from '../../src/paths/urls.js';
import { child, entriesOf, type ListedResource, linkOf, parseXml, readSource } from './documents.js';
import { readTree } from './site.js';

export const DUMPS_URL = 'https://example.org/';

/** Bytes by name, as binary strings, in the order of the package. yauzl refuses names that lead out of the folder. */
export async function unpack(zip: Buffer): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  const file = await fromBufferPromise(zip, { strictFileNames: true });
  for await (const entry of file.eachEntry()) {
    expect(entries.has(entry.fileName)).toBe(false);
    const pieces: Buffer[] = [];
    for await (const piece of await file.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    entries.set(entry.fileName, Buffer.concat(pieces).toString('latin1'));
  }
  return entries;
}

/** Opens a package, and checks all that has to be right about any. */
export async function openPackage(
  site: string,
  url: string,
  listed: ListedResource,
  up: string,
  kind: string,
) {
  const path = listed.uri.slice(url.length);
  const zip = readFileSync(join(site, path));
  expect(listed).toMatchObject({
    uri: expect.stringContaining(`${url}resourcesync/`),
    md: { type: 'application/zip', length: `${zip.length}` },
  });
  expectDigests(listed.md['hash'], zip);
  const files = await unpack(zip);
  expect([...files.keys()][0]).toBe('manifest.xml');
  const text = files.get('manifest.xml') ?? '';
  const copy = linkOf(listed.element, 'contents') ?? '';
  expect(copy).toBe(listed.uri.replace(/\.zip$/, '.xml'));
  expect(readFileSync(join(site, copy.slice(url.length)), 'latin1')).toBe(text);

  const manifest = parseXml(Buffer.from(text, 'latin1').toString());
  const md = child(manifest, 'rs:md').attributes;
  expect({ up: linkOf(manifest, 'up'), ...md }).toMatchObject({ up, capability: kind });
  const entries = entriesOf(manifest).map((entry) => {
    const { path: place } = entry.md;
    if (place === undefined) return { listed: entry, content: undefined };
    const content = files.get(place.slice(1));
    expect({ place, there: content !== undefined }).toEqual({ place, there: true });
    expectDigests(entry.md['hash'], Buffer.from(content ?? '', 'latin1'));
    expect(entry.md['length']).toBe(`${content?.length}`);
    return { listed: entry, content };
  });
  const places = entries.flatMap(({ listed: { md: of } }) => of['path']?.slice(1) ?? []);
  expect(places.toSorted()).toEqual([...files.keys()].filter((name) => name !== 'manifest.xml').toSorted());
  expectSafeNames(places);
  return { listed, path, md, entries };
}

function expectDigests(hash: string | undefined, bytes: Buffer): void {
  const digests = (hash ?? '').split(' ').map((digest) => digest.split(':')[0] ?? '');
  const actual = digests.map(
    (name) => `${name}:${createHash(name.replace('-', '')).update(bytes).digest('hex')}`,
  );
  expect(hash).toBe(actual.join(' '));
}

/** Names that every file system can hold, side by side. */
export function expectSafeNames(names: readonly string[]): void {
  const folded = new Map<string, string>();
  for (const name of names) {
    const segments = name.split('/');
    expect(name).not.toMatch(/[\0-\x1f\x7f<>:"\\|?*]/);
    expect(name.length).toBeLessThanOrEqual(200);
    for (const segment of segments) {
      expect(segment).not.toMatch(/^$|^[. ]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      expect(Buffer.byteLength(segment)).toBeLessThanOrEqual(255);
    }
    for (const end of segments.keys()) {
      const above = segments.slice(0, end + 1).join('/');
      for (const form of ['NFC', 'NFD'] as const) {
        const seen = folded.get(fold(above, form));
        expect(seen ?? above).toBe(above);
        folded.set(fold(above, form), above);
      }
    }
  }
  expect(new Set(names).size).toBe(names.length);
}

/** One for all names that some file system takes for one. */
function fold(name: string, form: 'NFC' | 'NFD'): string {
  return `${form} ${name.normalize(form).toLowerCase().toUpperCase()}`;
}

/** The contents of the packages of a described site, by set. */
export async function openDumps(site: string, url = DUMPS_URL) {
  const { sets } = readSource(site, url);
  return Promise.all(
    sets.map(async ({ uri: up, resources, resourceDump, changeDump, resourceList }) => {
      const open = (dump: typeof resourceDump, kind: string) =>
        Promise.all(dump.entries.map((entry) => openPackage(site, url, entry, up, kind)));
      for (const [root, capability] of [
        [resourceDump.root, 'resourcedump'],
        [changeDump.root, 'changedump'],
      ] as const) {
        if (root === undefined) continue;
        expect({ up: linkOf(root, 'up'), ...child(root, 'rs:md').attributes }).toMatchObject({
          up,
          capability,
        });
      }
      return {
        up,
        resources,
        resourceList,
        resourceDump: resourceDump.root,
        packages: await open(resourceDump, 'resourcedump-manifest'),
        changeDump: changeDump.root,
        changePackages: await open(changeDump, 'changedump-manifest'),
      };
    }),
  );
}

/** Checks that the Resource Dump holds the resources of the Resource List, each with the bytes that the site has. */
export async function expectResourceDump(site: string, url = DUMPS_URL, style: UrlStyle = 'directory') {
  const dumps = await openDumps(site, url);
  const bytes = new Map(
    Object.entries(readTree(site)).map(([path, text]) => [makeUri(url, path, style), text]),
  );
  for (const { resources, resourceDump, resourceList, packages } of dumps) {
    if (resourceDump === undefined) throw new Error('there is no Resource Dump');
    const at = child(resourceDump, 'rs:md').attributes['at'] ?? '';
    expect(at).toBe(child(resourceList, 'rs:md').attributes['at']);
    const held = packages.flatMap(({ entries, md, listed }) => {
      expect(md['at']).toBe(listed.md['at']);
      expect((md['at'] ?? '') <= at).toBe(true);
      return entries;
    });
    expect(held.map(({ listed }) => listed.uri)).toEqual(resources.map(({ uri }) => uri));
    for (const [index, { listed, content }] of held.entries()) {
      const { path: _, ...md } = listed.md;
      expect(md).toEqual(resources[index]?.md);
      expect({ uri: listed.uri, same: content === bytes.get(listed.uri) }).toEqual({
        uri: listed.uri,
        same: true,
      });
    }
  }
  return dumps;
}
