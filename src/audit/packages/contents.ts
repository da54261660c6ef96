/** What is in a package, against its manifest (§11.2, §13.2). */

import { statSync } from 'node:fs';
import { compareDigests } from '../../source/compare.js';
import { parseBody, toFinding } from '../../source/document.js';
import { algorithmsOf, type ListedResource, makeListed } from '../../source/listed.js';
import { digestBody } from '../../source/origin/digest.js';
import { isAbsent } from '../../source/origin/origin.js';
import { type OpenPackage, openPackage } from '../../source/packages/unzip.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { textOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { compareTimes, type Run } from '../read.js';
import { checkDocument } from '../rules/document.js';

/** A dump, whole or a part of an index. */
export interface Dump {
  readonly document: string;
  /** URL of the Capability List. */
  readonly up: string | undefined;
  readonly entries: readonly ReadEntry[];
  /** The kind of its manifests. */
  readonly manifest: 'resource-dump-manifest' | 'change-dump-manifest';
}

export type LocatedPackage = ReadEntry & { readonly loc: string };

export interface PackageContents {
  readonly manifest: ReadDocument;
  /** SHA-256 of the manifest. */
  readonly digest: string | undefined;
}

/**
 * Compares what is in a package with its manifest, and this with the dump; undefined where it has none that can be read.
 *
 * @throws PackageError
 */
export async function auditContents(
  run: Run,
  dump: Dump,
  entry: LocatedPackage,
  file: string,
): Promise<PackageContents | undefined> {
  const { flag } = run;
  const { up, manifest: kind } = dump;
  const place = { document: dump.document, line: entry.line, entry: entry.loc };
  const unpacked = await openPackage(file, statSync(file).size, run.bounds);
  try {
    for (const found of unpacked.unsafe) flag('package-unsafe', { ...place, found });
    if (!unpacked.paths.has('/manifest.xml')) {
      flag('manifest-missing', { ...place, expected: 'manifest.xml at the top' });
      return undefined;
    }
    const document = `${place.entry}#manifest.xml`;
    const own = await digestBody(unpacked.read('/manifest.xml'), ['sha-256'], READ_LIMITS.bytes);
    const digest = own.hex('sha-256');
    const manifest = await parseBody(unpacked.read('/manifest.xml'));
    if (isAbsent(manifest)) {
      flag(...toFinding(document, manifest));
      return undefined;
    }
    const found = checkDocument(manifest, { uri: document, expected: kind, up, now: run.now }, flag);
    if (found !== kind) return undefined;
    compareTimes(entry, manifest.head, (facts) => flag('package-time-differs', { ...place, ...facts }));
    const named = await compareBitstreams(run, manifest, document, unpacked);
    for (const path of unpacked.paths)
      if (!named.has(path)) flag('bitstream-unlisted', { ...place, found: path });
    return { manifest, digest };
  } finally {
    unpacked.close();
  }
}

/** Compares what is in a package with its manifest; returns the paths that it names. */
async function compareBitstreams(
  { flag }: Run,
  { entries }: ReadDocument,
  document: string,
  unpacked: OpenPackage,
): Promise<ReadonlySet<string>> {
  const byPath = new Map<string, ListedResource[]>();
  const add = (path: string | undefined, facts: ListedResource | undefined) => {
    if (path === undefined || facts === undefined) return;
    const others = byPath.get(path);
    if (others === undefined) byPath.set(path, [facts]);
    else others.push(facts);
  };
  for (const bitstream of entries) {
    add(textOf(bitstream, 'path'), makeListed(bitstream, document));
    // §14.4: a patch is in the package, too.
    for (const { line, attributes } of bitstream.links) {
      const { path, href: uri = '', modified: lastmod, hash, length, type, encoding } = attributes;
      add(path, { uri, document, line, lastmod, hash, length, type, encoding });
    }
  }
  for (const [path, listed] of byPath) {
    if (!unpacked.paths.has(path)) {
      for (const { line, uri: entry } of listed)
        flag('bitstream-missing', { document, line, entry, expected: path });
      continue;
    }
    // However many entries name it, it is unpacked once.
    const digested = await digestBody(unpacked.read(path), [...new Set(listed.flatMap(algorithmsOf))]);
    for (const facts of listed) {
      const { line, uri: entry } = facts;
      const place = { document, line, entry };
      compareDigests(facts, digested, (code, difference) => flag(code, { ...place, ...difference }));
    }
  }
  return new Set([...byPath.keys(), '/manifest.xml']);
}
