/** Checks the packages of dumps against their manifests and the lists (§11, §13). */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { groupBy } from '../../base/group.js';
import { say } from '../../base/text/say.js';
import { type Address, addressOf } from '../../paths/address.js';
import { holdFolder } from '../../paths/held/folder.js';
import { explainWriteFailure } from '../../paths/hold/failure.js';
import { digestDocument, toFinding } from '../../source/document.js';
import { copyText, type ListedResource, makeListed, toWanted } from '../../source/listed.js';
import {
  type Absent,
  type Digested,
  digestBody,
  digestOpened,
  isAbsent,
  type Take,
} from '../../source/origin/origin.js';
import { saveOpened } from '../../source/origin/save.js';
import { makeTemporaryFolder } from '../../source/packages/temporary.js';
import { type OpenPackage, openPackage, PackageError } from '../../source/packages/unzip.js';
import { checkDocument } from '../../source/rules/document.js';
import { algorithmsOf } from '../../standard/model.js';
import type { StandardKind } from '../../standard/rules/kinds.js';
import { linksOf, textOf, timeOf } from '../../standard/rules/values.js';
import type { ReadDocument, ReadEntry } from '../../standard/xml/as-read.js';
import { choose, compareAnswer, flagDifference } from '../bytes/bytes.js';
import type { Reading, Run } from '../picture.js';
import { auditDocument, compareTimes, type FoundDocument, flagAbsent, URI_BYTES } from '../read.js';

/** Checks the packages of a dump, or a sample of them; returns true if the manifest of each package was compared. */
export async function auditPackages(
  reading: Reading,
  dump: FoundDocument,
  compare: (document: string, manifest: ReadDocument) => void,
): Promise<boolean> {
  const { uri: document, up } = dump;
  const { entries } = dump.read;
  const { run, packageUris, digests } = reading;
  const chosen = new Set(
    choose(run.config, entries, (entry) => timeOf(entry, 'until') ?? timeOf(entry, 'at')),
  );
  const here = new Set<Address>();
  let listed = 0;
  let complete = true;
  for (const entry of entries) {
    const { loc: uri, line } = entry;
    if (uri === undefined) continue;
    const address = addressOf(uri);
    // Repeated entries are reported by `checkDocument`.
    if (here.has(address)) continue;
    here.add(address);
    const isKnown = packageUris.has(address);
    if (!isKnown) {
      listed++;
      run.bounds.keep(URI_BYTES + uri.length);
      packageUris.add(copyText(address));
    }
    const copies = linksOf(entry, 'contents');
    const type = textOf(entry, 'type');
    let manifest: ReadDocument | undefined;
    let digest: string | undefined;
    let isCompared = false;
    if (type !== undefined && type !== 'application/zip') {
      run.flag('package-not-zip', { document, line, entry: uri, found: type });
    } else if (!isKnown && chosen.has(entry)) {
      // A package that another dump led to is read once, and not compared with the lists of this dump.
      run.counts.asked.packages++;
      const found = await auditPackage(run, dump, entry as LocatedPackage);
      [manifest, digest] = [found?.manifest, found?.digest];
      isCompared = manifest !== undefined;
      if (manifest !== undefined) compare(`${uri}#manifest.xml`, manifest);
    }
    for (const copy of copies) {
      const found = await auditDocument(reading, { uri: copy, expected: manifestOf(dump), up });
      if (found === undefined) continue;
      if (manifest === undefined && !chosen.has(entry)) {
        isCompared = true;
        compare(copy, found.read);
      }
      // §11.1, §13.1: the copy must match the manifest in the package.
      if (digest !== undefined && digests.get(addressOf(copy)) !== digest)
        run.flag('manifest-differs', { document, line, entry: copy, expected: `${uri}#manifest.xml` });
    }
    complete &&= isCompared;
  }
  run.counts.packages.listed += listed;
  return complete;
}

/** Checks one package: its own bytes, its manifest and its files. */
async function auditPackage(run: Run, dump: FoundDocument, entry: LocatedPackage) {
  const { uri: document } = dump;
  const { loc: uri, line } = entry;
  const { flag } = run;
  const place = { document, line, entry: uri };
  const listed = makeListed(entry, document) as ListedResource;
  try {
    return await withPackage(run, listed, async (file, digested) => {
      if (isAbsent(digested)) {
        flagAbsent(digested, 'package-missing', place, run);
        return undefined;
      }
      compareAnswer(listed, digested, flag);
      const { packages } = run.counts;
      packages.checked++;
      packages.bytes += digested.length;
      run.observe({ stage: 'packages', done: packages.checked });
      return digested.more ? undefined : await auditContents(run, dump, entry, file);
    });
  } catch (error) {
    if (!(error instanceof PackageError)) throw error;
    flag(error.code, { ...place, found: error.message });
    return undefined;
  }
}

/** Limit of bytes of a package that is read: it must fit into the temporary folder. Packages of ours are not larger. */
const MOST_PACKAGE_BYTES = 4 * 1024 ** 3;

const REMEDY = say`Packages are fetched into a temporary folder. Make room there, set TMPDIR to another one, or leave packages out with --sample.`;

/** Calls `use` with the file of a package: that in the folder, or a temporary copy from the web, which is removed afterwards. */
async function withPackage<T>(
  { origin, folder }: Run,
  listed: ListedResource,
  use: (file: string, digested: Digested | Absent) => Promise<T>,
): Promise<T> {
  const wanted = toWanted(listed);
  const opened = await origin.open(wanted.uri, { encoding: listed.encoding, most: MOST_PACKAGE_BYTES });
  const path = folder?.pathOf(wanted.uri);
  if (path !== undefined) return use(path, await digestOpened(opened, wanted));
  const temporary = makeTemporaryFolder(REMEDY);
  const file = join(temporary.path, 'package.zip');
  const held = holdFolder(temporary.path);
  try {
    const digested = await saveOpened(held, 'package.zip', opened, wanted, limitBytes).catch((error) => {
      throw explainWriteFailure(file, error, REMEDY);
    });
    return await use(file, digested);
  } finally {
    held.close();
    temporary.remove();
  }
}

/** Makes a receiver that throws a PackageError for more bytes than a package may have. */
function limitBytes(): Take {
  let written = 0;
  return (piece) => {
    written += piece.length;
    if (written > MOST_PACKAGE_BYTES)
      throw new PackageError('package-excessive', `more than ${MOST_PACKAGE_BYTES} bytes`);
  };
}

function manifestOf({ kind }: FoundDocument): StandardKind {
  return kind.startsWith('resource-') ? 'resource-dump-manifest' : 'change-dump-manifest';
}

type LocatedPackage = ReadEntry & { readonly loc: string };

/** Compares a package with its manifest, and that with the dump; undefined without a readable manifest. @throws PackageError */
async function auditContents(run: Run, dump: FoundDocument, entry: LocatedPackage, file: string) {
  const { flag } = run;
  const { uri, up } = dump;
  const kind = manifestOf(dump);
  const place = { document: uri, line: entry.line, entry: entry.loc };
  const unpacked = await openPackage(file, statSync(file).size, run.bounds);
  try {
    for (const found of unpacked.unsafe) flag('package-unsafe', { ...place, found });
    if (!unpacked.paths.has('/manifest.xml')) {
      flag('manifest-missing', { ...place, expected: 'manifest.xml at the top' });
      return undefined;
    }
    const document = `${place.entry}#manifest.xml`;
    const { read: manifest, digest } = await digestDocument({ body: unpacked.read('/manifest.xml') });
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

/** Compares the files of a package with its manifest; returns the paths that the manifest allows. */
async function compareBitstreams(
  { flag }: Run,
  manifest: ReadDocument,
  document: string,
  unpacked: OpenPackage,
): Promise<ReadonlySet<string>> {
  const byPath = groupBy(listBitstreams(manifest, document), ({ path }) => path);
  for (const [path, listed] of byPath) {
    if (!unpacked.paths.has(path)) {
      for (const { line, uri: entry } of listed)
        flag('bitstream-missing', { document, line, entry, expected: path });
      continue;
    }
    // A file is unpacked once, however many entries name it.
    const digested = await digestBody(unpacked.read(path), [...new Set(listed.flatMap(algorithmsOf))]);
    for (const one of listed)
      flagDifference(one, digested, { document, line: one.line, entry: one.uri }, flag);
  }
  return new Set([...byPath.keys(), '/manifest.xml']);
}

function* listBitstreams({ entries }: ReadDocument, document: string) {
  for (const entry of entries) {
    const listed = makeListed(entry, document);
    if (listed !== undefined) yield { ...listed, path: textOf(entry, 'path') };
    // §14.4: a patch that an entry links to is in the package, too.
    for (const { line, attributes } of entry.links) {
      const { path, href: uri = '', modified: lastmod, hash, length, type, encoding } = attributes;
      yield { path, uri, document, line, lastmod, hash, length, type, encoding };
    }
  }
}
