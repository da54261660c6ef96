/** Fetches the documents that the `SHA256SUMS` of a Source names, for a copy that can be served in place of the Source. */

import { createReadStream } from 'node:fs';
import { ResyncError } from '../../base/errors.js';
import { say } from '../../base/text/say.js';
import { isUrl } from '../../base/url.js';
import { addressOf } from '../../paths/address.js';
import { SOURCE_DESCRIPTION } from '../../paths/ours.js';
import { rootOfSource } from '../../paths/urls.js';
import { parseBody } from '../../source/document.js';
import { spellAddress, toFacts, toWanted } from '../../source/listed.js';
import { type Absent, isAbsent, type Opened, type Origin } from '../../source/origin/origin.js';
import { saveOpened } from '../../source/origin/save.js';
import { bytesOf, type Entry } from '../../source/sets/entry.js';
import { type DocumentReader, unreadable } from '../../source/sets/reader.js';
import type { Unread } from '../../source/sets/sets.js';
import type { Proof } from '../../source/sets/signed.js';
import type { NamedDocument } from '../../source/sums.js';
import { workSideBySide } from '../../source/web/side-by-side.js';
import { READ_LIMITS } from '../../standard/limits.js';
import { algorithmsOf } from '../../standard/model.js';
import { kindOfDocument } from '../../standard/rules/kinds.js';
import type { ListedFacts, ReadDocument } from '../../standard/xml/as-read.js';
import { nameReady, openInCopy } from '../files/fetch.js';
import { lookAt } from '../files/place.js';
import { pathOf } from '../names/path.js';
import { TakenPaths } from '../names/taken.js';
import type { FileTable } from '../plan/columns.js';
import { compareKept } from '../plan/digests.js';
import { isDocument } from '../plan/model.js';
import type { ResolvedMirror } from '../resolved.js';
import type { Session } from './session.js';

const NO_FACTS: ListedFacts = { hash: undefined, length: undefined, type: undefined, encoding: undefined };

export interface DocumentSearch {
  readonly files: FileTable;
  readonly unread: Unread[];
}

/**
 * Fetches the documents of the sums into the `ready` folder, unless the copy has them. Packages and versions come later.
 * @param unread gets documents that cannot be fetched now
 * @returns packages and versions with a checksum, then documents, leaves first @throws Unproven if one differs from the sums
 */
export async function collectDocuments(
  session: Session,
  sums: Pick<Proof, 'documents' | 'judge'>,
  reader: Pick<DocumentReader, 'keep'>,
  { files, unread }: DocumentSearch,
): Promise<readonly Entry[]> {
  const { config, observe } = session;
  const root = addressOf(rootOfSource(config.source));
  const named = sums.documents().filter(({ uri }) => addressOf(uri).startsWith(root));
  const own = named.sort((a, b) => rankOf(a.uri) - rankOf(b.uri));
  /** Documents in the order of `own`; undefined for a document that cannot be fetched now. */
  const documents: (Entry | undefined)[] = [];
  const listed: (readonly Entry[])[] = [];
  let done = 0;
  await workSideBySide(own.entries(), config.http.connections, async ([place, { uri, sha256 }]) => {
    const skip = ({ found }: Absent) => {
      unread.push({ uri, error: unreadable(uri, found, new Error(found)) });
    };
    const entry: Entry = { ...NO_FACTS, ...spellAddress(uri), hash: `sha-256:${sha256}` };
    reader.keep(2 * bytesOf(entry));
    const document =
      openSaved(config, files, entry) ??
      (await fetchDocument(session, sums, { uri, sha256 }, entry, `document-${place}`));
    if (isAbsent(document)) {
      skip(document);
      return;
    }
    documents[place] = document.entry;
    const body = createReadStream('', { fd: document.descriptor });
    if (!uri.endsWith('.xml')) body.destroy();
    else {
      const read = await parseBody(body as AsyncIterable<Buffer>);
      if (isAbsent(read)) skip(read);
      else listed[place] = listChecked(read, root);
    }
    observe({ stage: 'documents', done: ++done });
  });
  const seen = new Set(own.map(({ uri }) => addressOf(uri)));
  const others = listed.flat().filter((entry) => {
    const isNew = !seen.has(entry.uri);
    seen.add(entry.uri);
    if (isNew) reader.keep(2 * bytesOf(entry));
    return isNew;
  });
  return [...others, ...documents.filter((entry) => entry !== undefined)];
}

interface OpenDocument {
  readonly entry: Entry;
  readonly descriptor: number;
}

/** Opens a document in the copy; returns undefined if the copy lacks that version. */
function openSaved(config: ResolvedMirror, files: FileTable, entry: Entry): OpenDocument | undefined {
  const kept = files.get(entry.uri);
  if (kept === undefined || compareKept(entry, kept) !== 'same') return undefined;
  const occupant = lookAt(config.folder, kept.path);
  if (occupant.kind !== 'file' || occupant.length !== kept.length) return undefined;
  return { entry, descriptor: openInCopy(config, kept.path) };
}

/** Fetches a document into the `ready` folder. @param file name in the scratch folder */
async function fetchDocument(
  { web, store }: Session,
  sums: Pick<Proof, 'judge'>,
  { uri, sha256 }: NamedDocument,
  entry: Entry,
  file: string,
): Promise<OpenDocument | Absent> {
  const { scratch, ready } = store;
  const opened = await openAny(web.origin, uri);
  const wanted = { ...toWanted(entry), digests: ['sha-256'] as const, length: undefined };
  const digested = await saveOpened(scratch, file, opened, wanted, () => ({ length }) => {
    web.received.take(length);
  });
  if (isAbsent(digested)) return digested;
  const digest = digested.hex('sha-256') as string;
  if (digest !== sha256) sums.judge(uri, digest);
  const found = { ...entry, length: `${digested.length}` };
  web.received.countFile();
  const name = nameReady({ entry: found });
  scratch.move(file, ready, name);
  return { entry: found, descriptor: ready.open(name) };
}

/** Returns the rank of a document in the order of moves: lists and dumps, Capability Lists, Source Description; others come first. */
function rankOf(uri: string): number {
  const rank = [/\/(?:change|resource)(?:list|dump)(?:-archive)?\.xml$/, /\/capabilitylist\.xml$/];
  if (uri.endsWith(`/${SOURCE_DESCRIPTION}`)) return rank.length + 1;
  return rank.findIndex((name) => name.test(uri)) + 1;
}

/** Opens a document at its URL or, if it is missing there, without `index.html` or `.html`, as some hosts serve pages. */
async function openAny(origin: Origin, uri: string): Promise<Opened | Absent> {
  const options = { fresh: true, ...(uri.endsWith('.xml') && { most: READ_LIMITS.bytes }) };
  const plain = await origin.open(uri, options);
  const served = uri.replace(/(?<=\/)index\.html$|\.html$/, '');
  return isAbsent(plain) && plain.failure === 'missing' && served !== uri
    ? origin.open(served, options)
    : plain;
}

/** Returns the packages and versions that a document lists with a checksum (§11, §14.6). */
function listChecked(read: ReadDocument, root: string): Entry[] {
  const kind = kindOfDocument(read);
  const isDump = kind === 'resource-dump' || kind === 'change-dump';
  const found = read.entries.flatMap(({ loc, md, links }) => [
    ...(isDump && loc !== undefined ? [{ uri: loc, md }] : []),
    ...links.flatMap((link) => {
      const { rel, href } = link.attributes;
      return rel === 'memento' && href !== undefined ? [{ uri: href, md: link }] : [];
    }),
  ]);
  return (
    found
      // Without a type, the path of an entry in the copy depends on the URL alone.
      .map(({ uri, md }): Entry => ({ ...toFacts({ md }), ...spellAddress(uri), type: undefined }))
      .filter((entry) => entry.uri.startsWith(root) && isUrl(entry.uri) && algorithmsOf(entry).length > 0)
  );
}

/** Refuses a copy in which the file of a resource has the path of a new document. @throws ResyncError `config-invalid` */
export function requireRoom(config: ResolvedMirror, files: FileTable, documents: readonly Entry[]): void {
  const base = addressOf(rootOfSource(config.source));
  const added = documents.filter(({ uri }) => files.find(uri) === undefined);
  if (added.length === 0) return;
  const places = new TakenPaths(added.map(({ uri }) => pathOf(uri, base, undefined)));
  for (const [uri, { path, sets }] of files) {
    if (isDocument(sets) || places.isFree(path)) continue;
    throw new ResyncError(
      'config-invalid',
      say`The file of ${uri} is at ${path}, where a document of the site belongs.\nFor a copy with --documents, name a new folder.`,
    );
  }
}
