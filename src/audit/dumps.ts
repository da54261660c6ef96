/** The packages of dumps, and whether they hold what their manifests and the lists say (§11, §13). */

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ParseError, parseDocument, type ReadDocument, type ReadEntry } from '../resourcesync/parse.js';
import { algorithmsOf, choose, compareBytes, compareDigests, toWanted } from './bytes.js';
import type { Finding } from './checks.js';
import { digestBody, digestOpened, isAbsent } from './origin.js';
import { checkDocument, linksOf, textOf, timeOf } from './rules.js';
import { compareTimes, READING_PROBLEMS, type Run, readDocument, tellAbsent } from './run.js';
import { type ListedResource, makeListed } from './uniformity.js';
import { openPackage, PackageError } from './unpack.js';

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
  let complete = true;
  for (const entry of entries) {
    const { loc: uri, line } = entry;
    if (uri === undefined) continue;
    run.packageUris.add(uri);
    const copies = linksOf(entry, 'contents');
    const type = textOf(entry, 'type');
    let manifest: ReadDocument | undefined;
    let digest: string | undefined;
    if (type !== undefined && type !== 'application/zip') {
      run.tell('package-not-zip', { document, line, entry: uri, found: type });
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
      const opened = await run.origin.open(copy);
      if (isAbsent(opened)) continue;
      const own = (await digestBody(opened.body, ['sha-256'])).hex('sha-256');
      // §11.1, §13.1: the copy has to match.
      if (own !== digest)
        run.tell('manifest-differs', { document, line, entry: copy, expected: `${uri}#manifest.xml` });
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
  const { tell } = run;
  const place = { document, line, entry: uri };
  const listed = makeListed(entry, document) as ListedResource;
  const { file, digested, remove } = await fetchPackage(run, listed);
  try {
    if (isAbsent(digested)) {
      tellAbsent(digested, 'package-missing', place, tell);
      return undefined;
    }
    compareBytes(listed, digested, tell);
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
    tell(error.code, { ...place, found: error.message });
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
  const { tell } = run;
  const unpacked = await openPackage(file, statSync(file).size);
  try {
    for (const found of unpacked.unsafe) tell('package-unsafe', { ...place, found });
    if (!unpacked.paths.has('/manifest.xml')) {
      tell('manifest-missing', { ...place, expected: 'manifest.xml at the top' });
      return undefined;
    }
    const document = `${place.entry}#manifest.xml`;
    const digest = (await digestBody(unpacked.read('/manifest.xml'), ['sha-256'])).hex('sha-256');
    let manifest: ReadDocument;
    try {
      manifest = await parseDocument(unpacked.read('/manifest.xml'));
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      tell(READING_PROBLEMS[error.code], { document, line: error.line, found: error.message });
      return undefined;
    }
    const found = checkDocument(manifest, { uri: document, expected: kind, up, now: run.now }, tell);
    if (found !== kind) return undefined;
    compareTimes(entry, manifest.head, 'package-time-differs', place, tell);
    const named = new Set(['/manifest.xml']);
    for (const bitstream of manifest.entries) {
      const path = textOf(bitstream, 'path');
      if (path === undefined || bitstream.loc === undefined) continue;
      named.add(path);
      const where = { document, line: bitstream.line, entry: bitstream.loc };
      if (!unpacked.paths.has(path)) {
        tell('bitstream-missing', { ...where, expected: path });
        continue;
      }
      const facts = makeListed(bitstream, document) as ListedResource;
      const digested = await digestBody(unpacked.read(path), algorithmsOf(facts));
      compareDigests(facts, digested, tell);
    }
    for (const path of unpacked.paths)
      if (!named.has(path)) tell('bitstream-unlisted', { ...place, found: path });
    return { manifest, digest };
  } finally {
    unpacked.close();
  }
}

/** The file of a package: as it lies in the folder, or fetched into one of ours that `remove` removes. */
async function fetchPackage({ origin }: Run, listed: ListedResource) {
  const opened = await origin.open(listed.uri, listed.encoding);
  const wanted = toWanted(listed);
  const path = origin.pathOf(listed.uri);
  if (path !== undefined) {
    return { file: path, digested: await digestOpened(opened, wanted), remove: () => undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'resync-static-audit-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const file = join(folder, 'package.zip');
  const out = openSync(file, 'wx');
  try {
    return { file, digested: await digestOpened(opened, wanted, (chunk) => writeSync(out, chunk)), remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    closeSync(out);
  }
}
