/** Fetches and verifies the packages of dumps, and keeps them open while they are needed (§11, §13). */

import type { HeldFolder } from '../../paths/held/folder.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { momentOf, textOf } from '../../standard/rules/values.js';
import type { ListedFacts, ReadDocument } from '../../standard/xml/as-read.js';
import { parseBody } from '../document.js';
import { findMismatch, toFacts, toWanted } from '../listed.js';
import { hexOf, isAbsent, type Origin } from '../origin/origin.js';
import { saveOpened } from '../origin/save.js';
import { type OpenPackage, openPackage, PackageError } from '../packages/unzip.js';
import type { Bounds } from '../web/bounds.js';
import type { DownloadCounter } from '../web/pace.js';
import { oldestOf, spellingOf } from './entry.js';
import { type DocumentReader, makeEntry, type ReadAnswer, readThrough, unreadable } from './reader.js';

/** Limit of a package in bytes: the size of the largest that we write. */
const MOST_PACKAGE_BYTES = 4 * 1024 ** 3;

export type DumpKind = 'resource-dump' | 'change-dump';

interface PackageEntry extends ListedFacts {
  /** URL as listed: documents and packages are requested by it, and signatures name them by it. */
  readonly uri: string;
}

export interface ListedPackage {
  readonly kind: DumpKind;
  readonly entry: PackageEntry;
  /** Beginning and end of the interval of the package, in milliseconds since 1970. */
  readonly from: number | undefined;
  readonly until: number | undefined;
}

export interface HeldPackage {
  readonly manifest: ReadDocument;
  readonly bytes: OpenPackage;
  /** Name of the package in the scratch folder. */
  readonly file: string;
}

export async function readDump(
  reader: DocumentReader,
  uris: readonly string[],
  kind: DumpKind,
  telling: boolean,
): Promise<{ packages: ListedPackage[]; at: number | undefined }> {
  const packages: ListedPackage[] = [];
  const times: (number | undefined)[] = [];
  const add = ({ entries, document: { uri } }: ReadAnswer) => {
    reader.keepAddresses(entries);
    for (const one of entries) {
      const made = makeEntry(one);
      const type = textOf(one, 'type');
      if (made === undefined) continue;
      const entry = structuredClone({ uri: spellingOf(made), ...toFacts(one) });
      if (type !== undefined && type !== 'application/zip')
        reader.skip({ document: uri, line: one.line, found: `${entry.uri} is no ZIP file, but ${type}` });
      else packages.push({ kind, entry, from: momentOf(one, 'from'), until: momentOf(one, 'until') });
    }
  };
  for (const uri of uris) {
    const { head } = await readThrough(reader, uri, (one) => reader.read(one, { kind, telling }), add);
    times.push(momentOf(head, 'at'));
  }
  return { packages, at: oldestOf(times) };
}

interface PackagePlaces {
  readonly origin: Origin;
  /** Folder for packages, which is removed after the run. */
  readonly scratch: HeldFolder;
  readonly bounds: Bounds;
  readonly received: DownloadCounter;
}

/** The use of a package: a `list` must have the listed digest; of `bytes`, each file is compared with its own digest. */
type PackageUse = 'list' | 'bytes';

/** The packages that a run has fetched, each open until it is dropped. */
export class PackageStore {
  readonly #places: PackagePlaces;
  readonly #fetched = new Map<string, { readonly use: PackageUse; readonly opened: Promise<HeldPackage> }>();
  readonly #open = new Map<string, OpenPackage>();
  #count = 0;

  constructor(places: PackagePlaces) {
    this.#places = places;
  }

  /** Fetches a package, and opens it. @throws ResyncError `source-unreadable` if that fails, or if it is not as its dump says */
  open(listed: ListedPackage, use: PackageUse): Promise<HeldPackage> {
    const { entry } = listed;
    const found = this.#fetched.get(entry.uri);
    if (found !== undefined && (found.use === 'list' || use === 'bytes')) return found.opened;
    const opened =
      use === 'list'
        ? this.#fetch(listed, this.#places.origin.judge)
        : this.#fetch({ ...listed, entry: { ...entry, hash: undefined } }, undefined);
    this.#fetched.set(entry.uri, { use, opened });
    return opened;
  }

  /** Removes a package that is not needed any more: its manifest takes memory, and its bytes take disk space. */
  async drop({ entry: { uri } }: ListedPackage): Promise<void> {
    const found = this.#fetched.get(uri);
    this.#fetched.delete(uri);
    if (found !== undefined) this.#remove((await found.opened).file);
  }

  close(): void {
    for (const file of this.#open.keys()) this.#remove(file);
  }

  #remove(file: string): void {
    this.#open.get(file)?.close();
    this.#open.delete(file);
    this.#places.scratch.clear(file);
  }

  async #fetch({ kind, entry }: ListedPackage, judge: Origin['judge']): Promise<HeldPackage> {
    const { scratch, bounds } = this.#places;
    const file = `package-${this.#count++}.zip`;
    const length = await this.#save(entry, file, judge);
    try {
      const bytes = await openPackage(scratch.at(file), length, bounds);
      this.#open.set(file, bytes);
      const manifest = await parseBody(bytes.read('/manifest.xml'), undefined, entry.uri);
      if (isAbsent(manifest)) throw unreadable(entry.uri, manifest.found, manifest.mistake);
      if (kindOfDocument(manifest) !== `${kind}-manifest`) throw unreadable(entry.uri, 'it has no manifest');
      return { manifest, bytes, file };
    } catch (error) {
      throw error instanceof PackageError ? unreadable(entry.uri, error.message, error) : error;
    }
  }

  async #save(entry: PackageEntry, file: string, judge: Origin['judge']): Promise<number> {
    const { origin, scratch, received } = this.#places;
    const { uri, encoding } = entry;
    const wanted = toWanted(entry);
    const digests = [...new Set([...wanted.digests, 'sha-256' as const])];
    const opened = await origin.open(uri, { encoding, most: MOST_PACKAGE_BYTES });
    const sought = judge === undefined ? wanted : { ...wanted, digests };
    const digested = await saveOpened(scratch, file, opened, sought, () => ({ length }) => {
      received.take(length);
    });
    if (isAbsent(digested)) throw unreadable(uri, digested.found);
    const problem = findMismatch(entry, digested);
    if (problem !== undefined) throw unreadable(uri, problem);
    judge?.(uri, hexOf(digested, 'sha-256'));
    return digested.length;
  }
}
