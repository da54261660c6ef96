/** The audit of a Source: whether what it publishes keeps to the standard, agrees with itself, and is true (§5.2). */

import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditConfig, type ResolvedAudit, resolveAudit } from '../config.js';
import { fixNow } from '../describe.js';
import { FetchError } from '../http.js';
import { parseDatetime } from '../resourcesync/model.js';
import {
  type EntryTaker,
  ParseError,
  type ParseErrorCode,
  parseDocument,
  type ReadDocument,
  type ReadEntry,
  type ReadHead,
} from '../resourcesync/parse.js';
import { resolveSite } from '../scan.js';
import { makeSelection } from '../select.js';
import { findBaseUrl, findBeginning, WELL_KNOWN } from './begin.js';
import { algorithmsOf, choose, compareBytes, compareDigests, makeTest, toWanted } from './bytes.js';
import { CHECKS, type CheckCode, type Finding, type Severity, type Tell } from './checks.js';
import {
  type Absent,
  type Digested,
  digestBody,
  digestOpened,
  findDifference,
  isAbsent,
  type Origin,
  openFolder,
  openWeb,
} from './origin.js';
import {
  checkDocument,
  type DocumentContext,
  type Kind,
  kindOfDocument,
  linksOf,
  startResourceChecks,
  textOf,
  timeOf,
} from './rules.js';
import {
  addChanges,
  compareListWithChanges,
  deriveState,
  type ListedResource,
  makeListed,
  makeSet,
  type SetState,
  startAdding,
  startChangeDumpComparison,
  startDumpComparison,
} from './uniformity.js';
import { openPackage, PackageError } from './unpack.js';

/** What an audit looked at and found. Plain data, fit for `JSON.stringify`. */
export interface AuditReport {
  /** Absolute path or URL, as it was named. */
  readonly source: string;
  /** URL of the document with which the audit began; absent where none was found. */
  readonly description?: string;
  readonly documents: readonly AuditedDocument[];
  readonly resources: Extent;
  readonly packages: Extent;
  readonly errors: number;
  readonly warnings: number;
  readonly notes: number;
  /** By check, worst first. */
  readonly findings: readonly FindingGroup[];
  /** Milliseconds: reading documents and packages, comparing the bytes of resources, and all together. */
  readonly durations: Readonly<Record<'documents' | 'resources' | 'total', number>>;
}

export interface AuditedDocument {
  readonly uri: string;
  /** Undefined where it is none that the standard defines. */
  readonly kind: Kind | undefined;
  readonly entries: number;
  readonly bytes: number;
}

/** How much of what is listed was compared with what is there. */
export interface Extent {
  readonly listed: number;
  readonly checked: number;
  /** Of what was checked. */
  readonly bytes: number;
}

/** All that one check found. */
export interface FindingGroup {
  readonly code: CheckCode;
  readonly severity: Severity;
  /** Of the standard. */
  readonly section: string;
  readonly count: number;
  /** The first hundred. */
  readonly findings: readonly Finding[];
}

/** Is told how far an audit has come. */
export type AuditObserver = (progress: AuditProgress) => void;

export interface AuditProgress {
  readonly stage: 'documents' | 'packages' | 'resources';
  readonly done: number;
  /** Unknown for documents. */
  readonly total?: number | undefined;
}

/** A Source that has more is not read to its end, or one that makes up documents as they are asked for has none. */
const MOST_DOCUMENTS = 20_000;
const MOST_ENTRIES = 5_000_000;
/** More findings of one check are counted, not kept. */
const KEPT_FINDINGS = 100;
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note'];
const READING_PROBLEMS: Readonly<Record<ParseErrorCode, CheckCode>> = {
  'not-well-formed': 'document-not-well-formed',
  'not-utf-8': 'document-not-utf-8',
  doctype: 'document-with-doctype',
  'not-a-sitemap': 'document-not-a-sitemap',
  'too-many-bytes': 'document-too-large',
  'too-many-entries': 'document-too-large',
  'too-many-elements': 'document-excessive',
  'too-many-attributes': 'document-excessive',
  'too-deep': 'document-excessive',
};

/**
 * Audits a built site, or what a Source on the web publishes: reads every document that can be reached, and compares
 * the bytes of resources and packages with what is listed.
 *
 * Prints nothing. What is wrong with the Source is in the report, not thrown.
 *
 * @throws ResyncError `config-invalid`, `site-unreadable`, `file-unreadable`, `file-changing`
 */
export async function audit(config: AuditConfig, observe?: AuditObserver): Promise<AuditReport> {
  return auditSource(resolveAudit(config), fixNow(process.env), observe);
}

/** `audit` with a configuration that is resolved already. */
export async function auditSource(
  config: ResolvedAudit,
  now: Date,
  observe: AuditObserver = () => undefined,
): Promise<AuditReport> {
  const begin = performance.now();
  const { groups, tell } = startRecord();
  const { origin, start, source } = await openSource(config, tell);
  try {
    const run: Run = {
      origin,
      config,
      now,
      tell,
      observe,
      documents: new Map(),
      entries: 0,
      links: [],
      listed: [],
      deleted: [],
      hasList: false,
      packages: { listed: 0, checked: 0, bytes: 0 },
      packageUris: new Set(),
    };
    const beginning = await start();
    let resources: Extent = { listed: 0, checked: 0, bytes: 0 };
    let read = begin;
    if (beginning !== undefined) {
      await auditFrom(run, beginning.uri);
      if (beginning.from !== undefined && !run.documents.has(beginning.from)) {
        tell('not-listed-above', {
          document: beginning.from,
          expected: `an entry in what ${beginning.uri} leads to`,
        });
      }
      if (
        beginning.page !== undefined &&
        run.hasList &&
        !run.listed.some(({ uri }) => uri === beginning.page)
      ) {
        tell('discovery-not-covered', { document: beginning.page, expected: 'an entry in a Resource List' });
      }
      await checkLinks(run);
      read = performance.now();
      resources = await checkBytes(run);
    }
    const findings = listGroups(groups);
    const count = (severity: Severity) =>
      findings.reduce((sum, group) => sum + (group.severity === severity ? group.count : 0), 0);
    return {
      source,
      ...(beginning !== undefined && { description: beginning.uri }),
      documents: [...run.documents.values()],
      resources,
      packages: run.packages,
      errors: count('error'),
      warnings: count('warning'),
      notes: count('note'),
      findings,
      durations: {
        documents: Math.round(read - begin),
        resources: Math.round(performance.now() - read),
        total: Math.round(performance.now() - begin),
      },
    };
  } finally {
    origin.close();
  }
}

/** What an audit knows while it goes on. */
interface Run {
  readonly origin: Origin;
  readonly config: ResolvedAudit;
  readonly now: Date;
  readonly tell: Tell;
  readonly observe: AuditObserver;
  /** By URL. */
  readonly documents: Map<string, AuditedDocument>;
  /** Of all documents. */
  entries: number;
  /** Documents that describe others. */
  readonly links: Finding[];
  /** What there should be, by the newest document about it. */
  readonly listed: ListedResource[];
  /** What there should not be any more. */
  readonly deleted: Finding[];
  /** Whether a Resource List was read, and all of it. */
  hasList: boolean;
  packages: Extent;
  readonly packageUris: Set<string>;
}

function startRecord(): { groups: Map<CheckCode, { count: number; findings: Finding[] }>; tell: Tell } {
  const groups = new Map<CheckCode, { count: number; findings: Finding[] }>();
  return {
    groups,
    tell: (code, finding) => {
      const group = groups.get(code) ?? { count: 0, findings: [] };
      if (group.count++ < KEPT_FINDINGS) group.findings.push(finding);
      groups.set(code, group);
    },
  };
}

function listGroups(groups: ReadonlyMap<CheckCode, { count: number; findings: Finding[] }>): FindingGroup[] {
  return SEVERITIES.flatMap((severity) =>
    (Object.keys(CHECKS) as CheckCode[]).flatMap((code) => {
      const group = groups.get(code);
      return group === undefined || CHECKS[code].severity !== severity
        ? []
        : [{ code, ...CHECKS[code], ...group }];
    }),
  );
}

async function openSource({ source, url, urls, http }: ResolvedAudit, tell: Tell) {
  if (source.kind === 'folder') {
    const site = resolveSite(source.site);
    const base = url ?? (await findBaseUrl(site)) ?? 'http://localhost/';
    const description = `${base}${WELL_KNOWN}`;
    const origin = openFolder(site, base, urls);
    const start = async () => {
      if (origin.pathOf(description) !== undefined)
        return { uri: description, from: undefined, page: undefined };
      tell('description-missing', { document: join(site, WELL_KNOWN) });
      return undefined;
    };
    return { origin, start, source: site };
  }
  // Where documents speak of another place than the one where they are now, this one is its root.
  const home = url === undefined || source.url.endsWith('/') ? source.url : `${source.url}/`;
  const origin = openWeb(home, url ?? home, http);
  return { origin, start: () => findBeginning(origin, url ?? home, tell), source: home };
}

/**
 * Reads one document and checks it by itself; undefined where it cannot be read, or was read before.
 *
 * @param set takes the entries of a Resource List, which are then not kept: there may be very many
 */
async function readDocument(
  run: Run,
  context: Omit<DocumentContext, 'now'>,
  set?: SetState,
): Promise<{ read: ReadDocument; kind: Kind | undefined } | undefined> {
  const { uri: document } = context;
  const { tell } = run;
  if (run.documents.has(document)) return undefined;
  if (run.documents.size >= MOST_DOCUMENTS || run.entries > MOST_ENTRIES) {
    const found = `more than ${MOST_DOCUMENTS} documents or ${MOST_ENTRIES} entries before it`;
    tell('not-checked', { document, found });
    return undefined;
  }
  const opened = await run.origin.open(document);
  if (isAbsent(opened)) {
    run.documents.set(document, { uri: document, kind: undefined, entries: 0, bytes: 0 });
    tellAbsent(opened, 'document-unreachable', { document }, tell);
    return undefined;
  }
  const last = opened.redirects.at(-1);
  if (last !== undefined) tell('redirected', { document, found: last });
  let bytes = 0;
  async function* count(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of body) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  let taken = 0;
  let take: ((entry: ReadEntry) => void) | undefined;
  const takeResources: EntryTaker = (entry, soFar) => {
    if (set === undefined || kindOfDocument(soFar) !== 'resource-list') return false;
    take ??= startTaking(run, { ...context, now: run.now }, set, soFar.head);
    take(entry);
    taken++;
    return true;
  };
  let read: ReadDocument | undefined;
  try {
    read = await parseDocument(count(opened.body), {}, set === undefined ? undefined : takeResources);
  } catch (error) {
    if (error instanceof ParseError) {
      tell(READING_PROBLEMS[error.code], { document, line: error.line, found: error.message });
    } else if (error instanceof FetchError) tell('document-unreachable', { document, found: error.message });
    else throw error;
  }
  const kind = read && checkDocument(read, { ...context, now: run.now }, tell);
  run.entries += taken + (read?.entries.length ?? 0);
  run.documents.set(document, { uri: document, kind, entries: taken + (read?.entries.length ?? 0), bytes });
  run.observe({ stage: 'documents', done: run.documents.size });
  return read && { read, kind };
}

/** Checks resources and adds them to a set. */
function startTaking(
  run: Run,
  context: DocumentContext,
  set: SetState,
  head: ReadHead,
): (entry: ReadEntry) => void {
  const check = startResourceChecks(head, context, run.tell);
  const addOne = startAdding(set, context.uri, run.tell);
  return (entry) => {
    check(entry);
    addOne(entry);
  };
}

/** @param missing the code for what is not there */
function tellAbsent({ failure, found }: Absent, missing: CheckCode, finding: Finding, tell: Tell): void {
  const codes: Readonly<Record<Absent['failure'], CheckCode>> = {
    missing,
    failed: missing === 'document-unreachable' ? missing : 'fetch-failed',
    refused: 'fetch-refused',
    elsewhere: 'not-checked',
  };
  tell(codes[failure], { ...finding, found });
}

/** Begins at any document, and goes down. */
async function auditFrom(run: Run, uri: string): Promise<void> {
  const found = await readDocument(run, { uri });
  if (found?.kind === undefined) return;
  const { read, kind } = found;
  switch (kind) {
    case 'source-description':
    case 'source-description-index':
      if (new URL(uri).pathname !== `/${WELL_KNOWN}`) {
        run.tell('description-not-well-known', {
          document: uri,
          expected: new URL(`/${WELL_KNOWN}`, uri).href,
        });
      }
      return auditDescription(run, uri, read, kind);
    case 'capability-list':
      return auditSet(run, uri, read);
    default: {
      // A document that leads nowhere up: it is all there is.
      const set = makeSet();
      await auditCapability(run, set, uri, undefined, { read, kind });
      await finishSet(run, set);
    }
  }
}

async function auditDescription(run: Run, document: string, read: ReadDocument, kind: Kind): Promise<void> {
  noteLinks(run, document, read);
  for (const { loc: uri } of read.entries) {
    if (uri === undefined) continue;
    if (kind === 'source-description-index') {
      const part = await readDocument(run, { uri, expected: 'source-description', index: document });
      if (part?.kind === 'source-description') await auditDescription(run, uri, part.read, part.kind);
    } else {
      const list = await readDocument(run, { uri, expected: 'capability-list', up: document });
      if (list?.kind === 'capability-list') await auditSet(run, uri, list.read);
    }
  }
}

/** What §8 and §9 want described by another document. */
function noteLinks(run: Run, document: string, { head, entries }: ReadDocument): void {
  for (const bearer of [head, ...entries]) {
    for (const expected of linksOf(bearer, 'describedby')) {
      run.links.push({ document, line: bearer.links[0]?.line, expected });
    }
  }
}

async function checkLinks({ links, origin, tell }: Run): Promise<void> {
  const seen = new Set<string>();
  for (const { expected: uri = '', ...place } of links) {
    if (seen.has(uri)) continue;
    seen.add(uri);
    const opened = await origin.open(uri);
    if (!isAbsent(opened)) await discard(opened.body);
    else tellAbsent(opened, 'link-broken', { ...place, entry: uri }, tell);
  }
}

async function discard(body: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const _ of body) return;
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
  }
}

/** One set of resources, from its Capability List (§9). */
async function auditSet(run: Run, document: string, read: ReadDocument): Promise<void> {
  noteLinks(run, document, read);
  const set = makeSet();
  // Dumps are compared with the lists, so they come after them, wherever they stand.
  for (const capability of ['resource-list', 'change-list', 'resource-dump', 'change-dump'] as const) {
    for (const entry of read.entries) {
      if (entry.loc === undefined || textOf(entry, 'capability') !== capability.replace('-', '')) continue;
      const taker = capability === 'resource-list' ? set : undefined;
      const found = await readDocument(run, { uri: entry.loc, expected: capability, up: document }, taker);
      if (found !== undefined) await auditCapability(run, set, entry.loc, document, found);
    }
  }
  for (const entry of read.entries) {
    const capability = textOf(entry, 'capability');
    if (capability === undefined || /^(?:resource|change)(?:list|dump)$/.test(capability)) continue;
    run.tell('capability-undefined', { document, line: entry.line, entry: entry.loc, found: capability });
  }
  await finishSet(run, set);
}

async function finishSet(run: Run, set: SetState): Promise<void> {
  compareListWithChanges(set, run.tell);
  const { present, deleted } = deriveState(set);
  for (const resource of present.values()) run.listed.push(resource);
  for (const { uri: entry, document, line, datetime: found } of deleted) {
    run.deleted.push({ document, line, entry, found });
  }
}

/** A capability document: a list or a dump, or an index of such (§10–§13). */
async function auditCapability(
  run: Run,
  set: SetState,
  uri: string,
  up: string | undefined,
  { read, kind }: { read: ReadDocument; kind: Kind | undefined },
): Promise<void> {
  switch (kind) {
    case 'resource-list':
    case 'resource-list-index': {
      const { whole } = await eachPart(run, { uri, up, read, kind, set }, async (part, document) => {
        part.entries.forEach(startAdding(set, document, run.tell));
      });
      set.resources ??= new Map();
      const time = timeOf(read.head, 'at');
      if (time !== undefined) set.at = { time, text: textOf(read.head, 'at') ?? '' };
      run.hasList ||= whole;
      return;
    }
    case 'change-list':
    case 'change-list-index': {
      await eachPart(run, { uri, up, read, kind }, async (part, document) => addChanges(set, document, part));
      set.changes = { interval: intervalOf(read), events: set.changes?.events ?? [] };
      return;
    }
    case 'resource-dump':
    case 'resource-dump-index': {
      const comparison = startDumpComparison(set, uri, timeOf(read.head, 'at'), run.tell);
      let complete = true;
      const { whole } = await eachPart(run, { uri, up, read, kind }, async (part, document) => {
        const seen = await auditPackages(run, document, up, part, 'resource-dump-manifest', comparison.add);
        complete &&= seen;
      });
      if (whole && complete) comparison.finish();
      return;
    }
    case 'change-dump':
    case 'change-dump-index': {
      const comparison = startChangeDumpComparison(set, intervalOf(read), run.tell);
      let complete = true;
      const { whole } = await eachPart(run, { uri, up, read, kind }, async (part, document) => {
        const seen = await auditPackages(run, document, up, part, 'change-dump-manifest', comparison.add);
        complete &&= seen;
      });
      if (whole && complete) comparison.finish();
      return;
    }
    case 'resource-dump-manifest': {
      startDumpComparison(set, uri, undefined, run.tell).add(uri, read);
      return;
    }
    default:
      return;
  }
}

function intervalOf({ head }: ReadDocument): { from: Date | undefined; until: Date | undefined } {
  return { from: timeOf(head, 'from'), until: timeOf(head, 'until') };
}

/** Calls `visit` with a document, or with every part of an index (§6.1). */
async function eachPart(
  run: Run,
  {
    uri,
    up,
    read,
    kind,
    set,
  }: { uri: string; up: string | undefined; read: ReadDocument; kind: Kind; set?: SetState },
  visit: (part: ReadDocument, document: string) => Promise<void>,
): Promise<{ whole: boolean }> {
  if (read.root === 'urlset') {
    await visit(read, uri);
    return { whole: true };
  }
  let whole = true;
  for (const entry of read.entries) {
    const { loc } = entry;
    if (loc === undefined) continue;
    const expected = kind.replace(/-index$/, '') as Kind;
    const part = await readDocument(run, { uri: loc, expected, up, index: uri }, set);
    if (part?.kind === expected) {
      comparePart(entry, part.read, loc, uri, run.tell);
      await visit(part.read, loc);
    } else {
      whole = false;
      if (part?.kind !== undefined)
        run.tell('index-in-index', { document: uri, line: entry.line, entry: loc });
    }
  }
  return { whole };
}

/** §12.2: the times that an index tells of a part are those of the part. */
function comparePart(
  entry: ReadEntry,
  { head }: ReadDocument,
  document: string,
  index: string,
  tell: Tell,
): void {
  compareTimes(
    entry,
    head,
    ['at', 'completed', 'from', 'until'],
    'part-time-differs',
    { document: index, line: entry.line, entry: document },
    tell,
  );
}

function compareTimes(
  said: Parameters<typeof textOf>[0],
  own: Parameters<typeof textOf>[0],
  names: readonly ('at' | 'completed' | 'from' | 'until')[],
  code: CheckCode,
  place: Finding,
  tell: Tell,
): void {
  for (const name of names) {
    const [found, expected] = [textOf(said, name), textOf(own, name)];
    if (found === expected || timeOf(said, name)?.getTime() === timeOf(own, name)?.getTime()) continue;
    // Only the end of an interval means something by not being there.
    if (found === undefined && (name !== 'until' || textOf(said, 'from') === undefined)) continue;
    tell(code, { ...place, found: `${name} ${found ?? 'not said'}`, expected: expected ?? 'not said' });
  }
}

/** The packages of a dump; returns whether the manifests of all were read. */
async function auditPackages(
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
    compareTimes(
      entry,
      manifest.head,
      ['at', 'completed', 'from', 'until'],
      'package-time-differs',
      place,
      tell,
    );
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

/** All bytes of what is listed, or of a sample; and in a folder, whether all that is there is listed (§5.2, §10.1). */
async function checkBytes(run: Run): Promise<Extent> {
  const { listed, deleted, origin, config, tell } = run;
  const chosen = choose(config, listed, ({ lastmod }) =>
    lastmod === undefined ? undefined : parseDatetime(lastmod),
  );
  const isChosen = makeTest(listed, chosen);
  const selection = makeSelection(config.include, config.exclude);
  const differing: ListedResource[] = [];
  let [done, checked, bytes] = [0, 0, 0];
  const compare = (resource: ListedResource, outcome: Digested | Absent) => {
    run.observe({ stage: 'resources', done: ++done, total: chosen.length });
    const { document, line, uri: entry } = resource;
    if (isAbsent(outcome)) {
      tellAbsent(outcome, 'resource-missing', { document, line, entry }, tell);
      return;
    }
    checked++;
    bytes += outcome.length;
    if (!compareBytes(resource, outcome, tell)) differing.push(resource);
  };
  await origin.digest(
    listed,
    (resource) => (isChosen(resource) ? toWanted(resource) : undefined),
    compare,
    ({ uri: document, path }) => {
      const reason = selection(path);
      if (reason === undefined && run.hasList) tell('resource-unlisted', { document, found: path });
      if (reason === 'own-document' && !run.documents.has(document) && !run.packageUris.has(document)) {
        tell('document-unlisted', { document, found: path });
      }
    },
  );
  if (config.against !== undefined) await showDifferences(run, config.against, differing);
  for (const place of deleted) {
    if (place.entry !== undefined && origin.pathOf(place.entry) !== undefined)
      tell('deleted-but-present', place);
  }
  return { listed: listed.length, checked, bytes };
}

/** Differences are looked at one by one, so only some of them. */
const SHOWN_DIFFERENCES = 20;

async function showDifferences(
  { origin, config, tell, listed }: Run,
  folder: string,
  differing: readonly ListedResource[],
) {
  const [first] = listed;
  if (differing.length === 0 || first === undefined) return;
  const site = resolveSite(folder);
  const base = config.url ?? (await findBaseUrl(site)) ?? new URL('/', first.uri).href;
  const local = openFolder(site, base, config.urls);
  for (const { uri: entry, document, line } of differing.slice(0, SHOWN_DIFFERENCES)) {
    const [opened, path] = [await origin.open(entry), local.pathOf(entry)];
    if (isAbsent(opened) || path === undefined) continue;
    const difference = await findDifference(opened, path);
    if (difference === undefined) continue;
    const { offset, found, expected } = difference;
    tell('first-difference', { document, line, entry, found: `at byte ${offset}: ${found}`, expected });
  }
}
