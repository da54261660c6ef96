/** Reads one document of a Source, and checks it by itself. */

import { getOrInsert } from '../base/group.js';
import { addressOf } from '../paths/address.js';
import { digestDocument, toFinding } from '../source/document.js';
import { copyText } from '../source/listed.js';
import { type Absent, isAbsent } from '../source/origin/origin.js';
import { checkDocument, createEntryCheck, type DocumentContext } from '../source/rules/document.js';
import { TIMES } from '../source/rules/times.js';
import { MOST_INDEXES, READ_LIMITS } from '../standard/limits.js';
import type { CheckCode, Finding } from '../standard/rules/checks.js';
import { kindOfDocument, type StandardKind } from '../standard/rules/kinds.js';
import { textOf, timeOf } from '../standard/rules/values.js';
import type { ReadDocument, ReadEntry, ReadHead } from '../standard/xml/as-read.js';
import type { EntryTaker } from '../standard/xml/read.js';
import { type AuditedSet, addResource } from './agreement/set.js';
import { listChangeLinks } from './agreement/versions.js';
import type { Reading, Run } from './picture.js';

/** Limits of what is read of a Source: its server could generate any number of documents on request. */
const MOST_DOCUMENTS = 20_000;
const MOST_ENTRIES = 50_000_000;
/** Bytes of memory that a URI takes beside its text. */
export const URI_BYTES = 250;

/** A document that was read, and the URL of the document above it (`up`) that led to it. */
interface AuditedRead {
  readonly uri: string;
  readonly up: string | undefined;
  readonly read: ReadDocument;
  /** Kind of the document; undefined if the standard defines no such kind, or another one was expected. */
  readonly kind: StandardKind | undefined;
}

export interface FoundDocument extends AuditedRead {
  readonly kind: StandardKind;
}

export function isKnown(found: AuditedRead | undefined): found is FoundDocument {
  return found?.kind !== undefined;
}

/** Reads and checks one document; undefined if unreadable or read before. @param set takes the entries of a Resource List */
export async function auditDocument(
  reading: Reading,
  context: Omit<DocumentContext, 'now'>,
  set?: AuditedSet,
): Promise<AuditedRead | undefined> {
  const { uri: document, up } = context;
  const { run, documents, digests } = reading;
  const { flag } = run;
  const address = addressOf(document);
  if (documents.has(address)) return undefined;
  if (documents.size >= MOST_DOCUMENTS || reading.entries > MOST_ENTRIES) {
    const found = `more than ${MOST_DOCUMENTS} documents or ${MOST_ENTRIES} entries before it`;
    flag('bound-reached', { document, found });
    return undefined;
  }
  run.bounds.check();
  run.bounds.keep(URI_BYTES + document.length);
  const opened = await run.origin.open(document, { most: READ_LIMITS.bytes });
  if (isAbsent(opened)) {
    documents.set(address, { uri: document, kind: undefined, entries: 0, bytes: 0 });
    // A missing copy of a manifest is a lesser mistake than any other missing document.
    if (context.expected?.endsWith('-manifest') === true)
      flagAbsent(opened, 'document-unreachable', { document }, run);
    else flag(...toFinding(document, opened));
    return undefined;
  }
  const last = opened.redirects.at(-1);
  if (last !== undefined) flag('redirected', { document, found: last });
  const take = set && takeResources(run, { ...context, now: run.now }, set);
  let entries = 0;
  const {
    read: found,
    digest,
    length: bytes,
  } = await digestDocument(opened, (...entry) => {
    const isTaken = take?.(...entry) === true;
    if (isTaken) entries++;
    return isTaken;
  });
  digests.set(address, digest);
  const read = isAbsent(found) ? undefined : found;
  if (isAbsent(found)) flag(...toFinding(document, found));
  const kind = read && checkDocument(read, { ...context, now: run.now }, flag);
  if (read !== undefined) entries += read.entries.length;
  reading.entries += entries;
  documents.set(address, { uri: document, kind, entries, bytes });
  run.observe({ stage: 'documents', done: documents.size });
  return read && { uri: document, up, read, kind };
}

/**
 * Calls `visit` with a document, or with every part of an index (§6.1), also below other indexes.
 *
 * @param set takes the entries of the parts of a Resource List
 * @param depth the number of indexes that led to the document
 * @returns whether all parts could be visited
 */
export async function eachPart(
  reading: Reading,
  whole: FoundDocument,
  visit: (part: FoundDocument, entry?: ReadEntry) => Promise<void>,
  set?: AuditedSet,
  depth = 0,
): Promise<boolean> {
  const { uri: index, up, read, kind } = whole;
  if (read.root === 'urlset') {
    await visit(whole);
    return true;
  }
  const expected = kind.replace(/-index$/, '') as StandardKind;
  let isAll = true;
  for (const entry of read.entries) {
    if (entry.loc === undefined) continue;
    const uri = copyText(entry.loc);
    if (uri === index)
      reading.run.flag('index-in-index', {
        document: index,
        line: entry.line,
        entry: uri,
        found: 'itself: not read',
      });
    const part = await auditDocument(reading, { uri, expected, up, index, archives: false }, set);
    if (isKnown(part) && part.kind === expected) await visit(part, entry);
    else {
      const isRead = isKnown(part) && flagNested(reading.run, index, entry, depth);
      isAll = isRead && (await eachPart(reading, part, visit, set, depth + 1)) && isAll;
    }
  }
  return isAll;
}

/** Flags an index in an index, which is wrong (§6.1). Returns true if it is read all the same, because it is not too deep. */
export function flagNested(
  run: Run,
  document: string,
  { line, loc: entry }: ReadEntry,
  depth: number,
): boolean {
  const isRead = depth + 1 < MOST_INDEXES;
  run.flag('index-in-index', { document, line, entry, ...(!isRead && { found: 'too deep: not read' }) });
  return isRead;
}

/** Makes a function that checks each entry of a Resource List while it is parsed, and adds it to a set. */
function takeResources(run: Run, context: DocumentContext, set: AuditedSet): EntryTaker {
  let check: ((entry: ReadEntry) => void) | undefined;
  return (entry, soFar) => {
    if (kindOfDocument(soFar) !== 'resource-list') return false;
    check ??= createEntryCheck(soFar.head, context, run.flag);
    check(entry);
    addResource(set, context.uri, entry, run);
    return true;
  };
}

/** Reports a file or document that cannot be opened or read. @param missing code of the finding if it does not exist */
export function flagAbsent(
  { failure, found }: Absent,
  missing: CheckCode,
  finding: Finding,
  { flag }: Pick<Run, 'flag'>,
): void {
  const codes: Readonly<Record<Absent['failure'], CheckCode>> = {
    missing,
    failed: missing === 'document-unreachable' ? missing : 'fetch-failed',
    slow: missing === 'document-unreachable' ? missing : 'fetch-failed',
    excessive: 'bound-reached',
    malformed: missing,
    refused: 'fetch-refused',
    elsewhere: 'not-checked',
  };
  flag(codes[failure], { ...finding, found });
}

/** Compares the times of an entry with those in the document or package that it lists. @param said the entry */
export function compareTimes(
  said: ReadHead,
  own: ReadHead,
  report: (facts: { readonly found: string; readonly expected: string }) => void,
): void {
  for (const name of TIMES) {
    const [found, expected] = [textOf(said, name), textOf(own, name)];
    if (found === expected || timeOf(said, name)?.getTime() === timeOf(own, name)?.getTime()) continue;
    // A time that the entry leaves out is a difference only if it is the end of an interval, which is then open.
    if (found === undefined && (name !== 'until' || textOf(said, 'from') === undefined)) continue;
    report({ found: `${name} ${found ?? 'not said'}`, expected: expected ?? 'not said' });
  }
}

/** Notes the versions, patches and TimeMaps that the changes of a document link to. */
export function noteLinked(reading: Reading, document: string, part: ReadDocument): void {
  const { run, versions, links } = reading;
  const { bytes, timeMaps } = listChangeLinks(document, part, run.flag);
  for (const one of bytes) {
    run.bounds.keep(2 * URI_BYTES + one.uri.length);
    versions.push(one);
  }
  for (const { uri, line, version } of timeMaps) {
    run.bounds.keep(2 * URI_BYTES + uri.length);
    links.push({ document, line, expected: uri });
    const all = getOrInsert(reading.timeMaps, uri, () => []);
    if (version !== undefined) all.push(version);
  }
}
