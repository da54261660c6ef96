/** The documents of a Source, for a copy that can be served in its place: found by their links, and kept as they are. */

import { hash as digestText } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeInto } from '../../paths/held/own.js';
import {
  FEED,
  isForPeople,
  isOwnDocument,
  LEFT_OUT,
  PAGE,
  PARTIAL_REPLICA,
  PARTIAL_TEXT,
  pathOfOlder,
  pathOfSignature,
  scopeOfSums,
} from '../../paths/ours.js';
import { rootOfSource } from '../../paths/urls.js';
import { parseBody } from '../../source/document.js';
import { readRobots } from '../../source/find.js';
import { algorithmsOf, findMismatch, toFacts, toWanted } from '../../source/listed.js';
import { digestBody, isAbsent } from '../../source/origin/origin.js';
import { saveOpened } from '../../source/origin/save.js';
import { bytesOf, type Entry } from '../../source/sets/entry.js';
import { type DocumentReader, unreadable } from '../../source/sets/reader.js';
import type { Unread } from '../../source/sets/sets.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { isUrl } from '../../standard/model.js';
import { PATCH } from '../../standard/namespaces.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import { linksOf } from '../../standard/rules/values.js';
import type { ListedFacts, ReadDocument } from '../../standard/xml/as-read.js';
import { nameReady, openInCopy } from '../files/fetch.js';
import { startLooking } from '../files/place.js';
import type { Line, MirrorHead } from '../memory/format.js';
import { lastNumber } from '../memory/state.js';
import { startNames, startTakingPaths } from '../names/book.js';
import { pathOf } from '../names/path.js';
import type { FileTable } from '../plan/columns.js';
import { compareKept } from '../plan/digests.js';
import { listFilePaths } from '../plan/settle.js';
import { commit } from './carry.js';
import type { Session } from './work.js';

/** Lead to copies of manifests, versions and their lists, and patches (§11.1, §14.4, §14.6). */
const TO_LEAVES: ReadonlySet<string | undefined> = new Set(['contents', 'memento', 'timemap', PATCH]);
/** A Source that makes up documents as they are asked for has no end. */
const MOST_DOCUMENTS = 20_000;
const NO_FACTS: ListedFacts = { hash: undefined, length: undefined, type: undefined, encoding: undefined };

/** A file of the builder that has been met. */
interface Met {
  readonly uri: string;
  /** Whether nothing follows from what is in it. */
  readonly isLeaf: boolean;
  /** Whether it may be there without a signature, where the Source is signed: then it is left out. */
  readonly isGuessed: boolean;
}

export interface DocumentSearch {
  readonly files: FileTable;
  readonly unread: Unread[];
  readonly signed: readonly string[];
}

/** Whether it is sums, or their signature. */
function signsOthers(uri: string): boolean {
  return scopeOfSums(uri.replace(/\.sig$/, '')) !== undefined;
}

/**
 * Reads all documents below the root of a Source, from the one with which it begins. Those of which no digest is listed are
 * fetched into the folder of what is ready.
 *
 * @param files as they are known
 * @param unread takes what cannot be read now
 * @param signed URLs of documents that are there whether anything links to them or not
 * @returns what there is, with a digest each; what leads to others comes after them
 */
export async function collectDocuments(
  session: Session,
  beginning: string,
  { keep }: Pick<DocumentReader, 'keep'>,
  { files, unread, signed }: DocumentSearch,
): Promise<readonly Entry[]> {
  const { config, origin, scratch, ready, received, observe } = session;
  const root = rootOfSource(config.source);
  const isWhole = config.documents === 'all';
  /** Undefined where there is nothing. */
  const met = new Map<string, Entry | undefined>();
  let next: Met[] = [];
  /** Files that were fetched, and documents that were read. */
  let [count, reads] = [0, 0];

  function add(
    uri: string | undefined,
    isLeaf: boolean,
    facts: Omit<ListedFacts, 'type'> = NO_FACTS,
    isGuessed = false,
  ): void {
    if (uri === undefined || !uri.startsWith(root) || !isUrl(uri) || met.has(uri)) return;
    const { hash, length, encoding } = facts;
    // Its place is that of its path, whatever type it is said to be of.
    const entry = { uri, hash, length, encoding, type: undefined };
    keep(2 * bytesOf(entry));
    met.set(uri, entry);
    next.push({ uri, isLeaf, isGuessed });
  }

  function addLinked(read: ReadDocument): void {
    const kind = kindOfDocument(read);
    const isList = read.root === 'urlset' && /^(?:resource|change)-list$/.test(kind ?? 'resource-list');
    if (isWhole) for (const uri of linksOf(read.head, 'archives')) add(uri, false);
    for (const uri of linksOf(read.head, 'describedby'))
      if (isForPeople(pathOf(uri, root, undefined))) add(uri, true);
    for (const sums of linksOf(read.head, 'related')) {
      if (!sums.startsWith(root) || !isOwnDocument(sums.slice(root.length))) continue;
      for (const uri of [sums, pathOfSignature(sums)]) add(uri, true);
    }
    for (const entry of read.entries) {
      const isPackage = kind === 'resource-dump' || kind === 'change-dump';
      const isLeft = !isWhole && LEFT_OUT.test(entry.md?.attributes.capability ?? '');
      if (!isList && !isLeft) add(entry.loc, isPackage, toFacts(entry));
      if (!isWhole) continue;
      for (const { attributes } of entry.links) {
        const { rel, href, hash, length } = attributes;
        if (TO_LEAVES.has(rel)) add(href, true, { hash, length, encoding: undefined });
      }
    }
  }

  /** Opens what the folder or the Source has; undefined where there is nothing to be read. */
  async function open({ uri, isLeaf, isGuessed }: Met): Promise<number | undefined> {
    const entry = met.get(uri) ?? { ...NO_FACTS, uri };
    const isListed = algorithmsOf(entry).length > 0;
    // What is not there yet is fetched with all else.
    if (isLeaf && isListed) return undefined;
    const kept = files.get(uri);
    if (isListed && kept !== undefined && compareKept(entry, kept) === 'same') {
      const standing = startLooking(config.folder)(kept.path);
      if (standing.kind === 'file' && standing.length === kept.length) return openInCopy(config, kept.path);
    }
    const file = `document-${count++}`;
    const opened = await origin.open(uri, {
      fresh: true,
      encoding: entry.encoding,
      ...(!isLeaf && { most: READ_LIMITS.bytes }),
    });
    if (isAbsent(opened) && opened.failure === 'missing') {
      met.set(uri, undefined);
      return undefined;
    }
    const digests = [...new Set([...algorithmsOf(entry), 'sha-256' as const])];
    const wanted = { ...toWanted(entry), digests, length: undefined };
    const digested = await saveOpened(scratch, file, opened, wanted, ({ length }) => received.take(length));
    const problem = isAbsent(digested) ? digested.found : findMismatch(entry, digested);
    if (problem !== undefined || isAbsent(digested)) {
      met.set(uri, undefined);
      unread.push({ uri, error: unreadable(uri, problem ?? '', new Error(problem)) });
      return undefined;
    }
    const digest = digested.hex('sha-256') ?? '';
    // What a document lists is as true as that document.
    if (!isListed && !signsOthers(uri) && origin.judge?.(uri, digest, isGuessed) === false) {
      met.set(uri, undefined);
      return undefined;
    }
    const found = { ...entry, hash: `sha-256:${digest}`, length: `${digested.length}` };
    met.set(uri, found);
    received.countFile();
    const name = nameReady({ entry: found });
    scratch.move(file, ready, name);
    return isLeaf ? undefined : ready.open(name);
  }

  async function walk(): Promise<void> {
    while (next.length > 0) {
      const level = next;
      next = [];
      const read: (ReadDocument | undefined)[] = [];
      await workSideBySide(level.entries(), config.http.connections, async ([index, one]) => {
        const file = await open(one);
        if (file === undefined) return;
        if (++reads > MOST_DOCUMENTS)
          throw unreadable(one.uri, `there are more than ${MOST_DOCUMENTS} documents`);
        const parsed = await parseBody(createReadStream('', { fd: file }) as AsyncIterable<Buffer>);
        if (isAbsent(parsed))
          unread.push({ uri: one.uri, error: unreadable(one.uri, parsed.found, new Error(parsed.found)) });
        else read[index] = parsed;
      });
      observe({ stage: 'documents', done: met.size });
      // The same in every run, whatever came first.
      for (const one of read) if (one !== undefined) addLinked(one);
    }
  }

  /** What is left out, the copy says itself: no Source says it. */
  async function addMark(): Promise<void> {
    const uri = root + PARTIAL_REPLICA;
    const bytes = Buffer.from(PARTIAL_TEXT);
    const hash = `sha-256:${digestText('sha256', bytes)}`;
    const found = { ...NO_FACTS, uri, hash, length: `${bytes.length}` };
    met.set(uri, found);
    await writeInto(ready, nameReady({ entry: found }), async (write) => write(bytes));
  }

  add(beginning, false);
  await walk();
  for (const sitemap of await readRobots(origin, `${root}robots.txt`)) add(sitemap, false, NO_FACTS, true);
  add(root + FEED, true, NO_FACTS, true);
  await walk();
  for (const whole of [PAGE, FEED] as const) {
    const isThere = (path: string) => met.get(root + path) !== undefined;
    let [isMore, index] = [isThere(whole) || isThere(whole.replace(/index\.html$/, '')), 0];
    while (isMore) {
      const older = pathOfOlder(whole, index++);
      add(root + older, true, NO_FACTS, true);
      await walk();
      isMore = isThere(older);
    }
  }
  // A page may answer to the name of its folder alone.
  for (const name of [/$/, /(?<=\/)index\.html$/]) {
    const there = [...met.values()].flatMap((entry) =>
      entry === undefined ? [] : pathOf(entry.uri, root, undefined),
    );
    const paths = new Set(there);
    for (const uri of signed) {
      const path = pathOf(uri, root, undefined);
      if (!paths.has(path) && (isWhole || isForPeople(path)))
        add(uri.replace(name, ''), true, NO_FACTS, true);
    }
    await walk();
  }
  if (!isWhole) await addMark();
  return [...met.values()].flatMap((entry) => entry ?? []).reverse();
}

/**
 * Moves files of resources away from where documents belong.
 *
 * @returns the session as it goes on, and the URLs of those that have another name now
 */
export async function makeRoom(
  session: Session,
  files: FileTable,
  documents: readonly Entry[],
): Promise<{ readonly session: Session; readonly displaced: readonly string[] }> {
  const { config, ready, memory, head } = session;
  const base = rootOfSource(config.source);
  const own = documents.flatMap(({ uri }) =>
    files.find(uri) === undefined ? pathOf(uri, base, undefined) : [],
  );
  const places = startTakingPaths(own);
  const all = own.length === 0 ? [] : [...files];
  const inTheWay = all.filter(
    ([uri, { path }]) => !places.isFree(path) && !documents.some((one) => one.uri === uri),
  );
  if (inTheWay.length === 0 || head === undefined || config.dryRun) return { session, displaced: [] };
  const names = startNames(base, [...own, ...listFilePaths(files)]);
  const lines: Line[] = [];
  for (const [uri, { path }] of inTheWay) lines.push({ kind: 'gone', uri, path, isTaken: false });
  for (const [uri, kept] of inTheWay) {
    // What is not there any more is fetched.
    if (startLooking(config.folder)(kept.path).kind !== 'file') continue;
    const path = names.name(uri, undefined);
    const staged = nameReady({ entry: { ...NO_FACTS, uri, hash: kept.hash, length: path } });
    await writeInto(ready, staged, (write) =>
      digestBody(
        createReadStream('', { fd: openInCopy(config, kept.path) }) as AsyncIterable<Buffer>,
        [],
        undefined,
        write,
      ),
    );
    lines.push({ kind: 'file', uri, kept: { ...kept, path }, staged, change: 'created' });
  }
  const next: MirrorHead = { ...head, number: lastNumber(memory) + 1, whole: false };
  const moved = await commit(session, files, { head: next, lines }, { isHeld: true, isFirst: true });
  return { session: { ...session, head: moved, remembered: moved }, displaced: inTheWay.map(([uri]) => uri) };
}
