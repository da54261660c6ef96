/** Packages of dumps: fetched, verified, and open as long as something is wanted of them (§11, §13). */

import type { HeldFolder } from '../../paths/held/folder.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { momentOf, textOf } from '../../standard/rules/values.js';
import type { ReadDocument } from '../../standard/xml/as-read.js';
import { parseBody } from '../document.js';
import { findMismatch, toWanted } from '../listed.js';
import { isAbsent, type Origin } from '../origin/origin.js';
import { saveOpened } from '../origin/save.js';
import { type OpenPackage, openPackage, PackageError } from '../packages/unzip.js';
import type { Bounds } from '../web/bounds.js';
import type { Received } from '../web/pace.js';
import { type Entry, oldestOf, spellingOf } from './entry.js';
import { type DocumentReader, makeEntry, type ReadAnswer, readThrough, unreadable } from './reader.js';

/** None of ours is larger. */
const MOST_PACKAGE_BYTES = 4 * 1024 ** 3;

export type DumpKind = 'resource-dump' | 'change-dump';

/** A package, as its dump lists it. */
export interface ListedPackage {
  readonly kind: DumpKind;
  readonly entry: Entry;
  /** Milliseconds since 1970. */
  readonly from: number | undefined;
  readonly until: number | undefined;
}

/** A package that is here, and open. */
export interface HeldPackage {
  readonly manifest: ReadDocument;
  readonly bytes: OpenPackage;
  /** Its name among what is not whole yet. */
  readonly file: string;
}

export type Shelf = Readonly<ReturnType<typeof startShelf>>;

/** Reads which packages a dump has, in their order. */
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
      // Documents and packages are asked for, and signed, as they are listed.
      const entry = made && structuredClone({ ...made, uri: spellingOf(made) });
      if (entry === undefined) continue;
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

/** Where packages come from, and where they are kept. */
interface ShelfPlace {
  readonly origin: Origin;
  /** A folder that is gone after the run. */
  readonly scratch: HeldFolder;
  readonly bounds: Bounds;
  readonly received: Received;
}

/** Starts to keep packages. */
export function startShelf({ origin, scratch, bounds, received }: ShelfPlace) {
  const held = new Map<string, { readonly use: 'list' | 'bytes'; readonly opened: Promise<HeldPackage> }>();
  let count = 0;
  /** By their files. */
  const open = new Map<string, OpenPackage>();
  const discard = (file: string) => {
    open.get(file)?.close();
    open.delete(file);
    scratch.clear(file);
  };
  /** Fetches a package, and returns how many bytes it has. */
  const save = async (entry: Entry, file: string, judge: Origin['judge']): Promise<number> => {
    const { uri, encoding } = entry;
    const wanted = toWanted(entry);
    const digests = [...new Set([...wanted.digests, 'sha-256' as const])];
    const opened = await origin.open(uri, { encoding, most: MOST_PACKAGE_BYTES });
    const sought = judge === undefined ? wanted : { ...wanted, digests };
    const digested = await saveOpened(scratch, file, opened, sought, ({ length }) => received.take(length));
    if (isAbsent(digested)) throw unreadable(uri, digested.found);
    const problem = findMismatch(entry, digested);
    if (problem !== undefined) throw unreadable(uri, problem);
    judge?.(uri, digested.hex('sha-256') ?? '');
    return digested.length;
  };
  const fetchOne = async ({ kind, entry }: ListedPackage, judge: Origin['judge']): Promise<HeldPackage> => {
    const file = `package-${count++}.zip`;
    const length = await save(entry, file, judge);
    try {
      const bytes = await openPackage(scratch.at(file), length, bounds);
      open.set(file, bytes);
      const manifest = await parseBody(bytes.read('/manifest.xml'), undefined, entry.uri);
      if (isAbsent(manifest)) throw unreadable(entry.uri, manifest.found, manifest.mistake);
      if (kindOfDocument(manifest) !== `${kind}-manifest`) throw unreadable(entry.uri, 'it has no manifest');
      return { manifest, bytes, file };
    } catch (error) {
      throw error instanceof PackageError ? unreadable(entry.uri, error.message, error) : error;
    }
  };
  return {
    /**
     * @param use what it is wanted for: as the list of a set, its digest has to be right; of bytes that are each compared
     *   with a digest of their own, that is known without
     * @throws ResyncError `source-unreadable` where it cannot be had, or is not what its dump says
     */
    open(listed: ListedPackage, use: 'list' | 'bytes'): Promise<HeldPackage> {
      const { entry } = listed;
      const found = held.get(entry.uri);
      if (found !== undefined && (found.use === 'list' || use === 'bytes')) return found.opened;
      const opened =
        use === 'list'
          ? fetchOne(listed, origin.judge)
          : fetchOne({ ...listed, entry: { ...entry, hash: undefined } }, undefined);
      held.set(entry.uri, { use, opened });
      return opened;
    },
    /** Forgets a package of which nothing more is wanted: its manifest takes memory, and its bytes take disk. */
    async drop({ entry: { uri } }: ListedPackage): Promise<void> {
      const found = held.get(uri);
      held.delete(uri);
      if (found !== undefined) discard((await found.opened).file);
    },
    close(): void {
      for (const file of open.keys()) discard(file);
    },
  };
}
