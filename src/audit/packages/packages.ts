/** The packages of dumps, and whether they hold what their manifests and the lists say (§11, §13). */

import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ParseError, type ReadDocument, type ReadEntry } from '../../resourcesync/as-read.js';
import { READ_LIMITS } from '../../resourcesync/limits.js';
import { parseDocument } from '../../resourcesync/read.js';
import { copyText } from '../agreement/detach.js';
import { type ListedResource, makeListed } from '../agreement/listed.js';
import { algorithmsOf, choose, compareBytes, compareDigests, toWanted } from '../bytes.js';
import type { Finding } from '../checks.js';
import { digestBody, digestOpened } from '../origin/digest.js';
import { type Absent, isAbsent, type Opened, type Wanted } from '../origin/origin.js';
import { compareTimes, ENTRY_BYTES, flagAbsent, READING_PROBLEMS, type Run, readDocument } from '../read.js';
import { checkDocument } from '../rules/document.js';
import { linksOf, textOf, timeOf } from '../rules/values.js';
import { describeWriteFailure, makeTemporaryFolder } from './temporary.js';
import { type OpenPackage, openPackage, PackageError } from './unzip.js';

/** What a package may have: none of ours is larger, and there has to be room for it in the temporary folder. */
const MOST_PACKAGE_BYTES = 4 * 1024 ** 3;

/** The packages of a dump; returns whether the manifests of all were read. */
export async function auditPackages(
  run: Run,
  document: string,
  up: string | undefined,
  { entries }: ReadDocument,
  kind: 'resource-dump-manifest' | 'change-dump-manifest',
  compare: (document: string, manifest: ReadDocument) => void,
): Promise<boolean> {
  const chosen = new Set(
    choose(run.config, entries, (entry) => timeOf(entry, 'until') ?? timeOf(entry, 'at')),
  );
  const here = new Set<string>();
  let complete = true;
  for (const entry of entries) {
    const { loc: uri, line } = entry;
    // That it is here twice has been told.
    if (uri === undefined || here.has(uri)) continue;
    here.add(uri);
    const isKnown = run.packageUris.has(uri);
    if (!isKnown) {
      run.bounds.keep(ENTRY_BYTES + uri.length);
      run.packageUris.add(copyText(uri));
    }
    const copies = linksOf(entry, 'contents');
    const type = textOf(entry, 'type');
    let manifest: ReadDocument | undefined;
    let digest: string | undefined;
    if (type !== undefined && type !== 'application/zip') {
      run.flag('package-not-zip', { document, line, entry: uri, found: type });
      complete = false;
    } else if (isKnown) {
      // Another dump has led to it: read once, it cannot be compared with the lists of this one.
      complete = false;
    } else if (chosen.has(entry)) {
      run.asked.packages++;
      const found = await auditPackage(run, document, up, entry as ReadEntry & { loc: string }, kind);
      [manifest, digest] = [found?.manifest, found?.digest];
      complete &&= manifest !== undefined;
      if (manifest !== undefined) compare(`${uri}#manifest.xml`, manifest);
    }
    for (const copy of copies) {
      const found = await readDocument(run, { uri: copy, expected: kind, up });
      if (found === undefined) continue;
      if (manifest === undefined && !chosen.has(entry)) compare(copy, found.read);
      if (digest === undefined) continue;
      const opened = await run.origin.open(copy, { most: READ_LIMITS.bytes });
      if (isAbsent(opened)) continue;
      const own = (await digestBody(opened.body, ['sha-256'], READ_LIMITS.bytes)).hex('sha-256');
      // §11.1, §13.1: the copy has to match.
      if (own !== digest)
        run.flag('manifest-differs', { document, line, entry: copy, expected: `${uri}#manifest.xml` });
    }
  }
  const { listed, checked, bytes } = run.packages;
  run.packages = { listed: listed + entries.length, checked, bytes };
  return complete;
}

/** One package: its own bytes, its manifest, and what is in it. */
async function auditPackage(
  run: Run,
  document: string,
  up: string | undefined,
  entry: ReadEntry & { readonly loc: string },
  kind: 'resource-dump-manifest' | 'change-dump-manifest',
): Promise<{ manifest: ReadDocument; digest: string | undefined } | undefined> {
  const { loc: uri, line } = entry;
  const { flag } = run;
  const place = { document, line, entry: uri };
  const listed = makeListed(entry, document) as ListedResource;
  let remove = (): void => undefined;
  try {
    const fetched = await obtainPackage(run, listed);
    const { file, digested } = fetched;
    remove = fetched.remove;
    if (isAbsent(digested)) {
      flagAbsent(digested, 'package-missing', place, flag);
      return undefined;
    }
    compareBytes(listed, digested, flag);
    run.packages = {
      ...run.packages,
      checked: run.packages.checked + 1,
      bytes: run.packages.bytes + digested.length,
    };
    run.observe({ stage: 'packages', done: run.packages.checked });
    if (digested.more) return undefined;
    return await auditContents(run, file, place, up, entry, kind);
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    flag(error.code, { ...place, found: error.message });
    return undefined;
  } finally {
    remove();
  }
}

async function auditContents(
  run: Run,
  file: string,
  place: Finding & { readonly entry: string },
  up: string | undefined,
  entry: ReadEntry,
  kind: 'resource-dump-manifest' | 'change-dump-manifest',
): Promise<{ manifest: ReadDocument; digest: string | undefined } | undefined> {
  const { flag } = run;
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
    let manifest: ReadDocument;
    try {
      manifest = await parseDocument(unpacked.read('/manifest.xml'));
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      flag(READING_PROBLEMS[error.code], { document, line: error.line, found: error.message });
      return undefined;
    }
    const found = checkDocument(manifest, { uri: document, expected: kind, up, now: run.now }, flag);
    if (found !== kind) return undefined;
    compareTimes(entry, manifest.head, 'package-time-differs', place, flag);
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
  for (const bitstream of entries) {
    const path = textOf(bitstream, 'path');
    const facts = makeListed(bitstream, document);
    if (path === undefined || facts === undefined) continue;
    const others = byPath.get(path);
    if (others === undefined) byPath.set(path, [facts]);
    else others.push(facts);
  }
  for (const [path, listed] of byPath) {
    if (!unpacked.paths.has(path)) {
      for (const { line, uri: entry } of listed)
        flag('bitstream-missing', { document, line, entry, expected: path });
      continue;
    }
    // However many entries name it, it is unpacked once.
    const digested = await digestBody(unpacked.read(path), [...new Set(listed.flatMap(algorithmsOf))]);
    for (const facts of listed) compareDigests(facts, digested, flag);
  }
  return new Set([...byPath.keys(), '/manifest.xml']);
}

/** The file of a package: as it lies in the folder, or fetched into one of ours that `remove` removes. */
async function obtainPackage({ origin }: Run, listed: ListedResource) {
  const opened = await origin.open(listed.uri, { encoding: listed.encoding, most: MOST_PACKAGE_BYTES });
  const wanted = toWanted(listed);
  const path = origin.pathOf(listed.uri);
  if (path !== undefined) {
    return { file: path, digested: await digestOpened(opened, wanted), remove: () => undefined };
  }
  const folder = makeTemporaryFolder();
  const file = join(folder.path, 'package.zip');
  try {
    return { file, digested: await saveOpened(file, opened, wanted), remove: folder.remove };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

async function saveOpened(file: string, opened: Opened | Absent, wanted: Wanted) {
  const write = <T>(step: () => T): T => {
    try {
      return step();
    } catch (error) {
      throw describeWriteFailure(error, file);
    }
  };
  const out = write(() => openSync(file, 'wx', 0o600));
  let written = 0;
  const save = (chunk: Buffer) => {
    written += chunk.length;
    // A coding may unpack to any number of bytes.
    if (written > MOST_PACKAGE_BYTES)
      throw new PackageError('package-excessive', `more than ${MOST_PACKAGE_BYTES} bytes`);
    for (let offset = 0; offset < chunk.length; ) offset += write(() => writeSync(out, chunk, offset));
  };
  try {
    return await digestOpened(opened, wanted, save);
  } finally {
    write(() => closeSync(out));
  }
}
